import { deepEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../ml/random.ts'
import { searchWeights, type WeightedCase, withoutUnneeded } from './choose-weights.ts'

/** Twenty candidates a case: the first source is noise, the second finds the relevant one. */
function casesOf(count: number, signal: number): WeightedCase[] {
  const random = seededRandom(3)
  return Array.from({ length: count }, () => {
    const relevant = Math.floor(random() * 20)
    return {
      scores: [
        Float32Array.from({ length: 20 }, random),
        Float32Array.from({ length: 20 }, (_, row) => (row === relevant ? signal : 0) + random() * 0.1),
      ],
      relevant: new Set([relevant]),
    }
  })
}

test('a source that finds what follows gets more weight than noise', () => {
  const [noise, signal] = searchWeights(casesOf(400, 0.5), [1, 0.1])
  ok(signal! > noise!, `${noise} and ${signal}`)
})

test('a weight may cross changes that gain nothing', () => {
  const cases = Array.from({ length: 200 }, (): WeightedCase => ({
    scores: [
      Float32Array.from({ length: 40 }, (_, row) => (row === 30 ? 0.85 : 1)),
      Float32Array.from({ length: 40 }, (_, row) => Number(row === 30)),
    ],
    relevant: new Set([30]),
  }))
  const [, finding] = searchWeights(cases, [1, 0])
  ok(finding! > 0.15, `${finding} is too little for the first place`)
})

test('weights that win on cases that the search did not use are settled on all cases', () => {
  const random = seededRandom(5)
  const finding = (isFound: boolean) =>
    Float32Array.from({ length: 40 }, (_, row) => (isFound && row === 30 ? 1 : random() * 0.5))
  const cases = Array.from({ length: 400 }, (_, at): WeightedCase => ({
    scores: [finding(false), finding(at % 4 < 2), finding(at % 4 === 3)],
    relevant: new Set([30]),
  }))
  const [, both, secondHalf] = searchWeights(cases, [1, 0, 0])
  ok(both! > 0)
  ok(secondHalf! > 0, 'the third source finds nothing in the first, third and fifth case')
})

test('the default weights stay when there are few cases or nothing to gain', () => {
  deepEqual(searchWeights(casesOf(50, 0.5), [1, 0.1]), [1, 0.1])
  deepEqual(searchWeights(casesOf(400, 0), [1, 1]), [1, 1])
})

test('the same cases give the same weights', () => {
  deepEqual(searchWeights(casesOf(300, 0.3), [1, 0.1]), searchWeights(casesOf(300, 0.3), [1, 0.1]))
})

test('a source that lists can do without loses its weight, and one that they need does not', () => {
  const cases = casesOf(400, 0.5)
  deepEqual(withoutUnneeded(cases, [0.1, 1], 0), [0, 1])
  deepEqual(withoutUnneeded(cases, [0.1, 1], 1), [0.1, 1])
  deepEqual(withoutUnneeded(cases.slice(0, 50), [0.1, 1], 0), [0.1, 1], 'too few cases say nothing')
})
