import type { Tx } from '../../base/db.ts'
import { publish } from '../../base/outbox.ts'
import { timedUuid } from '../../base/random.ts'
import * as store from '../store/behaviour.ts'
import type { Interaction } from './interaction.ts'

/** Keeps what buyers did. What was told before is kept once; returns how many were new. */
export async function reportInteractions(tx: Tx, interactions: readonly Interaction[]): Promise<number> {
  const added = await store.insertInteractions(tx, interactions)
  if (added === 0) return 0
  const buyers = [...new Set(interactions.map((it) => it.buyer))]
  await publish(tx, { type: 'BehaviourReported', batchId: timedUuid(tx.now), interactions: added, buyers })
  return added
}
