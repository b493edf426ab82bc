// Rows by their values in a column. Plain loops: the methods of typed arrays call a function for every row.

type Column = Float64Array | Uint32Array | Uint8Array

/** The rows whose value is at least this, in their order. */
export function rowsFrom(slots: Int32Array, column: Column, least: number): Int32Array {
  const kept = new Int32Array(slots.length)
  let count = 0
  for (let at = 0; at < slots.length; at++) if (column[slots[at]!]! >= least) kept[count++] = slots[at]!
  return kept.subarray(0, count)
}

/** The largest value of the rows; 0 when there is none. */
export function largest(slots: Int32Array, column: Column): number {
  let most = 0
  for (let at = 0; at < slots.length; at++) {
    const value = column[slots[at]!]!
    if (value > most) most = value
  }
  return most
}
