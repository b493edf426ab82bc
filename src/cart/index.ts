export type { Basket } from './basket.ts'
export { orderBasket, shownBasket } from './basket.ts'
export type { LineKey } from './cart.ts'
export { isSameOffer, keyOf } from './cart.ts'
export { findOwners } from './find-owners.ts'
export { findStaleCarts } from './find-stale-carts.ts'
export { readOrdersCreated } from './hear-event.ts'
export { jobsOf } from './jobs.ts'
export { recordKinds } from './limits-record.ts'
export { type Bought, notePurchase, noteRepayment, takeBackPurchase } from './note-purchase.ts'
export { offersInCart, type ShownCart } from './offers-in-cart.ts'
export { brokenAtOrder } from './order-rules.ts'
export { type PaymentMethod, paymentMethods } from './payment-methods.ts'
export { type Entry, isForSale } from './purchase.ts'
export { reactionsOver } from './reactions.ts'
export { readEvent } from './read-event.ts'
export { type OutsideEvent, receiveEvent } from './receive-event.ts'
export { removeCart } from './remove-cart.ts'
export { removeOffers } from './remove-offers.ts'
export { buyerFields, moderatedId, moderatedKeys, sessionId, shopperOf } from './routes/buyer.ts'
export { routesOver } from './routes/index.ts'
export { offerIsNotForSale, refuseIf } from './rules.ts'
export { type Shopper, type Terms, type TermsConfig, termsOf } from './shopper.ts'
export { findCartById } from './store/carts.ts'
export {
  cartsLeftBefore,
  cartsLeftWithin,
  clientsBusySince,
  clientsWithCartsAfter,
  clientsWithWishlistsAfter,
  type LeftCart,
} from './store/clients.ts'
export { type TrueWish, type Turn, wishesComeTrue } from './wishlists/wishes-come-true.ts'
export { takeOrderedLines } from './take-ordered-lines.ts'
