// Where the data stands: in the PostgreSQL that comes with the shop, or in one that the operator names.

import type pg from 'pg'
import type { Config } from './config.ts'
import type { Log } from './log.ts'
import { openEmbedded } from './postgres/embedded.ts'

export interface Storage {
  connection: pg.PoolConfig
  embedded: boolean
  close(): Promise<void>
}

/** Opens the storage for a server, or for a command that may run beside one. */
export async function openStorage(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  options: { role: 'server' | 'command'; commandName: string; log: Log; settings?: Record<string, string> },
): Promise<Storage> {
  if (config.databaseUrl)
    return { connection: { connectionString: config.databaseUrl }, embedded: false, close: async () => {} }
  const { log, ...rest } = options
  const postgres = await openEmbedded({
    ...rest,
    dataDir: config.dataDir,
    log: (message, fields) => log.info(message, fields),
  })
  return { connection: postgres.connection, embedded: true, close: () => postgres.close() }
}
