// `bozor restore --to TIME`: the embedded database at a moment of the past.

import { resolve } from 'node:path'
import { baseBackupFor, placeBaseBackup } from '../base/backup/base-backup.ts'
import { fetchBase } from '../base/backup/bucket-archive.ts'
import { BackupUnusable } from '../base/backup/errors.ts'
import { systemClock } from '../base/clock.ts'
import { migrate } from '../base/migrate.ts'
import { accountFor } from '../base/postgres/account.ts'
import { recoveryFrom } from '../base/postgres/archive.ts'
import { chooseHome, clusterIn, findHome, openDataDir } from '../base/postgres/locations.ts'
import { openStorage } from '../base/storage.ts'
import { requireArchive } from './backup.ts'
import { type CommandArguments, type CommandContext, UsageError } from './command.ts'

/** Copies the newest base backup before the moment and lets PostgreSQL replay the log up to it. */
export async function restoreToTime(context: CommandContext, { flags }: CommandArguments): Promise<number> {
  const { config, log } = context
  const archive = requireArchive(config)
  const until = momentOf(flags['to'] as string)
  const dataDir = openDataDir(config.dataDir)
  if (findHome(dataDir) !== undefined)
    throw new BackupUnusable(`${dataDir} already holds a database. Name an empty DATA_DIR.`)
  const account = accountFor(clusterIn(dataDir))
  const bucket = config.walArchiveS3
  const base = bucket
    ? await fetchBase({ bucket, archive, clock: systemClock() }, { until, account })
    : await baseBackupFor(archive, until)
  const cluster = clusterIn(chooseHome(dataDir, account, (message) => log.info(message)))
  await placeBaseBackup(base, { cluster, dataDir: resolve(config.dataDir), account })
  const storage = await openStorage(
    { databaseUrl: undefined, dataDir: config.dataDir },
    { role: 'command', commandName: 'restore', log, settings: recoveryFrom(archive, until) },
  )
  try {
    await migrate(storage.connection, log)
  } finally {
    await storage.close()
  }
  const to = until?.toISOString() ?? 'latest'
  context.print(
    flags['json']
      ? JSON.stringify({ base: base.folder, to })
      : `Restored ${dataDir} from ${base.folder} to ${to === 'latest' ? 'the end of the log' : to}. Put the secret key there, then start.`,
  )
  return 0
}

function momentOf(text: string): Date | undefined {
  if (text === 'latest') return undefined
  const moment = new Date(text)
  if (/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(moment.getTime())) return moment
  throw new UsageError('--to must be a moment with its zone, such as 2026-11-16T14:30:00Z, or latest')
}
