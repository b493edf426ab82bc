import { deepEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { fitModel } from '../models/fit-model.ts'
import { profileOf } from './buyer-profile.ts'
import { sourceNames } from './candidates.ts'
import { describerOf, featureNames, rankWriter } from './features.ts'

const ranksOf = (shares: number[]): number[] => {
  const ranks = new Float32Array(shares.length)
  rankWriter(100)(Float32Array.from(shares), ranks)
  return [...ranks]
}

test('a rank says how many stand above, and equals share it', () => {
  deepEqual(ranksOf([0.5, 1, 0.25, 0.5]), [1, 0, 3, 1])
})

test('what a source did not propose comes after all that it did', () => {
  deepEqual(ranksOf([0, 0.001, 0, 1]), [2, 1, 2, 0])
  deepEqual(ranksOf([0, 0]), [0, 0])
  deepEqual(ranksOf([-0.3, 0.2]), [1, 0])
  deepEqual(ranksOf([]), [])
})

test('a writer that has written before starts afresh', () => {
  const write = rankWriter(10)
  const ranks = new Float32Array(2)
  write(Float32Array.of(1, 1, 1, 1), new Float32Array(4))
  write(Float32Array.of(0.1, 1), ranks)
  deepEqual([...ranks], [1, 0])
})

test('the room of a price within the remaining credit is a logarithm, and unknown without credit', async () => {
  const products = [1_000, 4_000, 16_000].map((priceTiyin, at) => ({
    productId: at + 1,
    categoryId: 1,
    departmentId: 1,
    brandId: 0,
    priceTiyin,
    words: '',
  }))
  const buyers = [[{ item: 0, kind: 'view' as const, day: 10 }]]
  const snapshot = { until: new Date(20 * 86_400_000), products, buyers, places: [null] }
  const { model } = await fitModel(snapshot, { seed: 1, threads: 1, report: () => {} })
  const candidates = {
    items: Int32Array.of(0, 1, 2),
    blend: Float64Array.of(1, 1, 1),
    scores: sourceNames.map(() => new Float32Array(3)),
    focus: [],
  }
  const profile = profileOf(model.items, [])
  const query = { layer: 'main_page' as const, profile, context: [], day: 20, place: null }
  const roomWith = (remainingCreditTiyin: number | undefined) => {
    const columns = describerOf(model)({ ...query, remainingCreditTiyin }, candidates)
    return [...columns[featureNames.indexOf('credit_room')]!]
  }
  const near = (found: number[], expected: number[]) =>
    ok(found.length === 3 && found.every((it, at) => Math.abs(it - expected[at]!) < 1e-5), String(found))
  near(roomWith(4_000), [Math.log(4), 0, -Math.log(4)])
  near(
    roomWith(0),
    [1_000, 4_000, 16_000].map((it) => -Math.log(it)),
  )
  deepEqual(roomWith(undefined), [99, 99, 99])
})
