import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../random.ts'
import type { Derivatives } from './derivatives.ts'
import { yetiRankDerivatives } from './yeti-rank.ts'

const size = 40
const derivatives = (): Derivatives => ({
  ders: new Float64Array(size),
  hessians: new Float64Array(size),
  weights: new Float64Array(size),
})

/** The reference implementation: ten random orders, all their neighbours. */
function plainly(labels: Float64Array, approx: Float64Array, random: () => number): Derivatives {
  const out = derivatives()
  const top = Math.max(...approx)
  const powers = approx.map((it) => Math.exp(it - top))
  for (let permutation = 0; permutation < 10; permutation++) {
    const shaken = powers.map((it) => {
      const u = random()
      return it * (u / (1.000001 - u))
    })
    const order = [...labels.keys()].sort((a, b) => shaken[b]! - shaken[a]! || a - b)
    for (let i = 1, decay = 0.015; i < size; i++, decay *= 0.85) {
      const [better, worse] = [order[i - 1]!, order[i]!].sort((a, b) => labels[b]! - labels[a]!) as [
        number,
        number,
      ]
      const weight = (labels[better]! - labels[worse]!) * decay
      const doubt = powers[worse]! / (powers[better]! + powers[worse]!)
      out.ders[better]! += weight * doubt
      out.ders[worse]! -= weight * doubt
      for (const row of [better, worse]) {
        out.hessians[row]! += weight * doubt * (1 - doubt)
        out.weights[row]! += weight
      }
    }
  }
  return out
}

/** How many rows of each query have a label of their own, and how often rows are tied. */
const cases: [name: string, rare: number, ties: boolean][] = [
  ['none', 0, false],
  ['one', 1, false],
  ['a few', 4, false],
  ['a few among ties', 4, true],
  ['many', 20, false],
  ['many among ties', 20, true],
]
for (const [name, rare, ties] of cases)
  test(`where ${name} of the rows are rare, neighbours are pushed as by the book`, () => {
    const chance = seededRandom(rare + 1)
    for (let seed = 0; seed < 50; seed++) {
      const labels = new Float64Array(size)
      for (let i = 0; i < rare; i++) labels[Math.floor(chance() * size)] = 1 + Math.floor(chance() * 3)
      const approx = Float64Array.from({ length: size }, () => (ties ? 0 : 4 * chance()))
      const random = ties
        ? () => {
            const draw = seededRandom(seed)
            return () => Math.floor(draw() * 5) / 5
          }
        : () => seededRandom(seed)
      const out = derivatives()
      const targets = { labels, weights: undefined, queries: Int32Array.of(0, size) }
      yetiRankDerivatives(targets, approx, { seed, out, randomOf: random } as never)
      assert.deepEqual(out, plainly(labels, approx, random()))
    }
  })
