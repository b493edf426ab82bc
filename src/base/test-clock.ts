// The test environment's clock, kept in the database so that every process and every start agrees on it.

import { dayMs } from './clock.ts'
import type { Tx } from './database.ts'
import { makeFailuresDue, publish } from './outbox.ts'
import { conflict } from './conflict.ts'

/** The database's time under the row lock, so that moves have one order in all processes. */
const moveTime = `clock_timestamp() as "movedAt"`
const maxYears = 20
const maxOffsetMs = maxYears * 366 * dayMs

/** Moves the clock ahead by some milliseconds and returns how far it is ahead of the real one. */
export async function advanceClock(tx: Tx, ms: number): Promise<number> {
  const { offsetMs, movedAt } = await tx.one<{ offsetMs: number; movedAt: Date }>(
    `update clock_offset set offset_ms = offset_ms + $1 returning offset_ms as "offsetMs", ${moveTime}`,
    [ms],
  )
  if (offsetMs > maxOffsetMs) throw conflict('clock_too_far', { limit: maxYears })
  publishMove(tx, offsetMs, movedAt)
  return offsetMs
}

/** Sets the clock back to the real one. Jobs that ran in the future, and failed reactions due then, are due from now on. */
export async function resetClock(tx: Tx): Promise<void> {
  const { before } = await tx.one<{ before: number }>(
    `select offset_ms as before from clock_offset for update`,
  )
  const { movedAt } = await tx.one<{ movedAt: Date }>(
    `update clock_offset set offset_ms = 0 returning ${moveTime}`,
  )
  await tx.all(`update job_leases set last_due_at = least(last_due_at, $1)`, [
    new Date(tx.now.getTime() - before),
  ])
  makeFailuresDue(tx, movedAt)
  publishMove(tx, 0, movedAt)
}

const publishMove = (tx: Tx, offsetMs: number, movedAt: Date): void =>
  publish(tx, {
    type: 'TestClockMoved',
    clock: 'test',
    offsetSeconds: offsetMs / 1000,
    movedAt: movedAt.toISOString(),
  })
