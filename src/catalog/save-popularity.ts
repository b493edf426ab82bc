import type { Tx } from '../base/db.ts'
import { publish } from '../base/outbox.ts'
import * as store from './store/popularity.ts'

/** How sought after an offer is; digits name an ordinary offer, a UUID a moderated one. */
export interface OfferScore {
  offer: string
  score: number
}

/** Notes how sought after products are: as much as all their offers together. What is not named is sought by nobody. */
export async function savePopularity(tx: Tx, scores: readonly OfferScore[]): Promise<number> {
  const products = await store.replacePopularity(tx, scores)
  await publish(tx, { type: 'PopularityCounted', countedAt: tx.now.toISOString(), products })
  return products
}
