import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { dayIn } from './time-zone.ts'

test('a day begins at midnight of its zone, to the millisecond', () => {
  const tashkent = dayIn('Asia/Tashkent')
  equal(tashkent(new Date('2026-11-14T18:59:59.999Z')), '2026-11-14')
  equal(tashkent(new Date('2026-11-14T19:00:00.000Z')), '2026-11-15')
  equal(dayIn('UTC')(new Date('2026-11-14T19:00:00.000Z')), '2026-11-14')
  equal(dayIn('Asia/Kathmandu')(new Date('2026-11-14T18:15:00.000Z')), '2026-11-15')
})
