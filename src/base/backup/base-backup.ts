// A base backup: the files of the embedded database, copied while it runs. Together with the archived log it can be brought
// to any moment after it.

import { existsSync } from 'node:fs'
import { chmod, chown, copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import type { Account } from '../postgres/account.ts'
import { BackupUnusable } from './errors.ts'
import { copyFiles, restoreFiles } from './files.ts'
import type { BackedUpFile } from './manifest.ts'
import { connect } from './tables.ts'

export interface BaseBackup {
  folder: string
  /** The earliest moment that it can be brought to. */
  completeAt: Date
  postgres: string
  files: BackedUpFile[]
}

export const baseManifest = 'base.json'
export const clusterFolder = 'postgres'
const namePattern = /^base-[\dTZ-]+$/

/** Folders whose content a start creates again. */
const emptied = [
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]
const skipped = /^(postmaster\.(pid|opts)|pgsql_tmp.*|backup_label.*|tablespace_map.*|recovery\.signal)$/

/** The folder appears under its name when it is complete and the log that it needs is archived. */
export async function writeBaseBackup(
  connection: pg.ClientConfig,
  options: { archive: string; cluster: string; dataDir: string; now: Date },
): Promise<BaseBackup> {
  const folder = join(options.archive, `base-${options.now.toISOString().replaceAll(/[:.]/g, '-')}`)
  const partial = `${folder}.part`
  await mkdir(partial, { mode: 0o700 })
  const client = await connect(connection)
  try {
    await requireArchiving(client)
    await client.query(`select pg_backup_start('bozor', true)`)
    await copyCluster(options.cluster, join(partial, clusterFolder))
    const { rows } = await client.query<{ label: string; at: Date; postgres: string }>(
      `select stop.labelfile as label, clock_timestamp() as at, current_setting('server_version') as postgres
       from pg_backup_stop(true) stop`,
    )
    const { label, at, postgres } = rows[0]!
    await writeFile(join(partial, clusterFolder, 'backup_label'), label, { mode: 0o600, flush: true })
    const files = await copyFiles(options.dataDir, partial)
    const made = { completeAt: at, postgres, files }
    await writeFile(join(partial, baseManifest), `${JSON.stringify(made)}\n`, { mode: 0o600, flush: true })
    await rename(partial, folder)
    return { folder, ...made }
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    throw error
  } finally {
    await client.end()
  }
}

async function requireArchiving(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ mode: string }>(`select current_setting('archive_mode') as mode`)
  if (rows[0]!.mode !== 'on')
    throw new BackupUnusable(
      'The database does not archive its log. Set WAL_ARCHIVE, restart the server, and repeat the command.',
    )
}

async function copyCluster(from: string, to: string): Promise<void> {
  await mkdir(to, { mode: 0o700 })
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (skipped.test(entry.name)) continue
    if (emptied.includes(entry.name)) await mkdir(target, { mode: 0o700 })
    else if (entry.isDirectory()) await copyCluster(source, target)
    else if (entry.isFile()) await copyIfThere(source, target)
  }
}

/** Tables and temporary files may be deleted while the database runs; the log contains the deletion. */
async function copyIfThere(from: string, to: string): Promise<void> {
  await copyFile(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
}

/** The complete base backups of an archive, oldest first. */
export async function baseBackupsIn(archive: string): Promise<BaseBackup[]> {
  const names = existsSync(archive) ? (await readdir(archive)).filter((it) => namePattern.test(it)) : []
  const found: BaseBackup[] = []
  for (const name of names.toSorted()) {
    const folder = join(archive, name)
    const made = JSON.parse(await readFile(join(folder, baseManifest), 'utf8')) as Omit<
      BaseBackup,
      'folder' | 'completeAt'
    > & { completeAt: string }
    found.push({ ...made, folder, completeAt: new Date(made.completeAt) })
  }
  return found
}

/** The newest base backup from which a moment can be reached. */
export async function baseBackupFor(archive: string, until: Date | undefined): Promise<BaseBackup> {
  const all = await baseBackupsIn(archive)
  const found = all.findLast((it) => until === undefined || it.completeAt <= until)
  if (found) return found
  const earliest = all[0]?.completeAt.toISOString()
  throw new BackupUnusable(
    earliest === undefined
      ? `${archive} holds no base backup. "bozor backup --base" makes one.`
      : `The earliest moment that ${archive} can restore is ${earliest}.`,
  )
}

/** Puts the files in place, for a start that replays the log. */
export async function placeBaseBackup(
  { folder, files }: BaseBackup,
  place: { cluster: string; dataDir: string; account: Account },
): Promise<void> {
  const { cluster, dataDir, account } = place
  await copyTree(join(folder, clusterFolder), cluster, account)
  await mkdir(join(cluster, 'pg_wal', 'archive_status'), { mode: 0o700 })
  await writeFile(join(cluster, 'recovery.signal'), '', { mode: 0o600 })
  if (account)
    for (const it of ['pg_wal/archive_status', 'recovery.signal'])
      await chown(join(cluster, it), account.uid, account.gid)
  await restoreFiles(folder, dataDir, files)
}

async function copyTree(from: string, to: string, account: Account): Promise<void> {
  await mkdir(to, { mode: 0o700 })
  if (account) await chown(to, account.uid, account.gid)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await copyTree(source, target, account)
    else {
      await copyFile(source, target)
      await chmod(target, 0o600)
      if (account) await chown(target, account.uid, account.gid)
    }
  }
}
