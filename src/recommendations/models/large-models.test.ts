// What is done differently so that models of hundreds of megabytes can be trained, compared and loaded.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { dayMs } from '../../base/clock.ts'
import { seededRandom } from '../../ml/random.ts'
import { prepareInTurns, prepareModel } from './active-model.ts'
import { casesBetween } from './cases.ts'
import { rankedCasesOf } from './choose-ranker.ts'
import { fitModel } from './fit-model.ts'
import { placesOf } from './items.ts'
import type { Model } from './model.ts'
import { inheritedFrom } from './serving-baseline.ts'

const until = new Date('2026-06-01T00:00:00Z')
const today = until.getTime() / dayMs
const products = 120
const random = seededRandom(3)
const snapshot = {
  until,
  products: Array.from({ length: products }, (_, at) => ({
    productId: 10 + at * 3,
    categoryId: 1 + (at % 6),
    departmentId: 1,
    brandId: 0,
    priceTiyin: 1_000 + at,
    words: `product ${at}`,
  })),
  buyers: Array.from({ length: 200 }, () =>
    Array.from({ length: 30 }, (_, at) => ({
      item: Math.floor(products * random() ** 2),
      kind: 'view' as const,
      day: today - 60 + at * 1.99,
    })),
  ),
  places: Array.from({ length: 200 }, () => null),
}
const options = { seed: 1, threads: 1, report: () => {} }
const { model } = await fitModel(snapshot, options)

test('a large model answers its cases at once, and the answers are those that a small one gives later', () => {
  const cases = casesBetween({ ...snapshot, items: model.items }, { from: today - 14, to: today, most: 400 })
  const rankers = { forests: model.ranker ? [model.ranker] : [], kept: undefined }
  const [walk] = Object.entries(model.learned)
  const padded = { ...walk![1], tables: { ...walk![1].tables, padding: new Float32Array(30e6) } }
  let reads = 0
  const large = {
    ...model,
    learned: { ...model.learned, [walk![0]]: padded },
    get alike() {
      reads++
      return model.alike
    },
  } satisfies Model
  const [later, atOnce] = [rankedCasesOf(model, cases, rankers), rankedCasesOf(large, cases, rankers)]
  const pace = { elapsed: () => 0, until: Infinity }
  const readsBefore = reads
  ok(readsBefore > 0, 'it is asked before it is freed')
  for (const ranker of [-1, 0])
    for (const pages of [['main_page'], ['offer_page', 'main_page'], []] as const) {
      const found = atOnce(pages, ranker, pace)
      deepEqual(found, later(pages, ranker, pace))
      equal(found.length > 0, pages.length > 0)
    }
  equal(reads, readsBefore, 'it is not needed any more')
})

test('the serving model is read for the comparison alone, and what a new model inherits holds no table of it', async () => {
  let loads = 0
  const inherited = inheritedFrom({ ...model, until: new Date((today - 3) * dayMs) }, snapshot.products)
  deepEqual(Object.keys(inherited).toSorted(), [
    'external',
    'ranker',
    'recipes',
    'repeats',
    'until',
    'weights',
  ])
  ok(!JSON.stringify(inherited.recipes).includes('tables'))
  const load = async () => {
    loads++
    return model
  }
  const { comparison } = await fitModel(snapshot, options, { inherited, keepsRanker: false, load })
  equal(loads, 1)
  ok(comparison!.cases > 0)

  const gone = { inherited, keepsRanker: false, load: async () => undefined }
  equal((await fitModel(snapshot, options, gone)).comparison, null)
})

test('calls are answered between the parts of a model that is prepared', async () => {
  let turns = 0
  let isDone = false
  const count = () => {
    turns++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  const serving = await prepareInTurns(7, model)
  isDone = true
  ok(turns >= 4, `${turns} turns`)
  deepEqual(Object.keys(serving).toSorted(), Object.keys(prepareModel(7, model)).toSorted())
})

test('the row of a product is found by its id', () => {
  const places = placesOf(model.items)
  model.items.productIds.forEach((id, row) => equal(places.get(id), row))
  for (const unknown of [0, 9, 11, 12, 10 + products * 3, Number.NaN]) {
    equal(places.get(unknown), undefined)
    equal(places.has(unknown), false)
  }
  ok(places.has(10))
})
