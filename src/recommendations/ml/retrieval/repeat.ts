// What a buyer buys again, and when: every item has its rhythm, and a buyer's own rhythm overrules it.

import { addScore, type Retriever } from './board.ts'

export interface Purchase {
  item: number
  /** Days, or any unit, since a fixed moment. */
  time: number
}

export interface Rhythm {
  /** The usual time between two purchases of the item by one buyer; 0 where nobody bought twice. */
  gap: Float64Array
  /** The share of its buyers who bought the item again. */
  again: Float64Array
}

/** Own gaps count against the item's usual gap as if that had been seen so many times. */
const USUAL_GAP_WEIGHT = 2

/** Learns each item's rhythm from purchases per buyer, in time order. */
export function rhythmOf(buyers: Iterable<readonly Purchase[]>, items: number): Rhythm {
  const gapSum = new Float64Array(items)
  const gapCount = new Float64Array(items)
  const bought = new Float64Array(items)
  const boughtAgain = new Float64Array(items)
  for (const purchases of buyers) {
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
  return {
    gap: gapSum.map((sum, item) => (gapCount[item] === 0 ? 0 : sum / gapCount[item]!)),
    again: boughtAgain.map((count, item) => count / (bought[item]! + 1)),
  }
}

/**
 * Scores what is due: how likely the item is bought again at all, times how close the time since the last
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
    const prior = usual > 0 ? USUAL_GAP_WEIGHT : 0
    const gap = (ownSum + usual * prior) / (ownGaps + prior)
    const chance = (rhythm.again[item]! * USUAL_GAP_WEIGHT + ownGaps) / (USUAL_GAP_WEIGHT + ownGaps)
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

/** Looks back inside the session itself: its items again, the latest most. */
export function againRetriever(items: number, fade: number): Retriever {
  return (history, board) => {
    for (let back = 0; back < history.length; back++) {
      const item = history[history.length - 1 - back]!
      if (item >= 0 && item < items && board.marked[item] === 0) addScore(board, item, Math.exp(-fade * back))
    }
  }
}
