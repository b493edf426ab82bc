import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { bought, priced, line, now, pricedCart, offerDetails } from '../../../test/support/priced-carts.ts'
import { keyOf, type Line, type PricedLine } from '../carts/cart.ts'
import { mergeLines, strategies, type Strategy } from './merge.ts'

interface Case {
  client?: PricedLine[]
  guest: Line[]
  strategy?: Strategy
  offers?: Record<number, Parameters<typeof offerDetails>[0]>
  spent?: ReturnType<typeof bought>
}

function merge({ client = [], guest, strategy = 'max', offers = {}, spent }: Case) {
  const keys = [...client.map((it) => it.line), ...guest]
  const details = new Map(
    keys.map((it) => [keyOf(it), offerDetails({ productId: it.offerId, ...offers[it.offerId] })]),
  )
  const whole = pricedCart(client, { ...(spent && { spent }), offers: { details, reserved: new Map() } })
  const { lines, report } = mergeLines(whole, guest, { strategy, now })
  return {
    units: Object.fromEntries(lines.map((it) => [it.offerId, it.quantity])),
    lines,
    report: report.map(({ kept, dropped, reason }) => [kept, dropped, reason]),
  }
}

test('each strategy decides an offer that is in both carts', () => {
  const units = strategies.map(
    (strategy) =>
      merge({ client: [priced({ quantity: 4 })], guest: [line({ quantity: 3 })], strategy }).units[1],
  )
  deepEqual(units, [4, 7, 3, 4])
})

test('an offer in one cart alone is kept by every strategy', () => {
  for (const strategy of strategies)
    deepEqual(
      merge({
        client: [priced({ quantity: 4 })],
        guest: [line({ offerId: 2, quantity: 3 })],
        strategy,
      }).units,
      { 1: 4, 2: 3 },
    )
})

test('the stock caps a sum, and what was dropped is said', () => {
  const { units, report } = merge({
    client: [priced({ quantity: 6 }, { quantity: 10 })],
    guest: [line({ quantity: 6 })],
    strategy: 'sum',
    offers: { 1: { quantity: 10 } },
  })
  deepEqual(units, { 1: 10 })
  deepEqual(report, [[10, 2, 'stock_exceeded']])
})

test('limits cap a line, and the rest is merged', () => {
  const { units, report } = merge({
    guest: [line({ offerId: 1, quantity: 3 }), line({ offerId: 2, quantity: 2 })],
    spent: bought({ units: [[1, 29]] }),
  })
  deepEqual(units, { 1: 1, 2: 2 })
  deepEqual(report, [
    [1, 2, 'product_limit_exceeded'],
    [2, 0, null],
  ])
})

test('the daily amount is used up line by line, and a line without room is dropped', () => {
  const dear = { price: 20_000_000 }
  const { units, report } = merge({
    guest: [line({ offerId: 1, quantity: 2 }), line({ offerId: 2, quantity: 1 })],
    offers: { 1: dear, 2: dear },
  })
  deepEqual(units, { 1: 2 })
  deepEqual(report, [
    [2, 0, null],
    [0, 1, 'purchase_limit_exceeded'],
  ])
})

test('a client never loses units, even above a limit', () => {
  deepEqual(
    merge({ client: [priced({ quantity: 15 })], guest: [line({ quantity: 3 })], strategy: 'sum' }).units,
    { 1: 15 },
  )
})

test('the client’s loan condition wins; one that only the guest chose comes along', () => {
  const both = merge({ client: [priced({ quantity: 1, loan: 3 })], guest: [line({ quantity: 1, loan: 4 })] })
  equal(both.lines[0]!.loanConditionId, 3)
  const guests = merge({ client: [priced({ quantity: 1 })], guest: [line({ quantity: 1, loan: 4 })] })
  equal(guests.lines[0]!.loanConditionId, 4)
})

test('a loan condition that the credit does not allow is cleared, and the units are kept', () => {
  const offers = { 1: { price: 1_000_000 } }
  const spent = bought({ credit: 29_500_000 })
  const moved = merge({ guest: [line({ quantity: 3, loan: 3 })], offers, spent })
  deepEqual(moved.report, [[3, 0, null]])
  deepEqual([moved.lines[0]!.quantity, moved.lines[0]!.loanConditionId], [3, null])
  const adopted = merge({
    client: [priced({ quantity: 3 }, { price: 1_000_000 })],
    guest: [line({ quantity: 1, loan: 3 })],
    offers,
    spent,
  })
  deepEqual([adopted.lines[0]!.quantity, adopted.lines[0]!.loanConditionId], [3, null])
})

test('a line that is sold out is kept like one that is not sold', () => {
  deepEqual(merge({ guest: [line({ quantity: 3 })], offers: { 1: { quantity: 0 } } }).units, { 1: 3 })
})

test('what cannot be bought now is kept, for when it can', () => {
  deepEqual(merge({ guest: [line({ quantity: 3 })], offers: { 1: { isActive: false } } }).units, { 1: 3 })
})

test('a full cart takes no more lines', () => {
  const client = Array.from({ length: 200 }, (_, at) =>
    priced({ offerId: at + 10 }, { productId: at + 10, price: 1 }),
  )
  deepEqual(merge({ client, guest: [line({ quantity: 1 })] }).report, [[0, 1, 'cart_full']])
})
