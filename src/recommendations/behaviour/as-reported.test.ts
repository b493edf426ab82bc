import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { asReported } from './as-reported.ts'
import type { SeenDeed } from './interaction.ts'

const minute = (number: number) => new Date(number * 60_000)
const put = (at: number, offer = '1'): SeenDeed => ({
  buyer: '7',
  offer,
  kind: 'cart',
  at: minute(at),
  units: at,
  amountTiyin: null,
})
const report = (place: number, at: number, buyer = '7') => ({ place, buyer, at: minute(at) })
const kept = (deeds: SeenDeed[], reports: Parameters<typeof asReported>[1]) =>
  asReported(deeds, reports).map((it) => `${it.buyer} ${it.at.getTime() / 60_000} ${it.offer} ×${it.units}`)

test('a deed that nobody reported stands for itself', () => {
  deepEqual(kept([put(1), put(2)], []), ['7 1 1 ×1', '7 2 1 ×2'])
})

test('a deed is kept in the nearest report of it, under the name that the report has', () => {
  deepEqual(kept([put(5)], [report(0, 4, 'guest-a'), report(0, 9)]), ['guest-a 4 1 ×5'])
})

test('one report is one deed: the next takes the next report, and the last stands for itself', () => {
  const reports = [0, 1, 2].flatMap((place) => [report(place, 4), report(place, 9)])
  deepEqual(kept([put(5), put(6), put(7)], reports), ['7 4 1 ×5', '7 9 1 ×6', '7 7 1 ×7'])
})

test('reports of the same instant on two offers are two', () => {
  deepEqual(kept([put(5, '1'), put(5, '2')], [report(0, 4), report(1, 4)]), ['7 4 1 ×5', '7 4 2 ×5'])
})

test('what would be kept twice under one key is kept once, as it was seen last', () => {
  deepEqual(kept([put(5), { ...put(4), units: 9 }], [report(0, 4)]), ['7 4 1 ×9'])
})
