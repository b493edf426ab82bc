// A database that falls silent without hanging up: a cut line, a frozen machine. Its sockets stay open for a quarter
// of an hour, so only a clock notices. Slow is not silent: before anything is cut, a new caller asks whether it lives.

import pg from 'pg'
import { elapsedMs } from './clock.ts'

const lookEveryMs = 500
const patienceMs = 2_000
const answerWithinMs = 1_500

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

/** Whether a new caller is let in, or at least told in words why not. */
async function answers(connection: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: answerWithinMs })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch (error) {
    return error instanceof pg.DatabaseError
  } finally {
    client.end().catch(() => {})
  }
}

const streamOf = (client: pg.PoolClient) =>
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream
