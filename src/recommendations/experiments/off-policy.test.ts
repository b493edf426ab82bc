// Off-policy estimates against the truth of a simulated click model.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../ml/random.ts'
import { estimateOffPolicy, type LoggedOutcome } from './off-policy.ts'
import { propensity, shuffled, shuffledPlaces, shuffleFor } from './shuffle.ts'

const share = 0.3
/** The chance that a place is looked at, and that the offer which the ranking put on a place is liked. */
const seen = [0.6, 0.5, 0.4, 0.3, 0.25, 0.2]
const liked = [0.2, 0.35, 0.1, 0.3, 0.05, 0.15]
const chance = (place: number, from: number) => seen[place]! * liked[from]!

/** The other model turns the first places around. */
const reversed = [5, 4, 3, 2, 1, 0]
const truth = (target: readonly number[]) =>
  target.reduce((sum, from, place) => sum + (from < 0 ? 0 : chance(place, from)), 0)

function logged(lists: number, seed: number, target: readonly number[] = reversed): LoggedOutcome[] {
  const random = seededRandom(seed)
  return Array.from({ length: lists }, (_, at) => {
    const shuffle = shuffleFor(`${seed}-${at}`, share, 30)
    const rewards = shuffle.order.map((from, place) => Number(random() < chance(place, from)))
    return { buyer: `buyer-${at % Math.ceil(lists / 3)}`, shuffle, rewards, target }
  })
}

test('a shuffle keeps most lists, moves the first places of the others alone, and is the same for the same list', () => {
  const items = Array.from({ length: 10 }, (_, at) => at)
  const lists = Array.from({ length: 4_000 }, (_, at) => shuffleFor(`list-${at}`, share, items.length))
  deepEqual(shuffleFor('list-1', share, 10), lists[1])
  for (const it of lists) {
    deepEqual(it.order.toSorted(), [0, 1, 2, 3, 4, 5])
    deepEqual(shuffled(items, it).slice(shuffledPlaces), [6, 7, 8, 9])
  }
  for (const [from, place] of [
    [0, 0],
    [0, 3],
    [5, 1],
  ] as const) {
    const found = lists.filter((it) => it.order[place] === from).length / lists.length
    const expected = propensity(lists[0]!, from, place)
    ok(Math.abs(found - expected) < 0.03, `place ${from} on ${place}: ${found}, logged ${expected}`)
  }
  equal(shuffleFor('short', 1, 2).order.length, 2)
})

test('both estimates find what the other model would have earned, and their intervals hold as often as they say', () => {
  const rounds = 200
  const covered = { ips: 0, robust: 0, present: 0, difference: 0 }
  const width = { ips: 0, robust: 0 }
  const holds = ({ low, high }: { low: number; high: number }, value: number) =>
    Number(low <= value && value <= high)
  for (let round = 0; round < rounds; round++) {
    const found = estimateOffPolicy(logged(900, round + 1))
    covered.ips += holds(found.inversePropensity, truth(reversed))
    covered.robust += holds(found.doublyRobust, truth(reversed))
    covered.present += holds(found.present, truth([0, 1, 2, 3, 4, 5]))
    covered.difference += holds(found.difference, truth(reversed) - truth([0, 1, 2, 3, 4, 5]))
    width.ips += found.inversePropensity.standardError
    width.robust += found.doublyRobust.standardError
  }
  for (const [name, count] of Object.entries(covered))
    ok(count / rounds > 0.9, `the interval of ${name} held in ${count} of ${rounds} rounds`)
  ok(width.robust <= width.ips, 'the doubly robust estimate varies less')
})

test('offers that the shown lists never had count as unsupported', () => {
  const found = estimateOffPolicy(logged(300, 1, [-1, -1, 0, 1, 2, 3]))
  ok(Math.abs(found.support - 4 / 6) < 1e-9)
  ok(found.inversePropensity.value < found.doublyRobust.value, 'only the reward model knows anything of them')
})

test('no lists give zeros', () => {
  const found = estimateOffPolicy([])
  deepEqual([found.lists, found.support, found.doublyRobust.value], [0, 0, 0])
})
