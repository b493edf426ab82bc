// What is sought after at a place: a bias on what is sought after everywhere, and the stronger the more is known.

import { REACH } from '../ml/retrieval/board.ts'
import { writeBest } from '../ml/retrieval/neighbours.ts'
import { RowWriter } from '../ml/retrieval/sparse.ts'
import type { Trends } from './model.ts'

/** Fewer buyers than this are no place but a household. */
const fewestBuyers = 10
const mostPlaces = 200
/** A place where this much was done, by worth, counts as much as all others together. */
const steadyWorth = 500
const longestName = 100

/** One spelling of a place's name, whatever its letters' size and spaces. */
export const placeKey = (name: string): string =>
  name.normalize('NFC').trim().replace(/\s+/gu, ' ').toLowerCase().slice(0, longestName)

/** `buyersAt` holds buyers by place, null for those of nowhere; `sought` says what some of them sought. */
export function trendsOf(
  everywhere: Float64Array,
  buyersAt: ReadonlyMap<string | null, readonly number[]>,
  sought: (buyers: readonly number[]) => Float64Array,
): Trends {
  const known = [...buyersAt]
    .flatMap(([place, buyers]) => (place === null || buyers.length < fewestBuyers ? [] : [{ place, buyers }]))
    .toSorted((a, b) => b.buyers.length - a.buyers.length || (a.place < b.place ? -1 : 1))
    .slice(0, mostPlaces)
  const all = total(everywhere)
  const writer = new RowWriter()
  for (const { buyers } of known) {
    const here = sought(buyers)
    const some = total(here)
    const share = some / (some + steadyWorth)
    const weights = everywhere.map((weight, item) =>
      all > 0 ? ((1 - share) * weight) / all + (some > 0 ? (share * here[item]!) / some : 0) : 0,
    )
    writeBest(writer, weights, {
      keep: REACH,
      candidates: [...weights.keys()].filter((item) => weights[item]! > 0),
    })
  }
  return { places: known.map((it) => it.place), weights: writer.matrix(everywhere.length) }
}

const total = (weights: Float64Array): number => weights.reduce((sum, it) => sum + it, 0)
