import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { ProductIndex } from './product-index.ts'

const index = new ProductIndex()
for (const [id, priceTiyin] of [
  [1, 20_000_000],
  [2, 90_000_000],
] as const)
  index.put({
    id,
    categoryPath: [1],
    categoryNames: [{ ru: 'Чайники', uz: 'Choynaklar', en: 'Kettles' }],
    brandId: 1,
    brand: 'Artel',
    createdAtMs: id,
    popularity: 1,
    name: {
      ru: 'Электрический чайник Artel',
      uz: 'Artel elektr choynagi',
      en: 'Artel electric kettle',
    },
    description: { ru: '', uz: '', en: '' },
    variants: [],
    offers: [
      { id, partnerId: 1, priceTiyin, oldPriceTiyin: null, quantity: 5, rating: 4.5, regions: ['home'] },
    ],
  })

const ask = (text: string) =>
  index.find({
    text,
    region: 'home',
    language: 'ru',
    filters: {},
    sort: 'relevance',
    limit: 5,
    wantsFacets: false,
  })

test('a price in the text limits the results', () => {
  for (const text of ['чайник до 500 тыс', 'choynak 500 ming so‘mgacha', 'kettle under 500k'])
    deepEqual(ask(text).ids, [1], text)
  deepEqual(ask('чайник от 500 тысяч').ids, [2])
  equal(ask('чайник до 500 тыс').steps[0]!.step, 'price')
  deepEqual(ask('чайник до 500 тыс').leftOut, [])
})

test('a price is left out when nothing is that cheap', () => {
  equal(ask('чайник до 1000 сум').ids.length, 2)
  deepEqual(ask('чайник до 1000 сум').leftOut, ['до 1000 сум'])
})

test('what a thing is for or with may be left out; products for animals are a kind of their own', () => {
  equal(ask('чайник с микрофоном').ids.length, 2)
  deepEqual(ask('чайник с микрофоном').leftOut, ['микрофоном'])
  deepEqual(ask('чайник для собаки').ids, [])
})
