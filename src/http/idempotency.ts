// One effect per credential and Idempotency-Key. The record is claimed and stored in the transaction of the write, so
// a repeated request gets the same bytes from any process, also after a crash.

import { dayMs } from '../base/clock.ts'
import { type Database, isLockTimeout, type Tx, violatedUnique } from '../base/database.ts'
import { deleteInBatches } from '../base/housekeeping.ts'
import type { Job } from '../base/jobs.ts'
import { refuse } from '../base/refusal.ts'

/** A reply ready to be sent. */
export interface WriteReply {
  status: number
  headers: Record<string, string>
  body: string
  /** Sent with this reply and not stored: a replay sets no cookie. */
  cookie: string | undefined
  /** The body that is stored for replays, if some fields are shown only once. */
  bodyWithoutSecrets: string | undefined
  /** The client whose personal data the body may hold; null if there is none. */
  clientId: number | null
}

export interface Write {
  /** Slow work before the transaction. A replay skips it. */
  prepare?: () => Promise<unknown>
  run: (tx: Tx, prepared: unknown) => Promise<WriteReply>
}

interface Claim {
  principal: string
  key: string
  fingerprint: Buffer
}

type Outcome = WriteReply & { replayed: boolean }

const lifetimeMs = dayMs
const waitMs = 5_000

/** Requests of this process that hold a key now. A duplicate waits here, without taking a database connection. */
export type InFlight = Map<string, Promise<unknown>>

/** Runs the write once and returns its reply, or returns the stored reply of the earlier run. */
export async function runOnce(
  db: Database,
  inFlight: InFlight,
  job: { claim: Claim; write: Write },
): Promise<Outcome> {
  const name = `${db.environment} ${job.claim.principal} ${job.claim.key}`
  await waitForDuplicate(inFlight, name)
  const done = replayOrRun(db, job)
  inFlight.set(name, done)
  try {
    return await done
  } finally {
    if (inFlight.get(name) === done) inFlight.delete(name)
  }
}

/** `prepare` sees the state after the first run (a phone number that is now taken), so a replay must not reach it. */
async function replayOrRun(
  db: Database,
  { claim, write: { prepare, run } }: { claim: Claim; write: Write },
): Promise<Outcome> {
  if (!prepare) return claimAndRun(db, claim, (tx) => run(tx, undefined))
  const stored = await storedReply(db, claim)
  if (stored) return { ...stored, replayed: true }
  try {
    const prepared = await prepare()
    return await claimAndRun(db, claim, (tx) => run(tx, prepared))
  } catch (error) {
    // A duplicate in another process may have committed after the first lookup.
    const later = await storedReply(db, claim)
    if (later) return { ...later, replayed: true }
    throw error
  }
}

/**
 * The claim is the first statement of the transaction and is not awaited: if the key is taken, every later statement
 * fails, and the result of the run, also a refusal, is discarded.
 */
async function claimAndRun(
  db: Database,
  claim: Claim,
  run: (tx: Tx) => Promise<WriteReply>,
): Promise<Outcome> {
  let collision: unknown
  try {
    const reply = await db.transaction(async (tx) => {
      collision = undefined
      claimKey(tx, claim, (error) => (collision = error))
      const done = await run(tx)
      storeReply(tx, claim, done)
      return done
    })
    return { ...reply, replayed: false }
  } catch (error) {
    if (isLockTimeout(collision)) throw refuse('idempotency_in_progress', { retry_after: 1 })
    if (!violatedUnique(collision)) throw error
  }
  const stored = await storedReply(db, claim)
  return stored ? { ...stored, replayed: true } : claimAndRun(db, claim, run)
}

async function waitForDuplicate(inFlight: InFlight, name: string): Promise<void> {
  const running = inFlight.get(name)
  if (!running) return
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'late'>((done) => (timer = setTimeout(done, waitMs, 'late')))
  const first = await Promise.race([running.catch(() => {}), late])
  clearTimeout(timer)
  if (first === 'late') throw refuse('idempotency_in_progress', { retry_after: 1 })
}

/** Waits for a duplicate in another process to commit or roll back. */
const claimKey = (tx: Tx, claim: Claim, onError: (error: unknown) => void): void =>
  tx.later(
    `insert into idempotency_records (principal, key, fingerprint, created_at) values ($1, $2, $3, $4)`,
    [claim.principal, claim.key, claim.fingerprint, tx.now],
    onError,
  )

/** The stored reply of a key. A record past its lifetime is deleted, which frees the key. */
async function storedReply(db: Database, claim: Claim): Promise<WriteReply | undefined> {
  const stored = await db.transaction(async (tx) => {
    await tx.all(`delete from idempotency_records where principal = $1 and key = $2 and created_at < $3`, [
      claim.principal,
      claim.key,
      new Date(tx.now.getTime() - lifetimeMs),
    ])
    return tx.maybe<StoredReply>(
      `select fingerprint, status, headers, body, client_id as "clientId" from idempotency_records
       where principal = $1 and key = $2`,
      [claim.principal, claim.key],
    )
  })
  if (!stored) return undefined
  if (!stored.fingerprint.equals(claim.fingerprint))
    throw refuse('idempotency_key_reused', { key: claim.key })
  const { status, headers, body, clientId } = stored
  if (body === null) throw refuse('not_found', { resource: 'client', id: String(clientId) })
  return { status, headers, body, clientId, cookie: undefined, bodyWithoutSecrets: undefined }
}

interface StoredReply {
  fingerprint: Buffer
  status: number
  headers: Record<string, string>
  /** Null after the client was erased. */
  body: string | null
  clientId: number | null
}

function storeReply(tx: Tx, claim: Claim, reply: WriteReply): void {
  tx.later(
    `update idempotency_records set status = $3, headers = $4, body = $5, client_id = $6
     where principal = $1 and key = $2`,
    [
      claim.principal,
      claim.key,
      reply.status,
      JSON.stringify(reply.headers),
      reply.bodyWithoutSecrets ?? reply.body,
      reply.clientId,
    ],
  )
}

/** Stored replies about a duplicate are about the client into which it was merged. */
export const moveReplies = (tx: Tx, { from, into }: { from: number; into: number }): void =>
  tx.later(`update idempotency_records set client_id = $2 where client_id = $1`, [from, into])

/** Deletes the stored replies about an erased client. Their keys stay taken: the writes are not done again. */
export const eraseReplies = (tx: Tx, clientId: number): void =>
  tx.later(`update idempotency_records set body = null where client_id = $1`, [clientId])

export const purgeReplies: Job = {
  name: 'purge-replies',
  cron: '0 15 * * * ?',
  isPurge: true,
  description: 'Deletes replies stored for Idempotency-Keys after one day.',
  run: async (work) => {
    const count = await deleteInBatches(work, {
      days: 1,
      // The age is checked twice: the row may be claimed again while this statement waits for its lock.
      sql: `delete from idempotency_records where created_at < $1 and (principal, key) in (
              select principal, key from idempotency_records where created_at < $1 limit $2) returning 1`,
    })
    return `deleted ${count} replies`
  },
}
