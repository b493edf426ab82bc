// ADR 0084: every table has a way to be distributed, and the SQL uses nothing that distributed engines lack.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import pg from 'pg'
import { migrations } from '../src/base/migrate.ts'
import { statementsIn } from '../src/base/migration-plan.ts'
import { freshDatabase } from './support/database.ts'

const adr = readFileSync('docs/adr/0084-distribution-by-buyer.md', 'utf8')
const namesIn = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)
const rowsOf = (pattern: RegExp) =>
  adr
    .split('\n')
    .filter((it) => pattern.test(it))
    .map((it) => it.split('|').map((cell) => cell.trim()))

interface Placed {
  kind: string
  key: string | undefined
}

const placed = new Map<string, Placed>()
for (const [, kind, key, tables] of rowsOf(/^\| (buyer|caller|offer|everywhere|one machine) \|/))
  for (const table of namesIn(tables!)) {
    ok(!placed.has(table), `${table} is listed once`)
    placed.set(table, { kind: kind!, key: namesIn(key!)[0] })
  }
/** Which parts of which tables Citus would refuse, as the ADR lists them. */
const exceptions = rowsOf(/^\| `\w+` \| (unique|primary key|foreign key)/).flatMap(([, table, reason]) =>
  reason!.split(', ').map((it) => `${namesIn(table!)[0]}: ${it.replaceAll('`', '')}`),
)

const client = new pg.Client(await freshDatabase())
await client.connect()
after(() => client.end())

/** Tables of both kinds of schema; a partition belongs to its table. */
const { rows: tables } = await client.query<{ name: string; columns: string[] }>(
  `select t.relname as name, array_agg(a.attname::text) as columns
   from pg_class t join pg_namespace n on n.oid = t.relnamespace
   join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
   where n.nspname in ('live', 'platform') and t.relkind in ('r', 'p') and not t.relispartition
   group by t.relname`,
)

interface Constraint {
  table: string
  kind: 'p' | 'u' | 'f'
  columns: string[]
  target: string | null
  targetColumns: string[]
}

const { rows: constraints } = await client.query<Constraint>(
  `select t.relname as table, c.contype as kind, other.relname as target,
     (select array_agg(a.attname::text order by k.place) from unnest(c.conkey) with ordinality k(number, place)
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.number) as columns,
     coalesce((select array_agg(a.attname::text order by k.place) from unnest(c.confkey) with ordinality k(number, place)
        join pg_attribute a on a.attrelid = c.confrelid and a.attnum = k.number), '{}') as "targetColumns"
   from pg_constraint c join pg_class t on t.oid = c.conrelid join pg_namespace n on n.oid = t.relnamespace
   left join pg_class other on other.oid = c.confrelid
   where n.nspname in ('live', 'platform') and c.contype in ('p', 'u', 'f') and not t.relispartition`,
)

test('every table has a kind, and its key is a column', () => {
  deepEqual([...placed.keys()].toSorted(), tables.map((it) => it.name).toSorted())
  const withoutKey = tables.filter(({ name, columns }) => {
    const { kind, key } = placed.get(name)!
    const isSpread = kind !== 'everywhere' && kind !== 'one machine'
    return isSpread ? !key || !columns.includes(key) : key !== undefined
  })
  deepEqual(withoutKey, [])
})

test('the list of what Citus would refuse is exact', () => {
  deepEqual(constraints.flatMap(refusedByCitus).toSorted(), exceptions.toSorted())
})

function refusedByCitus({ table, kind, columns, target, targetColumns }: Constraint): string[] {
  const { key, kind: placement } = placed.get(table)!
  if (kind !== 'f') {
    const word = kind === 'p' ? 'primary key' : 'unique'
    return key && !columns.includes(key) ? [`${table}: ${word} ${columns.join(' ')}`] : []
  }
  const other = placed.get(target!)!
  const isAllowed =
    other.kind === 'everywhere' ||
    (placement === 'one machine' && other.kind === 'one machine') ||
    (key !== undefined && other.key !== undefined && columns[targetColumns.indexOf(other.key)] === key)
  return isAllowed ? [] : [`${table}: foreign key ${columns.join(' ')}`]
}

/** What at least one of the engines lacks. */
const lacking: Record<string, RegExp> = {
  'advisory locks': /\bpg_(try_)?advisory/i,
  'listen and notify': /^\s*(un)?listen\s+\w|^\s*notify\s+\w|\bpg_notify\(/i,
  'lock table': /^\s*lock (table )?\w/i,
  inheritance: /\binherits\s*\(/i,
  'exclusion constraints': /\bexclude\s+using\b/i,
  'deferrable constraints': /\bdeferrable\b|\bset constraints\b/i,
  GiST: /\busing (gist|spgist|brin)\b/i,
  'triggers and functions': /^\s*create (or replace )?(trigger|function|procedure|rule)\b/i,
  'temporary and unlogged tables': /\bcreate (local |global )?(temp|temporary|unlogged)\b/i,
  'generated stored columns': /\bgenerated always as \(/i,
  'system columns': /\b(ctid|xmin|xmax|tableoid)\b/,
  extensions: /^\s*create extension\b/i,
  'types and domains': /^\s*(create|alter) (type|domain)\b/i,
  'partitions of tables': /\bpartition (by (range|list|hash)|of)\b/i,
  'operator classes': /\b\w+_pattern_ops\b/i,
  'included columns of a primary key': /\bprimary key \([^)]*\) include\b/i,
}

const lackingIn = (sql: string) => Object.keys(lacking).filter((name) => lacking[name]!.test(sql))

test('migrations use what CockroachDB lacks in the named places only, and nothing that all three lack', () => {
  const found = migrations().flatMap(({ name, sql }) =>
    [...new Set(statementsIn(sql).flatMap(lackingIn))].map((it) => `${name}: ${it}`),
  )
  deepEqual(found, [
    '0010-behaviour: partitions of tables',
    '0019-behaviour-and-experiments: partitions of tables',
    '0034-identity-clients-merge-erase: operator classes',
    '0095-search-engine: included columns of a primary key',
  ])
  for (const it of found) ok(adr.includes(it.split(':')[0]!), `the ADR names ${it}`)
})

/** Statements are texts in backquotes or quotes that begin with a word of SQL. */
const statement =
  /[`']\s*((?:select|insert|update|delete|with|create|alter|lock|listen|notify|declare)\s[^`]*?)[`']/gi

test('statements of the server use what distributed engines lack in the named places only', () => {
  const files = globSync('src/**/*.ts').filter((it) => !it.includes('.test.') && !it.startsWith('src/web/'))
  const statements = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(statement)].map(([, sql]) => ({ file, sql: sql! })),
  )
  ok(statements.length > 400, String(statements.length))
  const found = statements.flatMap(({ file, sql }) => lackingIn(sql).map((it) => `${file}: ${it}`))
  const named = [
    'src/base/backup/tables.ts: partitions of tables',
    'src/recommendations/interactions/partition-store.ts: lock table',
    'src/recommendations/models/store.ts: lock table',
  ]
  deepEqual([...new Set(found)].toSorted(), named)
  for (const it of named) ok(adr.includes(it.split(':')[0]!), `the ADR names ${it}`)
})

test('the patterns find what they name', () => {
  const examples = [
    'select pg_advisory_lock(1)',
    'listen orders',
    'lock table carts',
    'create table a () inherits (b)',
    'alter table a add exclude using gist (b with &&)',
    'alter table a add unique (b) deferrable',
    'create index on a using gist (b)',
    'create function a() returns int',
    'create temp table a (b int)',
    'create table a (b int generated always as (c) stored)',
    'select ctid from a',
    'create extension pg_trgm',
    'create type a as enum ()',
    'create table a (b int) partition by range (b)',
    'create index on a (b text_pattern_ops)',
    'create table a (primary key (b) include (c))',
  ]
  for (const [at, name] of Object.keys(lacking).entries()) ok(lackingIn(examples[at]!).includes(name), name)
  equal(examples.length, Object.keys(lacking).length)
})
