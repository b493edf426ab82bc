// The recommended products, numbered by their row in the model's tables.

/** A product as training data. */
export interface TrainingProduct {
  productId: number
  categoryId: number
  /** The category at the top of the tree. */
  departmentId: number
  /** 0 for none. */
  brandId: number
  priceTiyin: number
  /** Its names, for text similarity. */
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

export function itemsOf(products: readonly TrainingProduct[]): Items {
  return {
    count: products.length,
    productIds: Float64Array.from(products, (it) => it.productId),
    categories: Int32Array.from(products, (it) => it.categoryId),
    departments: Int32Array.from(products, (it) => it.departmentId),
    brands: Int32Array.from(products, (it) => it.brandId),
    logPrices: Float32Array.from(products, (it) => Math.log(Math.max(1, it.priceTiyin))),
  }
}

export function placesOf({ productIds }: Items): Map<number, number> {
  const places = new Map<number, number>()
  for (let place = 0; place < productIds.length; place++) places.set(productIds[place]!, place)
  return places
}
