// Interactions in columns are the same as in arrays, in an order that depends on nothing but them.

import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import type { ItemInteraction } from '../serving/buyer-profile.ts'
import { Histories, historiesOf, HistoryCollector } from './histories.ts'
import { sequencesOf } from './item-sequences.ts'

const step = (item: number, day: number, kind: ItemInteraction['kind'] = 'view'): ItemInteraction => ({
  item,
  kind,
  day,
})
const buyers = [[step(1, 1), step(2, 2), step(1, 2.001, 'cart'), step(3, 9, 'purchase')], [], [step(4, 5)]]

test('columns give back what was put in', () => {
  const histories = historiesOf(buyers)
  deepEqual([...histories], buyers)
  deepEqual([histories.length, histories.size], [3, 5])
  deepEqual(
    [0, 1, 2].map((buyer) => histories.lastDayOf(buyer)),
    [9, undefined, 5],
  )
  deepEqual([...new Histories(structuredClone(histories.columns))], buyers)
})

test('steps before a day and every n-th buyer are parts of the same columns', () => {
  const histories = historiesOf(buyers)
  deepEqual([...histories.before(5)], [buyers[0]!.slice(0, 3), [], []])
  equal(histories.before(5).columns.items, histories.columns.items)
  deepEqual([...histories.everyNth(2)], [buyers[0], buyers[2]])
})

test('the order of steps of one instant does not depend on the order in which they come', () => {
  const lines = Array.from({ length: 20 }, (_, item) => step(item, 3, item % 2 ? 'cart' : 'purchase'))
  deepEqual([...historiesOf([lines])], [...historiesOf([lines.toReversed()])])
})

test('a collector sorts buyers by key and keeps at most so many steps of each', () => {
  const collector = new HistoryCollector()
  for (let at = 0; at < 100_000; at++)
    collector.add(`b${at % 3}`, step(at % 7, at), at % 3 === 2 ? 10 : Infinity)
  const { keys, histories } = collector.result()
  deepEqual(keys, ['b0', 'b1', 'b2'])
  deepEqual(
    [...histories].map((steps) => steps.length),
    [33_334, 33_333, 10],
  )
  deepEqual(histories.of(1).slice(0, 2), [step(1, 1), step(4, 4)])
})

const listed = ({ length, offsets, items }: ReturnType<(typeof sequencesOf)['buyers']>) =>
  Array.from({ length }, (_, at) => [...items.subarray(offsets[at], offsets[at + 1])])

test('sequences are by last day, by visit and by what was wanted; a repeated item counts once', () => {
  const histories = historiesOf([...buyers, [step(5, 4), step(5, 4.001), step(6, 4.002)]])
  deepEqual(listed(sequencesOf.buyers(histories)), [[], [5, 6], [4], [1, 2, 1, 3]])
  deepEqual(listed(sequencesOf.visits(histories)), [[1], [2, 1], [5, 6], [4], [3]])
  deepEqual(listed(sequencesOf.baskets(histories)), [[1, 3], [], [], []])
  equal(sequencesOf.attributes(histories).length, 0)
})
