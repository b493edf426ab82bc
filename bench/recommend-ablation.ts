// What each source of candidates is worth on the demo shop: the weights of the blend are chosen again without it, and the last
// week, which no part has seen, is asked again.

import { ndcgAt, recallAt } from '../src/ml/metrics.ts'
import { type Case, casesBetween } from '../src/recommendations/models/cases.ts'
import { chooseWeights } from '../src/recommendations/models/choose-weights.ts'
import { fitter } from '../src/recommendations/models/fit-model.ts'
import type { Model } from '../src/recommendations/models/model.ts'
import { excludedItems, proposerOf, type SourceName } from '../src/recommendations/serving/candidates.ts'
import type { ModelQuery } from '../src/recommendations/serving/model-query.ts'
import { openShop, today } from './demo-shop.ts'
import type { Row } from './row.ts'

const week = 7
const learningCases = 2_400
const measuredCases = 2_400

const families: Record<string, SourceName[]> = {
  'nothing left out': [],
  'regression (EASE)': ['ease_history', 'ease_focus'],
  walks: ['walk_history'],
  'rules within a visit': ['rules_focus'],
  baskets: ['baskets_focus'],
  'likeness of products': ['alike_focus', 'alike_history'],
  'repeat purchases': ['repeat'],
  'popular products': ['popular'],
  companions: ['companions_focus'],
}

export async function bench(): Promise<Row[]> {
  const { snapshot } = openShop()
  const fitted = fitter(snapshot, { seed: 1, threads: 2 }, undefined)
  const early = await fitted(today - 2 * week)
  const late = await fitted(today - week)
  const data = { ...snapshot, items: late.items }
  const learning = casesBetween(data, { from: today - 2 * week, to: today - week, most: learningCases })
  const asked = casesBetween(data, { from: today - week, to: today, most: measuredCases })
  return Object.entries(families).map(([name, leftOut]) => {
    const weights = chooseWeights(early, learning, { leftOut })
    const { ndcg, recall, pages } = measured({ ...late, weights }, asked)
    const shown = [...pages].map(([page, value]) => `${page} ${value.toFixed(4)}`).join(', ')
    return {
      name: `ablation: without ${name}`,
      ours: ndcg,
      unit: 'NDCG@10',
      note: `recall@30 ${recall.toFixed(4)}; NDCG@10 by page: ${shown}; ${asked.length} queries`,
    }
  })
}

function measured(
  model: Model,
  cases: readonly Case[],
): { ndcg: number; recall: number; pages: Map<ModelQuery['layer'], number> } {
  const propose = proposerOf(model)
  const found = cases.map(({ query, grades }) => {
    const { items } = propose(query, { limit: 100, out: excludedItems(model, query) })
    const relevant = new Set(grades.keys())
    return { layer: query.layer, ndcg: ndcgAt(items, relevant, 10), recall: recallAt(items, relevant, 30) }
  })
  const mean = (values: readonly number[]) =>
    values.reduce((sum, it) => sum + it, 0) / Math.max(1, values.length)
  const byPage = Map.groupBy(found, (it) => it.layer)
  return {
    ndcg: mean(found.map((it) => it.ndcg)),
    recall: mean(found.map((it) => it.recall)),
    pages: new Map([...byPage].map(([page, own]) => [page, mean(own.map((it) => it.ndcg))])),
  }
}
