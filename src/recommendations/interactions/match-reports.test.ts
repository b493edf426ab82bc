import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { matchReports } from './match-reports.ts'
import type { ObservedInteraction } from './interaction.ts'

const minute = (number: number) => new Date(number * 60_000)
const put = (at: number, offer = '1'): ObservedInteraction => ({
  buyer: '7',
  offer,
  kind: 'cart',
  at: minute(at),
  units: at,
  amountTiyin: null,
})
const report = (position: number, at: number, buyer = '7') => ({ position, buyer, at: minute(at) })
const kept = (observed: ObservedInteraction[], reports: Parameters<typeof matchReports>[1]) =>
  matchReports(observed, reports).map(
    (it) => `${it.buyer} ${it.at.getTime() / 60_000} ${it.offer} ×${it.units}`,
  )

test('an interaction without a report is kept as observed', () => {
  deepEqual(kept([put(1), put(2)], []), ['7 1 1 ×1', '7 2 1 ×2'])
})

test('an interaction is stored as its nearest report, under the name in the report', () => {
  deepEqual(kept([put(5)], [report(0, 4, 'guest-a'), report(0, 9)]), ['guest-a 4 1 ×5'])
})

test('one report matches one interaction: the next one takes the next report, the last is kept as observed', () => {
  const reports = [0, 1, 2].flatMap((position) => [report(position, 4), report(position, 9)])
  deepEqual(kept([put(5), put(6), put(7)], reports), ['7 4 1 ×5', '7 9 1 ×6', '7 7 1 ×7'])
})

test('reports of the same instant on two offers are two', () => {
  deepEqual(kept([put(5, '1'), put(5, '2')], [report(0, 4), report(1, 4)]), ['7 4 1 ×5', '7 4 2 ×5'])
})

test('interactions with the same key are stored once, with the latest values', () => {
  deepEqual(kept([put(5), { ...put(4), units: 9 }], [report(0, 4)]), ['7 4 1 ×9'])
})
