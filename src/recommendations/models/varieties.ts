// Varieties within a category: winter tyres, corner sofas, side-by-side fridges. A word without a digit names a variety when
// several brands of the category use it and it is not an option all over the shop, such as a colour.

import type { TrainingProduct } from './items.ts'
import { commonWords, wordsOf } from './twins.ts'

const fewestBrands = 3

/** By product, the number of its variety: products of one category whose names have the same words for varieties. */
export function varietiesOf(products: readonly TrainingProduct[]): Int32Array {
  const isCommon = commonWords(products)
  const keysOf = ({ words, categoryId }: TrainingProduct): string[] =>
    [...new Set(wordsOf(words))]
      .filter((word) => !/\p{N}/u.test(word) && !isCommon(word))
      .map((word) => `${categoryId} ${word}`)
  const brandsOf = new Map<string, Set<number>>()
  for (const product of products)
    for (const key of keysOf(product)) {
      const brands = brandsOf.get(key)
      if (brands) brands.add(product.brandId)
      else brandsOf.set(key, new Set([product.brandId]))
    }
  const numbers = new Map<string, number>()
  return Int32Array.from(products, (product) => {
    const own = keysOf(product).filter((key) => brandsOf.get(key)!.size >= fewestBrands)
    const name = [product.categoryId, ...own.sort()].join(' ')
    const known = numbers.get(name) ?? numbers.size
    numbers.set(name, known)
    return known
  })
}
