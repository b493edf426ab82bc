import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import type { OrderLine } from './order.ts'
import { agreedSchedule } from './schedule.ts'

const line = (it: Partial<OrderLine>): OrderLine => ({
  number: 1,
  isModerated: false,
  offerId: 1,
  productId: 1,
  name: { ru: 'Товар' },
  quantity: 1,
  priceTiyin: 100,
  loan: { conditionId: 1, duration: 3, commission: 10 },
  prepaymentTiyin: 0,
  ...it,
})

const installment = 2
const dailyPayment = 4
const total = (of: 'amountTiyin' | 'principalTiyin', parts: ReturnType<typeof agreedSchedule>) =>
  parts.reduce((sum, it) => sum + it[of], 0)

test('the last day of a short month stands for a day that it does not have', () => {
  const parts = agreedSchedule({ lines: [line({})], day: '2026-11-30', methodId: installment })
  deepEqual(
    parts.map((it) => it.dueOn),
    ['2026-12-30', '2027-01-30', '2027-02-28'],
  )
})

test('parts are as even as tiyin allow, and add up to the amount and its commission', () => {
  const parts = agreedSchedule({
    lines: [line({ priceTiyin: 101 })],
    day: '2026-11-15',
    methodId: installment,
  })
  deepEqual(
    parts.map((it) => [it.amountTiyin, it.principalTiyin]),
    [
      [38, 34],
      [37, 34],
      [37, 33],
    ],
  )
})

test('a prepayment is due at once and bears no commission', () => {
  const lines = [line({ priceTiyin: 1_000, quantity: 2, prepaymentTiyin: 400 })]
  const parts = agreedSchedule({ lines, day: '2026-11-15', methodId: installment })
  deepEqual(parts[0], { dueOn: '2026-11-15', amountTiyin: 800, principalTiyin: 800 })
  equal(total('principalTiyin', parts), 2_000)
  equal(total('amountTiyin', parts), 800 + 1_320)
})

test('lines with other terms share the days on which both are due', () => {
  const loan = { conditionId: 2, duration: 6, commission: 0 }
  const lines = [line({}), line({ number: 2, priceTiyin: 600, loan })]
  const parts = agreedSchedule({ lines, day: '2026-11-15', methodId: installment })
  equal(parts.length, 6)
  equal(parts[0]!.amountTiyin, 37 + 100)
  equal(total('amountTiyin', parts), 110 + 600)
})

test('daily payments fall on every day of so many months of thirty, and none is for nothing', () => {
  const parts = agreedSchedule({
    lines: [line({ priceTiyin: 50 })],
    day: '2026-11-15',
    methodId: dailyPayment,
  })
  equal(parts.length, 55)
  equal(parts[0]!.dueOn, '2026-11-16')
  equal(total('amountTiyin', parts), 55)
  equal(total('principalTiyin', parts), 50)
})
