// Asking a socket whether a database answers behind it.

import { Client } from 'pg'
import { errorCode } from './errors.ts'
import { database, port, superuser } from './settings.ts'

/** What `pg` needs to connect. Port and ssl are said outright, or PGPORT and PGSSLMODE would decide them. */
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
export async function probed(socketDir: string): Promise<'answers' | 'busy' | 'silent'> {
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
