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

/** Finds the rows of products. */
export type Places = Pick<ReadonlyMap<number, number>, 'get' | 'has'>

/** By binary search: a map of many products takes longer to build than a call may wait, when a model is activated. */
export function placesOf({ productIds }: Items): Places {
  const get = (id: number): number | undefined => {
    let low = 0
    let high = productIds.length - 1
    while (low <= high) {
      const middle = (low + high) >>> 1
      const found = productIds[middle]!
      if (found === id) return middle
      if (found < id) low = middle + 1
      else high = middle - 1
    }
    return undefined
  }
  return { get, has: (id) => get(id) !== undefined }
}
