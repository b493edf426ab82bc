import { deepEqual, equal, notDeepEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../ml/random.ts'
import { familyOf } from '../../ml/selection/families.ts'
import { fitModel, fitter } from '../models/fit-model.ts'
import type { Model } from '../models/model.ts'
import type { Recipe } from '../models/sources.ts'
import { type ItemInteraction, profileOf } from './buyer-profile.ts'
import { proposerOf, sourceNames, type Wanted } from './candidates.ts'
import { keepingProposer } from './kept-candidates.ts'
import type { ModelQuery } from './model-query.ts'

const until = new Date('2026-06-01T00:00:00Z')
const today = until.getTime() / 86_400_000
const products = 200
const random = seededRandom(3)
/** Every buyer buys two products again, one more often than the other. */
const steps = (): ItemInteraction[] => {
  const [often, seldom] = [8 * Math.floor(random() * 12), 104 + 8 * Math.floor(random() * 12)]
  return Array.from({ length: 24 }, (_, at) => {
    const bought = at % 4 === 0 ? often : at % 6 === 3 ? seldom : undefined
    const kind = bought === undefined ? 'view' : 'purchase'
    return { item: bought ?? Math.floor(random() * products), kind, day: today - 60 + at * 2.5 }
  })
}
const buyers = Array.from({ length: 120 }, steps)
const snapshot = {
  until,
  products: Array.from({ length: products }, (_, at) => ({
    productId: at + 1,
    categoryId: 1 + (at % 5),
    departmentId: 1,
    brandId: 0,
    priceTiyin: 1_000 + at,
    words: `product ${at}`,
  })),
  buyers,
  places: buyers.map(() => null),
}
const { model: fitted } = await fitModel(snapshot, { seed: 1, threads: 1, report: () => {} })
const repeat = sourceNames.indexOf('repeat')
const weighing = (weight: number): Model => ({
  ...fitted,
  weights: { ...fitted.weights, main_page: fitted.weights.main_page.with(repeat, weight) },
})

const limit = 20
const profile = profileOf(fitted.items, buyers[0]!)
const query: ModelQuery = { layer: 'main_page', profile, context: [], day: today, place: null }

/** In bytes: the candidates of two buyers fit, those of three do not. */
const roomForTwo = 8_000

/** Asks a proposer that keeps candidates and one that does not. */
function compared(model: Model, most?: number) {
  let proposals = 0
  const propose = proposerOf(model)
  const kept = keepingProposer(model, (...asked) => (proposals++, propose(...asked)), most)
  return {
    ask(of: ModelQuery, wanted: Wanted = { limit, out: [] }) {
      const candidates = kept(of, wanted)
      deepEqual(candidates, propose(of, wanted))
      return candidates
    },
    proposals: () => proposals,
  }
}

test('the candidates of an unchanged history are proposed once, and what is due follows the time', () => {
  const { ask, proposals } = compared(weighing(0))
  const wanted = { limit: products, out: [] }
  const first = ask(query, wanted)
  const later = ask({ ...query, day: today + 8 }, wanted)
  equal(proposals(), 1)
  notDeepEqual(later.scores[repeat], first.scores[repeat])
})

const [best, second] = compared(weighing(0)).ask(query).items as unknown as [number, number]
const without = (...sold: number[]): Wanted => ({ limit, out: [], isForSale: (item) => !sold.includes(item) })

const changes: readonly [what: string, of: ModelQuery, wanted: Wanted][] = [
  ['a candidate is sold out', query, without(best, second)],
  ['a better item is for sale again', query, without()],
  ['an item is excluded', query, { ...without(best), out: [second] }],
  ['more are wanted', query, { ...without(best), limit: limit + 1 }],
  ['the place is another one', { ...query, place: 'fergana' }, without(best)],
  ['the device is another one', { ...query, platform: ['ios'] }, without(best)],
  ['the buyer did something', { ...query, profile: profileOf(fitted.items, buyers[1]!) }, without(best)],
]
for (const [what, of, wanted] of changes)
  test(`candidates are proposed again when ${what}`, () => {
    const { ask, proposals } = compared(weighing(0))
    ask(query, without(best))
    ask(query, without(best))
    equal(proposals(), 1)
    ask(of, wanted)
    equal(proposals(), 2)
  })

test('nothing is kept where what is due decides candidates, and on pages with products', () => {
  const { ask, proposals } = compared(weighing(2))
  const first = ask(query)
  notDeepEqual(ask({ ...query, day: today + 8 }).blend, first.blend)
  ask({ ...query, context: [best] })
  ask({ ...query, context: [best] })
  equal(proposals(), 4)
})

test('nothing is kept on pages of one category, nor where most of the shop is not for sale', () => {
  const { ask, proposals } = compared(weighing(0))
  ask({ ...query, isOneCategory: true })
  ask({ ...query, isOneCategory: true })
  const few = { limit: 5, out: [], isForSale: (item: number) => item % 20 === 0 }
  ask(query, few)
  ask(query, few)
  equal(proposals(), 4)
})

test('nothing is kept for a history that no later query brings', () => {
  const { ask, proposals } = compared(weighing(0))
  const wanted = { limit, out: [], isLasting: false }
  ask(query, wanted)
  ask(query, wanted)
  equal(proposals(), 2)
})

test('scores are not kept for a history that no later query brings', async () => {
  const params = { ...familyOf('ials')!.start, factors: 8 }
  const factors: Recipe = { kind: 'ials', rows: 'buyers', params }
  const { learned } = await fitter(snapshot, { threads: 1 }, undefined)(today, { factors })
  const model = { ...fitted, learned }
  const propose = proposerOf(model)
  const history = [...profile.history]
  const of = { ...query, profile: { ...profile, history } }
  const wanted = { limit, out: [], isLasting: false }
  const first = propose(of, wanted)
  history.length = 3
  const second = propose(of, wanted)
  deepEqual(second, proposerOf(model)(of, wanted))
  notDeepEqual(second, first)
})

test('the kept candidates of a model take at most 16 MB', () => {
  let proposals = 0
  const column = () => new Float32Array(200).fill(1)
  const propose = keepingProposer(weighing(0), () => {
    proposals++
    const scores = sourceNames.map(column)
    return { items: new Int32Array(200), blend: new Float64Array(200), scores, focus: [] }
  })
  const histories = Array.from({ length: 3_000 }, (_, at) => [at])
  const candidatesOf = (history: number[]) =>
    propose({ ...query, profile: { ...profile, history } }, { limit: 200, out: [] })
  for (const it of histories) candidatesOf(it)
  let kept = 0
  let bytes = 0
  for (const history of histories.toReversed()) {
    const before = proposals
    const { items, blend, scores } = candidatesOf(history)
    if (proposals > before) break
    kept++
    for (const it of [items, blend, ...scores]) bytes += it.byteLength
  }
  ok(bytes <= 16e6, `${bytes} bytes`)
  ok(kept > 500, `${kept} buyers`)
})

test('the candidates that were used longest ago are dropped first', () => {
  const { ask, proposals } = compared(weighing(0), roomForTwo)
  const [first, second, third] = [0, 1, 2].map((at) => ({
    ...query,
    profile: profileOf(fitted.items, buyers[at]!),
  })) as [ModelQuery, ModelQuery, ModelQuery]
  ask(first)
  ask(second)
  ask(first)
  ask(third)
  equal(proposals(), 3)
  ask(first)
  equal(proposals(), 3)
  ask(second)
  equal(proposals(), 4)
})

test('candidates that are proposed again take the room of the former ones', () => {
  const { ask, proposals } = compared(weighing(0), roomForTwo)
  const other = { ...query, profile: profileOf(fitted.items, buyers[1]!) }
  ask(other)
  for (const place of ['fergana', 'tashkent', 'nukus', 'termez']) ask({ ...query, place })
  equal(proposals(), 5)
  ask(other)
  equal(proposals(), 5)
})
