import { equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../ml/random.ts'
import { relativeGainOf } from '../../ml/relative-gain.ts'
import { isSurelyBetter, noteOf } from './choose-ranker.ts'

/** Cases as they are: most have no answer in the list, and a ranker moves the others up or down. */
function cases(count: number, { gain, seed }: { gain: number; seed: number }) {
  const random = seededRandom(seed)
  return Array.from({ length: count }, (_, group) => {
    const before = random() < 0.2 ? random() : 0
    const moved = before === 0 ? 0 : (random() - 0.5) * 0.4 + gain * 0.5
    return { group, before: [before], after: [before + moved] }
  })
}

const wins = (count: number, { gain, rankers }: { gain: number; rankers: number }) => {
  const trainings = Array.from({ length: 400 }, (_, seed) =>
    isSurelyBetter(relativeGainOf(cases(count, { gain, seed })), rankers),
  )
  return trainings.filter(Boolean).length / trainings.length
}

test('a clearly better ranker is used where there are many cases, and hardly on few', () => {
  ok(wins(10_000, { gain: 0.024, rankers: 2 }) > 0.9)
  ok(wins(300, { gain: 0.024, rankers: 2 }) < 0.25)
})

test('a ranker that gains nothing is used in one of ten trainings at most', () => {
  for (const rankers of [1, 2]) ok(wins(1_000, { gain: 0, rankers }) < 0.13)
  const gain = { gain: 0.015, error: 0.01, groups: 900 }
  ok(isSurelyBetter(gain, 1))
  ok(!isSurelyBetter(gain, 2), 'the better of two gains as much by chance')
})

test('a gain without an error that is known is not reported as a number', () => {
  match(noteOf({ gain: 0.024, error: 0.009, groups: 900 }), /gains 2\.4 %, standard error 0\.9 %/)
  match(noteOf(relativeGainOf([])), /0 buyers/)
  match(noteOf({ gain: 0.5, error: 0.01, groups: 49 }), /49 buyers/)
})

test('the answers of few buyers decide nothing', () => {
  equal(isSurelyBetter({ gain: 0.5, error: 0.01, groups: 49 }, 1), false)
  equal(isSurelyBetter({ gain: 0.5, error: 0.01, groups: 50 }, 1), true)
  equal(isSurelyBetter({ gain: 0, error: 0, groups: 500 }, 1), false)
})
