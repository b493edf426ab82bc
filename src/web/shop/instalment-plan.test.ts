import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { formatOf } from './format.ts'
import { partsText, planOf } from './instalment-plan.ts'

test('a down payment lowers what is financed, and no commission is charged for it', () => {
  const terms = { duration: 6, commission: 20 }
  deepEqual(planOf(1_000, 0, terms), { prepaid: 0, parts: [{ count: 6, amount: 200 }], total: 1_200 })
  deepEqual(planOf(1_000, 400, terms), { prepaid: 400, parts: [{ count: 6, amount: 120 }], total: 1_120 })
  deepEqual(planOf(1_000, 5_000, terms), { prepaid: 1_000, parts: [], total: 1_000 })
})

test('the shown parts of a plan add up to its total', () => {
  for (const amount of [7_575_000, 10_000_000, 99_999, 101, 7])
    for (const commission of [0, 20, 24, 33])
      for (const duration of [3, 7, 12, 24]) {
        const { prepaid, parts, total } = planOf(amount, 5, { duration, commission })
        const repaid = parts.reduce((sum, it) => sum + it.count * it.amount, 0)
        equal(prepaid + repaid, total, `${amount} tiyin, ${commission} %, ${duration} months`)
      }
})

test('a part of a plan is shown with its tiyin, and parts that differ are shown each', () => {
  const format = formatOf('en', 'Asia/Tashkent')
  const shown = (amount: number, duration: number) =>
    partsText(format, planOf(amount, 0, { duration, commission: 20 })).replaceAll('\u00a0', ' ')
  equal(shown(7_575_000, 24), '24 × 3 787.50 sum')
  equal(shown(10_000_000, 7), '5 × 17 142.86 sum + 2 × 17 142.85 sum')
})
