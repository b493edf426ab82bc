/**
 * Bins of float32 values: how many sorted borders lie strictly below; a NaN takes `missing`. The first step leaves one less
 * than a power of two of borders to choose among, so that all further steps are halves, the same for every row.
 */
export function quantise(values: usize, rows: usize, borders: usize, count: u32, missing: u32, out: usize): void {
  if (count == 0) return memory.fill(out, 0, rows)
  const power: usize = <usize>1 << (31 - clz(count))
  const rest = (<usize>count - power + 1) << 2
  // The border before the first: a step adds its length and finds the border that it asks for.
  const before = borders - 4
  let last = NaN as f32
  let bin = <u8>missing
  for (let row: usize = 0; row < rows; row++) {
    const value = load<f32>(values + (row << 2))
    // Neighbours are often alike: most sources do not know most of the rows.
    if (value != last) {
      let at = select<usize>(before + rest, before, value > load<f32>(before + (power << 2)))
      for (let half = power << 1; half >= 4; half >>= 1) at = select<usize>(at + half, at, value > load<f32>(at + half))
      bin = <u8>(value == value ? (at - before) >> 2 : <usize>missing)
      last = value
    }
    store<u8>(out + row, bin)
  }
}
