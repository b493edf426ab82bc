import { equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from './random.ts'
import { type ComparedCase, relativeGainOf } from './relative-gain.ts'

const one = (group: number, before: number[], after: number[]): ComparedCase => ({ group, before, after })
const near = (figure: number, expected: number) =>
  ok(Math.abs(figure - expected) < 1e-9, `${figure}, not ${expected}`)

test('a gain is relative to what was there before, and each measure counts by its relative change', () => {
  const { gain, error, groups } = relativeGainOf([
    one(1, [0.2, 0.5], [0.3, 0.5]),
    one(2, [0.2, 0.5], [0.3, 0.6]),
  ])
  near(gain, (0.5 + 0.1) / 2)
  // The first measure gains the same in both groups; the second 0 and a fifth.
  near(error, 0.05)
  equal(groups, 2)
})

test('without a difference there is no error, and one group says nothing', () => {
  const same = [one(1, [0.2], [0.2]), one(2, [0.7], [0.7])]
  equal(relativeGainOf(same).error, 0)
  equal(relativeGainOf([one(1, [0.2], [0.3]), one(1, [0.2], [0.3])]).error, Infinity)
  equal(relativeGainOf([]).gain, 0)
})

test('repeated cases of a group make nothing more certain', () => {
  const random = seededRandom(5)
  const cases = Array.from({ length: 200 }, (_, group) => one(group, [random()], [random()]))
  const once = relativeGainOf(cases)
  const often = relativeGainOf([...cases, ...cases, ...cases])
  near(often.gain, once.gain)
  near(often.error, once.error)
  ok(relativeGainOf(cases.slice(0, 50)).error > 1.5 * once.error)
})

test('the error says how far gains lie from each other when the cases are drawn again', () => {
  const random = seededRandom(11)
  const drawn = Array.from({ length: 300 }, () =>
    relativeGainOf(
      Array.from({ length: 400 }, (_, group) => {
        const before = random()
        return one(group, [before], [before + 0.05 + (random() - 0.5)])
      }),
    ),
  )
  const mean = drawn.reduce((sum, { gain }) => sum + gain, 0) / drawn.length
  const spread = Math.sqrt(drawn.reduce((sum, { gain }) => sum + (gain - mean) ** 2, 0) / drawn.length)
  const error = drawn.reduce((sum, it) => sum + it.error, 0) / drawn.length
  near(Math.round((spread / error) * 5) / 5, 1)
})
