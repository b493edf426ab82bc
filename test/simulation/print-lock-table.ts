import type pg from 'pg'
import { openLockCheck } from './lock-check.ts'
import { rowsFor } from './lock-table.ts'
import { locksInSource } from './locks.ts'

/** Tries every lock and prints a line for each; returns how many were not shown although the table says so. */
export async function printLockTable(
  connection: pg.PoolConfig,
  { only, seeds }: { only: string; seeds: number },
): Promise<number> {
  const check = await openLockCheck(connection)
  const counts = { shown: 0, redundant: 0, open: 0, missing: 0 }
  for (const lock of locksInSource().filter((it) => it.id.includes(only))) {
    const verdict = rowsFor(lock.id)[0]!.verdict
    const say = (text: string) => console.log(`${lock.id}\n  ${text}`)
    if ('shownBy' in verdict) {
      const red = await check.firstRed(lock, verdict.shownBy, seeds)
      counts[red ? 'shown' : 'missing']++
      say(
        red
          ? `needed: ${verdict.shownBy}, seed ${red.seed}`
          : `NOT SHOWN by ${verdict.shownBy} in ${seeds} seeds`,
      )
    } else if ('redundant' in verdict) {
      counts.redundant++
      say(`redundant: ${verdict.redundant}`)
    } else {
      counts.open++
      say(`open: ${verdict.open}`)
    }
  }
  await check.close()
  console.log(
    `${counts.shown} locks shown as needed, ${counts.redundant} redundant, ${counts.open} open, ${counts.missing} not shown`,
  )
  return counts.missing
}
