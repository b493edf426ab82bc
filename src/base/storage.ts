// The database: the embedded PostgreSQL, or the one in DATABASE_URL.

import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { keepMovingLog } from './backup/move-log.ts'
import { systemClock } from './clock.ts'
import type { Config } from './config.ts'
import type { DatabaseConnection } from './database.ts'
import type { Log } from './log.ts'
import { openEmbedded } from './postgres/embedded.ts'

export interface Storage {
  connection: DatabaseConnection
  embedded: boolean
  /** Where the embedded database is, if that is not in the data directory. */
  elsewhere?: string
  close(): Promise<void>
}

/** Opens the database for a server, or for a command that may run beside one. */
export async function openStorage(
  config: Pick<Config, 'databaseUrl' | 'dataDir'> &
    Partial<Pick<Config, 'databasePooler' | 'walArchive' | 'walArchiveS3'>>,
  options: { role: 'server' | 'command'; commandName: string; log: Log; settings?: Record<string, string> },
): Promise<Storage> {
  if (config.databaseUrl) {
    const isPooled = config.databasePooler === 'session'
    const connection = { connectionString: config.databaseUrl, ...(isPooled && { isPooled }) }
    return { connection, embedded: false, close: async () => {} }
  }
  const { log, ...rest } = options
  const postgres = await openEmbedded({
    ...rest,
    dataDir: config.dataDir,
    archive: config.walArchive,
    log: (message, fields) => log.info(message, fields),
  })
  const { connection, home } = postgres
  const { walArchive: archive, walArchiveS3: bucket } = config
  const moving =
    options.role === 'server' && archive !== undefined && bucket
      ? keepMovingLog({ archive, bucket, clock: systemClock() }, log)
      : undefined
  const isElsewhere = home !== realpathSync(resolve(config.dataDir))
  return {
    connection,
    embedded: true,
    ...(isElsewhere && { elsewhere: home }),
    close: async () => {
      await postgres.close()
      await moving?.stop()
    },
  }
}
