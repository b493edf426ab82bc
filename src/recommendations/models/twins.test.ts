import { deepEqual, equal, notEqual } from 'node:assert/strict'
import { test } from 'node:test'
import type { TrainingProduct } from './items.ts'
import { twinGroups } from './twins.ts'

const product = (productId: number, brandId: number, words: string, priceTiyin = 1_000): TrainingProduct => ({
  productId,
  categoryId: 1,
  departmentId: 1,
  brandId,
  priceTiyin,
  words,
})
const catalog = [
  product(1, 1, 'Orzu Uno 8/256 GB smartphone, black'),
  product(2, 1, 'Orzu Uno 8/256 GB smartphone, blue'),
  product(3, 1, 'Orzu Uno 4/128 GB smartphone, black'),
  product(4, 1, 'Orzu Uno 8/256 GB smartphone, white', 2_000),
  product(5, 2, 'Nur Max smartphone, black'),
  product(6, 2, 'Nur Max smartphone, blue'),
  product(7, 2, 'Nur Mini smartphone, blue'),
  product(8, 3, 'Baraka smartphone, black'),
  product(9, 3, 'Baraka smartphone, blue'),
  product(10, 3, 'Baraka smartphone, white'),
  product(11, 4, 'Sharq smartphone, white'),
]

test('colours of one model are twins; sizes, models and prices are not', () => {
  const groups = twinGroups(catalog)
  const of = (id: number) => groups[id - 1]
  equal(of(1), of(2))
  notEqual(of(1), of(3))
  notEqual(of(1), of(4))
  equal(of(5), of(6))
  notEqual(of(6), of(7))
  deepEqual([of(8), of(8)], [of(9), of(10)])
  notEqual(of(10), of(11))
})

test('a word of many categories and brands is an option also where few brands use it', () => {
  const elsewhere = Array.from({ length: 8 }, (_, at) => [
    { ...product(100 + at, 10 + at, `Item${at} lamp, green`), categoryId: 2 + (at % 4) },
    { ...product(200 + at, 10 + at, `Item${at} lamp, pink`), categoryId: 2 + (at % 4) },
  ]).flat()
  const backpacks = ['Deli backpack, green', 'Deli backpack, pink'].map((words, at) =>
    product(at + 1, 1, words),
  )
  const other = Array.from({ length: 4 }, (_, at) => product(50 + at, 2, `Nur rucksack, model ${'abcd'[at]}`))
  const [one, two] = twinGroups([...backpacks, ...other, ...elsewhere])
  equal(one, two)
  const [alone, second] = twinGroups([...backpacks, ...other])
  notEqual(alone, second)
})

test('products without names have no twins', () => {
  const groups = twinGroups([product(1, 0, ''), product(2, 0, '')])
  notEqual(groups[0], groups[1])
})
