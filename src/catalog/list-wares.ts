import type { Reader } from '../base/db.ts'
import * as store from './store/wares.ts'

/** A product as one learns from it: what it is, whose, and for how much, whether or not anybody sells it now. */
export interface Ware {
  productId: number
  categoryId: number
  departmentId: number
  brandId: number | null
  /** Of its cheapest offer; 0 when nobody has offered it. */
  priceTiyin: number
  words: string
}

export interface Wares {
  /** By id. */
  products: Ware[]
  /** The product behind every offer: digits name an ordinary one, a UUID a moderated one. */
  productOf: Map<string, number>
}

/** Everything the shop has ever offered, as of now. */
export async function listWares(read: Reader): Promise<Wares> {
  const [products, productOf] = [await store.loadWares(read), await store.loadProductsOfOffers(read)]
  return { products, productOf }
}
