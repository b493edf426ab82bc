import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { orderLine } from '../../../test/support/order-values.ts'
import { agreedSchedule } from './instalments.ts'

const line = (it: Parameters<typeof orderLine>[0]) =>
  orderLine({ loan: { conditionId: 1, duration: 3, commission: 10 }, ...it })

const installment = 2
const dailyPayment = 4
const total = (of: 'amountTiyin' | 'principalTiyin', parts: ReturnType<typeof agreedSchedule>) =>
  parts.reduce((sum, it) => sum + it[of], 0)

test('a due day that a month lacks becomes its last day', () => {
  const parts = agreedSchedule({
    lines: [line({})],
    day: '2026-11-30',
    methodId: installment,
    delivery: null,
  })
  deepEqual(
    parts.map((it) => it.dueOn),
    ['2026-12-30', '2027-01-30', '2027-02-28'],
  )
})

test('parts are equal up to one tiyin and add up to the amount with commission', () => {
  const parts = agreedSchedule({
    lines: [line({ priceTiyin: 101 })],
    day: '2026-11-15',
    methodId: installment,
    delivery: null,
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

test('a prepayment is due at once and has no commission', () => {
  const lines = [line({ priceTiyin: 1_000, quantity: 2, prepaymentTiyin: 400 })]
  const parts = agreedSchedule({ lines, day: '2026-11-15', methodId: installment, delivery: null })
  deepEqual(parts[0], {
    dueOn: '2026-11-15',
    amountTiyin: 800,
    principalTiyin: 800,
    deliveryTiyin: 0,
    earlyTiyin: 800,
  })
  equal(total('principalTiyin', parts), 2_000)
  equal(total('amountTiyin', parts), 800 + 1_320)
})

test('lines with different terms share common due days', () => {
  const loan = { conditionId: 2, duration: 6, commission: 0 }
  const lines = [line({}), line({ number: 2, priceTiyin: 600, loan })]
  const parts = agreedSchedule({ lines, day: '2026-11-15', methodId: installment, delivery: null })
  equal(parts.length, 6)
  equal(parts[0]!.amountTiyin, 37 + 100)
  equal(total('amountTiyin', parts), 110 + 600)
})

test('daily payments are due every day for months of thirty days, and none is zero', () => {
  const parts = agreedSchedule({
    lines: [line({ priceTiyin: 50 })],
    day: '2026-11-15',
    methodId: dailyPayment,
    delivery: null,
  })
  equal(parts.length, 55)
  equal(parts[0]!.dueOn, '2026-11-16')
  equal(total('amountTiyin', parts), 55)
  equal(total('principalTiyin', parts), 50)
})

test('delivery is due at once, without commission, beside the products', () => {
  const delivery = {
    methodId: 1,
    kind: 'courier' as const,
    name: { ru: 'Курьер' },
    priceTiyin: 25,
    promisedOn: '2026-11-17',
    address: null,
    point: null,
  }
  const parts = agreedSchedule({ lines: [line({})], day: '2026-11-15', methodId: installment, delivery })
  deepEqual(parts[0], {
    dueOn: '2026-11-15',
    amountTiyin: 25,
    principalTiyin: 0,
    deliveryTiyin: 25,
    earlyTiyin: 25,
  })
  equal(parts.length, 4)
  equal(total('amountTiyin', parts), 135)
  equal(total('principalTiyin', parts), 100)
})

test('instalments that are repaid early cost their principal and the agreed share of the commission', () => {
  const loan = { conditionId: 1, duration: 3, commission: 10, earlyCommissionPercent: 40 }
  const parts = agreedSchedule({
    lines: [line({ priceTiyin: 3_000, loan })],
    day: '2026-11-15',
    methodId: installment,
    delivery: null,
  })
  deepEqual(
    parts.map((it) => [it.amountTiyin, it.earlyTiyin]),
    [
      [1_100, 1_040],
      [1_100, 1_040],
      [1_100, 1_040],
    ],
  )
})
