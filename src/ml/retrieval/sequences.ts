// Sequences of items one after another in one array: a million of them as arrays of their own would take hundreds of
// megabytes for their headers alone.

export interface Sequences {
  readonly length: number
  /** Sequence s holds the items offsets[s] … offsets[s + 1] − 1. */
  offsets: Int32Array
  items: Int32Array
}

/** Sequences as arrays of their own, or in one. */
export type GivenSequences = ArrayLike<ArrayLike<number>> | Sequences

export const isFlat = (given: GivenSequences): given is Sequences => 'offsets' in given

export function flatSequences(given: GivenSequences): Sequences {
  if (isFlat(given)) return given
  const offsets = new Int32Array(given.length + 1)
  for (let s = 0; s < given.length; s++) offsets[s + 1] = offsets[s]! + given[s]!.length
  const items = new Int32Array(offsets[given.length]!)
  for (let s = 0; s < given.length; s++) items.set(given[s]!, offsets[s])
  return { length: given.length, offsets, items }
}
