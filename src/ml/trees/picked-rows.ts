import type { FeatureColumns } from './model.ts'

/** Rows of a table by their numbers, in that order. */
export function pickedRows(columns: FeatureColumns, rows: ArrayLike<number>): FeatureColumns {
  const take = (row: number) => row
  const chosen = Int32Array.from(rows, take)
  return {
    rows: chosen.length,
    floats: columns.floats.map((values) => Float32Array.from(chosen, (row) => values[row]!)),
    categories: columns.categories.map((hashes) => Int32Array.from(chosen, (row) => hashes[row]!)),
  }
}
