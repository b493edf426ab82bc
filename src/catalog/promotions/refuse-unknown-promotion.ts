import type { Tx } from '../../base/db.ts'
import { refuse } from '../../base/refusal.ts'
import type { LoanCondition, Said } from '../goods.ts'
import { ownersAmong } from '../store/references.ts'
import { promotions } from '../store/tables.ts'

/**
 * Refuses a condition for a promotion that does not stand. An import may bring the two in either order, for they may name
 * each other; and one whose promotion is gone holds nowhere, and can still be changed.
 */
export async function refuseUnknownPromotion(
  tx: Tx,
  { promotionId }: Said<LoanCondition>,
  before: LoanCondition | undefined,
): Promise<void> {
  if (promotionId === null || promotionId === before?.promotionId) return
  const found = await ownersAmong(tx, promotions, { ids: [promotionId], owner: undefined })
  if (!found.has(promotionId))
    throw refuse('validation_failed', { fields: [{ path: 'promotion_id', rule: 'exists' }] })
}
