// Detects a database that stops responding without closing its sockets: a broken network, a frozen machine. The sockets
// would stay open for 15 minutes. A slow database is not dead: before connections are cut, a new one is tried.

import pg from 'pg'
import { elapsedMs } from './clock.ts'

const checkEveryMs = 500
const heldTooLongMs = 2_000
/** The probe gets 1.5 s, counted in turns of the event loop. */
const turns = 15
const turnMs = 100

/** Cuts all connections of a pool when one is held for long and the database accepts no new one. Returns a function that stops it. */
export function startConnectionWatchdog(pool: pg.Pool, connection: pg.ClientConfig): () => void {
  const all = new Set<pg.PoolClient>()
  const heldSinceMs = new Map<pg.PoolClient, number>()
  pool.on('connect', (client) => all.add(client))
  pool.on('acquire', (client) => heldSinceMs.set(client, elapsedMs()))
  pool.on('release', (_error, client) => heldSinceMs.delete(client))
  pool.on('remove', (client) => {
    heldSinceMs.delete(client)
    all.delete(client)
  })

  let probedAtMs = -Infinity
  const check = async () => {
    const longAgoMs = elapsedMs() - heldTooLongMs
    if (probedAtMs > longAgoMs || ![...heldSinceMs.values()].some((it) => it < longAgoMs)) return
    probedAtMs = elapsedMs()
    if (!(await answers(connection))) for (const client of all) streamOf(client).destroy()
  }
  const timer = setInterval(() => void check(), checkEveryMs).unref()
  return () => clearInterval(timer)
}

/**
 * Whether the database runs a statement or rejects it with a message. A connection alone proves nothing: a pooler accepts it
 * without a database. The limit is counted in turns: after a pause of
 * this process the time would be over before the reply is read.
 */
async function answers(connection: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  let responded: boolean | undefined
  const ask = async () => {
    await client.connect()
    await client.query('select 1')
  }
  ask().then(
    () => (responded = true),
    (error: unknown) => (responded = error instanceof pg.DatabaseError),
  )
  try {
    for (let turn = 0; turn < turns && responded === undefined; turn++)
      await new Promise((done) => setTimeout(done, turnMs))
    return responded ?? false
  } finally {
    if (responded === undefined) streamOf(client).destroy()
    else client.end().catch(() => {})
  }
}

export const streamOf = (client: pg.ClientBase) =>
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream
