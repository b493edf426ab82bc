import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { freshDatabase } from '../../test/support/database.ts'
import { classify, planMigrations, statementsIn } from './migration-plan.ts'
import { migrations } from './migrate.ts'

test('SQL is split at semicolons outside of texts, names, functions and comments', () => {
  deepEqual(
    statementsIn(`-- a; b
      select ';' as "x;y"; /* ; */ do $$ begin a; b; end $$; update t set a = 'it''s;'`),
    [`select ';' as "x;y"`, 'do $$ begin a; b; end $$', `update t set a = 'it''s;'`],
  )
})

test('a statement says what it locks and which table it changes', () => {
  const found = (sql: string) => {
    const { effect, table } = classify(sql)
    return [effect, table]
  }
  deepEqual(found('create index on catalog_offers (price)'), ['blocks writes', 'catalog_offers'])
  deepEqual(found('create unique index a_b on live.catalog_offers (price)'), [
    'blocks writes',
    'live.catalog_offers',
  ])
  deepEqual(found('create table a (b int)'), ['adds', undefined])
  deepEqual(found('alter table "order" add b int'), ['blocks reads and writes', 'order'])
  deepEqual(found('update a set b = 1'), ['changes rows', 'a'])
  deepEqual(found('select 1'), ['other', undefined])
})

test('a plan lists the steps of pending migrations with the size of their tables, and changes nothing', async () => {
  const client = new pg.Client(await freshDatabase())
  await client.connect()
  deepEqual(await planMigrations(client), [])
  const altering = migrations().find((it) => /^alter table/m.test(it.sql) && it.schemas.includes('live'))!
  await client.query('delete from platform.migrations where name = $1', [altering.name])
  const steps = await planMigrations(client)
  deepEqual(new Set(steps.map((it) => it.migration)), new Set([altering.name]))
  deepEqual(new Set(steps.map((it) => it.schema)), new Set(altering.schemas))
  equal(
    steps.every((it) => it.statement !== ''),
    true,
  )
  const { rowCount } = await client.query('select 1 from platform.migrations where name = $1', [
    altering.name,
  ])
  equal(rowCount, 0)
  await client.end()
})
