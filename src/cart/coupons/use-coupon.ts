// Coupons in carts and orders: applied to a cart, redeemed by an order, given back when the order is cancelled.

import type { Tx } from '../../base/database.ts'
import { inSums } from '../../base/money.ts'
import { publish } from '../../base/outbox.ts'
import { refuse } from '../../base/refusal.ts'
import { type Cart, priceCart, type PricedCart } from '../carts/cart.ts'
import { changedCart, lockCart } from '../carts/load-cart.ts'
import { couponBroken } from '../carts/order-rules.ts'
import { refuseIf } from '../carts/rules.ts'
import type { Shopper } from '../carts/shopper.ts'
import { touchCart } from '../carts/store.ts'
import { type CartCoupon, normalCode } from './coupon.ts'
import { closeOrderOfUse, findCouponFor, insertUse, setCartCoupon } from './store.ts'
import type { IfMatch } from '../../http/version.ts'

/** Applies a coupon to the buyer's cart; it replaces an earlier one. Refuses when it gives no discount now. */
export async function applyCoupon(
  tx: Tx,
  shopper: Shopper,
  { code, ifMatch }: { code: string; ifMatch: IfMatch | undefined },
): Promise<PricedCart> {
  const before = await lockCart(tx, shopper, { about: [], ifMatch })
  if (!before.cart?.lines.length) refuseIf([{ code: 'cart_empty', remedy: { action: 'add' } }])
  const coupon = await findCouponFor(tx, shopper.buyer, { code: normalCode(code) })
  if (!coupon) throw refuse('coupon_unknown', { coupon: normalCode(code) })
  const after = withCoupon(tx, shopper, { before: before as PricedCart<Cart>, coupon })
  refuseIf(couponBroken(after))
  if (before.cart!.couponId === coupon.id) return before
  saveCoupon(tx, after)
  publish(tx, {
    type: 'CouponApplied',
    cartId: after.cart.id,
    couponId: coupon.id,
    discount: inSums(after.coupon!.discountTiyin),
    occurredOn: tx.now.toISOString(),
  })
  return after
}

/** Takes the coupon off the buyer's cart. Idempotent. */
export async function removeCoupon(
  tx: Tx,
  shopper: Shopper,
  { ifMatch }: { ifMatch: IfMatch | undefined },
): Promise<PricedCart> {
  const before = await lockCart(tx, shopper, { about: [], ifMatch })
  const couponId = before.cart?.couponId ?? null
  if (couponId === null) return before
  const after = withCoupon(tx, shopper, { before: before as PricedCart<Cart>, coupon: null })
  saveCoupon(tx, after)
  publish(tx, {
    type: 'CouponRemoved',
    cartId: after.cart.id,
    couponId,
    occurredOn: tx.now.toISOString(),
  })
  return after
}

function withCoupon(
  tx: Tx,
  shopper: Shopper,
  { before, coupon }: { before: PricedCart<Cart>; coupon: CartCoupon | null },
): PricedCart<Cart> {
  const { cart } = changedCart(before, shopper, { lines: before.cart.lines, now: tx.now })
  return priceCart({ ...cart, couponId: coupon?.id ?? null }, before, { offers: before.offers, coupon })
}

function saveCoupon(tx: Tx, { cart }: PricedCart<Cart>): void {
  touchCart(tx, cart)
  setCartCoupon(tx, cart.id, cart.couponId)
}

/** Moves the coupon of a merged guest's cart to the client's, unless that one has a coupon or the client may not use it. */
export async function moveCoupon(
  tx: Tx,
  guestCouponId: number | null,
  into: PricedCart<Cart>,
): Promise<PricedCart<Cart>> {
  if (guestCouponId === null || into.cart.couponId !== null) return into
  const coupon = await findCouponFor(tx, into.buyer, { id: guestCouponId })
  if (!coupon || coupon.blocked) return into
  setCartCoupon(tx, into.cart.id, coupon.id)
  return priceCart({ ...into.cart, couponId: coupon.id }, into, { offers: into.offers, coupon })
}

/** Counts the coupon of a cart that was locked for an order as used, and takes it off the cart. */
export function redeemCoupon(
  tx: Tx,
  { cart, coupon, buyer }: PricedCart,
  { checkoutId, orderIds }: { checkoutId: string; orderIds: readonly number[] },
): void {
  if (!cart || !coupon || coupon.discountTiyin === 0) return
  const { id: couponId } = coupon.coupon
  const clientId = buyer.kind === 'client' ? buyer.clientId : null
  const { discountTiyin } = coupon
  insertUse(tx, { checkoutId, couponId, clientId, discountTiyin, openOrders: orderIds.length })
  setCartCoupon(tx, cart.id, null)
  publish(tx, {
    type: 'CouponRedeemed',
    couponId,
    clientId,
    orderIds: [...orderIds],
    discount: inSums(discountTiyin),
    occurredOn: tx.now.toISOString(),
  })
}

/**
 * Gives the use of a coupon back after the last order of the checkout that had a part of its discount was cancelled. The
 * caller must call it once for each such order.
 */
export async function releaseCoupon(
  tx: Tx,
  { checkoutId, orderId }: { checkoutId: string; orderId: number },
): Promise<void> {
  const couponId = await closeOrderOfUse(tx, checkoutId)
  if (couponId !== undefined)
    publish(tx, { type: 'CouponReleased', couponId, orderId, occurredOn: tx.now.toISOString() })
}
