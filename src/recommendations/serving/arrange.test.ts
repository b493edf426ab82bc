import { deepEqual, equal, notDeepEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { RowWriter } from '../../ml/retrieval/sparse.ts'
import { itemsOf } from '../models/items.ts'
import { fullRuleShares, type Model, noMetrics } from '../models/model.ts'
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
const noneOfAll = () => {
  const writer = new RowWriter()
  for (let item = 0; item < items.count; item++) writer.add([], [])
  return writer.matrix(0)
}
const none = () => new RowWriter().matrix(items.count)
const modelWith = (twins: Int32Array, more: Partial<Model> = {}): Model => ({
  until: new Date(0),
  items,
  learned: {},
  alike: none(),
  twins,
  sizes: none(),
  varieties: new Int32Array(items.count),
  mentions: noneOfAll(),
  companions: { categories: new Int32Array(), weights: none() },
  popularity: new Float64Array(items.count),
  expected: undefined,
  recent: new Float64Array(items.count),
  trends: { places: [], weights: none() },
  rhythm: {
    gap: new Float64Array(items.count).fill(10),
    again: Float64Array.from(items.categories, (id) => (id === 10 ? 0.8 : 0)),
    second: Float64Array.from(items.categories, (id) => (id === 10 ? 0.8 : 0)),
  },
  priceBand: Math.log(2) + 1e-5,
  repeats: 'allowed',
  weights: defaultWeights,
  ruleShares: fullRuleShares,
  external: undefined,
  ranker: undefined,
  metrics: noMetrics,
  ...more,
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

/** Category 3 goes with category 1 most, category 2 less. */
const goingWith = (): Model['companions'] => {
  const writer = new RowWriter()
  writer.add([25, 45], [0.5, 1])
  return { categories: Int32Array.of(1), weights: writer.matrix(items.count) }
}

test('a cart shows companions in turn, the closest most often, then other categories in turn', () => {
  const model = modelWith(alone, { companions: goingWith() })
  const reversed = ranked.toReversed()
  const list = arrangerOf(model)(reversed, query({ layer: 'cart_page', context: [0] }), limit)
  deepEqual(categoriesOf([...list.subarray(0, 9)]), [3, 3, 2, 3, 3, 2, 3, 3, 2])
  deepEqual(new Set(categoriesOf([...list.subarray(0, 13)])), new Set([2, 3]))
  deepEqual(new Set(categoriesOf([...list.subarray(0, 24)])), new Set([2, 3, 4, 5, 6, 7, 8, 9, 10]))
})

/** Category 2 alone goes with category 1. */
const companionWith = (varietyOf: (item: number) => number): Model => {
  const writer = new RowWriter()
  writer.add([25], [1])
  return modelWith(alone, {
    companions: { categories: Int32Array.of(1), weights: writer.matrix(items.count) },
    varieties: Int32Array.from(alone, varietyOf),
  })
}

test('a cart shows the varieties of a companion in turn', () => {
  const model = companionWith((item) => Math.floor(item / 4))
  const list = arrangerOf(model)(ranked, query({ layer: 'cart_page', context: [0] }), limit)
  deepEqual([...list.subarray(0, 7)], [20, 24, 28, 32, 36, 21, 25])
})

for (const above of [2, 12, 13])
  test(`a variety takes its turn and its part of a companion when ${above} products of another one rank above it`, () => {
    const isFirst = (item: number) => item < perCategory + above
    const model = companionWith((item) => Number(!isFirst(item)))
    const list = arrangerOf(model)(ranked, query({ layer: 'cart_page', context: [0] }), limit)
    const mostOfOne = 12
    const companions = [...list].filter((it) => items.categories[it] === 2).slice(0, mostOfOne)
    const shownFirst = Math.min(above, mostOfOne / 2)
    const pairs = Array.from({ length: shownFirst }, (_, at) => [perCategory + at, perCategory + above + at])
    deepEqual(companions.slice(0, 2 * shownFirst), pairs.flat())
    equal(companions.filter(isFirst).length, shownFirst)
    equal(categoriesOf([...list.subarray(0, limit)]).filter((it) => it === 2).length, mostOfOne)
  })

test('products that a cart does not show take no turn of their variety', () => {
  const model = { ...companionWith((item) => Number(item >= 30)), twins: alone.with(21, 20) }
  const list = arrangerOf(model)(ranked, query({ layer: 'cart_page', context: [0] }), limit)
  deepEqual([...list.subarray(0, 6)], [20, 30, 22, 31, 23, 32])
})

test('a cart shows categories of its department before others', () => {
  const departments = Int32Array.from(items.categories, (id) => (id <= 3 ? 1 : 2))
  const model = modelWith(alone, { items: { ...items, departments } })
  const order = ranked.toReversed()
  const list = arrangerOf(model)(order, query({ layer: 'cart_page', context: [0] }), limit)
  deepEqual(categoriesOf([...list.subarray(0, 4)]), [3, 2, 3, 2])
  deepEqual(new Set(categoriesOf([...list.subarray(0, 24)])), new Set([2, 3]))
  ok(!categoriesOf([...list.subarray(24, limit)]).includes(1))
})

test('a product page shows the same size first, and companions after alternatives', () => {
  const writer = new RowWriter()
  for (const item of alone) writer.add([item === 9 || item === 10 ? 0 : 1], [1])
  const model = modelWith(alone, {
    companions: goingWith(),
    priceBand: Math.log(8),
    sizes: writer.matrix(2),
  })
  const order = Int32Array.from([8, 11, 12, 9, ...ranked.filter((it) => it < 8 || it > 12)])
  const list = arrangerOf(model)(order, query({ layer: 'offer_page', context: [10] }), limit)
  deepEqual([...list.subarray(0, 4)], [9, 8, 11, 12])
  deepEqual(new Set(categoriesOf([...list.subarray(4, 16)])), new Set([2, 3]))
})

test('a product page shows the same variety of a size first, then other varieties of it', () => {
  const sizes = new RowWriter()
  for (const item of alone) sizes.add([item < 10 ? 0 : 1], [1])
  const model = modelWith(alone, {
    priceBand: Math.log(1e9),
    sizes: sizes.matrix(2),
    varieties: Int32Array.from(alone, (item) => item % 2),
  })
  const list = arrangerOf(model)(ranked, query({ layer: 'offer_page', context: [0] }), limit)
  deepEqual([...list.subarray(0, 8)], [2, 4, 6, 8, 1, 3, 5, 7])
})

test('a product page shows another size last only where buyers are known to keep to it', () => {
  const listWith = (weight: number) => {
    const writer = new RowWriter()
    for (const item of alone) writer.add([item % 2], [weight])
    const model = modelWith(alone, { priceBand: Math.log(1e9), sizes: writer.matrix(2) })
    return [...arrangerOf(model)(ranked, query({ layer: 'offer_page', context: [0] }), limit)]
  }
  const [unknown, kept] = [listWith(1), listWith(2)]
  ok(unknown.slice(0, limit).includes(1))
  const others = [...ranked].filter((it) => it < perCategory && it % 2 === 1)
  deepEqual(kept.slice(-others.length - 1), [...others, 0])
  ok(kept.slice(0, limit).includes(2))
})

test('with a share of the rules the ranker decides the other places, and unwanted products stay last', () => {
  const twins = Int32Array.from(alone, (at) => at - (at % 2))
  const best = [0, 20, 9, 40, 11]
  const order = Int32Array.from([...best, ...ranked.filter((it) => !best.includes(it))])
  const listWith = (offer_page: number) => {
    const model = modelWith(twins, { ruleShares: { ...fullRuleShares, offer_page } })
    return [...arrangerOf(model)(order, query({ layer: 'offer_page', context: [12] }), limit)]
  }
  deepEqual(listWith(1).slice(0, 4), [11, 20, 40, 0])
  deepEqual(listWith(0).slice(0, 5), [0, 20, 9, 40, 11])
  deepEqual(listWith(0.5).slice(0, 5), [11, 0, 20, 9, 40])
  deepEqual(listWith(0.2).slice(0, 4), [0, 20, 9, 11])
  for (const share of [0, 0.3, 0.5, 0.8, 1]) {
    equal(new Set(listWith(share)).size, ranked.length)
    ok(listWith(share).indexOf(13) > 100, 'the twin of the page')
  }
})

test('where buyers keep to the size on the page the rules decide every place, unless they have none', () => {
  const order = Int32Array.from(ranked.toReversed())
  const listWith = (weight: number, offer_page: number) => {
    const writer = new RowWriter()
    for (const item of alone) writer.add([item % 2], [weight])
    const ruleShares = { ...fullRuleShares, offer_page }
    const model = modelWith(alone, { priceBand: Math.log(1e9), sizes: writer.matrix(2), ruleShares })
    return [...arrangerOf(model)(order, query({ layer: 'offer_page', context: [0] }), limit)]
  }
  deepEqual(listWith(2, 0.1), listWith(2, 1))
  ok(
    listWith(2, 0.1)
      .slice(0, 3)
      .every((it) => it < perCategory && it % 2 === 0),
  )
  notDeepEqual(listWith(1, 0.1), listWith(1, 1))
  deepEqual(listWith(2, 0).slice(0, 3), [...order].slice(0, 3))
})

test('only the first product of a page decides whether the rules decide every place', () => {
  const order = Int32Array.from(ranked.toReversed())
  const listWith = (context: number[]) => {
    const writer = new RowWriter()
    for (const item of alone) writer.add([item % 2], [item === 1 ? 2 : 1])
    const ruleShares = { ...fullRuleShares, offer_page: 0.1 }
    const model = modelWith(alone, { priceBand: Math.log(1e9), sizes: writer.matrix(2), ruleShares })
    return [...arrangerOf(model)(order, query({ layer: 'offer_page', context }), limit)].slice(0, 6)
  }
  deepEqual(listWith([0, 1]), listWith([0]))
  notDeepEqual(listWith([1, 0]), listWith([0]))
})

test('a new buyer sees the breadth of the shop, whatever the share of the rules', () => {
  const model = modelWith(alone, { ruleShares: { ...fullRuleShares, main_page: 0 } })
  equal(largest([...arrangerOf(model)(ranked, query({}), limit).subarray(0, limit)]), 3)
})

test('a category that was just bought from begins later and has a tenth of the list, unless buyers come back to it', () => {
  const bought = (item: number) =>
    profileOf(items, [
      { item, kind: 'purchase', day: 0 },
      { item: 60, kind: 'view', day: 0 },
    ])
  const place = (category: number, list: number[]) => categoriesOf(list).indexOf(category)
  const durable = shown({ profile: bought(0), day: 5 })
  equal(place(1, durable), 6)
  equal(categoriesOf(durable).filter((it) => it === 1).length, 3)
  equal(place(1, shown({ profile: bought(0), day: 50 })), 0, 'a month later it is as before')
  const reversed = ranked.toReversed()
  const again = arrangerOf(modelWith(alone))(reversed, query({ profile: bought(199), day: 5 }), limit)
  equal(place(10, [...again]), 0)
})

test('at most half of a list was seen, and a tenth was seen often without a reaction', () => {
  const views = (item: number, times: number, kind: 'view' | 'click') =>
    Array.from({ length: times }, () => ({ item, kind, day: 0 }))
  const seenOnce = Array.from({ length: 40 }, (_, at) => views(at * 5, 1, 'view')).flat()
  const first = [...ranked.filter((it) => it % 5 === 0), ...ranked.filter((it) => it % 5 !== 0)]
  const listFor = (steps: typeof seenOnce) => [
    ...arrangerOf(modelWith(alone))(
      Int32Array.from(first),
      query({ profile: profileOf(items, steps) }),
      limit,
    ).subarray(0, limit),
  ]
  const count = (list: number[]) => list.filter((it) => it % 5 === 0).length
  equal(count(listFor(seenOnce)), 15)
  equal(count(listFor(Array.from({ length: 40 }, (_, at) => views(at * 5, 3, 'view')).flat())), 3)
  equal(count(listFor(Array.from({ length: 40 }, (_, at) => views(at * 5, 3, 'click')).flat())), 15)
})
