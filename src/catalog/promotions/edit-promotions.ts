import type { Tx } from '../../base/database.ts'
import { refuse } from '../../base/refusal.ts'
import { changeEntity } from '../entities/edit-entities.ts'
import { promotionKind } from '../entities/entity-kinds.ts'
import { type Promotion, stageAt } from './promotion.ts'
import type { EntityInput, LoanCondition } from '../entities/entities.ts'
import { lowestPriceOf } from './store.ts'
import { lockReferenced } from '../entities/store.ts'
import { promotions } from '../entities/tables.ts'
import type { IfMatch } from '../../http/version.ts'

/** Ends a running promotion at this instant. */
export const endPromotion = (
  tx: Tx,
  { id, ifMatch }: { id: number; ifMatch: IfMatch | undefined },
): Promise<Promotion> =>
  changeEntity(tx, promotionKind, {
    id,
    ifMatch,
    input: (before) => {
      const status = stageAt(before, tx.now)
      if (status !== 'running')
        throw refuse('invalid_transition', { status, requested: 'end', allowed: allowedIn[status] })
      // One that started at this instant ends a millisecond later, because an end must follow the start.
      const endsAt = new Date(Math.max(tx.now.getTime(), before.startsAt.getTime() + 1))
      return { ...before, endsAt }
    },
  })

const allowedIn = { scheduled: ['delete'], ended: ['delete'] }

/**
 * Refuses a price that is not below that of every named offer: probably a mistake. Offers that are members by category,
 * brand or partner may be cheaper already and keep their price.
 */
export async function refusePriceAboveOffers(
  tx: Tx,
  { priceTiyin, offerIds, moderatedOfferIds }: EntityInput<Promotion>,
): Promise<void> {
  if (priceTiyin === null || offerIds.length + moderatedOfferIds.length === 0) return
  const lowest = await lowestPriceOf(tx, { offerIds, moderatedOfferIds })
  if (lowest !== null && priceTiyin >= lowest)
    throw refuse('validation_failed', {
      fields: [{ path: 'price_tiyin', rule: 'below_price', limit: lowest }],
    })
}

/**
 * Refuses a loan condition for an unknown promotion. An import may bring both in either order, as they may reference each
 * other; a condition whose promotion was deleted can still be changed.
 */
export async function refuseUnknownPromotion(
  tx: Tx,
  { promotionId }: EntityInput<LoanCondition>,
  before: LoanCondition | undefined,
): Promise<void> {
  if (promotionId === null || promotionId === before?.promotionId) return
  const found = await lockReferenced(tx, promotions, { ids: [promotionId], owner: undefined })
  if (!found.has(promotionId))
    throw refuse('validation_failed', { fields: [{ path: 'promotion_id', rule: 'exists' }] })
}
