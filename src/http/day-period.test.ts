import { deepEqual, equal, throws } from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../base/refusal.ts'
import { daysOf, periodOf } from './day-period.ts'

const today = '2026-11-15'

test('a period ends today and has thirty days unless the caller says otherwise', () => {
  deepEqual(periodOf({}, today), { from: '2026-10-17', to: today })
  deepEqual(periodOf({ to: '2026-03-01' }, today), { from: '2026-01-31', to: '2026-03-01' })
  equal(daysOf(periodOf({}, today)).length, 30)
  deepEqual(daysOf({ from: '2026-02-27', to: '2026-03-01' }), ['2026-02-27', '2026-02-28', '2026-03-01'])
})

// oxfmt-ignore
const refused: [query: { from?: string; to?: string }, path: string, rule: string, limit: string][] = [
  [{ from: '2026-02-31' }, 'from', 'format', today],
  [{ to: '2026-13-01' }, 'to', 'format', today],
  [{ from: '2026-11-16' }, 'from', 'maximum', today],
  [{ from: '2025-10-11' }, 'from', 'minimum', '2025-10-12'],
]
for (const [query, path, rule, limit] of refused)
  test(`refuses ${JSON.stringify(query)} and says what is allowed`, () => {
    throws(
      () => periodOf(query, today),
      (error) => {
        deepEqual((error as Refusal).details, { fields: [{ path, rule, limit }] })
        return error instanceof Refusal
      },
    )
  })
