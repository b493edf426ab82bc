import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { daysOf, hourTicks, monthStarts, positionTicks, valueTicks } from './chart-ticks.ts'

const percent = (value: number) => `${(value * 100).toFixed(0)}%`
const text = (value: number) => String(value)

test('ticks of a value axis are round and enclose the values', () => {
  const ticks = (min: number, max: number) => valueTicks({ min, max }, { format: text, isWhole: false })
  deepEqual(ticks(0, 4.4), [0, 2, 4, 6])
  deepEqual(ticks(0, 100), [0, 25, 50, 75, 100])
  deepEqual(ticks(0, 0.61), [0, 0.2, 0.4, 0.6, 0.8])
  deepEqual(ticks(0.236, 0.257), [0.23, 0.24, 0.25, 0.26])
})

test('two ticks of an axis never have the same text', () => {
  for (const max of [0, 0.001, 0.004, 0.013, 0.05, 0.4, 1, 7, 1e9]) {
    const shown = valueTicks({ min: 0, max }, { format: percent, isWhole: false }).map(percent)
    equal(new Set(shown).size, shown.length, shown.join(' '))
  }
  deepEqual(valueTicks({ min: 0, max: 0.4 }, { format: text, isWhole: true }), [0, 1])
  deepEqual(valueTicks({ min: 0, max: 9 }, { format: text, isWhole: true }), [0, 5, 10])
  deepEqual(valueTicks({ min: 0, max: 0 }, { format: text, isWhole: true }), [0, 1])
})

test('ticks of days are at even distances, and the last day has one', () => {
  deepEqual(positionTicks(30, 6), [4, 9, 14, 19, 24, 29])
  deepEqual(positionTicks(30, 12), [2, 5, 8, 11, 14, 17, 20, 23, 26, 29])
  deepEqual(positionTicks(1, 6), [0])
  equal(positionTicks(2_000, 6).length <= 7, true)
})

test('ticks of hours are round on the clock, and those of several days are at midnight', () => {
  const hours = (count: number) =>
    Array.from({ length: count }, (_, at) => new Date(2026, 10, 17, 5 + at).toISOString())
  const clock = (count: number, most: number) =>
    hourTicks(hours(count), most).map((it) => new Date(hours(count)[it]!).getHours())
  deepEqual(clock(24, 5), [6, 12, 18, 0])
  deepEqual(clock(24, 9), [6, 9, 12, 15, 18, 21, 0, 3])
  deepEqual(clock(72, 12), [0, 0, 0])
  equal(clock(168, 4).length, 4)
})

test('a period has all its days', () => {
  deepEqual(daysOf({ from: '2026-02-27', to: '2026-03-02' }), [
    '2026-02-27',
    '2026-02-28',
    '2026-03-01',
    '2026-03-02',
  ])
})

test('the months of a period begin at the first, also after the turn of the year', () => {
  const at = (month: number, day: number) => new Date(2026, month, day).getTime()
  deepEqual(monthStarts(at(10, 5), at(13, 3)), [at(11, 1), at(12, 1), at(13, 1)])
  deepEqual(monthStarts(at(10, 1), at(10, 20)), [at(10, 1)])
  deepEqual(monthStarts(at(10, 2), at(10, 20)), [])
})
