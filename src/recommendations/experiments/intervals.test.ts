import { equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../ml/random.ts'
import { differenceOf, ratioOf, shareOf, type Sums, upperTail } from './intervals.ts'

const near = (one: number, other: number, by = 5e-4) => ok(Math.abs(one - other) < by, `${one} and ${other}`)

test('the Wilson interval has the published values and stays between 0 and 1', () => {
  const ten = shareOf(10, 100)
  near(ten.low, 0.0552)
  near(ten.high, 0.1744)
  const none = shareOf(0, 20)
  equal(none.low, 0)
  near(none.high, 0.1611)
  equal(shareOf(20, 20).high, 1)
})

test('the tail of the normal distribution has the published values', () => {
  near(2 * upperTail(1.959964), 0.05, 1e-6)
  near(2 * upperTail(2.575829), 0.01, 1e-6)
  near(2 * upperTail(0), 1, 1e-6)
})

test('when every buyer has one list, the error of a figure per list is that of a mean', () => {
  // Five of ten: the sample variance is 5/18, the standard error its tenth's root.
  near(ratioOf({ buyers: 10, x: 10, xx: 10, y: 5, yy: 5, xy: 5 }).standardError, Math.sqrt(5 / 18 / 10), 1e-9)
})

/** Buyers with very different numbers of lists, each with their own click rate. */
function drawn(random: () => number, buyers: number): Sums {
  const sums: Sums = { buyers, x: 0, y: 0, xx: 0, yy: 0, xy: 0 }
  for (let buyer = 0; buyer < buyers; buyer++) {
    const lists = 1 + Math.floor(random() ** 3 * 30)
    const liking = random() ** 2
    let clicked = 0
    for (let list = 0; list < lists; list++) clicked += Number(random() < liking)
    sums.x += lists
    sums.xx += lists * lists
    sums.y += clicked
    sums.yy += clicked * clicked
    sums.xy += lists * clicked
  }
  return sums
}

test('an interval contains the true value in 95 % of cases, although lists of one buyer are correlated', () => {
  const random = seededRandom(5)
  const truth = 1 / 3
  const rounds = 600
  let held = 0
  for (let round = 0; round < rounds; round++) {
    const { low, high } = ratioOf(drawn(random, 400))
    held += Number(low <= truth && truth <= high)
  }
  ok(held / rounds > 0.92 && held / rounds < 0.975, String(held / rounds))
})

test('of groups with the same treatment, one in twenty seems different', () => {
  const random = seededRandom(7)
  const rounds = 600
  let different = 0
  for (let round = 0; round < rounds; round++)
    different += Number(differenceOf(ratioOf(drawn(random, 300)), ratioOf(drawn(random, 300))).pValue < 0.05)
  ok(different / rounds > 0.025 && different / rounds < 0.08, String(different / rounds))
})

test('a group without lists has no interval', () => {
  equal(ratioOf({ buyers: 0, x: 0, xx: 0, y: 0, yy: 0, xy: 0 }).value, 0)
  equal(shareOf(0, 0).high, 1)
  equal(differenceOf(shareOf(0, 0), shareOf(0, 0)).pValue, 1)
})

test('one click among a few buyers gives an interval that begins at 0', () => {
  const few = { buyers: 7, x: 8, y: 1, xx: 10, yy: 1, xy: 2 }
  const { value, low, high } = ratioOf(few)
  equal(value, 1 / 8)
  equal(low, 0)
  ok(high > value)
})
