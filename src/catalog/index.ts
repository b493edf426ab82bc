export {
  rankedOffersOf,
  findProduct,
  findProducts,
  loadCatalogSnapshot,
  productsIn,
  productsOfOffers,
  savePopularity,
} from './products/products.ts'
export {
  changeOffer,
  findModeratedOffers,
  findModeratedOffersByUuid,
  findOffers,
  type LoadedOffers,
  loadOffers,
  lockOffers,
  type OfferIds,
} from './offers/load-offers.ts'
export { mayReadOffer } from './offers/restrictions.ts'
export type { ModerationStatus, Region } from './entities/entities.ts'
export { isSetAfter, type SetField } from './offers/set-times-store.ts'
export type { Image } from './entities/entities.ts'
export { type DeletedOffer, findDeletedOffers } from './offers/deleted-offers-store.ts'
export { offerImageUrls, logoUrl } from './pictures/image-urls.ts'
export { moveLockedStock, moveStock } from './stock/move-stock.ts'
export { type Catalog, openCatalog, type ProductIndexReader } from './open-catalog.ts'
export { discountPercent, financedTiyin, monthlyTiyin, validOldPrice } from './offers/price.ts'
export {
  defaultSuggestions,
  suggestionsReply,
  suggestionsView,
  suggestParameters,
} from './products/suggestions.ts'
export { addSearches, addSearchInteractions } from './search-log/store.ts'
export { loggedQuery, searchIdOf } from './search-log/search-query.ts'
export { searchLearningJob } from './search-learning/learn-search.ts'
export { recordKinds } from './entities/record-kinds.ts'
export { runningPromotions } from './promotions/current-schedule.ts'
export {
  type LoanConditionDetails,
  type OfferDetails,
  type OfferTerms,
  openConditions,
  type ProductDetails,
} from './offers/offer-details.ts'
export type {
  BuyableScope,
  BuyableOffer,
  BuyableOffers,
  ProductPlace,
} from './product-index/buyable-offers.ts'
export type { CategoryRecord, Identified } from './categories/category.ts'
export { type PromotionPeriod, promotionsStartedWithin, startOfPromotion } from './promotions/store.ts'
export { exists, type EntityName } from './products/store.ts'
export { categoriesBelow, knownCategories } from './categories/store.ts'
export { addCategories } from './categories/edit-categories.ts'
export {
  type DeliveryKind,
  deliveryKinds,
  type DeliveryMethod,
  deliveryPriceTiyin,
  deliversTo,
  type PickupPoint,
} from './delivery/delivery-method.ts'
export { latitude, longitude, regionCode } from './delivery/record-form.ts'
export { regionName } from './delivery/regions.ts'
export { deliveryMethodsOf } from './delivery/store.ts'
export { languageOrder, loadShopProfile, offeredLanguage, type ShopProfile } from './shop-profile/store.ts'
