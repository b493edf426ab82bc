// A migration runs while nodes of the version before it still serve: it may only add what they ignore. What removes or
// narrows something says in a line `-- contracts: REASON` why no running version uses it any more.

import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { migrations } from '../src/base/migrate.ts'
import { statementsIn } from '../src/base/migration-plan.ts'

/** Earlier files ran before several versions had to share a database. */
const firstChecked = '0104'

const narrowing: [what: string, pattern: RegExp][] = [
  ['removes', /^drop (table|view|schema|index|sequence)\b|^alter table .*\bdrop (column |constraint )/i],
  ['renames', /^alter (table|index) .*\brename\b/i],
  ['changes a type', /^alter table .*\balter (column )?\w+ (set data )?type\b/i],
  ['requires a value', /^alter table .*\balter (column )?\w+ set not null\b/i],
  ['requires a value', /^alter table .*\badd (column )?(?!constraint)\w+ (?!.*\bdefault\b).*\bnot null\b/i],
  ['removes a default', /^alter table .*\balter (column )?\w+ drop default\b/i],
  ['adds a constraint', /^alter table .*\badd (constraint \w+ )?(check|unique|foreign key|primary key)\b/i],
]

/** Tables that the same file creates are unknown to earlier versions. */
function narrowingIn(sql: string): string[] {
  const statements = statementsIn(sql)
  const created = statements.flatMap((it) => /^create table (?:if not exists )?(\w+)/i.exec(it)?.[1] ?? [])
  return statements
    .filter(
      (it) => !created.some((table) => new RegExp(String.raw`^\w+ table (only )?${table}\b`, 'i').test(it)),
    )
    .flatMap((it) => narrowing.filter(([, pattern]) => pattern.test(it)).map(([what]) => `${what}: ${it}`))
}

const reasonIn = (sql: string) => /^-- contracts: (.+)$/m.exec(sql)?.[1]

test('a migration only adds what the version before ignores, or says why it may remove', () => {
  const found = migrations()
    .filter(({ name, sql }) => name >= firstChecked && reasonIn(sql) === undefined)
    .flatMap(({ name, sql }) => narrowingIn(sql).map((it) => `${name} ${it}`))
  deepEqual(found, [])
})

test('the check finds what an earlier version would not survive', () => {
  const kinds = (sql: string) => narrowingIn(sql).map((it) => it.split(':')[0])
  deepEqual(kinds('drop table a'), ['removes'])
  deepEqual(kinds('alter table a drop column b'), ['removes'])
  deepEqual(kinds('alter table a rename column b to c'), ['renames'])
  deepEqual(kinds('alter table a alter column b type int8'), ['changes a type'])
  deepEqual(kinds('alter table a alter b set not null'), ['requires a value'])
  deepEqual(kinds('alter table a add column b text not null'), ['requires a value'])
  deepEqual(kinds('alter table a add constraint c check (b > 0)'), ['adds a constraint'])
  deepEqual(kinds(`alter table a add column b text not null default ''`), [])
  deepEqual(kinds('alter table a add column b text'), [])
  deepEqual(kinds('create table a (b int); alter table a add constraint c check (b > 0)'), [])
  equal(reasonIn('-- in live\n-- contracts: nothing reads it since 0104\n'), 'nothing reads it since 0104')
})
