// Checks whether a database responds on a socket.

import { Client } from 'pg'
import { errorCode } from './errors.ts'
import { database, port, superuser } from './settings.ts'

/** Connection settings for `pg`. Port and ssl are explicit, so that PGPORT and PGSSLMODE have no effect. */
export interface Connection {
  host: string
  port: number
  user: string
  database: string
  ssl: false
}

export const connectionAt = (socketDir: string): Connection => ({
  host: socketDir,
  port,
  user: superuser,
  database,
  ssl: false,
})

/** `busy` is a database that is starting, stopping or recovering. */
export async function probe(socketDir: string): Promise<'answers' | 'busy' | 'silent'> {
  if (socketDir === '') return 'silent'
  const client = new Client({ ...connectionAt(socketDir), connectionTimeoutMillis: 2000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return 'answers'
  } catch (error) {
    return errorCode(error)?.startsWith('57P') ? 'busy' : 'silent'
  } finally {
    await client.end().catch(() => {})
  }
}
