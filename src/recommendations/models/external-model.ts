// A model imported from another engine (ADR 0030): item neighbours, or item factors into which a buyer's history is
// folded at request time.

import { dayMs } from '../../base/clock.ts'
import { maxProposed } from '../../ml/retrieval/score-board.ts'
import { type FactorIndex, factorIndexOf, factorSearch, gramOf } from '../../ml/retrieval/factor-index.ts'
import { type FoldedModel, folding } from '../../ml/retrieval/ials.ts'
import type { Recency } from '../../ml/retrieval/neighbours.ts'
import { type Csr, RowWriter } from '../../ml/retrieval/sparse.ts'
import { type Items, placesOf } from './items.ts'
import type { CandidateList } from '../serving/candidate-list.ts'

export interface ExternalModel {
  /** Interactions after this instant are not in the training data. */
  until: Date
  /** How many of our products it covers. */
  products: number
  content: Neighbours | Factors
}

interface Neighbours {
  kind: 'neighbours'
  /** Row i holds the weights from item i to other items. */
  graph: Csr
}

export interface Factors extends FoldInOptions {
  kind: 'factors'
  dimensions: number
  /** A row of `widthOf(dimensions)` per item; zeros for unknown items. */
  rows: Float32Array
  /** The sum of the outer products of all rows, and of many items an index. Computed wherever a model is read, and not stored. */
  gram?: Float64Array | undefined
  index?: FactorIndex | undefined
}

/** The settings with which alternating least squares was trained. */
export interface FoldInOptions {
  /** Confidence weight of an observed interaction relative to an unobserved one. */
  alpha: number
  regularisation: number
}

/** The kernel processes eight numbers at a time. */
export const widthOf = (dimensions: number): number => Math.ceil(dimensions / 8) * 8

/** Queries from before the end of its training data are skipped: their answers may be in that data. */
export const isUsableOn = ({ until }: ExternalModel, day: number): boolean => day >= until.getTime() / dayMs

/** Writes the scores for a history into a column of a candidate list. */
export type ExternalSource = (
  history: readonly number[],
  candidateList: CandidateList,
  column: number,
) => void

export function externalSource({ content }: ExternalModel): ExternalSource {
  if (content.kind === 'neighbours')
    return (history, candidateList, column) =>
      candidateList.addNeighbours(column, content.graph, history, neighbourReach)
  const width = widthOf(content.dimensions)
  const fold = folding(foldedFactors(content))
  const search = factorSearch(content.rows, width, content.index)
  return (history, candidateList, column) => {
    if (history.length === 0) return
    const folded = fold(Int32Array.from(new Set(Array.from(history))).toSorted())
    const { ids, scores } = search(folded, maxProposed)
    for (let at = 0; at < ids.length; at++)
      if (scores[at]! > 0 && Number.isFinite(scores[at])) candidateList.add(column, ids[at]!, scores[at]!)
  }
}

export const neighbourReach: Recency = { fade: 0.05, last: 40 }

export const foldedFactors = ({
  dimensions,
  rows,
  gram,
  index,
  alpha,
  regularisation,
}: Factors): FoldedModel => ({
  factors: widthOf(dimensions),
  items: rows,
  gram,
  index,
  options: { unobserved: 1 / alpha, regularisation: regularisation / alpha, scaling: 0 },
})

/** With what serving reads of its factors besides them. It takes seconds for many, so not on the thread that serves. */
export function withServingTables(external: ExternalModel): ExternalModel {
  const { content } = external
  if (content.kind === 'neighbours') return external
  const { rows, dimensions } = content
  const gram = content.gram ?? gramOf(rows, widthOf(dimensions))
  const index = content.index ?? factorIndexOf(rows, widthOf(dimensions))
  return { ...external, content: { ...content, gram, index } }
}

/** The same model for another set of items; missing items are dropped. */
export function remapTo(external: ExternalModel, from: Items, to: Items): ExternalModel {
  const { content } = external
  const [placeBefore, placeAfter] = [placesOf(from), placesOf(to)]
  const before = Array.from(to.productIds, (id) => placeBefore.get(id))
  if (content.kind === 'factors') {
    const width = widthOf(content.dimensions)
    const rows = new Float32Array(to.count * width)
    before.forEach((place, item) => {
      if (place !== undefined)
        rows.set(content.rows.subarray(place * width, (place + 1) * width), item * width)
    })
    return {
      ...external,
      products: known(rows, width),
      content: { ...content, rows, gram: undefined, index: undefined },
    }
  }
  const { offsets, indices, values } = content.graph
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
  return { ...external, products: rowsWithin(graph), content: { kind: 'neighbours', graph } }
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
