import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { formatOf } from './format.ts'
import { bestTerms, jointPlan, monthsText, planOf, smallerParts } from './instalment-plan.ts'

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

test('the payments of a plan are shown with their tiyin, and the smaller ones are named', () => {
  const format = formatOf('en', 'Asia/Tashkent')
  const shown = (amount: number, duration: number) => {
    const plan = planOf(amount, 0, { duration, commission: 20 })
    return [monthsText(format, plan).replaceAll('\u00a0', ' '), smallerParts(plan)]
  }
  deepEqual(shown(7_575_000, 24), ['24 × 3 787.50 sum', []])
  deepEqual(shown(10_000_000, 7), ['7 × 17 142.86 sum', [{ count: 2, amount: 1_714_285 }]])
})

test('of terms with the same length the one that costs less is offered, by length', () => {
  const terms = [
    { duration: 24, commission: 39 },
    { duration: 3, commission: 1 },
    { duration: 24, commission: 0 },
    { duration: 12, commission: 22 },
  ]
  deepEqual(
    bestTerms(terms, (it) => it).map((it) => [it.duration, it.commission]),
    [
      [3, 1],
      [12, 22],
      [24, 0],
    ],
  )
})

test('plans of several lines are added up by their length', () => {
  const plans = [
    planOf(1_200, 0, { duration: 12, commission: 0 }),
    planOf(600, 0, { duration: 6, commission: 0 }),
    planOf(2_500, 100, { duration: 12, commission: 0 }),
    planOf(50, 50, { duration: 3, commission: 0 }),
  ]
  deepEqual(jointPlan(plans), {
    prepaid: 150,
    months: [
      { count: 6, amount: 100 },
      { count: 12, amount: 300 },
    ],
    total: 4_350,
  })
})
