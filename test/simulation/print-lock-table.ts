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
  const counts = { shown: 0, redundant: 0, missing: 0 }
  for (const lock of locksInSource().filter((it) => it.id.includes(only))) {
    const verdict = rowsFor(lock.id)[0]!.verdict
    const say = (text: string) => console.log(`${lock.id}\n  ${text}`)
    if ('shownBy' in verdict) {
      const red = await check.firstRed(lock, verdict.shownBy, seeds)
      // With the lock, the same schedule must end well: else the history shows nothing about the lock.
      const fault = red && (await check.run(verdict.shownBy, red.seed))
      counts[red && fault === undefined ? 'shown' : 'missing']++
      if (!red) say(`NOT SHOWN by ${verdict.shownBy} in ${seeds} seeds`)
      else if (fault !== undefined) say(`NOT SHOWN: seed ${red.seed} also fails with the lock: ${fault}`)
      else say(`needed: ${verdict.shownBy}, seed ${red.seed}`)
    } else {
      counts.redundant++
      say(`redundant: ${verdict.redundant}`)
    }
  }
  await check.close()
  console.log(
    `${counts.shown} locks shown as needed, ${counts.redundant} redundant, ${counts.missing} not shown`,
  )
  return counts.missing
}
