export {
  type AddItem,
  isAvailable,
  isSameOffer,
  keyOf,
  lineDiscountTiyin,
  type LineKey,
  type PricedCart,
  type PricedLine,
  unavailableReasons,
  withPricedLines,
} from './carts/cart.ts'
export { lockCartForOrder, versionBeforeOrder, viewCart } from './carts/load-cart.ts'
export { findOwners } from './carts/clients-store.ts'
export { findStaleCarts } from './carts/clean-up-store.ts'
export { readOrdersCreated } from './integration/handle-event.ts'
export {
  type CountedPurchase,
  countPurchase,
  countRepayment,
  uncountPurchase,
} from './limits/purchases-store.ts'
export { type ShownCart, shownCarts } from './carts/cached-carts-store.ts'
export {
  brokenAtOrder,
  type ExpectedTotal,
  leftOut,
  type LeftLine,
  requireTotal,
  splitLines,
} from './carts/order-rules.ts'
export { type PaymentMethod, paymentMethodCodes, paymentMethods } from './carts/payment-methods.ts'
export { readEvent } from './integration/receive-event.ts'
export { type ExternalEvent, receiveEvent } from './integration/receive-event.ts'
export { addItems, splitItems } from './carts/add-items.ts'
export { removeCart } from './carts/change-items.ts'
export { removeOffers } from './carts/change-items.ts'
export {
  buyerFields,
  moderatedId,
  moderatedIdsInQuery,
  moderatedKeys,
  moderatedKeysOf,
  offerIdsInQuery,
  sessionId,
  shopperOf,
} from './carts/request.ts'
export { cartId, shopperOfCart } from './carts/v1-routes.ts'
export { cartModuleJobs, cartReactions, openCart } from './open-cart.ts'
export { refuseIf, type Violation, violated } from './carts/rules.ts'
export { type Shopper, type CartSettings, cartSettings } from './carts/shopper.ts'
export { versionOf as cartVersionOf } from './carts/version.ts'
export { findCartById } from './carts/store.ts'
export {
  cartsLeftBefore,
  cartsLeftWithin,
  clientsBusySince,
  clientsWithCartsAfter,
  clientsWithWishlistsAfter,
  type LeftCart,
} from './carts/clients-store.ts'
export { type WishlistMatch, type WishlistCondition, matchWishlists } from './wishlists/match-wishlists.ts'
export type { CouponTerms } from './coupons/coupon.ts'
export { createCoupon } from './coupons/create-coupon.ts'
export { redeemCoupon, releaseCoupon } from './coupons/use-coupon.ts'
export { removeOrderedLines } from './carts/change-items.ts'
export { recordKinds } from './limits/limits-record.ts'
export { type Limits, remainingTiyin } from './limits/limits.ts'
export { findLimits } from './limits/store.ts'
export { cartOfClient, eraseCart, moveCart } from './client-data-store.ts'
