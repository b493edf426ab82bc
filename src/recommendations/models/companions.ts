// Which categories go with which: what buyers turn to after they put something into a cart or bought it, and more than they
// did before. What they look at before and after alike belongs to the same interests, but is no complement: tablets next to
// phones. Categories that buyers return to again and again go together in any order: diapers and baby food. It works on
// little data, where single products never met.

import type { Rhythm } from '../../ml/retrieval/repeat.ts'
import { RowWriter, type Csr } from '../../ml/retrieval/sparse.ts'
import type { Buyers } from './histories.ts'
import { sessionGapDays } from '../serving/model-query.ts'
import type { Items } from './items.ts'

export interface Companions {
  /** Category ids in row order. */
  categories: Int32Array
  /** Row i holds the popular items of the categories that go with category i. */
  weights: Csr
}

const withinDays = 30
/** The counts of a category are smoothed by this many buyers of average behaviour. */
const prior = 20
const leastLift = 1.2
/** The counts of buyers who reach a category before and after are smoothed by this many. */
const turnPrior = 10
/** Buyers return to a category where so many of them buy there again. */
export const leastSecondShare = 0.4
const mostCategories = 8
const itemsOfEach = 15
const mostRows = 1_000
/** A smaller category says nothing that the sources of single products do not. */
const fewestProducts = 3

interface ItemFigures {
  popularity: Float64Array
  rhythm: Pick<Rhythm, 'second'>
}

export function companionsOf(
  buyers: Buyers,
  { categories: ofItem, count }: Items,
  { popularity, rhythm }: ItemFigures,
): Companions {
  const ids = busiestCategories(buyers, ofItem)
  const rowOf = new Map(ids.map((id, row) => [id, row]))
  const reached = new Float64Array(ids.length)
  const began = new Float64Array(ids.length)
  const around = ids.map(() => new Map<number, Around>())
  const period = periodOf(buyers)
  for (const buyer of buyers) {
    const steps = buyer.flatMap(({ item, kind, day }): Step[] => {
      const row = rowOf.get(ofItem[item]!)
      return row === undefined ? [] : [{ row, day, isWanted: kind === 'cart' || kind === 'purchase' }]
    })
    for (const row of new Set(steps.map((it) => it.row))) reached[row]! += 1
    for (const [from, day] of firstWanted(steps)) {
      began[from]! += 1
      for (const [to, it] of monthAround(steps, { from, day }, period)) {
        const sum = around[from]!.get(to) ?? { after: 0, evenAfter: 0, evenBefore: 0 }
        around[from]!.set(to, {
          after: sum.after + it.after,
          evenAfter: sum.evenAfter + it.evenAfter,
          evenBefore: sum.evenBefore + it.evenBefore,
        })
      }
    }
  }
  const leaders = leadersByRow(ofItem, popularity, rowOf)
  const isReturnedTo = (row: number) => rhythm.second[leaders[row]![0]!]! >= leastSecondShare
  const writer = new RowWriter()
  for (const row of ids.keys()) {
    const found = [...around[row]!]
      .map(([other, { after, evenAfter, evenBefore }]) => {
        const usual = reached[other]! / Math.max(1, buyers.length)
        const share = (after + prior * usual) / (began[row]! + prior)
        const turn = (evenAfter + turnPrior) / (evenBefore + turnPrior)
        return { other, turn, lift: share / usual, weight: share * Math.log(share / usual) * turn }
      })
      .filter(({ other, lift, turn }) => {
        const isAnyOrder = isReturnedTo(row) && isReturnedTo(other)
        return lift >= leastLift && (turn >= 1 || isAnyOrder)
      })
      .toSorted((a, b) => b.weight - a.weight || a.other - b.other)
      .slice(0, mostCategories)
      .flatMap(({ other, weight }) =>
        leaders[other]!.map((item, place): [number, number] => [
          item,
          weight * (1 - place / itemsOfEach / 2),
        ]),
      )
      .toSorted(([a], [b]) => a - b)
    writer.add(
      found.map(([item]) => item),
      found.map(([, weight]) => weight),
    )
  }
  return { categories: Int32Array.from(ids), weights: writer.matrix(count) }
}

/** The categories with most interactions, in order of their ids. */
function busiestCategories(buyers: Buyers, ofItem: Int32Array): readonly number[] {
  const sizes = Map.groupBy(ofItem, (id) => id)
  const large = [...sizes].filter(([, { length }]) => length >= fewestProducts)
  const counts = new Map<number, number>(large.map(([id]) => [id, 0]))
  for (const steps of buyers)
    for (const { item } of steps) {
      const count = counts.get(ofItem[item]!)
      if (count !== undefined) counts.set(ofItem[item]!, count + 1)
    }
  return [...counts]
    .toSorted(([a, some], [b, others]) => others - some || a - b)
    .slice(0, mostRows)
    .map(([id]) => id)
    .toSorted((a, b) => a - b)
}

/** A step of a buyer into a category; `isWanted` when something was put into the cart or bought. */
interface Step {
  row: number
  day: number
  isWanted: boolean
}

/** By category, when a buyer first put something of it into the cart or bought it. */
function firstWanted(steps: readonly Step[]): Map<number, number> {
  const days = new Map<number, number>()
  for (const { row, day, isWanted } of steps) if (isWanted && !days.has(row)) days.set(row, day)
  return days
}

/** How often a category was reached within a month after, and in equally long times after and before. */
interface Around {
  after: number
  evenAfter: number
  evenBefore: number
}

/**
 * The other categories that a buyer reached around a moment, each counted once. What was wanted in the same visit goes with
 * it, in any order; what was only seen in that visit says nothing.
 */
function monthAround(
  steps: readonly Step[],
  { from, day }: { from: number; day: number },
  { first, last }: Period,
): Map<number, Around> {
  const evenDays = Math.min(withinDays, day - first, last - day)
  const found = new Map<number, Around>()
  for (const step of steps) {
    const distance = step.day - day
    if (step.row === from || Math.abs(distance) > withinDays) continue
    const isSameVisit = Math.abs(distance) <= sessionGapDays
    if (isSameVisit && !step.isWanted) continue
    const isAfter = isSameVisit || distance > 0
    const isEven = isSameVisit || Math.abs(distance) <= evenDays
    const known = found.get(step.row)
    found.set(step.row, {
      after: isAfter ? 1 : (known?.after ?? 0),
      evenAfter: isAfter && isEven ? 1 : (known?.evenAfter ?? 0),
      evenBefore: !isAfter && isEven ? 1 : (known?.evenBefore ?? 0),
    })
  }
  return found
}

interface Period {
  first: number
  last: number
}

function periodOf(buyers: Buyers): Period {
  let first = Infinity
  let last = -Infinity
  for (const steps of buyers)
    for (const { day } of steps) {
      first = Math.min(first, day)
      last = Math.max(last, day)
    }
  return { first, last }
}

function leadersByRow(
  ofItem: Int32Array,
  popularity: Float64Array,
  rowOf: ReadonlyMap<number, number>,
): number[][] {
  const rows: number[][] = Array.from(rowOf, () => [])
  for (let item = 0; item < ofItem.length; item++) rows[rowOf.get(ofItem[item]!) ?? -1]?.push(item)
  return rows.map((items) =>
    items.toSorted((a, b) => popularity[b]! - popularity[a]! || a - b).slice(0, itemsOfEach),
  )
}
