import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { varietiesOf } from './varieties.ts'

const named = (names: readonly string[], categoryOf: (at: number) => number = () => 1) =>
  names.map((words, at) => ({
    words,
    productId: at + 1,
    categoryId: categoryOf(at),
    departmentId: 1,
    brandId: at % 3,
    priceTiyin: 1_000,
  }))

test('products have one variety when they share the words that several brands of the category use', () => {
  const tyres = [
    'Orzu Energy 175/70 R14 summer tyre',
    'Nur Comfort 175/70 R14 summer tyre',
    'Baraka 185/65 R14 summer tyre',
    'Orzu Ice 175/70 R14 winter tyre',
    'Nur Ice 175/70 R14 winter tyre',
    'Baraka Winter 185/65 R14 winter tyre',
  ]
  deepEqual([...varietiesOf(named(tyres))], [0, 0, 0, 1, 1, 1])
})

test('the same words in two categories are two varieties', () => {
  const tables = ['Orzu corner table', 'Nur corner table', 'Baraka corner table']
  deepEqual([...varietiesOf(named([...tables, ...tables], (at) => Math.floor(at / 3)))], [0, 0, 0, 1, 1, 1])
})

test('options all over the shop, such as colours, name no variety', () => {
  const products = Array.from({ length: 5 }, (_, category) =>
    Array.from({ length: 12 }, (__, brandId) => ({
      words: `brand${brandId} ${brandId % 2 ? 'red' : 'blue'}`,
      productId: category * 12 + brandId + 1,
      categoryId: category,
      departmentId: 1,
      brandId: brandId % 2 ? brandId : brandId + category * 12,
      priceTiyin: 1_000,
    })),
  ).flat()
  const wide = products.map((it, at) => ({ ...it, brandId: at }))
  deepEqual(
    [...varietiesOf(wide)].slice(0, 12),
    Array.from({ length: 12 }, () => 0),
  )
})
