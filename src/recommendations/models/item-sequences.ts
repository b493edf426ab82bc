// The histories of buyers as sequences of items, in the forms that families learn from.

import type { Sequences } from '../../ml/retrieval/sequences.ts'
import { interactionKinds, interactionWeight } from '../interactions/interaction.ts'
import { sessionGapDays } from '../serving/model-query.ts'
import { codeOf, type Histories } from './histories.ts'

/**
 * What a source learns from: whole histories, visits, what a buyer put on wishlists, into carts and into orders, or what
 * products have in common.
 */
export type RowsName = 'buyers' | 'visits' | 'baskets' | 'attributes'

/** The oldest sequence first. */
export const sequencesOf: Record<RowsName, (histories: Histories) => Sequences> = {
  buyers: (histories) => itemsOf(histories, histories.columns, orderBy(lastDays(histories))),
  visits: (histories) => {
    const visits = visitsOf(histories)
    const begins = Float64Array.from(visits.starts, (start) => histories.columns.days[start]!)
    return itemsOf(histories, visits, orderBy(begins))
  },
  baskets: (histories) => itemsOf(histories, histories.columns, undefined, isWanted),
  attributes: () => ({ length: 0, offsets: new Int32Array(1), items: new Int32Array() }),
}

/** By code of the kind. */
const isWanted = new Uint8Array(interactionKinds.length)
for (const kind of interactionKinds)
  isWanted[codeOf[kind]] = Number(interactionWeight[kind] >= interactionWeight.wishlist)

const lastDays = (histories: Histories): Float64Array =>
  Float64Array.from({ length: histories.length }, (_, buyer) => histories.lastDayOf(buyer) ?? 0)

/** Numbers by their key, equal ones in their own order. */
const orderBy = (keys: Float64Array): Int32Array =>
  Int32Array.from({ length: keys.length }, (_, at) => at).sort((a, b) => keys[a]! - keys[b]! || a - b)

interface Ranges {
  starts: ArrayLike<number>
  ends: ArrayLike<number>
}

/** Visits: a pause of half an hour ends one. */
function visitsOf({ columns: { starts, ends, days } }: Histories): Ranges & { starts: number[] } {
  const visits = { starts: [] as number[], ends: [] as number[] }
  for (let buyer = 0; buyer < starts.length; buyer++) {
    const end = ends[buyer]!
    for (let at = starts[buyer]!; at < end; at++) {
      if (at === starts[buyer] || days[at]! - days[at - 1]! > sessionGapDays) visits.starts.push(at)
      if (at + 1 === end || days[at + 1]! - days[at]! > sessionGapDays) visits.ends.push(at + 1)
    }
  }
  return visits
}

function lengthOf(starts: ArrayLike<number>, ends: ArrayLike<number>): number {
  let sum = 0
  for (let row = 0; row < starts.length; row++) sum += ends[row]! - starts[row]!
  return sum
}

/** An item that is repeated at once counts once. */
function itemsOf(
  { columns }: Histories,
  { starts, ends }: Ranges,
  order?: Int32Array,
  isUsed?: Uint8Array,
): Sequences {
  const { items, kinds } = columns
  const offsets = new Int32Array(starts.length + 1)
  const found = new Int32Array(lengthOf(starts, ends))
  let size = 0
  for (let row = 0; row < starts.length; row++) {
    const from = order ? order[row]! : row
    let before = -1
    for (let at = starts[from]!; at < ends[from]!; at++) {
      if (isUsed && isUsed[kinds[at]!] === 0) continue
      if (items[at] !== before) found[size++] = items[at]!
      before = items[at]!
    }
    offsets[row + 1] = size
  }
  return { length: starts.length, offsets, items: found.slice(0, size) }
}
