// What is recommended: products, by their places in a model. A place is a row of every table the model has.

/** A product as it is learnt from. */
export interface Ware {
  productId: number
  categoryId: number
  /** The category at the top of the tree. */
  departmentId: number
  /** 0 for none. */
  brandId: number
  priceTiyin: number
  /** Its names, for likeness. */
  words: string
}

export interface Items {
  count: number
  /** Ascending. */
  productIds: Float64Array
  categories: Int32Array
  departments: Int32Array
  brands: Int32Array
  logPrices: Float32Array
}

export function itemsOf(wares: readonly Ware[]): Items {
  return {
    count: wares.length,
    productIds: Float64Array.from(wares, (it) => it.productId),
    categories: Int32Array.from(wares, (it) => it.categoryId),
    departments: Int32Array.from(wares, (it) => it.departmentId),
    brands: Int32Array.from(wares, (it) => it.brandId),
    logPrices: Float32Array.from(wares, (it) => Math.log(Math.max(1, it.priceTiyin))),
  }
}

export function placesOf({ productIds }: Items): Map<number, number> {
  const places = new Map<number, number>()
  for (let place = 0; place < productIds.length; place++) places.set(productIds[place]!, place)
  return places
}
