// Writes a backup: one snapshot of all tables, taken while the platform works.

import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type pg from 'pg'
import { copyOut } from './copy.ts'
import { BackupUnusable } from './errors.ts'
import { copyFiles } from './files.ts'
import { checkBackup } from './check-backup.ts'
import { type BackedUpTable, formatVersion, type Manifest, manifestFile } from './manifest.ts'
import {
  appliedMigrations,
  connect,
  contentOf,
  copyOutSql,
  partitionsOf,
  sequencesOf,
  type Table,
  tablesOf,
} from './tables.ts'

export interface BackupOptions {
  /** The folder that gets the backup as a folder of its own. */
  target: string
  /** The data directory, for the files beside the database. */
  dataDir: string
  now: Date
  version: string
  /** A copy of the key that encrypts stored secrets, if the backup shall hold it. */
  secretKey?: string
  progress(text: string): void
}

export interface Backup {
  folder: string
  manifest: Manifest
}

/** Speed matters more than size: the first level of gzip is four times as fast as the usual one. */
const gzipLevel = 1
export const secretKeyFile = 'secret.key'
const backupName = /^bozor-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/

/** The folder appears under its name when everything is written and checked. */
export async function writeBackup(connection: pg.ClientConfig, options: BackupOptions): Promise<Backup> {
  const folder = join(options.target, `bozor-${options.now.toISOString().replaceAll(/[:.]/g, '-')}`)
  const partial = `${folder}.part`
  await mkdir(options.target, { recursive: true })
  await mkdir(partial, { mode: 0o700 })
  try {
    const snapshot = await writeTables(connection, partial, options)
    options.progress('copying files')
    const manifest = { ...snapshot, files: await copyFiles(options.dataDir, partial) }
    options.progress('checking the files')
    await checkBackup(partial, manifest)
    await writeDurably(join(partial, manifestFile), `${JSON.stringify(manifest, null, 2)}\n`)
    if (options.secretKey !== undefined)
      await writeDurably(join(partial, secretKeyFile), `${options.secretKey}\n`)
    await syncFolder(partial)
    await rename(partial, folder)
    await syncFolder(options.target)
    return { folder, manifest }
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    throw error
  }
}

/** Removes older backups so that `keep` remain; returns the names of those removed. */
export async function removeOldBackups(target: string, keep: number): Promise<string[]> {
  const names = (await readdir(target)).filter((it) => backupName.test(it)).toSorted()
  const old = names.slice(0, Math.max(0, names.length - keep))
  for (const name of old) await rm(join(target, name), { recursive: true })
  return old
}

async function writeTables(
  connection: pg.ClientConfig,
  folder: string,
  { now, version, progress }: BackupOptions,
): Promise<Manifest> {
  const client = await connect(connection)
  try {
    await client.query('begin isolation level repeatable read, read only')
    const migrations = await appliedMigrations(client)
    if (!migrations) throw new BackupUnusable('The database is empty: there is nothing to back up.')
    const tables = await tablesOf(client)
    const written: BackedUpTable[] = []
    for (const [at, table] of tables.entries()) {
      progress(`${at + 1} of ${tables.length} tables: ${table.schema}.${table.name}`)
      written.push(await writeTable(client, folder, table))
    }
    const { rows } = await client.query<{ postgres: string; fingerprint: Buffer | null }>(
      `select current_setting('server_version') as postgres,
              (select fingerprint from platform.secret_key) as fingerprint`,
    )
    return {
      format: formatVersion,
      madeAt: now.toISOString(),
      version,
      postgres: rows[0]!.postgres,
      migrations,
      secretKeyFingerprint: rows[0]!.fingerprint?.toString('hex') ?? null,
      partitions: await partitionsOf(client),
      tables: written,
      // Read last: a sequence is not part of the snapshot, and a later value is always right.
      sequences: await sequencesOf(client),
    }
  } finally {
    await client.end()
  }
}

async function writeTable(client: pg.Client, folder: string, table: Table): Promise<BackedUpTable> {
  const file = `${table.schema}.${table.name}.copy.gz`
  const hash = createHash('sha256')
  let bytes = 0
  const measured = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  await pipeline(
    copyOut(client, copyOutSql(table)),
    createGzip({ level: gzipLevel }),
    measured,
    createWriteStream(join(folder, file), { mode: 0o600, flush: true }),
  )
  return { ...table, file, ...(await contentOf(client, table)), bytes, sha256: hash.digest('hex') }
}

const writeDurably = (path: string, text: string): Promise<void> =>
  writeFile(path, text, { mode: 0o600, flush: true })

/** After this, the names of the files survive a power cut too. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}
