// Repeat purchases: every item has a usual interval, and a buyer's own interval outweighs it.

import { addScore, type Retriever } from './score-board.ts'

export interface Purchase {
  item: number
  /** Days, or any unit, since a fixed moment. */
  time: number
}

export interface Rhythm {
  /** The usual time between two purchases of the item by one buyer; 0 where no buyer bought twice. */
  gap: Float64Array
  /** The share of its buyers who bought the item again. */
  again: Float64Array
  /** The share of the buyers of its group who bought something of the group again, whatever it was. */
  second: Float64Array
}

/** The item's usual gap counts as this many observations next to the buyer's own gaps. */
const usualGapWeight = 2

/** A group's share of repeats and its gap count as this many buyers of an item. */
const groupWeight = 5

/**
 * Estimates each item's interval from purchases per buyer, in time order. With groups, an item of few purchases takes after
 * its group: one more diaper is a consumable, one more sofa is not.
 */
export function rhythmOf(
  buyers: Iterable<readonly Purchase[]>,
  items: number,
  groups?: ArrayLike<number>,
): Rhythm {
  const gapSum = new Float64Array(items)
  const gapCount = new Float64Array(items)
  const bought = new Float64Array(items)
  const boughtAgain = new Float64Array(items)
  const seconds = new GroupSeconds()
  for (const purchases of buyers) {
    seconds.add(purchases, (item) => groups?.[item] ?? item)
    for (const [item, times] of timesByItem(purchases)) {
      if (!(item >= 0 && item < items)) continue
      bought[item]! += 1
      if (times.length > 1) boughtAgain[item]! += 1
      for (let at = 1; at < times.length; at++) {
        gapSum[item]! += times[at]! - times[at - 1]!
        gapCount[item]! += 1
      }
    }
  }
  const shareOf = seconds.shares()
  if (!groups)
    return {
      gap: gapSum.map((sum, item) => (gapCount[item] === 0 ? 0 : sum / gapCount[item]!)),
      again: boughtAgain.map((count, item) => count / (bought[item]! + 1)),
      second: bought.map((_, item) => shareOf(item)),
    }
  const totals = (of: Float64Array): Map<number, number> => {
    const sums = new Map<number, number>()
    of.forEach((value, item) => sums.set(groups[item]!, (sums.get(groups[item]!) ?? 0) + value))
    return sums
  }
  const whole = {
    again: totals(boughtAgain),
    bought: totals(bought),
    sum: totals(gapSum),
    count: totals(gapCount),
  }
  const groupGap = (item: number) => {
    const count = whole.count.get(groups[item]!)!
    return count > 0 ? whole.sum.get(groups[item]!)! / count : 0
  }
  const groupAgain = (item: number) =>
    whole.again.get(groups[item]!)! / (whole.bought.get(groups[item]!)! + 1)
  return {
    gap: gapSum.map((sum, item) => {
      const usual = groupGap(item)
      const prior = usual > 0 ? groupWeight : 0
      return gapCount[item]! + prior > 0 ? (sum + prior * usual) / (gapCount[item]! + prior) : 0
    }),
    again: boughtAgain.map(
      (count, item) => (count + groupWeight * groupAgain(item)) / (bought[item]! + groupWeight),
    ),
    second: bought.map((_, item) => shareOf(groups[item]!)),
  }
}

/** Counts the buyers of each group, and those who came back to it at another time. */
class GroupSeconds {
  readonly #once = new Map<number, number>()
  readonly #again = new Map<number, number>()

  add(purchases: readonly Purchase[], groupOf: (item: number) => number): void {
    const times = new Map<number, Set<number>>()
    for (const { item, time } of purchases) {
      const known = times.get(groupOf(item))
      if (known) known.add(Math.floor(time))
      else times.set(groupOf(item), new Set([Math.floor(time)]))
    }
    for (const [group, { size }] of times) {
      this.#once.set(group, (this.#once.get(group) ?? 0) + 1)
      if (size > 1) this.#again.set(group, (this.#again.get(group) ?? 0) + 1)
    }
  }

  /** By group, with few buyers near the share of all groups together; half without any purchase. */
  shares(): (group: number) => number {
    const all = sum(this.#once)
    const usual = all > 0 ? sum(this.#again) / all : 0.5
    return (group) =>
      ((this.#again.get(group) ?? 0) + groupWeight * usual) / ((this.#once.get(group) ?? 0) + groupWeight)
  }
}

const sum = (counts: ReadonlyMap<number, number>): number =>
  counts.values().reduce((total, it) => total + it, 0)

/**
 * Scores what is due: the probability that the item is bought again, times how close the time since the last
 * purchase is to the buyer's rhythm. Just bought is near 0, due is 1, long overdue fades slowly.
 */
export function addDue(
  rhythm: Rhythm,
  purchases: readonly Purchase[],
  now: number,
  add: (item: number, amount: number) => void,
): void {
  for (const [item, times] of timesByItem(purchases)) {
    if (!(item >= 0 && item < rhythm.gap.length)) continue
    const ownGaps = times.length - 1
    const usual = rhythm.gap[item]!
    if (ownGaps === 0 && usual === 0) continue
    const ownSum = times[times.length - 1]! - times[0]!
    const prior = usual > 0 ? usualGapWeight : 0
    const gap = (ownSum + usual * prior) / (ownGaps + prior)
    const chance = (rhythm.again[item]! * usualGapWeight + ownGaps) / (usualGapWeight + ownGaps)
    const phase = gap > 0 ? Math.max(0, now - times[times.length - 1]!) / gap : 1
    const due = phase < 1 ? phase * phase : 1 / Math.sqrt(phase)
    if (chance * due > 0) add(item, chance * due)
  }
}

function timesByItem(purchases: readonly Purchase[]): Map<number, number[]> {
  const times = new Map<number, number[]>()
  for (const { item, time } of purchases) {
    if (!Number.isFinite(time)) continue
    const known = times.get(item)
    if (known) known.push(time)
    else times.set(item, [time])
  }
  for (const list of times.values()) list.sort((a, b) => a - b)
  return times
}

/** Proposes the items of the history itself, the latest with the highest score. */
export function againRetriever(items: number, fade: number): Retriever {
  return (history, board) => {
    for (let back = 0; back < history.length; back++) {
      const item = history[history.length - 1 - back]!
      if (item >= 0 && item < items && board.marked[item] === 0) addScore(board, item, Math.exp(-fade * back))
    }
  }
}
