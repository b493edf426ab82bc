import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import type { Order } from '../../../sdk/index.ts'
import { invoiceFigures, leftToRefund, linesToPick, nextPayment, unitsTexts } from './print-figures.ts'
import { unitsToReturn } from '../../units-to-return.ts'

const tiyin = (amount: number) => ({ amount, currency: 'UZS' })

const line = (number: number, title: string, quantity: number) =>
  ({ line: number, title, quantity, unit_price: tiyin(1_000), discount: tiyin(0) }) as Order['lines'][number]

const fulfilment = (status: Order['fulfilments'][number]['status'], ...lines: [number, number][]) =>
  ({ status, lines: lines.map(([it, quantity]) => ({ line: it, quantity })) }) as Order['fulfilments'][number]

const picked = (lines: Order['lines'], fulfilments: Order['fulfilments']) =>
  linesToPick({ lines, fulfilments }).map((it) => [it.line.line, it.units])

test('everything is picked before anything is shipped, by title', () => {
  deepEqual(picked([line(1, 'Tea', 2), line(2, 'Coffee', 3)], []), [
    [2, 3],
    [1, 2],
  ])
})

test('shipped and delivered units are not picked again, those of a prepared or cancelled parcel are', () => {
  const lines = [line(1, 'Coffee', 5), line(2, 'Tea', 2), line(3, 'Sugar', 1)]
  const fulfilments = [
    fulfilment('shipped', [1, 2]),
    fulfilment('delivered', [1, 1], [2, 2]),
    fulfilment('created', [1, 1]),
    fulfilment('cancelled', [3, 1]),
  ]
  deepEqual(picked(lines, fulfilments), [
    [1, 2],
    [3, 1],
  ])
})

test('an invoice adds up: products, discount, delivery and the surcharge of instalments', () => {
  const order = {
    lines: [
      { ...line(1, 'Tea', 2), discount: tiyin(300) },
      { ...line(2, 'Cup', 1), discount: tiyin(0) },
    ],
    total: tiyin(3_200),
    amounts: {
      paid: tiyin(1_000),
      refunded: tiyin(0),
      kept: [],
      open: [
        { reason: 'overdue', amount: tiyin(700) },
        { reason: 'not_due', amount: tiyin(1_600) },
      ],
    },
    instalments: [{ commission: tiyin(60) }, { commission: tiyin(40) }],
  } as unknown as Order
  deepEqual(invoiceFigures(order), {
    products: 3_000,
    discount: 300,
    delivery: 500,
    total: 3_200,
    commission: 100,
    paid: 1_000,
    refunded: 0,
    open: 2_300,
  })
})

test('a return names the products that come back', () => {
  const lines = [line(1, 'Tea', 2), line(2, 'Coffee', 3)]
  const units = [
    { line: 2, quantity: 1 },
    { line: 1, quantity: 2 },
  ]
  deepEqual(unitsTexts({ lines }, units), ['1\u00a0× Coffee', '2\u00a0× Tea'])
})

test('a recorded payment is about the next instalment, or what is open, and not about the whole order', () => {
  const amounts = { open: [{ reason: 'unpaid', amount: tiyin(700) }] } as Order['amounts']
  const instalment = (paid: boolean, amount: number) =>
    ({ paid, amount: tiyin(amount) }) as Order['instalments'][number]
  deepEqual(nextPayment({ instalments: [], amounts }), { kinds: ['cash', 'external'], tiyin: 700 })
  deepEqual(nextPayment({ instalments: [instalment(true, 300), instalment(false, 400)], amounts }), {
    kinds: ['instalment'],
    tiyin: 400,
  })
})

test('the units that can be returned were delivered and are in no return yet', () => {
  const delivered = fulfilment('delivered', [1, 3], [2, 1])
  const asked = (status: string, units: number) =>
    ({ status, lines: [{ line: 1, quantity: units }] }) as Order['returns'][number]
  const lines = [line(1, 'Tea', 3), line(2, 'Coffee', 1), line(3, 'Sugar', 1)]
  const fulfilments = [delivered, fulfilment('shipped', [3, 1])]
  const returns = [asked('received', 1), asked('requested', 2), asked('rejected', 3)]
  deepEqual(unitsToReturn({ lines, fulfilments, returns }), [{ line: 2, quantity: 1 }])
  deepEqual(unitsToReturn({ lines, fulfilments, returns: returns.slice(0, 1) }), [
    { line: 1, quantity: 2 },
    { line: 2, quantity: 1 },
  ])
})

test('what is left of a payment counts refunds on their way, and none that failed', () => {
  const refund = (status: string, amount: number) =>
    ({ status, amount: tiyin(amount) }) as Order['payments'][number]['refunds'][number]
  const refunds = [refund('refunded', 100), refund('pending', 20), refund('failed', 500)]
  equal(leftToRefund({ amount: tiyin(1_000), refunds }), 880)
})
