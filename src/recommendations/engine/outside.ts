// What another engine has learnt of our products, brought in (ADR 0030): neighbours of items, or factors of items, into
// which a buyer's history is folded when he asks.

import { REACH } from '../ml/retrieval/board.ts'
import { folding, scanner } from '../ml/retrieval/ials.ts'
import { type Csr, RowWriter } from '../ml/retrieval/sparse.ts'
import { topK } from '../ml/top-k.ts'
import { type Items, placesOf } from './items.ts'
import type { Slate } from './slate.ts'

export interface Outside {
  /** Deeds after this instant were not learnt from. */
  until: Date
  /** How many of our products it knows. */
  products: number
  learnt: Neighbours | Factors
}

interface Neighbours {
  kind: 'neighbours'
  /** Row i holds what item i says of others. */
  graph: Csr
}

export interface Factors extends FoldingTerms {
  kind: 'factors'
  dimensions: number
  /** A row of `widthOf(dimensions)` per item; of noughts for what it does not know. */
  rows: Float32Array
}

/** As alternating least squares was told them when it learnt. */
export interface FoldingTerms {
  /** How much more something touched counts than something not touched. */
  alpha: number
  regularisation: number
}

/** The kernel takes eight numbers at a time. */
export const widthOf = (dimensions: number): number => Math.ceil(dimensions / 8) * 8

/** A question of before it had finished learning would be answered from what was to be guessed. */
export const mayAnswer = ({ until }: Outside, day: number): boolean => day >= until.getTime() / dayMs

const dayMs = 86_400_000

/** Writes what it has to say of a history into a column of a slate. */
export type OutsideSource = (history: readonly number[], slate: Slate, column: number) => void

export function outsideSource({ learnt }: Outside): OutsideSource {
  if (learnt.kind === 'neighbours')
    return (history, slate, column) =>
      slate.addNeighbours(column, learnt.graph, history, { fade: 0.05, last: 40 })
  const width = widthOf(learnt.dimensions)
  const fold = folding({
    factors: width,
    items: learnt.rows,
    options: {
      unobserved: 1 / learnt.alpha,
      regularisation: learnt.regularisation / learnt.alpha,
      scaling: 0,
    },
  })
  const scoresOf = scanner(learnt.rows, width)
  return (history, slate, column) => {
    if (history.length === 0) return
    const scores = scoresOf(fold(Int32Array.from(new Set(Array.from(history))).toSorted()))
    for (const item of topK(scores, REACH).ids)
      if (scores[item]! > 0 && Number.isFinite(scores[item])) slate.add(column, item, scores[item]!)
  }
}

/** The same for other goods: what they no longer have is left out. */
export function movedTo(outside: Outside, from: Items, to: Items): Outside {
  const { learnt } = outside
  const [placeBefore, placeAfter] = [placesOf(from), placesOf(to)]
  const before = Array.from(to.productIds, (id) => placeBefore.get(id))
  if (learnt.kind === 'factors') {
    const width = widthOf(learnt.dimensions)
    const rows = new Float32Array(to.count * width)
    before.forEach((place, item) => {
      if (place !== undefined)
        rows.set(learnt.rows.subarray(place * width, (place + 1) * width), item * width)
    })
    return { ...outside, products: known(rows, width), learnt: { ...learnt, rows } }
  }
  const { offsets, indices, values } = learnt.graph
  const writer = new RowWriter()
  for (const place of before) {
    const row: [item: number, value: number][] = []
    for (let at = offsets[place ?? 0]!; place !== undefined && at < offsets[place + 1]!; at++) {
      const item = placeAfter.get(from.productIds[indices[at]!]!)
      if (item !== undefined) row.push([item, values[at]!])
    }
    row.sort(([a], [b]) => a - b)
    writer.add(
      row.map(([item]) => item),
      row.map(([, value]) => value),
    )
  }
  const graph = writer.matrix(to.count)
  return { ...outside, products: rowsWithin(graph), learnt: { kind: 'neighbours', graph } }
}

const known = (rows: Float32Array, width: number): number => {
  let count = 0
  for (let from = 0; from < rows.length; from += width)
    if (rows.subarray(from, from + width).some((it) => it !== 0)) count++
  return count
}

const rowsWithin = ({ rows, offsets }: Csr): number => {
  let count = 0
  for (let row = 0; row < rows; row++) if (offsets[row + 1]! > offsets[row]!) count++
  return count
}
