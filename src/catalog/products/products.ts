import * as store from './store.ts'
import type { OfferScore, SnapshotProduct } from './store.ts'
import type { Reader, Tx } from '../../base/database.ts'
import { currentWindow } from '../promotions/current-schedule.ts'
import { priceProducts } from '../promotions/price-details.ts'
import {
  bestOfferFirst,
  type OfferTerms,
  type ProductDetails,
  productCache,
} from '../offers/offer-details.ts'
import { loadProductDetails } from '../offers/store.ts'
import type { Region } from '../entities/entities.ts'
import { publish } from '../../base/outbox.ts'
import { productsOfBrand, productsOfCategory, replacePopularity } from './store.ts'

/** Product details at the prices of the reader's instant; unknown ids are left out. */
export async function findProducts(
  read: Reader,
  ids: readonly number[],
): Promise<Map<number, ProductDetails>> {
  const [products, window] = await Promise.all([
    read.cached(productCache, ids, (missing) => read.together(loadProductDetails, missing)),
    currentWindow(read),
  ])
  return priceProducts(products, window)
}

export const findProduct = async (read: Reader, id: number): Promise<ProductDetails | undefined> =>
  (await findProducts(read, [id])).get(id)

/** The visible offers of a product in a region, the best first: in stock, cheapest, of the best rated partner. */
export const rankedOffersOf = (details: ProductDetails, region: Region): OfferTerms[] =>
  details.offers.filter((it) => it.regions.includes(region)).toSorted(bestOfferFirst)

/** The best offer of a product in a region, in stock or not. */
export const bestOfferOf = (details: ProductDetails, region: Region): OfferTerms | undefined =>
  rankedOffersOf(details, region)[0]

export interface CatalogSnapshot {
  /** By id. */
  products: SnapshotProduct[]
  /** The product of every offer, by id for ordinary and by UUID for moderated offers. */
  productOf: Map<string, number>
}

/** All products and offers, for training. */
export async function loadCatalogSnapshot(read: Reader): Promise<CatalogSnapshot> {
  const [products, productOf] = [
    await store.loadSnapshotProducts(read),
    await store.loadProductsOfOffers(read),
  ]
  return { products, productOf }
}

/** Replaces the popularity of all products by the sum over their offers; 0 for those without a score. */
export async function savePopularity(tx: Tx, scores: readonly OfferScore[]): Promise<number> {
  const products = await replacePopularity(tx, scores)
  publish(tx, { type: 'PopularityCounted', countedAt: tx.now.toISOString(), products })
  return products
}

/** A category with those below it, or a brand. */
type Place = { categoryId: number } | { brandId: number }

/** Which of these products are in a category or of a brand. */
export const productsIn = async (
  read: Reader,
  productIds: readonly number[],
  place: Place,
): Promise<Set<number>> =>
  new Set(
    'categoryId' in place
      ? await productsOfCategory(read, productIds, place.categoryId)
      : await productsOfBrand(read, productIds, place.brandId),
  )

const numberForm = /^[1-9]\d{0,15}$/
const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The products of offers, by id for ordinary and by UUID for moderated offers; unknown ones are left out. */
export async function productsOfOffers(read: Reader, names: readonly string[]): Promise<Map<string, number>> {
  const ids = names.filter((it) => numberForm.test(it) && Number.isSafeInteger(Number(it)))
  const uuids = names.filter((it) => uuidForm.test(it))
  return ids.length + uuids.length === 0 ? new Map() : store.findProductsOfOffers(read, { ids, uuids })
}
