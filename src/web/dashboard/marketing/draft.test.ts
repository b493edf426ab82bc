import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import {
  clauseOf,
  conditionForms,
  conditionOf,
  cronOf,
  firstTrigger,
  instantOf,
  localText,
  scheduleOf,
  thingOf,
  triggerFormOf,
  triggerForms,
  withThing,
} from './draft.ts'

test('a condition keeps its fields and its negation', () => {
  const clauses = [{ ordered: { times: 2, days: 30 } }, { not: { inactive: { days: 60 } } }]
  deepEqual(
    clauses.map((it) => clauseOf(conditionOf(it))),
    clauses,
  )
  deepEqual(conditionOf(clauses[1]!), { kind: 'inactive', fields: { days: 60 }, isNegated: true })
})

test('every condition begins with a value for each of its fields', () => {
  for (const [kind, { fields, first }] of Object.entries(conditionForms))
    for (const name of Object.keys(fields).filter((it) => it !== 'thing'))
      equal(name in first, true, `${kind}.${name}`)
})

test('what was bought is one thing', () => {
  deepEqual(thingOf({ brand: '7', days: 3 }), { thing: 'brand', id: '7' })
  deepEqual(withThing({ brand: '7', days: 3 }, 'partner', '8'), { partner: '8', days: 3 })
})

test('daily and weekly schedules are read from cron and written back', () => {
  for (const [cron, form, schedule] of [
    ['0 5 9 * * ?', 'daily', { time: '09:05', weekday: 2 }],
    ['0 30 18 ? * 6', 'weekly', { time: '18:30', weekday: 6 }],
  ] as const) {
    equal(triggerFormOf({ cron }), form)
    deepEqual(scheduleOf(cron), schedule)
    equal(cronOf(form, schedule), cron)
  }
  equal(triggerFormOf({ cron: '0 0 10 1 * ?' }), 'cron')
})

test('every form of a trigger begins with a trigger of that form', () => {
  for (const form of triggerForms) equal(triggerFormOf(firstTrigger(form, '2026-11-17T10:00:00Z')), form)
})

test('an instant is edited in the time zone of the browser', () => {
  const iso = '2026-11-17T10:00:00.000Z'
  equal(instantOf(localText(iso)), iso)
  equal(localText('never'), '')
  equal(instantOf(''), '')
})
