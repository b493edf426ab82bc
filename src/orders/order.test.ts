import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import {
  captured,
  orderAfter,
  paidAndDelivered,
  placedAt,
  returnReceived,
  returnRejected,
  returnRequested,
  started,
  orderLine,
} from '../../test/support/order-values.ts'
import type { NewEvent } from './record-events.ts'
import { amountOfReturned, owedTiyin, returnedLine } from './order.ts'
import { returnedTiyin, returnedUnits } from './returns/return.ts'

test('events count as versions and set the time of the last change', () => {
  const order = orderAfter([started('p1', 250), captured('p1')])
  equal(order.version, 3)
  equal(order.updatedAt.getTime(), placedAt.getTime() + 2 * 60_000)
  const placed = orderAfter([])
  deepEqual([placed.version, placed.updatedAt], [1, placedAt])
})

test('an event changes only its own payment', () => {
  const { payments } = orderAfter([started('p1', 100), started('p2', 150), captured('p2')]).progress
  deepEqual(
    payments.map((it) => [it.id, it.status]),
    [
      ['p1', 'pending'],
      ['p2', 'captured'],
    ],
  )
})

test('the amount of units uses the prices of their lines', () => {
  const units = [
    { line: 1, quantity: 2 },
    { line: 2, quantity: 1 },
  ]
  const order = orderAfter([])
  deepEqual(
    units.map((it) => amountOfReturned(order, returnedLine(order, it))),
    [200, 50],
  )
})

test('only received returns reduce what is owed', () => {
  const requested = [...paidAndDelivered, returnRequested('b1', { 1: 1 }, 100)]
  equal(owedTiyin(orderAfter(requested)), 250)
  equal(owedTiyin(orderAfter([...requested, returnRejected('b1')])), 250)
  const received = orderAfter([...requested, returnReceived('b1')])
  equal(owedTiyin(received), 150)
  equal(returnedTiyin(received.progress.returns), 100)
})

test('returned units are summed by line and status', () => {
  const given = [
    ...paidAndDelivered,
    returnRequested('b1', { 1: 1 }, 100),
    returnReceived('b1'),
    returnRequested('b2', { 1: 1, 2: 1 }, 150),
  ]
  const { returns } = orderAfter(given).progress
  deepEqual([...returnedUnits(returns, ['received'])], [[1, 1]])
  deepEqual(
    [...returnedUnits(returns, ['requested', 'received'])],
    [
      [1, 2],
      [2, 1],
    ],
  )
})

test('returns of a discounted line give back exactly what it cost, in whatever order they are decided', () => {
  const lines = [orderLine({ quantity: 3, priceTiyin: 100, discountTiyin: 100 })]
  const amounts: number[] = []
  const request = (events: NewEvent[], id: string): NewEvent[] => {
    const order = orderAfter(events, { lines })
    const line = returnedLine(order, { line: 1, quantity: 1 })
    amounts.push(line.amountTiyin!)
    return [
      ...events,
      { type: 'ReturnRequested', returnId: id, lines: [line], reason: '', amountTiyin: line.amountTiyin! },
    ]
  }
  const requested = request(request(request([], 'a'), 'b'), 'c')
  deepEqual(amounts, [66, 66, 68])
  request([...requested, returnRejected('a')], 'd')
  equal(amounts.at(-1)! + 66 + 68, 200)
})
