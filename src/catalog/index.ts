export { bestOffer, bestOfferOf, worthiest } from './best-offer.ts'
export { changeOffer } from './change-offer.ts'
export { findSheet, findSheets } from './find-product.ts'
export type { ModerationStatus, Region } from './goods.ts'
export { offerImages, shownLogo } from './images.ts'
export { listWares } from './list-wares.ts'
export { moveStock } from './move-stock.ts'
export {
  approvedOffersOf,
  moderatedOffersByUuid,
  moderatedOffersForSale,
  moderatedOffersShown,
  type Offers,
  offersForSale,
  offersShown,
} from './offers-for-sale.ts'
export { type Catalog, openCatalog } from './open-catalog.ts'
export { pages } from './pictures.ts'
export { discountPercent, monthlyTiyin, validOldPrice } from './price.ts'
export { recordKinds } from './record-kinds.ts'
export type { ConditionSheet, OfferSheet } from './sheets.ts'
export { savePopularity } from './save-popularity.ts'
export type { CategoryRecord } from './category.ts'
export type { Identified } from './missing.ts'
export { stockCategories } from './stock-categories.ts'
