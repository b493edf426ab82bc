import type { Tx } from '../base/db.ts'
import { publish } from '../base/outbox.ts'
import { refuseStale } from '../http/version.ts'
import type { KeptLimits, Limits } from './limits.ts'
import * as store from './store/limits.ts'

/** Sets limits that hold from now on, in every process within a second. Those that are not named stay. */
export async function setLimits(
  tx: Tx,
  wanted: Partial<Limits>,
  { ifMatch }: { ifMatch?: number | undefined } = {},
): Promise<KeptLimits> {
  const before = await store.lockLimits(tx)
  refuseStale(before, ifMatch)
  const names = Object.keys(wanted) as (keyof Limits)[]
  if (names.every((it) => wanted[it] === before[it])) return before
  const after = await store.updateLimits(tx, { ...before, ...wanted })
  await publish(tx, { type: 'LimitsChanged', version: after.version, changedAt: tx.now.toISOString() })
  return after
}
