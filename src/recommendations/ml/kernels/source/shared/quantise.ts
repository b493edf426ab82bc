/** Bins of float32 values: how many sorted borders lie strictly below; a NaN takes `missing`. */
export function quantise(values: usize, rows: usize, borders: usize, count: u32, missing: u32, out: usize): void {
  for (let row: usize = 0; row < rows; row++) {
    const value = load<f32>(values + (row << 2))
    let low: u32 = 0
    let left = count
    while (left > 1) {
      const half = left >> 1
      low = select<u32>(low + half, low, value > load<f32>(borders + ((low + half - 1) << 2)))
      left -= half
    }
    low += left == 1 && value > load<f32>(borders + (low << 2)) ? 1 : 0
    store<u8>(out + row, <u8>(value == value ? low : missing))
  }
}
