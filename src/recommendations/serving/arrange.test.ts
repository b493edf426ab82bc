import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { RowWriter } from '../../ml/retrieval/sparse.ts'
import { itemsOf } from '../models/items.ts'
import { type Model, noMetrics } from '../models/model.ts'
import { arrangerOf } from './arrange.ts'
import { profileOf } from './buyer-profile.ts'
import { defaultWeights } from './candidates.ts'
import type { ModelQuery } from './model-query.ts'

const limit = 30
const perCategory = 20
/** Ten categories of twenty items; in each the price rises with the item. The items of category 10 are bought again. */
const items = itemsOf(
  Array.from({ length: 200 }, (_, at) => ({
    productId: at + 1,
    categoryId: 1 + Math.floor(at / perCategory),
    departmentId: 1,
    brandId: 0,
    priceTiyin: 1_000 * 2 ** (at % perCategory),
    words: '',
  })),
)
const none = () => new RowWriter().matrix(items.count)
const modelWith = (twins: Int32Array): Model => ({
  until: new Date(0),
  items,
  learned: {},
  alike: none(),
  twins,
  companions: { categories: new Int32Array(), weights: none() },
  popularity: new Float64Array(items.count),
  recent: new Float64Array(items.count),
  trends: { places: [], weights: none() },
  rhythm: {
    gap: new Float64Array(items.count).fill(10),
    again: Float64Array.from(items.categories, (id) => (id === 10 ? 0.8 : 0)),
  },
  priceBand: Math.log(2) + 1e-5,
  repeats: 'allowed',
  weights: defaultWeights,
  external: undefined,
  ranker: undefined,
  metrics: noMetrics,
})
const alone = Int32Array.from({ length: items.count }, (_, at) => at)
const ranked = alone
const query = (more: Partial<ModelQuery>): ModelQuery => ({
  layer: 'main_page',
  profile: profileOf(items, []),
  context: [],
  day: 0,
  place: null,
  ...more,
})
const shown = (more: Partial<ModelQuery>, twins = alone): number[] => [
  ...arrangerOf(modelWith(twins))(ranked, query(more), limit).subarray(0, limit),
]
const categoriesOf = (list: number[]) => list.map((it) => items.categories[it]!)
const largest = (list: number[]) =>
  Math.max(
    ...Map.groupBy(categoriesOf(list), (it) => it)
      .values()
      .map((it) => it.length),
  )

test('an unknown buyer sees the breadth of the shop: no category has more than a tenth', () => {
  equal(largest(shown({})), 3)
  equal(new Set(categoriesOf(shown({}))).size, 10)
})

test('a category has at most a fifth of a list, more only where the history says so', () => {
  const history = [20, 21, 22, 45].map((item) => ({ item, kind: 'view' as const, day: 0 }))
  const list = shown({ profile: profileOf(items, history) })
  const count = (category: number) => categoriesOf(list).filter((it) => it === category).length
  equal(count(1), 6)
  equal(count(2), 12)
})

test('nothing is lost, and the page of a category has no limits', () => {
  for (const layer of ['main_page', 'offer_page', 'cart_page'] as const) {
    const list = arrangerOf(modelWith(alone))(ranked, query({ layer, context: [3] }), limit)
    deepEqual(
      [...list].toSorted((a, b) => a - b),
      [...ranked],
    )
  }
  equal(largest(shown({ isOneCategory: true })), 20)
})

test('one colour of a model is shown, and none of the model on the page', () => {
  const twins = Int32Array.from(alone, (at) => at - (at % 2))
  const list = shown({}, twins)
  equal(new Set(list.map((it) => twins[it])).size, list.length)
  ok(!shown({ layer: 'offer_page', context: [4] }, twins).includes(5))
})

test('a product page shows alternatives of a similar price, then other categories, then the rest', () => {
  const best = [0, 20, 9, 40, 11]
  const order = Int32Array.from([...best, ...ranked.filter((it) => !best.includes(it))])
  const list = arrangerOf(modelWith(alone))(order, query({ layer: 'offer_page', context: [10] }), limit)
  deepEqual([...list.subarray(0, 5)], [9, 11, 20, 40, 0])
})

test('a cart shows what goes with it: of durable products nothing similar, of consumables a fifth', () => {
  ok(!categoriesOf(shown({ layer: 'cart_page', context: [0] })).includes(1))
  const reversed = ranked.toReversed()
  const list = arrangerOf(modelWith(alone))(reversed, query({ layer: 'cart_page', context: [199] }), limit)
  equal(categoriesOf([...list.subarray(0, limit)]).filter((it) => it === 10).length, 6)
})
