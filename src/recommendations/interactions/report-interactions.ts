import type { Tx } from '../../base/database.ts'
import { addSearchInteractions } from '../../catalog/index.ts'
import { publish } from '../../base/outbox.ts'
import { timedUuid } from '../../base/random.ts'
import { type Interaction, observableKinds } from './interaction.ts'
import * as store from './store.ts'

/** Saves interactions that applications report, and attributes purchases to lists; returns how many were new. */
export async function reportInteractions(tx: Tx, interactions: readonly Interaction[]): Promise<number> {
  const searched = await newFromSearches(tx, interactions)
  const { fresh, added } = await saveInteractions(tx, interactions)
  if (searched.length > 0) await addSearchInteractions(tx, searched)
  attributePurchases(
    tx,
    fresh.filter((it) => it.requestId === null),
  )
  return added
}

/** The interactions that followed a search and were not reported before, so that a repeated report is counted once. */
async function newFromSearches(tx: Tx, interactions: readonly Interaction[]) {
  const led = interactions.flatMap((it) => (it.searchId ? [{ ...it, searchId: it.searchId }] : []))
  const unique = [...new Map(led.map((it) => [keyOf(it), it])).values()]
  if (unique.length === 0) return []
  const known = new Set((await store.findReported(tx, unique)).map(keyOf))
  return unique.filter((it) => !known.has(keyOf(it)))
}

const keyOf = (it: store.InteractionKey): string => `${it.buyer} ${it.at.getTime()} ${it.offer} ${it.kind}`

/** Saves interactions. Duplicates of earlier reports and of observed interactions are saved once. */
export async function saveInteractions(
  tx: Tx,
  interactions: readonly Interaction[],
): Promise<{ fresh: readonly Interaction[]; added: number }> {
  const fresh = await withoutObserved(tx, interactions)
  const added = fresh.length > 0 ? await store.insertInteractions(tx, fresh) : 0
  const buyers = fresh.map((it) => it.buyer)
  if (added > 0) publishRecorded(tx, buyers, added)
  return { fresh, added }
}

async function withoutObserved(
  tx: Tx,
  interactions: readonly Interaction[],
): Promise<readonly Interaction[]> {
  const observable = interactions.filter((it) => observableKinds.has(it.kind))
  if (observable.length === 0) return interactions
  const positions = await store.mergeReports(tx, observable)
  if (positions.size === 0) return interactions
  const observed = new Set([...positions].map((position) => observable[position]))
  return interactions.filter((it) => !observed.has(it))
}

/** Publishes that these buyers have new interactions. */
export const publishRecorded = (tx: Tx, buyers: readonly string[], count: number): void =>
  publish(tx, {
    type: 'InteractionsReported',
    batchId: timedUuid(tx.now),
    interactions: count,
    buyers: [...new Set(buyers)],
  })

/** How long after a click, or after being shown, a purchase is attributed to a list (ADR 0028). */
const attributionWindows: store.AttributionWindows = { clickDays: 7, shownDays: 1 }

/** Attributes purchases without a list to the list that led to them. */
export function attributePurchases(tx: Tx, interactions: readonly store.InteractionKey[]): void {
  const purchases = interactions.filter((it) => it.kind === 'purchase')
  if (purchases.length > 0) store.attribute(tx, purchases, attributionWindows)
}
