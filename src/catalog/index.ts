export { bestOffer } from './best-offer.ts'
export { changeOffer } from './change-offer.ts'
export { findSheet } from './find-product.ts'
export type { ModerationStatus, Region } from './goods.ts'
export { offerImages, shownLogo } from './images.ts'
export { listWares } from './list-wares.ts'
export { moveHeldStock, moveStock } from './move-stock.ts'
export {
  moderatedOffersByUuid,
  moderatedOffersShown,
  offersForSale,
  type OffersForSale,
  offersHeld,
  offersShown,
  type WantedOffers,
} from './offers-for-sale.ts'
export { type Catalog, openCatalog, type Shelves } from './open-catalog.ts'
export { pages } from './pictures.ts'
export { discountPercent, monthlyTiyin, validOldPrice } from './price.ts'
export { productsIn } from './products-in.ts'
export { productsOfOffers } from './products-of-offers.ts'
export { recordKinds } from './record-kinds.ts'
export { runningPromotions } from './promotions/season-now.ts'
export { tellPromotions } from './promotions/tell-stages.ts'
export type { ConditionSheet, OfferSheet } from './sheets.ts'
export type { Buying, StallOffer, Stalls } from './shelf/stalls.ts'
export { savePopularity } from './save-popularity.ts'
export type { CategoryRecord } from './category.ts'
export type { Identified } from './missing.ts'
export { startOfPromotion } from './store/promotions.ts'
export { stands, type Thing } from './store/places.ts'
export { stockCategories } from './stock-categories.ts'
