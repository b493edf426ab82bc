import type { Tx } from '../../base/database.ts'
import { publish } from '../../base/outbox.ts'
import { type CouponTerms, normalCode } from './coupon.ts'
import { insertCoupon, type StoredCoupon } from './store.ts'

/** Creates a coupon; undefined when its code is taken. */
export async function createCoupon(
  tx: Tx,
  code: string,
  terms: CouponTerms,
): Promise<StoredCoupon | undefined> {
  const coupon = await insertCoupon(tx, normalCode(code), terms)
  if (coupon) publish(tx, { type: 'CouponCreated', couponId: coupon.id, code: coupon.code })
  return coupon
}
