// One effect per credential and key. The record is claimed, filled and committed with the write itself, so a reply
// that was promised once is given again, byte for byte, by any process, after any crash.

import { brokenUnique, type Database, isLockTimeout, type Tx } from '../base/db.ts'
import { deleteInBatches } from '../base/housekeeping.ts'
import type { Job } from '../base/jobs.ts'
import { refuse } from '../base/refusal.ts'

/** A reply, ready to be sent: what a caller gets, and what a repetition of the call gets. */
export interface Written {
  status: number
  headers: Record<string, string>
  body: string
  /** Given to the caller and never remembered. */
  cookie: string | undefined
  /** The body without what is shown only once; undefined when there is nothing to hide. */
  bodyWithoutSecrets: string | undefined
}

export interface Claim {
  principal: string
  key: string
  fingerprint: Buffer
}

const lifetimeMs = 24 * 3_600_000
const waitMs = 5_000

/** Calls of this process that hold a key now. A twin waits here, where it costs no connection. */
export type InFlight = Map<string, Promise<unknown>>

/** Does the work once and returns its reply, or returns the reply of the time it was done. */
export async function once(
  db: Database,
  inFlight: InFlight,
  job: { claim: Claim; work: (tx: Tx) => Promise<Written> },
): Promise<Written & { replayed: boolean }> {
  const name = `${db.environment} ${job.claim.principal} ${job.claim.key}`
  await waitForTwin(inFlight, name)
  const done = claimAndWork(db, job)
  inFlight.set(name, done)
  try {
    return await done
  } finally {
    if (inFlight.get(name) === done) inFlight.delete(name)
  }
}

/**
 * The claim comes first in the transaction and nobody waits for it: if the key is taken, everything after it fails,
 * and what the work has said meanwhile, a refusal too, counts for nothing.
 */
async function claimAndWork(
  db: Database,
  { claim, work }: { claim: Claim; work: (tx: Tx) => Promise<Written> },
): Promise<Written & { replayed: boolean }> {
  let collision: unknown
  try {
    const written = await db.transaction(async (tx) => {
      collision = undefined
      claimKey(tx, claim).catch((error: unknown) => (collision = error))
      const done = await work(tx)
      remember(tx, claim, done)
      return done
    })
    return { ...written, replayed: false }
  } catch (error) {
    if (isLockTimeout(collision)) throw refuse('idempotency_in_progress', { retry_after: 1 })
    if (!brokenUnique(collision)) throw error
  }
  const kept = await recalled(db, claim)
  return kept ? { ...kept, replayed: true } : claimAndWork(db, { claim, work })
}

async function waitForTwin(inFlight: InFlight, name: string): Promise<void> {
  const twin = inFlight.get(name)
  if (!twin) return
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'late'>((done) => (timer = setTimeout(done, waitMs, 'late')))
  const first = await Promise.race([twin.catch(() => {}), late])
  clearTimeout(timer)
  if (first === 'late') throw refuse('idempotency_in_progress', { retry_after: 1 })
}

/** A twin elsewhere makes this wait until it has committed or given up. */
const claimKey = (tx: Tx, claim: Claim): Promise<unknown> =>
  tx.later(
    `insert into idempotency_records (principal, key, fingerprint, created_at) values ($1, $2, $3, $4)`,
    [claim.principal, claim.key, claim.fingerprint, tx.now],
  )

/** The reply that the key has had; undefined, and the key free again, when its day is over. */
async function recalled(db: Database, claim: Claim): Promise<Written | undefined> {
  const kept = await db.transaction(async (tx) => {
    await tx.all(`delete from idempotency_records where principal = $1 and key = $2 and created_at < $3`, [
      claim.principal,
      claim.key,
      new Date(tx.now.getTime() - lifetimeMs),
    ])
    return tx.maybe<{ fingerprint: Buffer; status: number; headers: Record<string, string>; body: string }>(
      `select fingerprint, status, headers, body from idempotency_records where principal = $1 and key = $2`,
      [claim.principal, claim.key],
    )
  })
  if (!kept) return undefined
  if (!kept.fingerprint.equals(claim.fingerprint)) throw refuse('idempotency_key_reused', { key: claim.key })
  const { status, headers, body } = kept
  return { status, headers, body, cookie: undefined, bodyWithoutSecrets: undefined }
}

function remember(tx: Tx, claim: Claim, written: Written): void {
  tx.later(
    `update idempotency_records set status = $3, headers = $4, body = $5 where principal = $1 and key = $2`,
    [
      claim.principal,
      claim.key,
      written.status,
      JSON.stringify(written.headers),
      written.bodyWithoutSecrets ?? written.body,
    ],
  )
}

/** Forgets replies after their day. */
export const forgetReplies: Job = {
  name: 'forget-replies',
  cron: '0 15 * * * ?',
  meaning: 'Forgets the replies remembered for Idempotency-Keys after a day.',
  run: async (work) => {
    const count = await deleteInBatches(work, {
      days: 1,
      // The age is asked twice: a key that was claimed anew while its row was waited for is young again.
      sql: `delete from idempotency_records where created_at < $1 and (principal, key) in (
              select principal, key from idempotency_records where created_at < $1 limit $2) returning 1`,
    })
    return `forgot ${count} replies`
  },
}
