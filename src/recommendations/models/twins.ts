// Twins: products of one model that differ in colour or in a similar word alone. Nothing is listed by hand: a word is an
// option when several brands of the category use it and most products do not, or when brands all over the shop do.

import type { TrainingProduct } from './items.ts'

const fewestBrands = 3
const mostShare = 0.5
/** A word that this many categories and brands use is an option in every category. */
const manyCategories = 4
const manyBrands = 8
/** Larger differences in price mean another product. */
const priceGap = Math.log(1.15)

/** By product, the number of its group; a product without twins is alone in its group. */
export function twinGroups(products: readonly TrainingProduct[]): Int32Array {
  const groups = new Int32Array(products.length)
  const byCategory = Map.groupBy(products.keys(), (at) => products[at]!.categoryId)
  const isCommon = commonWords(products)
  let next = 0
  for (const members of byCategory.values()) {
    const words = members.map((at) => wordsOf(products[at]!.words))
    const isOption = optionWords(
      members.map((at, place) => ({ brand: products[at]!.brandId, words: words[place]! })),
      isCommon,
    )
    const keyed = members.map((at, place) => {
      const rest = words[place]!.filter((word) => !isOption(word))
      return {
        at,
        price: Math.log(Math.max(1, products[at]!.priceTiyin)),
        key: `${products[at]!.brandId} ${rest.join(' ')}`,
      }
    })
    for (const alike of Map.groupBy(keyed, (it) => it.key).values()) {
      const byPrice = alike.toSorted((a, b) => a.price - b.price || a.at - b.at)
      byPrice.forEach(({ at, price }, place) => {
        const before = byPrice[place - 1]
        if (!before || price - before.price > priceGap || products[at]!.words === '') next++
        groups[at] = next
      })
    }
  }
  return groups
}

/** Colours and the like, which few brands of a small category share. */
export function commonWords(products: readonly TrainingProduct[]): (word: string) => boolean {
  const uses = new Map<string, { categories: Set<number>; brands: Set<number> }>()
  for (const { words, categoryId, brandId } of products)
    for (const word of new Set(wordsOf(words))) {
      const known = uses.get(word) ?? { categories: new Set(), brands: new Set() }
      known.categories.add(categoryId)
      known.brands.add(brandId)
      uses.set(word, known)
    }
  return (word) => {
    const { categories, brands } = uses.get(word)!
    return categories.size >= manyCategories && brands.size >= manyBrands
  }
}

/** The words of a name, in lower case. */
export const wordsOf = (text: string): string[] =>
  text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}./×-]*/gu) ?? []

/** Words with a digit are sizes, volumes or models and never options. */
function optionWords(
  products: readonly { brand: number; words: readonly string[] }[],
  isCommon: (word: string) => boolean,
): (word: string) => boolean {
  const brandsOf = new Map<string, Set<number>>()
  const counts = new Map<string, number>()
  for (const { brand, words } of products)
    for (const word of new Set(words)) {
      brandsOf.set(word, (brandsOf.get(word) ?? new Set()).add(brand))
      counts.set(word, (counts.get(word) ?? 0) + 1)
    }
  return (word) =>
    !/\p{N}/u.test(word) &&
    (brandsOf.get(word)!.size >= fewestBrands || isCommon(word)) &&
    counts.get(word)! <= products.length * mostShare
}
