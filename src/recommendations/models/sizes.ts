// Sizes in names: 175/70 R14, size 4, 8/256 GB, 55″. A word with a digit is a size when several brands of the category use it;
// the model numbers of one brand are not.

import { type Csr, RowWriter } from '../../ml/retrieval/sparse.ts'
import type { Buyers } from './histories.ts'
import type { Items, TrainingProduct } from './items.ts'
import { splitByPause } from './sources.ts'
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

/** Of a size with fewer comparisons too little is known. */
const fewestComparisons = 30
const mostComparisons = 300_000
/** Where a size must fit, buyers compare products of the same size at least this many times as often as by chance. */
const leastLift = 1.5

/** What is known of a size: too little to say, or that buyers keep to it. */
const unknown = 1
const kept = 2

/**
 * The sizes that buyers keep to, such as those of tyres, and those of which too little is known. Sizes that they compare
 * freely, as memory or screens, are left out: a list of the same size would hide what they look for.
 */
export function sizesThatMustFit(sizes: Csr, buyers: Buyers, { categories }: Pick<Items, 'categories'>): Csr {
  const { isCompared, isKept } = useOfSizes(sizes, comparisonsOf(sizes, buyers, categories), categories)
  const writer = new RowWriter()
  for (let item = 0; item < sizes.rows; item++) {
    const own = sizesIn(sizes, item).filter((size) => isKept(size) || !isCompared(size))
    writer.add(
      own,
      Array.from(own, (size) => (isCompared(size) ? kept : unknown)),
    )
  }
  return writer.matrix(sizes.cols)
}

const sizesIn = ({ offsets, indices }: Csr, item: number): Int32Array =>
  indices.subarray(offsets[item]!, offsets[item + 1]!)

type Pair = readonly [one: number, other: number]

/** Different products with sizes, of one category and one after the other in a visit. */
function comparisonsOf({ offsets }: Csr, buyers: Buyers, categories: Int32Array): Pair[] {
  const isSized = (item: number) => offsets[item + 1]! > offsets[item]!
  const pairs: Pair[] = []
  for (const steps of buyers) {
    for (const visit of splitByPause(steps))
      for (let at = 1; at < visit.length; at++) {
        const [one, other] = [visit[at - 1]!.item, visit[at]!.item]
        if (one !== other && categories[one] === categories[other] && isSized(one) && isSized(other))
          pairs.push([one, other])
      }
    if (pairs.length >= mostComparisons) break
  }
  return pairs
}

interface UseOfSizes {
  /** Whether there are enough comparisons to say something. */
  isCompared: (size: number) => boolean
  isKept: (size: number) => boolean
}

/** A size belongs to one category; chance is its share of what buyers turn to in that category. */
function useOfSizes(sizes: Csr, pairs: readonly Pair[], categories: Int32Array): UseOfSizes {
  const [before, after, both, ofCategory] = [0, 1, 2, 3].map(() => new Float64Array(sizes.cols))
  const total = Map.groupBy(pairs, ([one]) => categories[one]!)
  for (const [one, other] of pairs) {
    const turned = sizesIn(sizes, other)
    const count = total.get(categories[one]!)!.length
    for (const size of turned) after![size]! += 1
    for (const size of sizesIn(sizes, one)) {
      before![size]! += 1
      ofCategory![size] = count
      if (turned.includes(size)) both![size]! += 1
    }
  }
  const isCompared = (size: number) => before![size]! >= fewestComparisons
  return {
    isCompared,
    isKept: (size) =>
      isCompared(size) && both![size]! / before![size]! >= (leastLift * after![size]!) / ofCategory![size]!,
  }
}

/** Whether buyers are known to keep to a size of the product. */
export function hasKeptSize({ offsets, values }: Csr, item: number): boolean {
  return values.subarray(offsets[item]!, offsets[item + 1]!).includes(kept)
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
