// What another model would have earned with the buyers of logged lists. The first places of these lists were partly in a
// random order, and the probability of each place is logged (`shuffle.ts`). Both estimators take the outcome of an offer to
// depend on its place and not on its neighbours.

import { type Estimate, differenceOf, type Difference, ratioOf } from './intervals.ts'
import { propensity, type Shuffle } from './shuffle.ts'

/** A shown list with the outcome of each of its first places. */
export interface LoggedOutcome {
  buyer: string
  shuffle: Shuffle
  /** By place as shown, the reward of its offer. */
  rewards: readonly number[]
  /** By place of the other model's list, the place that the logging model's ranking gave to its offer; -1 for none. */
  target: readonly number[]
}

export interface OffPolicyEstimate {
  lists: number
  buyers: number
  /** The share of the other model's first places whose offer was among the first of the shown list in any order. */
  support: number
  /** Per list: what was earned, and what the ranking of the logging model would have earned without shuffling. */
  logged: Estimate
  present: Estimate
  /** Per list: what the other model would have earned, by inverse propensities and doubly robust. */
  inversePropensity: Estimate
  doublyRobust: Estimate
  /** Doubly robust: the other model minus the present ranking. */
  difference: Difference
}

export function estimateOffPolicy(lists: readonly LoggedOutcome[]): OffPolicyEstimate {
  const expected = rewardModels(lists)
  const present = lists.map((it) => doublyRobust({ ...it, target: placesOf(it) }, expected))
  const other = lists.map((it) => doublyRobust(it, expected))
  const perList = (values: readonly number[]) => meanOverBuyers(lists, values)
  const places = lists.flatMap((it) => it.target)
  return {
    lists: lists.length,
    buyers: new Set(lists.map((it) => it.buyer)).size,
    support: places.filter((from) => from >= 0).length / Math.max(1, places.length),
    logged: perList(lists.map(({ rewards }) => rewards.reduce((sum, it) => sum + it, 0))),
    present: perList(present),
    inversePropensity: perList(lists.map(inversePropensity)),
    doublyRobust: perList(other),
    difference: differenceOf(perList(other.map((value, at) => value - present[at]!)), {
      value: 0,
      low: 0,
      high: 0,
      standardError: 0,
    }),
  }
}

const placesOf = ({ shuffle }: LoggedOutcome): number[] => shuffle.order.map((_, place) => place)

/** Rewards of places that show what the other model would show there, each divided by the probability of that. */
function inversePropensity({ shuffle, rewards, target }: LoggedOutcome): number {
  let sum = 0
  shuffle.order.forEach((from, place) => {
    if (target[place] === from) sum += rewards[place]! / propensity(shuffle, from, place)
  })
  return sum
}

/** The expected reward of the other model's places, corrected by what happened where both lists agree. */
function doublyRobust(list: LoggedOutcome, expected: RewardModel): number {
  const { shuffle, rewards, target } = list
  let sum = 0
  shuffle.order.forEach((from, place) => {
    const wanted = target[place] ?? -1
    sum += expected(list, place, wanted)
    if (wanted === from)
      sum += (rewards[place]! - expected(list, place, from)) / propensity(shuffle, from, place)
  })
  return sum
}

/** The expected reward of the offer that the ranking put on place `from`, shown on `place`. */
type RewardModel = (list: LoggedOutcome, place: number, from: number) => number

/** This many observations of a position count as much as those of a position and a rank together. */
const priorWeight = 20

/**
 * Mean rewards by place shown and place ranked, pulled towards the mean of the place. Buyers are in two halves, and each
 * half is judged by what the other did: a model of its own outcomes would make the interval too narrow.
 */
function rewardModels(lists: readonly LoggedOutcome[]): RewardModel {
  const halves = [0, 1].map((half) => cellMeans(lists.filter((it) => halfOf(it) !== half)))
  return (list, place, from) => halves[halfOf(list)]!(place, from)
}

function halfOf({ buyer }: LoggedOutcome): number {
  let hash = 0
  for (let at = 0; at < buyer.length; at++) hash = (Math.imul(hash, 31) + buyer.charCodeAt(at)) | 0
  return (Math.imul(hash, 0x9e3779b1) >>> 31) & 1
}

function cellMeans(lists: readonly LoggedOutcome[]): (place: number, from: number) => number {
  const cells = new Map<number, { count: number; sum: number }>()
  const add = (key: number, reward: number) => {
    const cell = cells.get(key) ?? { count: 0, sum: 0 }
    cells.set(key, { count: cell.count + 1, sum: cell.sum + reward })
  }
  const keyOf = (place: number, from: number) => place * 100 + from
  for (const { shuffle, rewards } of lists)
    shuffle.order.forEach((from, place) => {
      add(keyOf(place, from), rewards[place]!)
      add(keyOf(place, wholePlace), rewards[place]!)
    })
  return (place, from) => {
    const whole = cells.get(keyOf(place, wholePlace))
    const prior = whole ? whole.sum / whole.count : 0
    const cell = cells.get(keyOf(place, from))
    return ((cell?.sum ?? 0) + priorWeight * prior) / ((cell?.count ?? 0) + priorWeight)
  }
}

/** The key of all ranks of a place together. */
const wholePlace = 99

/** A mean per list; its interval is over buyers, whose lists are correlated. */
function meanOverBuyers(lists: readonly LoggedOutcome[], values: readonly number[]): Estimate {
  const byBuyer = new Map<string, { x: number; y: number }>()
  lists.forEach(({ buyer }, at) => {
    const { x, y } = byBuyer.get(buyer) ?? { x: 0, y: 0 }
    byBuyer.set(buyer, { x: x + 1, y: y + values[at]! })
  })
  const sums = { buyers: byBuyer.size, x: 0, y: 0, xx: 0, yy: 0, xy: 0 }
  for (const { x, y } of byBuyer.values()) {
    sums.x += x
    sums.y += y
    sums.xx += x * x
    sums.yy += y * y
    sums.xy += x * y
  }
  return ratioOf(sums)
}
