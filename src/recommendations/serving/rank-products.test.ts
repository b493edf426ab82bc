import { deepEqual, equal, fail, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../ml/random.ts'
import { trainTrees } from '../../ml/trees/train.ts'
import { parseModel } from '../../ml/trees/parse-model.ts'
import type { TreeModel } from '../../ml/trees/model.ts'
import { writtenModel } from '../../ml/trees/write-model.ts'
import { prepareModel } from '../models/active-model.ts'
import { fitModel } from '../models/fit-model.ts'
import type { Model } from '../models/model.ts'
import { rankedCandidates } from './candidates.ts'
import { featureNames } from './features.ts'
import { rankProducts, type RankingInputs } from './rank-products.ts'
import { rankerFault } from './ranker.ts'
import { requestWith } from './request.ts'
import { Trace } from './trace.ts'

const until = new Date('2026-06-01T00:00:00Z')
const today = until.getTime() / 86_400_000
const products = 300
const random = seededRandom(2)
const snapshot = {
  until,
  products: Array.from({ length: products }, (_, at) => ({
    productId: at + 1,
    categoryId: 1,
    departmentId: 1,
    brandId: 0,
    priceTiyin: 1_000 + at,
    words: `product ${at}`,
  })),
  buyers: Array.from({ length: 150 }, () =>
    Array.from({ length: 20 }, (_, at) => ({
      item: Math.floor(random() * products),
      kind: 'view' as const,
      day: today - 60 + at * 2.9,
    })),
  ),
  places: Array.from({ length: 150 }, () => null),
}

/** A forest that turns the order of the blend around. */
const reversing = (names: readonly string[] = featureNames) => {
  const rows = 800
  const floats = names.map((name) =>
    Float32Array.from({ length: rows }, (_, row) => (name === 'blend_rank' ? row % 200 : 0)),
  )
  const labels = Float64Array.from({ length: rows }, (_, row) => (row % 200) / 200)
  return trainTrees(
    { columns: { rows, floats, categories: [] }, labels, floatNames: [...names] },
    { iterations: 60, depth: 6, loss: 'RMSE', seed: 1 },
  ).model
}

const request = requestWith({ channel: 'test', isCategoriesPage: true, categoryId: 1 })

/** What models of earlier builds were trained with. */
const earlierNames = featureNames.filter((it) => it !== 'credit_room')

const inputs = (trace?: Trace): RankingInputs => ({
  buyer: {
    buyer: null,
    experimentKey: null,
    interactions: [1, 2, 3, 4, 5].map((id) => ({
      offer: String(id),
      productId: id,
      kind: 'view' as const,
      atMs: until.getTime(),
    })),
    pageProductIds: [],
    cartProductIds: new Set(),
    remainingCreditTiyin: 5_000,
  },
  excluded: new Map(),
  now: until,
  buyable: {
    isAt: (slot: number) => slot === 0,
    has: () => true,
    slotOf: () => 0,
  } as unknown as RankingInputs['buyable'],
  trace,
})

const servingWith = (model: Model, ranker: TreeModel) =>
  prepareModel(0, { ...model, ranker }, { onFault: (fault, error) => fail(`${fault}: ${String(error)}`) })

test('what is computed from a history is kept only if later requests bring the same history', async () => {
  const { model } = await fitModel(snapshot, { seed: 1, threads: 1, report: () => {} })
  const prepared = servingWith(model, reversing())
  const asked: (boolean | undefined)[] = []
  const serving: typeof prepared = {
    ...prepared,
    propose: (query, wanted) => (asked.push(wanted.isLasting), prepared.propose(query, wanted)),
  }
  const page = { ...request, layer: 'offer_page' as const, categoryId: null }
  const { buyer, ...usual } = inputs()
  const onPage = (id: number) => ({ ...usual, buyer: { ...buyer, pageProductIds: [id] } })
  rankProducts(serving, request, { ...usual, buyer })
  rankProducts(serving, page, onPage(5))
  rankProducts(serving, page, onPage(100))
  rankProducts(serving, request, { ...usual, buyer, isPast: true })
  deepEqual(asked, [true, true, false, false])
})

test('a ranker that was trained before a feature was added finds its features by their names', async () => {
  const { model } = await fitModel(snapshot, { seed: 1, threads: 1, report: () => {} })
  const stored = parseModel(writtenModel(reversing(earlierNames)))
  equal(rankerFault(stored), undefined)
  const earlier = rankProducts(servingWith(model, stored), request, inputs())
  const present = rankProducts(servingWith(model, reversing()), request, inputs())
  equal(earlier.source, 'catboost')
  deepEqual(earlier, present)
})

test('the ranker orders as many candidates as in its training, and the others follow in the order of the blend', async () => {
  const { model } = await fitModel(snapshot, { seed: 1, threads: 1, report: () => {} })
  const serving = servingWith(model, reversing())
  const trace = new Trace()
  const { productIds, candidateIds, source } = rankProducts(serving, request, inputs(trace))
  equal(source, 'catboost')
  ok(candidateIds.length > rankedCandidates)
  deepEqual(productIds.slice(rankedCandidates), candidateIds.slice(rankedCandidates))
  deepEqual(
    productIds.slice(0, rankedCandidates).toSorted((a, b) => a - b),
    candidateIds.slice(0, rankedCandidates).toSorted((a, b) => a - b),
  )
  ok(productIds.indexOf(candidateIds[0]!) > rankedCandidates / 2)
  const after = trace.reasonOf(candidateIds[rankedCandidates]!)
  deepEqual([after.rankBefore, after.rankAfter, after.score], [101, 101, null])
  ok(trace.reasonOf(productIds[0]!).score !== null)
})
