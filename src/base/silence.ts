// A database that falls silent without hanging up: a cut line, a frozen machine. Its sockets stay open for a quarter
// of an hour, so only a clock notices. Slow is not silent: before anything is cut, a new caller asks whether it lives.

import pg from 'pg'
import { elapsedMs } from './clock.ts'

const lookEveryMs = 500
const patienceMs = 2_000
/** A new caller is waited for so often and so long: 1.5 s in all, and more when this process has no time itself. */
const turns = 15
const turnMs = 100

/** Cuts all connections of a pool when one was held for long and the database answers no new caller. Returns how to end. */
export function watchForSilence(pool: pg.Pool, connection: pg.ClientConfig): () => void {
  const all = new Set<pg.PoolClient>()
  const heldSinceMs = new Map<pg.PoolClient, number>()
  pool.on('connect', (client) => all.add(client))
  pool.on('acquire', (client) => heldSinceMs.set(client, elapsedMs()))
  pool.on('release', (_error, client) => heldSinceMs.delete(client))
  pool.on('remove', (client) => {
    heldSinceMs.delete(client)
    all.delete(client)
  })

  let askedAtMs = -Infinity
  const look = async () => {
    const longAgoMs = elapsedMs() - patienceMs
    if (askedAtMs > longAgoMs || ![...heldSinceMs.values()].some((it) => it < longAgoMs)) return
    askedAtMs = elapsedMs()
    if (!(await answers(connection))) for (const client of all) streamOf(client).destroy()
  }
  const timer = setInterval(() => void look(), lookEveryMs).unref()
  return () => clearInterval(timer)
}

/**
 * Whether a new caller is let in, or at least told in words why not. Patience is counted in turns: a process that was
 * busy itself finds its own clock run out, with the answer lying there unread.
 */
async function answers(connection: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  let heard: boolean | undefined
  client.connect().then(
    () => (heard = true),
    (error: unknown) => (heard = error instanceof pg.DatabaseError),
  )
  try {
    for (let turn = 0; turn < turns && heard === undefined; turn++)
      await new Promise((done) => setTimeout(done, turnMs))
    return heard ?? false
  } finally {
    if (heard === undefined) streamOf(client).destroy()
    else client.end().catch(() => {})
  }
}

const streamOf = (client: pg.ClientBase) =>
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream
