// Models of poor data list something sensible or are rejected, and no model depends on an order that means nothing.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../ml/random.ts'
import { profileOf, type ItemInteraction } from '../serving/buyer-profile.ts'
import { fitModel } from './fit-model.ts'
import type { Snapshot } from './fit-parts.ts'
import type { Steps } from './histories.ts'
import { modelFileBytes } from './model-file.ts'
import { prepareModel } from './active-model.ts'
import { faultOf } from './train-model.ts'

const until = new Date('2026-06-01T00:00:00Z')
const today = until.getTime() / 86_400_000
type Listed = Snapshot<readonly Steps[]>
const kinds = ['view', 'click', 'cart', 'purchase'] as const

const snapshotOf = (products: number, buyers: ItemInteraction[][]): Listed => ({
  until,
  products: Array.from({ length: products }, (_, at) => ({
    productId: at + 1,
    categoryId: 1 + (at % 3),
    departmentId: 1,
    brandId: at % 2,
    priceTiyin: 1_000 * (1 + at),
    words: `product ${at}`,
  })),
  buyers,
  places: buyers.map(() => null),
})

/** Random visits of some buyers, `dayOf` saying when the step of a number happens. */
const lives = (buyers: number, steps: number, products: number, dayOf: (at: number) => number) => {
  const random = seededRandom(5)
  return Array.from({ length: buyers }, () =>
    Array.from({ length: steps }, (_, at): ItemInteraction => ({
      item: Math.floor(random() ** 2 * products),
      kind: kinds[Math.floor(random() * kinds.length)]!,
      day: dayOf(at),
    })).toSorted((a, b) => a.day - b.day),
  )
}
const spread = (at: number) => today - 60 + at * 2.9

/** Shows what a model lists for a known and an unknown buyer on every page; nothing may repeat or be unknown. */
async function listsOf(snapshot: Listed): Promise<number[][]> {
  const { model } = await fitModel(snapshot, { seed: 1, threads: 1, searchSeconds: 2, report: () => {} })
  if (faultOf(model, null)) return []
  const { propose, describe, arrange, ranker } = prepareModel(0, model)
  const queries = (['main_page', 'offer_page', 'cart_page'] as const).flatMap((layer) =>
    [[], snapshot.buyers[0]!].map((steps) => ({
      layer,
      context: layer === 'main_page' ? [] : [0],
      profile: profileOf(model.items, steps),
      day: today,
      place: null,
    })),
  )
  return queries.map((query) => {
    const candidates = propose(query, { limit: 100, out: query.context })
    const scores = ranker?.scores(describe(query, candidates), candidates.items.length)
    ok(!scores || scores.every(Number.isFinite))
    const list = [...arrange(candidates.items, query, 30)]
    equal(new Set(list).size, list.length)
    ok(list.every((it) => it >= 0 && it < model.items.count && !query.context.includes(it)))
    return list
  })
}

const poor: Record<string, Listed> = {
  'one day of data': snapshotOf(
    40,
    lives(60, 20, 40, (at) => today - 0.9 + at / 100),
  ),
  'one buyer': snapshotOf(
    40,
    lives(1, 600, 40, (at) => today - 60 + at / 10),
  ),
  'constant timestamps': snapshotOf(
    40,
    lives(60, 20, 40, () => today - 3),
  ),
}

for (const [name, snapshot] of Object.entries(poor))
  test(`a model of ${name} lists products on every page`, async () => {
    const lists = await listsOf(snapshot)
    ok(lists.length === 6 && lists.every((it) => it.length > 0), JSON.stringify(lists.map((it) => it.length)))
  })

test('a model of one product, of no interactions, or of interactions in the future is empty and does not serve', async () => {
  const oneProduct = snapshotOf(1, lives(60, 20, 1, spread))
  const future = lives(60, 20, 40, () => today + 30)
  for (const snapshot of [oneProduct, snapshotOf(40, []), snapshotOf(0, []), snapshotOf(40, future)]) {
    const { model } = await fitModel(snapshot, { seed: 1, threads: 1, report: () => {} })
    equal(faultOf(model, null), 'it is empty')
  }
})

test('interactions of one instant have no order: any order of them gives the same model', async () => {
  const snapshot = snapshotOf(
    40,
    lives(80, 20, 40, (at) => spread(at - (at % 4))),
  )
  const fitted = async (buyers: Listed['buyers']) =>
    modelFileBytes((await fitModel({ ...snapshot, buyers }, { seed: 1, threads: 1, report: () => {} })).model)
  const reversed = snapshot.buyers.map((steps) => steps.toReversed().toSorted((a, b) => a.day - b.day))
  ok(!isSame(reversed, snapshot.buyers))
  deepEqual(await fitted(reversed), await fitted(snapshot.buyers))
})

const isSame = (a: Listed['buyers'], b: Listed['buyers']) => JSON.stringify(a) === JSON.stringify(b)
