import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { hourRows } from './usage-hours.ts'

const period = { from: '2026-11-15T08:00:00.000Z', to: '2026-11-15T10:20:00.000Z' }
const used = (hour: string, calls: number, limited: number, peak_share: number) => ({
  hour: `2026-11-15T${hour}:00:00.000Z`,
  calls,
  limited,
  peak_share,
})

test('every hour of the period has a row, and applications are added up', () => {
  const till = { hours: [used('08', 10, 0, 0.2), used('10', 5, 2, 1)] }
  const site = { hours: [used('08', 1, 0, 0.4)] }
  deepEqual(
    hourRows(period, [till, site]).map((it) => [it.hour.slice(11, 13), it.calls, it.limited, it.peakShare]),
    [
      ['08', 11, 0, 0.4],
      ['09', 0, 0, 0],
      ['10', 5, 2, 1],
    ],
  )
})

test('an hour outside of the period is left out', () => {
  deepEqual(
    hourRows(period, [{ hours: [used('07', 10, 0, 0.2)] }]).map((it) => it.calls),
    [0, 0, 0],
  )
})
