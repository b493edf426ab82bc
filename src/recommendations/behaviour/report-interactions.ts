import type { Tx } from '../../base/db.ts'
import { publish } from '../../base/outbox.ts'
import { timedUuid } from '../../base/random.ts'
import * as store from '../store/behaviour.ts'
import { attributePurchases } from './attribute-purchases.ts'
import { type Interaction, seenKinds } from './interaction.ts'

/** Keeps what applications report of their buyers, and finds the lists that purchases came from; returns how many were new. */
export async function reportInteractions(tx: Tx, interactions: readonly Interaction[]): Promise<number> {
  const { fresh, added } = await keepInteractions(tx, interactions)
  attributePurchases(
    tx,
    fresh.filter((it) => it.requestId === null),
  )
  return added
}

/** Keeps deeds. What was told before, or seen by the shop itself, is kept once. */
export async function keepInteractions(
  tx: Tx,
  interactions: readonly Interaction[],
): Promise<{ fresh: readonly Interaction[]; added: number }> {
  const fresh = await withoutSeen(tx, interactions)
  const added = fresh.length > 0 ? await store.insertInteractions(tx, fresh) : 0
  const buyers = fresh.map((it) => it.buyer)
  if (added > 0) await tellOf(tx, buyers, added)
  return { fresh, added }
}

async function withoutSeen(tx: Tx, interactions: readonly Interaction[]): Promise<readonly Interaction[]> {
  const seeable = interactions.filter((it) => seenKinds.has(it.kind))
  if (seeable.length === 0) return interactions
  const places = await store.noteReports(tx, seeable)
  if (places.size === 0) return interactions
  const seen = new Set([...places].map((place) => seeable[place]))
  return interactions.filter((it) => !seen.has(it))
}

/** Tells that there is more to know of these buyers. */
export const tellOf = (tx: Tx, buyers: readonly string[], count: number): Promise<void> =>
  publish(tx, {
    type: 'BehaviourReported',
    batchId: timedUuid(tx.now),
    interactions: count,
    buyers: [...new Set(buyers)],
  })
