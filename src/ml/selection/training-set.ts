// The training data of list models, with a small cache of expensive intermediate results.

import { cooccurrenceOf, type Cooccurrence } from '../retrieval/cooccurrence.ts'
import { binaryRows, rowSizes, transposed, type Csr } from '../retrieval/sparse.ts'

const keptParts = 4
/** Past this many neighbours an item's weakest co-occurrences change no list and only cost memory. */
const meetingsPerItem = 4000
const maxGroup = 2000

export interface TrainingSet {
  sequences: Int32Array[]
  items: number
  seed: number
  threads: number
  rows: Csr
  counts: Int32Array
  /** Items that share an attribute, a row per attribute. */
  alike: Csr | undefined
  part: <T>(key: string, make: () => T | Promise<T>) => Promise<T>
}

export interface TrainingSetOptions {
  seed: number
  threads: number
  alike: Int32Array[] | undefined
}

export function newTrainingSet(
  sequences: Int32Array[],
  items: number,
  { seed, threads, alike }: TrainingSetOptions,
): TrainingSet {
  const rows = binaryRows(sequences, items)
  const groups = alike?.filter((group) => group.length > 1 && group.length <= maxGroup)
  const parts = new Map<string, unknown>()
  return {
    sequences,
    items,
    seed,
    threads,
    rows,
    counts: rowSizes(transposed(rows)),
    alike: groups && groups.length > 0 ? binaryRows(groups, items) : undefined,
    async part<T>(key: string, make: () => T | Promise<T>): Promise<T> {
      const made = parts.has(key) ? (parts.get(key) as T) : await make()
      parts.delete(key)
      parts.set(key, made)
      const [oldest] = parts.keys()
      if (parts.size > keptParts && oldest !== undefined) parts.delete(oldest)
      return made
    },
  }
}

export const cooccurrenceIn = (trainingSet: TrainingSet, rowPower: number): Promise<Cooccurrence> =>
  trainingSet.part(`meetings ${rowPower}`, () => cooccurrenceOf(trainingSet.rows, rowPower, meetingsPerItem))

/** A graph whose sources and targets are damped by how often they are touched. */
export function damped(
  graph: Csr,
  counts: Int32Array,
  { fromPower = 0, toPower = 0 }: Record<string, number>,
): Csr {
  if (fromPower === 0 && toPower === 0) return graph
  const from = Float64Array.from(counts, (count) => Math.max(1, count) ** -fromPower)
  const to = Float64Array.from(counts, (count) => Math.max(1, count) ** -toPower)
  const { offsets, indices } = graph
  const values = new Float32Array(graph.values.length)
  for (let item = 0; item < graph.rows; item++) {
    for (let at = offsets[item]!; at < offsets[item + 1]!; at++) {
      values[at] = graph.values[at]! * from[item]! * to[indices[at]!]!
    }
  }
  return { ...graph, values }
}
