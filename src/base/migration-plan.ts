// What pending migrations would do to the tables of a database: locks, rows and sizes. Reads only.

import type pg from 'pg'
import { type Migration, migrations } from './migrate.ts'

export interface PlannedStep {
  migration: string
  schema: string
  statement: string
  /** The table that the statement changes, if it exists. */
  table: { name: string; rows: number; bytes: number } | undefined
  effect: Effect
}

export type Effect = 'adds' | 'blocks writes' | 'blocks reads and writes' | 'changes rows' | 'other'

interface Statement {
  text: string
  effect: Effect
  table: string | undefined
}

const name = String.raw`((?:"[^"]+"|[a-z_][a-z0-9_]*)(?:\.(?:"[^"]+"|[a-z_][a-z0-9_]*))?)`

/** The first pattern that matches decides; its group is the table. */
const kinds: [RegExp, Effect][] = [
  [/^create (?:unique )?index concurrently/i, 'adds'],
  [
    new RegExp(
      String.raw`^create (?:unique )?index (?:if not exists )?(?:[a-z_0-9]+ )?on (?:only )?${name}`,
      'i',
    ),
    'blocks writes',
  ],
  [/^create (?:table|schema|type|view|sequence|function)/i, 'adds'],
  [new RegExp(String.raw`^alter table (?:if exists )?(?:only )?${name}`, 'i'), 'blocks reads and writes'],
  [new RegExp(String.raw`^alter index (?:if exists )?${name}`, 'i'), 'blocks writes'],
  [new RegExp(String.raw`^drop table (?:if exists )?${name}`, 'i'), 'blocks reads and writes'],
  [/^drop index/i, 'blocks reads and writes'],
  [new RegExp(String.raw`^(?:update|delete from|insert into) (?:only )?${name}`, 'i'), 'changes rows'],
  [new RegExp(String.raw`^truncate (?:table )?${name}`, 'i'), 'blocks reads and writes'],
]

/** Splits SQL at semicolons outside of texts, quoted names, dollar quotes and comments. */
export function statementsIn(sql: string): string[] {
  const token = /--[^\n]*|\/\*[^]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[^]*?\1|;/g
  const found: string[] = []
  let current = ''
  let from = 0
  for (const match of sql.matchAll(token)) {
    const [text] = match
    current += sql.slice(from, match.index)
    from = match.index + text.length
    if (text === ';') {
      found.push(current)
      current = ''
    } else if (!text.startsWith('--') && !text.startsWith('/*')) current += text
  }
  found.push(current + sql.slice(from))
  return found.map((it) => it.replaceAll(/\s+/g, ' ').trim()).filter((it) => it !== '')
}

export function classify(text: string): Statement {
  for (const [pattern, effect] of kinds) {
    const match = pattern.exec(text)
    if (match) return { text, effect, table: match[1]?.replaceAll('"', '') }
  }
  return { text, effect: 'other', table: undefined }
}

/** The steps of all migrations that the database lacks; a database without any lacks all of them. */
export async function planMigrations(client: pg.Client): Promise<PlannedStep[]> {
  const done = await appliedNames(client)
  const steps: PlannedStep[] = []
  for (const migration of migrations())
    if (!done.has(migration.name)) steps.push(...(await stepsOf(client, migration)))
  return steps
}

async function appliedNames(client: pg.Client): Promise<Set<string>> {
  const { rows: found } = await client.query<{ exists: boolean }>(
    `select to_regclass('platform.migrations') is not null as exists`,
  )
  if (!found[0]!.exists) return new Set()
  const { rows } = await client.query<{ name: string }>('select name from platform.migrations')
  return new Set(rows.map((it) => it.name))
}

async function stepsOf(client: pg.Client, migration: Migration): Promise<PlannedStep[]> {
  const steps: PlannedStep[] = []
  for (const schema of migration.schemas)
    for (const { text, effect, table } of statementsIn(migration.sql).map(classify))
      steps.push({
        migration: migration.name,
        schema,
        statement: text,
        effect,
        table: table === undefined ? undefined : await sizeOf(client, schema, table),
      })
  return steps
}

async function sizeOf(client: pg.Client, schema: string, table: string): Promise<PlannedStep['table']> {
  const full = table.includes('.') ? table : `${schema}.${table}`
  const { rows } = await client.query<{ rows: number; bytes: number }>(
    `select greatest(reltuples, 0)::float8 as rows, pg_total_relation_size(oid)::float8 as bytes
     from pg_class where oid = to_regclass($1)`,
    [full],
  )
  return rows[0] && { name: full, ...rows[0] }
}
