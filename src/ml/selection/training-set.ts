// The training data of list models, with a small cache of expensive intermediate results.

import { affordablePairs, cooccurrenceOf, type Cooccurrence } from '../retrieval/cooccurrence.ts'
import { flatSequences, type GivenSequences, type Sequences } from '../retrieval/sequences.ts'
import { binaryRows, type Csr } from '../retrieval/sparse.ts'

const keptParts = 4
/** Of all kept parts together; the latest one is kept in any case. */
const keptBytes = 100e6
/** Past this many neighbours an item's weakest co-occurrences change no list and only cost memory. */
const meetingsPerItem = 4000
const maxGroup = 2000

export interface TrainingSet {
  sequences: Sequences
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
  given: GivenSequences,
  items: number,
  { seed, threads, alike }: TrainingSetOptions,
): TrainingSet {
  const sequences = flatSequences(given)
  const rows = binaryRows(sequences, items)
  const groups = alike?.filter((group) => group.length > 1 && group.length <= maxGroup)
  const parts = new Map<string, unknown>()
  return {
    sequences,
    items,
    seed,
    threads,
    rows,
    counts: countsIn(rows),
    alike: groups && groups.length > 0 ? binaryRows(groups, items) : undefined,
    async part<T>(key: string, make: () => T | Promise<T>): Promise<T> {
      const made = parts.has(key) ? (parts.get(key) as T) : await make()
      parts.delete(key)
      parts.set(key, made)
      for (const oldest of [...parts.keys()].slice(0, -1)) {
        if (parts.size <= keptParts && bytesIn([...parts.values()]) <= keptBytes) break
        parts.delete(oldest)
      }
      return made
    },
  }
}

/** How many rows hold each item. */
function countsIn({ cols, indices }: Csr): Int32Array {
  const counts = new Int32Array(cols)
  for (let at = 0; at < indices.length; at++) counts[indices[at]!]! += 1
  return counts
}

/** The bytes of all arrays in a value. */
function bytesIn(value: unknown): number {
  if (ArrayBuffer.isView(value)) return value.byteLength
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((sum, it) => sum + bytesIn(it), 0)
}

export const cooccurrenceIn = (trainingSet: TrainingSet, rowPower: number): Promise<Cooccurrence> =>
  trainingSet.part(`meetings ${rowPower}`, () => {
    const { rows, items } = trainingSet
    const keep = items > largeCatalog ? affordablePairs(rows, mostMeetings) : meetingsPerItem
    return cooccurrenceOf(rows, rowPower, keep)
  })

/** In larger catalogs all items together keep so many pairs and neighbours, 8 bytes each. */
const largeCatalog = 50_000
const mostMeetings = 40e6
const mostNeighbours = 15e6

/** How many of the wanted neighbours each item may keep. */
export const affordableNeighbours = (wanted: number, items: number): number =>
  items > largeCatalog ? Math.min(wanted, Math.floor(mostNeighbours / items)) : wanted

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
