import { deepEqual, equal, fail, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../ml/random.ts'
import { trainTrees } from '../../ml/trees/train.ts'
import { prepareModel } from '../models/active-model.ts'
import { fitModel } from '../models/fit-model.ts'
import { rankedCandidates } from './candidates.ts'
import { featureNames } from './features.ts'
import { rankProducts, type RankingInputs } from './rank-products.ts'
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
const reversing = () => {
  const rows = 800
  const floats = featureNames.map((name) =>
    Float32Array.from({ length: rows }, (_, row) => (name === 'blend_rank' ? row % 200 : 0)),
  )
  const labels = Float64Array.from({ length: rows }, (_, row) => (row % 200) / 200)
  return trainTrees(
    { columns: { rows, floats, categories: [] }, labels, floatNames: [...featureNames] },
    { iterations: 60, depth: 6, loss: 'RMSE', seed: 1 },
  ).model
}

const request = requestWith({ channel: 'test', isCategoriesPage: true, categoryId: 1 })

test('the ranker orders as many candidates as in its training, and the others follow in the order of the blend', async () => {
  const { model } = await fitModel(snapshot, { seed: 1, threads: 1, report: () => {} })
  const serving = prepareModel(
    0,
    { ...model, ranker: reversing() },
    { onFault: (fault, error) => fail(`${fault}: ${String(error)}`) },
  )
  const trace = new Trace()
  const inputs: RankingInputs = {
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
    },
    excluded: new Map(),
    now: until,
    buyable: {
      isAt: (slot: number) => slot === 0,
      has: () => true,
      slotOf: () => 0,
    } as unknown as RankingInputs['buyable'],
    trace,
  }
  const { productIds, candidateIds, source } = rankProducts(serving, request, inputs)
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
