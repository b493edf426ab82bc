// Moves all data to another database, table by table. A move that was interrupted continues: tables whose content is
// already equal are not copied again.

import type pg from 'pg'
import type { Log } from '../log.ts'
import { migrate } from '../migrate.ts'
import { copyIn, copyOut } from './copy.ts'
import { BackupUnusable } from './errors.ts'
import { refuseInUse } from './restore-backup.ts'
import {
  addPartitions,
  appliedMigrations,
  connect,
  contentOf,
  copyInSql,
  copyOutSql,
  fullName,
  partitionsOf,
  sequencesOf,
  setSequences,
  type Table,
  tablesOf,
} from './tables.ts'

export interface MoveOptions {
  source: pg.ClientConfig
  target: pg.ClientConfig
  log: Log
  progress(text: string): void
}

export interface MoveResult {
  tables: number
  rows: number
  /** Tables that an earlier, interrupted move had copied. */
  alreadyEqual: number
}

const minPostgres = 15

/** The source must be migrated, and nothing else may use either database. */
export async function moveData({ source, target, log, progress }: MoveOptions): Promise<MoveResult> {
  const [from, to] = [await connect(source), await connect(target)]
  try {
    await refuseOld(to)
    await refuseInUse(from)
    await refuseInUse(to)
    await claimTarget(to)
    await migrate(target, log)
    await addPartitions(to, await partitionsOf(from))
    const tables = await tablesOf(from)
    const result: MoveResult = { tables: tables.length, rows: 0, alreadyEqual: 0 }
    for (const [at, table] of tables.entries()) {
      progress(`${at + 1} of ${tables.length} tables: ${table.schema}.${table.name}`)
      const moved = await moveTable(from, to, table)
      result.rows += moved.rows
      if (!moved.isCopied) result.alreadyEqual++
    }
    await setSequences(to, await sequencesOf(from))
    await refuseInUse(from)
    await to.query(`drop table public.${marker}`)
    await to.query('analyze')
    return result
  } finally {
    await Promise.all([from.end(), to.end()])
  }
}

async function refuseOld(to: pg.Client): Promise<void> {
  const { rows } = await to.query<{ version: string }>(`select current_setting('server_version') as version`)
  if (Number.parseInt(rows[0]!.version, 10) < minPostgres)
    throw new BackupUnusable(
      `The target is PostgreSQL ${rows[0]!.version}; ${minPostgres} or newer is required.`,
    )
}

const marker = 'bozor_move'

/** The marker distinguishes a target that a move has begun to fill from a database with a shop in use. */
async function claimTarget(to: pg.Client): Promise<void> {
  const { rows } = await to.query<{ isBegun: boolean }>(
    `select to_regclass('public.${marker}') is not null as "isBegun"`,
  )
  if (rows[0]!.isBegun) return
  if ((await appliedMigrations(to)) !== undefined)
    throw new BackupUnusable('The target already holds a shop. Name an empty database.')
  await to.query(`create table public.${marker} (begun_at timestamptz not null default now())`)
}

/** One transaction per table: a table of the target is complete or as it was. */
async function moveTable(
  from: pg.Client,
  to: pg.Client,
  table: Table,
): Promise<{ rows: number; isCopied: boolean }> {
  const wanted = await contentOf(from, table)
  const present = await contentOf(to, table)
  if (present.rows === wanted.rows && present.checksum === wanted.checksum)
    return { rows: wanted.rows, isCopied: false }
  await to.query('begin')
  // Empties tables that refer to this one too; they are copied after it.
  await to.query(`truncate ${fullName(table)} cascade`)
  await copyIn(to, copyInSql(table), copyOut(from, copyOutSql(table)) as AsyncIterable<Buffer>)
  const copied = await contentOf(to, table)
  if (copied.rows !== wanted.rows || copied.checksum !== wanted.checksum)
    throw new BackupUnusable(
      `The table ${table.schema}.${table.name} differs after copying: ${wanted.rows} rows in the source, ${copied.rows} in ` +
        'the target. Check that nothing writes to either database and run the command again.',
    )
  await to.query('commit')
  return { rows: wanted.rows, isCopied: true }
}
