import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { planOf } from './instalment-plan.ts'

test('a down payment lowers what is financed, and no commission is charged for it', () => {
  const terms = { duration: 6, commission: 20 }
  deepEqual(planOf(1_000, 0, terms), { prepaid: 0, monthly: 200, total: 1_200 })
  deepEqual(planOf(1_000, 400, terms), { prepaid: 400, monthly: 120, total: 1_120 })
  deepEqual(planOf(1_000, 5_000, terms), { prepaid: 1_000, monthly: 0, total: 1_000 })
})
