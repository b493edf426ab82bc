// The reasons of every source add up to the scores that the list is built from.

import { equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../ml/random.ts'
import { families } from '../../ml/selection/families.ts'
import { fitter } from '../models/fit-model.ts'
import type { Recipe, Recipes } from '../models/sources.ts'
import { profileOf } from '../serving/buyer-profile.ts'
import { defaultWeights, proposerOf, type SourceName, sourceNames } from '../serving/candidates.ts'
import type { ModelQuery } from '../serving/model-query.ts'
import { sourceReasonsOf } from './source-reasons.ts'

const items = 60
const today = 100
const random = seededRandom(3)
const pick = (group: number) => group + 6 * Math.floor(random() * (items / 6))

/** Visits within one of six groups, which begin with a look and end with a purchase. */
const buyers = Array.from({ length: 200 }, (_, buyer) =>
  Array.from({ length: 6 }, (__, visit) =>
    Array.from({ length: 5 }, (___, step) => ({
      item: pick((buyer + (visit % 2)) % 6),
      kind: step < 3 ? ('view' as const) : step === 3 ? ('cart' as const) : ('purchase' as const),
      day: today - 40 + visit * 6 + step / 1440,
    })),
  ).flat(),
)
const snapshot = {
  until: new Date(today * 86_400_000),
  products: Array.from({ length: items }, (_, at) => ({
    productId: at + 1,
    categoryId: 1 + (at % 6),
    departmentId: 1,
    brandId: 1 + (at % 4),
    priceTiyin: 1_000 + at,
    words: `thing ${at % 6} number ${at % 5}`,
  })),
  buyers,
  places: buyers.map(() => null),
}

const recipeOf = (kind: string, rows: Recipe['rows'], more: Recipe['params'] = {}): Recipe => ({
  kind,
  rows,
  params: { ...families.find((it) => it.kind === kind)!.start, keep: 50, ...more },
})
const recipes: Recipes = {
  regression: recipeOf('ease', 'buyers', { fade: 0.02, focusFade: 0.3, last: 40 }),
  walk: recipeOf('walk', 'buyers', { fade: 0.05 }),
  rules: recipeOf('rules', 'visits', { last: 3 }),
  baskets: recipeOf('walk', 'baskets', { fade: 0.1 }),
  sessions: recipeOf('sessions', 'visits', { neighbours: 30 }),
  factors: recipeOf('ials', 'buyers', { factors: 16 }),
  alike: recipeOf('alike', 'attributes'),
}

const unexplained: ReadonlySet<SourceName> = new Set(['popular', 'repeat'])

/** The score for each unit of the share that the candidates have, which must be the same for all of them. */
const assertOneScale = (source: SourceName, scales: readonly number[]) => {
  const [first = 0] = scales
  ok(first > 0 && scales.every((it) => Math.abs(it / first - 1) < 1e-3), `${source}: ${scales.join(' ')}`)
}

test('the reasons of every source add up to its scores, on every page', async () => {
  const fitted = await fitter(snapshot, { threads: 1 }, undefined)(today, recipes)
  const external = {
    until: new Date(0),
    products: items,
    content: { kind: 'neighbours' as const, graph: fitted.alike },
  }
  const model = { ...fitted, external, weights: defaultWeights }
  const propose = proposerOf(model, 'all')
  const reasonsOf = sourceReasonsOf(model)
  const explained = new Set<SourceName>()
  for (const layer of ['main_page', 'offer_page', 'cart_page'] as const)
    for (const buyer of [0, 1, 2]) {
      const context = layer === 'main_page' ? [] : layer === 'offer_page' ? [7 + buyer] : [3, 8, 14 + buyer]
      const profile = profileOf(model.items, buyers[buyer]!.slice(0, 17))
      const query: ModelQuery = { layer, profile, context, day: profile.lastDay! + 0.01, place: null }
      const { items: found, scores } = propose(query, { limit: 40, out: context })
      for (const [column, source] of sourceNames.entries()) {
        const proposed = [...found].flatMap((item, at) => (scores[column]![at]! > 0 ? [{ item, at }] : []))
        if (proposed.length === 0 || unexplained.has(source)) continue
        explained.add(source)
        const scales = proposed.map(({ item, at }) => {
          const sum = reasonsOf(query, source, item).reduce((total, it) => total + it.added, 0)
          return sum / scores[column]![at]!
        })
        assertOneScale(source, scales)
      }
    }
  equal(explained.size, sourceNames.length - unexplained.size, [...explained].join(' '))
})
