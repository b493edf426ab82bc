import type { Tx } from '../../base/db.ts'
import { refuse } from '../../base/refusal.ts'
import type { Said } from '../goods.ts'
import { lowestPriceOf } from '../store/promotions.ts'
import type { Promotion } from './promotion.ts'

/**
 * Refuses a price that is not below that of every offer it names: somebody has mistyped it. Offers that a promotion is
 * about by their category, brand or partner cost what they cost; those that are cheaper already simply stay so.
 */
export async function refuseNoBargain(
  tx: Tx,
  { priceTiyin, offerIds, moderatedOfferIds }: Said<Promotion>,
): Promise<void> {
  if (priceTiyin === null || offerIds.length + moderatedOfferIds.length === 0) return
  const lowest = await lowestPriceOf(tx, { offerIds, moderatedOfferIds })
  if (lowest !== null && priceTiyin >= lowest)
    throw refuse('validation_failed', {
      fields: [{ path: 'price_tiyin', rule: 'below_price', limit: lowest }],
    })
}
