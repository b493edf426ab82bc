import { equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { durationMs, MovableClock, systemClock } from './clock.ts'

test('a duration is read in weeks, days, hours, minutes and seconds', () => {
  equal(durationMs('P15D'), 15 * 86_400_000)
  equal(durationMs('P2W'), 14 * 86_400_000)
  equal(durationMs('P1DT2H3M4S'), 86_400_000 + 2 * 3_600_000 + 3 * 60_000 + 4_000)
  equal(durationMs('PT90M'), 5_400_000)
})

test('what is no duration, or has no fixed length, is none', () => {
  for (const text of ['', 'P', 'PT', 'P1DT', '15D', 'P1M', 'P1Y', 'P-1D', 'P1.5D', 'p1d', 'P1D '])
    equal(durationMs(text), undefined, text)
})

test('the clock never runs backwards', () => {
  const real = Date.now
  const clock = systemClock()
  try {
    Date.now = () => 1_000_000
    const before = clock.now()
    Date.now = () => 500_000
    ok(clock.now() >= before)
  } finally {
    Date.now = real
  }
})

test('follows a correction of a clock that was far ahead', () => {
  const real = Date.now
  const clock = systemClock()
  try {
    Date.now = () => 40 * 86_400_000
    clock.now()
    Date.now = () => 10 * 86_400_000
    equal(clock.now().getTime(), 10 * 86_400_000)
    Date.now = () => 11 * 86_400_000
    equal(clock.now().getTime(), 11 * 86_400_000)
  } finally {
    Date.now = real
  }
})

test('a movable clock is ahead by its offset', () => {
  const clock = new MovableClock({ now: () => new Date(1_000) })
  clock.offsetMs = 500
  equal(clock.now().getTime(), 1_500)
})
