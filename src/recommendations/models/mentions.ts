// Models that products of other categories are made for: a case "for Galaxy S25" names a phone. A mention is a word with the
// word before it, one of them with a digit, that names products of two categories. Nothing is listed by hand.

import { type Csr, RowWriter } from '../../ml/retrieval/sparse.ts'
import type { TrainingProduct } from './items.ts'
import { wordsOf } from './twins.ts'

/** More common pairs of words say nothing about a model. */
const mostCategories = 4

/** By product, the numbers of its mentions, ascending. */
export function mentionsOf(products: readonly TrainingProduct[]): Csr {
  const categoriesOf = new Map<string, Set<number>>()
  for (const { words, categoryId } of products)
    for (const pair of pairsOf(words)) {
      const categories = categoriesOf.get(pair)
      if (categories) categories.add(categoryId)
      else categoriesOf.set(pair, new Set([categoryId]))
    }
  const shared = [...categoriesOf]
    .filter(([, { size }]) => size > 1 && size <= mostCategories)
    .map(([pair]) => pair)
  const numberOf = new Map(shared.map((pair, at) => [pair, at]))
  const writer = new RowWriter()
  for (const { words } of products) {
    const own = pairsOf(words)
      .flatMap((pair) => numberOf.get(pair) ?? [])
      .sort((a, b) => a - b)
    writer.add(
      own,
      own.map(() => 1),
    )
  }
  return writer.matrix(shared.length)
}

/** A name and a number, such as "galaxy s25" or "iphone 16"; two numbers are a measure. */
function pairsOf(text: string): string[] {
  const words = wordsOf(text)
  const pairs = words.flatMap((word, at) => {
    const before = words[at - 1]
    return before !== undefined && hasDigit(word) && !hasDigit(before) ? [`${before} ${word}`] : []
  })
  return [...new Set(pairs)]
}

const hasDigit = (word: string): boolean => /\p{N}/u.test(word)

/** Whether a product is made for another model than those of a page: it names models of their categories, but none of them. */
export function otherModelFinder(
  { offsets, indices }: Csr,
  categories: Int32Array,
): (page: readonly number[]) => (item: number) => boolean {
  const namedIn = new Map<number, ReadonlySet<number>>()
  /** Found when a category is first asked: all of a large shop would take longer than a call may wait. */
  const namesOf = (category: number): ReadonlySet<number> => {
    const known = namedIn.get(category)
    if (known) return known
    const names = new Set<number>()
    for (let item = 0; item < categories.length; item++)
      if (categories[item] === category)
        for (let at = offsets[item]!; at < offsets[item + 1]!; at++) names.add(indices[at]!)
    namedIn.set(category, names)
    return names
  }
  const anyOf = (item: number, isMet: (mention: number) => boolean): boolean => {
    for (let at = offsets[item]!; at < offsets[item + 1]!; at++) if (isMet(indices[at]!)) return true
    return false
  }
  return (page) => {
    const own = new Set(page.flatMap((item) => [...indices.subarray(offsets[item]!, offsets[item + 1]!)]))
    const pageCategories = new Set(page.map((item) => categories[item]!))
    const ofCategories = [...pageCategories].map(namesOf).filter(({ size }) => size > 0)
    const isNamed = (mention: number) => ofCategories.some((named) => named.has(mention))
    const isOwn = (mention: number) => own.has(mention)
    return (item) => anyOf(item, isNamed) && !anyOf(item, isOwn)
  }
}
