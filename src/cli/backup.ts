import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { writeBaseBackup } from '../base/backup/base-backup.ts'
import { moveBase } from '../base/backup/bucket-archive.ts'
import { checkBackup } from '../base/backup/check-backup.ts'
import { type Manifest, readManifest } from '../base/backup/manifest.ts'
import { removeOldBackups, writeBackup } from '../base/backup/write-backup.ts'
import { systemClock } from '../base/clock.ts'
import { clusterIn, findHome, openDataDir } from '../base/postgres/locations.ts'
import { openStorage } from '../base/storage.ts'
import { keyText } from '../base/vault.ts'
import { type Command, type CommandArguments, type CommandContext, UsageError } from './command.ts'
import { recordBackup } from '../base/backup/last-backup.ts'

export const backupCommand: Command = {
  usage: 'TARGET [--keep N] [--with-secret-key] [--json] | --check FOLDER [--json] | --base [--json]',
  help: `Writes a consistent copy of both environments while the server runs, and checks it.

  TARGET             the folder that gets the backup, as a folder of its own with a date in its name; use another disk
  --keep N           afterwards remove older backups in TARGET so that N remain
  --with-secret-key  put a copy of the key that encrypts stored secrets into the backup
  --check FOLDER     only check the files of a backup that exists
  --base             copy the files of the embedded database into WAL_ARCHIVE, or into the bucket WAL_ARCHIVE_S3_URL,
                     for "restore --to TIME"
  --json             print JSON

The backup holds everything that the database holds (personal data of buyers, password hashes, encrypted webhook
secrets) and uploaded pictures. Its files are readable by their owner only. The key that decrypts webhook secrets (SECRET_KEY, or
DATA_DIR/secret.key) is not in it by default: keep a copy of that key in another place.

  npm run bozor -- backup /mnt/backups --keep 14
  npm run bozor -- restore /mnt/backups/bozor-2026-11-16T02-00-00-000Z`,
  options: {
    keep: { type: 'string' },
    'with-secret-key': { type: 'boolean' },
    check: { type: 'string' },
    base: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  run(context, args) {
    if (args.flags['base'] === true) return backUpBase(context, args)
    return typeof args.flags['check'] === 'string' ? check(context, args) : backUp(context, args)
  },
}

async function backUpBase(context: CommandContext, { flags }: CommandArguments): Promise<number> {
  const { config, log } = context
  const archive = requireArchive(config)
  const storage = await openStorage(config, { role: 'command', commandName: 'backup', log })
  try {
    const dataDir = openDataDir(config.dataDir)
    const clock = systemClock()
    const { folder: written, completeAt } = await writeBaseBackup(storage.connection, {
      archive,
      dataDir,
      cluster: clusterIn(findHome(dataDir) ?? dataDir),
      now: clock.now(),
    })
    const bucket = config.walArchiveS3
    const folder = bucket ? await moveBase({ bucket, archive, clock }, written) : written
    const from = completeAt.toISOString()
    recordBackup(config, { folder, madeAt: from })
    context.print(
      flags['json']
        ? JSON.stringify({ folder, from })
        : `Base backup written: ${folder}\nIt reaches every moment from ${from} on.`,
    )
    return 0
  } finally {
    await storage.close()
  }
}

/** The folder of the log; an own PostgreSQL archives with its own tools. */
export function requireArchive({ walArchive, databaseUrl }: CommandContext['config']): string {
  if (walArchive !== undefined && databaseUrl === undefined) return walArchive
  throw new UsageError('set WAL_ARCHIVE to the folder of the log; it works with the embedded database only')
}

async function check(context: CommandContext, { flags }: CommandArguments): Promise<number> {
  const folder = flags['check'] as string
  const manifest = readManifest(folder)
  await checkBackup(folder, manifest)
  context.print(
    flags['json']
      ? JSON.stringify({ folder, created_at: manifest.madeAt, ...totals(manifest) })
      : `${folder} is complete: ${summary(manifest)}.`,
  )
  return 0
}

async function backUp(context: CommandContext, args: CommandArguments): Promise<number> {
  const keep = keepOf(args)
  const [target, ...more] = args.positionals
  if (target === undefined || more.length > 0) throw new UsageError('name one TARGET folder for the backup')
  const { config, log, version, progress } = context
  const now = systemClock().now()
  const withKey = args.flags['with-secret-key'] === true
  const storage = await openStorage(config, { role: 'command', commandName: 'backup', log })
  try {
    const { folder, manifest } = await writeBackup(storage.connection, {
      target: resolve(target),
      dataDir: resolve(config.dataDir),
      now,
      version,
      progress,
      ...(withKey && { secretKey: keyText(config) }),
    })
    const removed = keep === undefined ? [] : await removeOldBackups(resolve(target), keep)
    recordBackup(config, { folder, madeAt: manifest.madeAt })
    progress('')
    if (args.flags['json'])
      context.print(JSON.stringify({ folder, created_at: manifest.madeAt, ...totals(manifest), removed }))
    else context.print(report(folder, manifest, { removed, withKey }))
    return 0
  } finally {
    await storage.close()
  }
}

function keepOf({ flags }: CommandArguments): number | undefined {
  const text = flags['keep']
  if (text === undefined) return undefined
  if (typeof text !== 'string' || !/^[1-9]\d{0,3}$/.test(text))
    throw new UsageError('--keep must be a number from 1 to 9999')
  return Number(text)
}

export const totals = ({ tables, files = [] }: Manifest) => ({
  tables: tables.length,
  rows: tables.reduce((sum, it) => sum + it.rows, 0),
  bytes: tables.reduce((sum, it) => sum + it.bytes, 0),
  files: files.length,
})

export function summary(manifest: Manifest): string {
  const { tables, rows, bytes, files } = totals(manifest)
  return `${tables} tables, ${rows} rows, ${(bytes / 1024 / 1024).toFixed(1)} MB, ${files} uploaded files, made at ${manifest.madeAt}`
}

const report = (
  folder: string,
  manifest: Manifest,
  { removed, withKey }: { removed: string[]; withKey: boolean },
): string =>
  [
    `Backup written and checked: ${folder}`,
    summary(manifest),
    withKey
      ? 'It holds the secret key: its reader can decrypt the stored secrets.'
      : 'It does not hold the secret key (SECRET_KEY or DATA_DIR/secret.key): keep a copy of that key in another place.',
    ...(removed.length > 0 ? [`Removed: ${removed.join(', ')}`] : []),
    ...(existsSync(resolve(folder, '..', 'postgres'))
      ? ['TARGET is the data folder: use another disk.']
      : []),
  ].join('\n')
