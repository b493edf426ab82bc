// Adds the leaves of symmetric trees to sums, sixteen rows an instruction, one tree after another over a chunk
// of rows, so that a tree's splits stay in registers, its leaves in the first cache, and every sum is made in
// tree order, bit by bit as the plain twin makes it. A split is 4 bytes: column (u16), threshold (u8), flip (u8).
// A missing level has a zero bit. Leaves of tree t follow those of tree t - 1; rows are a multiple of sixteen.
export { quantise } from './shared/quantise'

const chunkRows: usize = 1024

export function addLeaves(
  bins: usize,
  stride: usize,
  rows: usize,
  trees: i32,
  depths: usize,
  splits: usize,
  leaves: usize,
  sums: usize,
): void {
  memory.fill(sums, 0, rows << 3)
  for (let from: usize = 0; from < rows; from += chunkRows) {
    const count = min(chunkRows, rows - from)
    let split = splits
    let leaf = leaves
    for (let tree = 0; tree < trees; tree++) {
      const depth = <usize>load<u8>(depths + tree)
      if (depth <= 6) shallow(bins + from, stride, count, depth, split, leaf, sums + (from << 3))
      else deep(bins + from, stride, count, depth, split, leaf, sums + (from << 3))
      split += depth << 2
      leaf += <usize>8 << depth
    }
  }
}

function shallow(
  bins: usize,
  stride: usize,
  rows: usize,
  depth: usize,
  split: usize,
  leaf: usize,
  sums: usize,
): void {
  let c0 = column(bins, stride, split, depth, 0)
  let c1 = column(bins, stride, split, depth, 1)
  let c2 = column(bins, stride, split, depth, 2)
  let c3 = column(bins, stride, split, depth, 3)
  let c4 = column(bins, stride, split, depth, 4)
  let c5 = column(bins, stride, split, depth, 5)
  const b0 = bit(depth, 0)
  const b1 = bit(depth, 1)
  const b2 = bit(depth, 2)
  const b3 = bit(depth, 3)
  const b4 = bit(depth, 4)
  const b5 = bit(depth, 5)
  const t0 = v128.load_splat<u8>(split, 2)
  const t1 = v128.load_splat<u8>(split, 6)
  const t2 = v128.load_splat<u8>(split, 10)
  const t3 = v128.load_splat<u8>(split, 14)
  const t4 = v128.load_splat<u8>(split, 18)
  const t5 = v128.load_splat<u8>(split, 22)
  const f0 = v128.load_splat<u8>(split, 3)
  const f1 = v128.load_splat<u8>(split, 7)
  const f2 = v128.load_splat<u8>(split, 11)
  const f3 = v128.load_splat<u8>(split, 15)
  const f4 = v128.load_splat<u8>(split, 19)
  const f5 = v128.load_splat<u8>(split, 23)
  const end = sums + (rows << 3)
  for (let row: usize = 0; sums < end; row += 16) {
    let at = v128.and(v128.ge<u8>(v128.xor(v128.load(c0 + row), f0), t0), b0)
    at = v128.or(at, v128.and(v128.ge<u8>(v128.xor(v128.load(c1 + row), f1), t1), b1))
    at = v128.or(at, v128.and(v128.ge<u8>(v128.xor(v128.load(c2 + row), f2), t2), b2))
    at = v128.or(at, v128.and(v128.ge<u8>(v128.xor(v128.load(c3 + row), f3), t3), b3))
    at = v128.or(at, v128.and(v128.ge<u8>(v128.xor(v128.load(c4 + row), f4), t4), b4))
    at = v128.or(at, v128.and(v128.ge<u8>(v128.xor(v128.load(c5 + row), f5), t5), b5))
    addEight(leaf, v128.extract_lane<u64>(at, 0), sums)
    addEight(leaf, v128.extract_lane<u64>(at, 1), sums + 64)
    sums += 128
  }
}

function deep(
  bins: usize,
  stride: usize,
  rows: usize,
  depth: usize,
  splits: usize,
  leaf: usize,
  sums: usize,
): void {
  for (let row: usize = 0; row < rows; row += 16) {
    let at = i8x16.splat(0)
    let bits = i8x16.splat(1)
    for (let split = splits; split < splits + (depth << 2); split += 4) {
      const bin = v128.load(bins + <usize>load<u16>(split) * stride + row)
      const right = v128.ge<u8>(v128.xor(bin, v128.load_splat<u8>(split, 3)), v128.load_splat<u8>(split, 2))
      at = v128.or(at, v128.and(right, bits))
      bits = v128.add<u8>(bits, bits)
    }
    addEight(leaf, v128.extract_lane<u64>(at, 0), sums)
    addEight(leaf, v128.extract_lane<u64>(at, 1), sums + 64)
    sums += 128
  }
}

// @ts-ignore: decorator
@inline
function column(bins: usize, stride: usize, split: usize, depth: usize, level: usize): usize {
  return level < depth ? bins + <usize>load<u16>(split + (level << 2)) * stride : bins
}

// @ts-ignore: decorator
@inline
function bit(depth: usize, level: usize): v128 {
  return i8x16.splat(level < depth ? i8(u32(1) << u32(level)) : 0)
}

// @ts-ignore: decorator
@inline
function addEight(leaf: usize, at: u64, sums: usize): void {
  v128.store(sums, f64x2.add(v128.load(sums), pair(leaf, at)))
  v128.store(sums, f64x2.add(v128.load(sums, 16), pair(leaf, at >> 16)), 16)
  v128.store(sums, f64x2.add(v128.load(sums, 32), pair(leaf, at >> 32)), 32)
  v128.store(sums, f64x2.add(v128.load(sums, 48), pair(leaf, at >> 48)), 48)
}

// @ts-ignore: decorator
@inline
function pair(leaf: usize, at: u64): v128 {
  const low = v128.load64_zero(leaf + (<usize>(at & 255) << 3))
  return v128.load64_lane(leaf + (<usize>((at >> 8) & 255) << 3), low, 1)
}
