// Restores a backup: all of it in one transaction, or nothing.

import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'
import type pg from 'pg'
import type { Log } from '../log.ts'
import { applyMigrations, migrate, migrations } from '../migrate.ts'
import { copyIn } from './copy.ts'
import { BackupUnusable } from './errors.ts'
import { checkBackup } from './check-backup.ts'
import { restoreFiles } from './files.ts'
import type { Manifest } from './manifest.ts'
import {
  addPartitions,
  appliedMigrations,
  connect,
  contentOf,
  copyInSql,
  fullName,
  otherConnections,
  schemas,
  setSequences,
  tablesOf,
} from './tables.ts'

export interface RestoreOptions {
  folder: string
  manifest: Manifest
  dataDir: string
  /** Whether a database that is not empty may be replaced. */
  replace: boolean
  log: Log
  progress(text: string): void
}

/** Replaces the content of the database, then runs the migrations that are newer than the backup. */
export async function restoreBackup(connection: pg.ClientConfig, options: RestoreOptions): Promise<void> {
  const { folder, manifest, log, progress } = options
  refuseNewer(manifest)
  progress('checking the files')
  await checkBackup(folder, manifest)
  const client = await connect(connection)
  try {
    await refuseInUse(client)
    if (!options.replace && (await appliedMigrations(client)) !== undefined)
      throw new BackupUnusable(
        'The database already holds a shop. Restore into an empty DATA_DIR or database, or add --replace, which deletes ' +
          'what is there.',
      )
    await client.query('begin')
    await load(client, options)
    progress('copying files')
    await restoreFiles(folder, options.dataDir, manifest.files ?? [])
    await client.query('commit')
  } finally {
    // An open transaction ends with its connection and leaves the database as it was.
    await client.end()
  }
  await migrate(connection, log)
  await analyze(connection)
}

function refuseNewer({ migrations: made, version }: Manifest): void {
  const known = new Set(migrations().map((it) => it.name))
  const unknown = made.filter((it) => !known.has(it))
  if (unknown.length > 0)
    throw new BackupUnusable(
      `The backup was made by Bozor ${version}, which has migrations that this version does not know ` +
        `(${unknown.join(', ')}). Restore it with that version or a newer one.`,
    )
}

export async function refuseInUse(client: pg.Client): Promise<void> {
  const others = await otherConnections(client)
  if (others > 0)
    throw new BackupUnusable(
      `A server or a command uses the database (${others} connections). Stop it first, on all nodes.`,
    )
}

async function load(client: pg.Client, { folder, manifest, progress }: RestoreOptions): Promise<void> {
  await client.query(`drop schema if exists ${schemas.join(', ')} cascade`)
  await applyMigrations(client, manifest.migrations)
  await addPartitions(client, manifest.partitions)
  const tables = await tablesOf(client)
  // Migrations insert first rows, which the backup holds too.
  await client.query(`truncate ${tables.map(fullName).join(', ')} cascade`)
  const files = new Map(manifest.tables.map((it) => [fullName(it), it]))
  const names = new Set(tables.map(fullName))
  for (const it of manifest.tables)
    if (!names.has(fullName(it)))
      throw new BackupUnusable(
        `The backup holds the table ${fullName(it)}, which its migrations do not make.`,
      )
  for (const [at, table] of tables.entries()) {
    const file = files.get(fullName(table))
    if (!file) throw new BackupUnusable(`The backup lacks the table ${table.schema}.${table.name}.`)
    progress(`${at + 1} of ${tables.length} tables: ${table.schema}.${table.name}`)
    const source = createReadStream(join(folder, file.file))
    const rows = source.pipe(createGunzip())
    source.on('error', (error) => rows.destroy(error))
    await copyIn(client, copyInSql(file), rows as AsyncIterable<Buffer>)
    const content = await contentOf(client, table)
    if (content.rows !== file.rows || content.checksum !== file.checksum)
      throw new BackupUnusable(
        `The table ${table.schema}.${table.name} differs from the backup after loading; nothing was changed.`,
      )
  }
  await setSequences(client, manifest.sequences)
}

/** Without statistics the first queries on large tables would be planned badly. */
async function analyze(connection: pg.ClientConfig): Promise<void> {
  const client = await connect(connection)
  await client.query('analyze').finally(() => client.end())
}
