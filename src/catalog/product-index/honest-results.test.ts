import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import type { IndexedProduct } from './indexed-product.ts'
import { ProductIndex } from './product-index.ts'

const product = (id: number, ru: string, categories: string[]): IndexedProduct => ({
  id,
  categoryPath: categories.map((_, at) => id * 10 + at),
  categoryNames: categories.map((it) => ({ ru: it })),
  brandId: null,
  brand: '',
  createdAtMs: id,
  popularity: 1,
  name: { ru },
  description: {},
  variants: [],
  offers: [
    {
      id,
      partnerId: 1,
      priceTiyin: 100_000,
      oldPriceTiyin: null,
      quantity: 5,
      rating: 5,
      regions: ['home'],
    },
  ],
})

const index = new ProductIndex()
index.put(product(1, 'Молоток слесарный', ['Строительство и ремонт', 'Ручной инструмент']))
index.put(product(2, 'Холодильник двухкамерный', ['Бытовая техника', 'Холодильники']))
index.put(product(3, 'Чёрный чай листовой', ['Продукты', 'Чай']))
index.put(product(4, 'Наушники беспроводные', ['Электроника', 'Наушники']))

const found = (text: string) => {
  const { ids, leftOut } = index.find({
    text,
    region: 'home',
    language: 'ru',
    filters: {},
    sort: 'relevance',
    limit: 5,
    wantsFacets: false,
  })
  return { ids, leftOut }
}

test('a service is not answered with a department that has the word in its name', () => {
  deepEqual(found('ремонт холодильников'), { ids: [], leftOut: [] })
  deepEqual(found('холодильник').ids, [2])
})

test('what a generic noun comes with may be left out', () => {
  deepEqual(found('чай с бергамотом'), { ids: [3], leftOut: ['бергамотом'] })
  deepEqual(found('чай для похудения').ids, [], 'what it is for may not')
})

test('a word that the dictionary has only within phrases is no thing of its own', () => {
  deepEqual(found('қулоққа наушник').ids, [4])
})
