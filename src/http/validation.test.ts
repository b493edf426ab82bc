import { deepEqual, ok } from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { localizedFaults } from './validation.ts'

/** Names of rules in the source: as `rule: '…'`, or as an argument of a function that creates a fault. */
const writtenRules = /\brule: '(\w+)'|\b(?:fault|wrong|violation|invalid)\((?:'\w+', )?'(\w+)'/g

test('every validation rule has a message', () => {
  const sources = globSync('src/**/*.ts').filter((it) => !it.endsWith('.test.ts'))
  const rules = new Set(
    sources.flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(writtenRules)].map(([, inField, handed]) => inField ?? handed!),
    ),
  )
  ok(rules.has('required') && rules.has('absent_on_main_page') && rules.has('catboost_json'))
  const spoken = localizedFaults(
    [...rules].map((rule) => ({ path: '', rule, limit: 1 })),
    'en',
  )
  deepEqual(
    spoken.filter((it) => it.message === 'is not valid').map((it) => it.rule),
    [],
  )
})
