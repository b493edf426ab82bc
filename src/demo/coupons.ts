import type { Tx } from '../base/database.ts'
import { inTiyin } from './offers.ts'
import { type CouponTerms, createCoupon } from '../cart/index.ts'

const usual: Omit<CouponTerms, 'discount' | 'startsAt'> = {
  minAmountTiyin: 0,
  promotionId: null,
  endsAt: null,
  maxUses: null,
  usesPerBuyer: 1,
  isActive: true,
}

/** Two promotion codes: one for clients, once each, and one for all buyers. Idempotent: existing codes stay as they are. */
export async function createDemoCoupons(tx: Tx): Promise<void> {
  await createCoupon(tx, 'SALOM10', {
    ...usual,
    discount: { kind: 'percent', percent: 10, maxTiyin: inTiyin(200_000) },
    startsAt: tx.now,
  })
  await createCoupon(tx, 'BOZOR50', {
    ...usual,
    discount: { kind: 'amount', tiyin: inTiyin(50_000) },
    minAmountTiyin: inTiyin(500_000),
    usesPerBuyer: null,
    startsAt: tx.now,
  })
}
