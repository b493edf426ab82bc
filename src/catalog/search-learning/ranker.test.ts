import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type { SearchOutcome } from './learn.ts'
import {
  type Candidates,
  ChoiceStatistics,
  exampleOf,
  rankerFeatures,
  SearchRanker,
  statisticsOf,
} from './ranker.ts'
import { trainRanker } from './train-ranker.ts'

/** Ten products that match alike; the dearest stands first. */
const candidates: Candidates = {
  ids: Float64Array.from({ length: 10 }, (_, at) => at + 1),
  scores: new Float64Array(10).fill(1),
  popularity: new Float64Array(10),
  prices: Float64Array.from({ length: 10 }, (_, at) => 1_000 - at * 50),
  ratings: new Float64Array(10).fill(Number.NaN),
  discounts: new Float64Array(10).fill(Number.NaN),
  inStock: new Uint8Array(10).fill(1),
  brandIds: new Float64Array(10),
  categoryIds: new Float64Array(10).fill(1),
}

const outcome = (query: string, day: number, productId: number): SearchOutcome => ({
  query,
  day: `2026-10-${String(day).padStart(2, '0')}`,
  productId,
  categoryId: 1,
  brandId: null,
  weight: 2,
})

/** Buyers of each of thirty queries choose mostly one product, and sometimes the next. */
const queries = Array.from({ length: 30 }, (_, at) => `query ${at}`)
const outcomes = queries.flatMap((query, at) =>
  Array.from({ length: 28 }, (_, day) => outcome(query, day + 1, ((at + (day % 4 === 0 ? 1 : 0)) % 10) + 1)),
)

test('the ranker puts first what buyers chose after the same query', async () => {
  const trained = await trainRanker(outcomes, async () => candidates)
  const ranker = new SearchRanker(trained!.model, trained!.statistics)
  for (const [at, query] of queries.entries()) equal(ranker.order(query, candidates)[0], at % 10, query)
  equal(ranker.order('never asked', candidates).length, 10)
})

test('nothing is trained from too few queries', async () => {
  equal(await trainRanker(outcomes.slice(0, 28), async () => candidates), undefined)
})

test('a choice is never part of the statistics that shall predict it', async () => {
  // Each query occurs in one window only, so the statistics of earlier windows contain nothing about it.
  const once = outcomes.map((it) => ({ ...it, query: `${it.query} in window ${it.day.slice(8)}` }))
  const trained = await trainRanker(once, async () => candidates)
  const { features } = seenBy(trained!.model)
  ok(!features.includes('weight after this query') && !features.includes('share after this query'))
})

function seenBy(model: string): { features: string[] } {
  const used = new Set<number>()
  const file = JSON.parse(model) as { oblivious_trees: { splits: { float_feature_index: number }[] }[] }
  for (const tree of file.oblivious_trees) for (const it of tree.splits) used.add(it.float_feature_index)
  return { features: [...used].map((it) => rankerFeatures[it]!) }
}

test('features of an unknown query are zero, and prices are compared with those that were chosen', () => {
  const statistics = new ChoiceStatistics(statisticsOf([outcome('lamp', 1, 10)]))
  const column = (query: string, name: (typeof rankerFeatures)[number]) => [
    ...statistics.features(query, candidates)[rankerFeatures.indexOf(name)]!,
  ]
  deepEqual(
    column('kettle', 'weight after this query'),
    Array.from({ length: 10 }, () => 0),
  )
  ok(column('kettle', 'distance from the price of what was chosen').every(Number.isNaN))
  equal(column('lamp', 'distance from the price of what was chosen')[9], 0)
  equal(column('lamp', 'weight after this query').filter((it) => it > 0).length, 1)
})

test('a query whose buyers chose none of the candidates teaches nothing', () => {
  equal(exampleOf([outcome('lamp', 1, 99)], candidates, []), undefined)
})
