import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { areSameSize, hasKeptSize, sizesOf, sizesThatMustFit } from './sizes.ts'

const catalog = [
  { brandId: 1, words: 'Orzu Energy 3 175/70 R14 summer tyre' },
  { brandId: 2, words: 'Nur Winter 175/70 R14 winter tyre' },
  { brandId: 3, words: 'Baraka 175/70 R14 all-season tyre' },
  { brandId: 1, words: 'Orzu Energy 3 185/65 R14 summer tyre' },
  { brandId: 2, words: 'Nur Winter 185/65 R14 winter tyre' },
  { brandId: 3, words: 'Baraka 185/65 R14 all-season tyre' },
  { brandId: 1, words: 'Orzu tyre brush' },
].map((it, at) => ({ ...it, productId: at + 1, categoryId: 1, departmentId: 1, priceTiyin: 1_000 }))

test('products of one size share most of the sizes that several brands use', () => {
  const sizes = sizesOf(catalog)
  const areSame = (one: number, other: number) => areSameSize(sizes, one, other)
  equal(areSame(0, 1), true)
  equal(areSame(0, 2), true)
  equal(areSame(0, 3), false, 'the rim alone is not the size, and neither is the model number of one brand')
  equal(areSame(3, 4), true)
  equal(areSame(0, 6), false)
  equal(areSame(6, 6), false, 'nothing is known of a product without sizes')
})

test('a word is a size only within its category', () => {
  const spread = catalog.map((it, at) => ({ ...it, categoryId: at }))
  equal(areSameSize(sizesOf(spread), 0, 1), false)
})

test('sizes count where buyers keep to one, and where nothing is known', () => {
  const sizes = sizesOf(catalog)
  const categories = Int32Array.from(catalog, (it) => it.categoryId)
  const view = (item: number, at: number) => ({ item, kind: 'view' as const, day: at / 1440 })
  const visits = (pairs: [number, number][], times: number) =>
    Array.from({ length: times }, () => pairs.map((pair) => pair.map(view))).flat()
  const keptFor = (buyers: ReturnType<typeof visits>) =>
    areSameSize(sizesThatMustFit(sizes, buyers, { categories }), 0, 1)
  const oneSize: [number, number][] = [
    [0, 1],
    [1, 2],
    [3, 4],
    [4, 5],
  ]
  const anySize: [number, number][] = [...oneSize, [0, 3], [1, 4], [2, 5], [3, 1]]
  equal(keptFor(visits(oneSize, 30)), true)
  equal(keptFor(visits(anySize, 30)), false)
  equal(keptFor(visits(anySize, 3)), true, 'too few comparisons')
  equal(keptFor([]), true)
  const isKnown = (buyers: ReturnType<typeof visits>) =>
    hasKeptSize(sizesThatMustFit(sizes, buyers, { categories }), 0)
  equal(isKnown(visits(oneSize, 30)), true)
  equal(isKnown(visits(anySize, 30)), false)
  equal(isKnown(visits(oneSize, 3)), false, 'too few comparisons')
})
