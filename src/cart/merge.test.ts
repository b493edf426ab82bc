import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { bought, entry, line, now, purchase, sheet } from '../../test/support/purchases.ts'
import type { Line } from './cart.ts'
import { mergedLines, strategies, type Strategy } from './merge.ts'
import type { Entry } from './purchase.ts'

interface Case {
  client?: Entry[]
  guest: Line[]
  strategy?: Strategy
  offers?: Record<number, Parameters<typeof sheet>[0]>
  spent?: ReturnType<typeof bought>
}

function merge({ client = [], guest, strategy = 'max', offers = {}, spent }: Case) {
  const whole = purchase(client, spent ? { spent } : {})
  const entryFor = (it: Line): Entry => {
    const offer = sheet({ productId: it.offerId, ...offers[it.offerId] })
    return { line: it, offer, availableUnits: offer.quantity }
  }
  const { lines, report } = mergedLines(whole, guest, { strategy, entryFor, now })
  return {
    units: Object.fromEntries(lines.map((it) => [it.offerId, it.quantity])),
    lines,
    report: report.map(({ kept, dropped, reason }) => [kept, dropped, reason]),
  }
}

test('each strategy decides an offer that is in both carts', () => {
  const units = strategies.map(
    (strategy) =>
      merge({ client: [entry({ quantity: 4 })], guest: [line({ quantity: 3 })], strategy }).units[1],
  )
  deepEqual(units, [4, 7, 3, 4])
})

test('an offer in one cart alone is kept by every strategy', () => {
  for (const strategy of strategies)
    deepEqual(
      merge({
        client: [entry({ quantity: 4 })],
        guest: [line({ offerId: 2, quantity: 3 })],
        strategy,
      }).units,
      { 1: 4, 2: 3 },
    )
})

test('the stock caps a sum, and what was dropped is said', () => {
  const { units, report } = merge({
    client: [entry({ quantity: 6 }, { quantity: 10 })],
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

test('a client never loses units that he had, even above a limit', () => {
  deepEqual(
    merge({ client: [entry({ quantity: 15 })], guest: [line({ quantity: 3 })], strategy: 'sum' }).units,
    { 1: 15 },
  )
})

test('the client’s loan condition wins; one that only the guest chose comes along', () => {
  const both = merge({ client: [entry({ quantity: 1, loan: 3 })], guest: [line({ quantity: 1, loan: 4 })] })
  equal(both.lines[0]!.loanConditionId, 3)
  const guests = merge({ client: [entry({ quantity: 1 })], guest: [line({ quantity: 1, loan: 4 })] })
  equal(guests.lines[0]!.loanConditionId, 4)
})

test('what cannot be bought now is kept, for when it can', () => {
  deepEqual(merge({ guest: [line({ quantity: 3 })], offers: { 1: { isActive: false } } }).units, { 1: 3 })
})

test('a full cart takes no more lines', () => {
  const client = Array.from({ length: 200 }, (_, at) =>
    entry({ offerId: at + 10 }, { productId: at + 10, price: 1 }),
  )
  deepEqual(merge({ client, guest: [line({ quantity: 1 })] }).report, [[0, 1, 'cart_full']])
})
