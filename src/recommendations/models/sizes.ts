// Sizes in names: 175/70 R14, size 4, 8/256 GB, 55″. A word with a digit is a size when several brands of the category use it;
// the model numbers of one brand are not.

import { type Csr, RowWriter } from '../../ml/retrieval/sparse.ts'
import type { TrainingProduct } from './items.ts'
import { wordsOf } from './twins.ts'

const fewestBrands = 3
/** The least common share of the sizes of two products. */
const leastCommon = 0.5

/** By product, the numbers of its sizes, ascending. */
export function sizesOf(products: readonly TrainingProduct[]): Csr {
  const brandsOf = new Map<string, Set<number>>()
  const keysOf = (product: TrainingProduct): string[] =>
    [...new Set(wordsOf(product.words))]
      .filter((word) => /\p{N}/u.test(word))
      .map((word) => `${product.categoryId} ${word}`)
  for (const product of products)
    for (const key of keysOf(product)) {
      const brands = brandsOf.get(key)
      if (brands) brands.add(product.brandId)
      else brandsOf.set(key, new Set([product.brandId]))
    }
  const common = [...brandsOf].filter(([, brands]) => brands.size >= fewestBrands).map(([key]) => key)
  const numberOf = new Map(common.map((key, at) => [key, at]))
  const writer = new RowWriter()
  for (const product of products) {
    const own = keysOf(product)
      .flatMap((key) => numberOf.get(key) ?? [])
      .sort((a, b) => a - b)
    writer.add(
      own,
      own.map(() => 1),
    )
  }
  return writer.matrix(common.length)
}

/** Whether two products share most of their sizes; products without sizes have none in common. */
export function areSameSize({ offsets, indices }: Csr, one: number, other: number): boolean {
  const [end, otherEnd] = [offsets[one + 1]!, offsets[other + 1]!]
  let at = offsets[one]!
  let otherAt = offsets[other]!
  const total = end - at + otherEnd - otherAt
  let shared = 0
  while (at < end && otherAt < otherEnd) {
    const difference = indices[at]! - indices[otherAt]!
    if (difference === 0) shared++
    if (difference <= 0) at++
    if (difference >= 0) otherAt++
  }
  return shared > 0 && shared / (total - shared) >= leastCommon
}
