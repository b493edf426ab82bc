// asc: --enable threads --sharedMemory --maximumMemory 65536
// Grows symmetric trees. Gradient and weight of a row are integers packed into one i64, so sums are exact, any
// order of adding gives the same bytes, and a child's histogram may be had by subtraction from its parent's.
// Columns stand in groups of four bytes a row; threads take every n-th group.

// Fields of the level descriptor, in i32 steps; three f64 follow at byte 80.
const ORDER: usize = 0
const PACKED: usize = 4
const GROUPS: usize = 8
const GROUP_COUNT: usize = 12
const OFFSETS: usize = 16
const BINS: usize = 20
const ONE_HOT: usize = 24
const HIST: usize = 28
const SLOT_BYTES: usize = 32
const PAIRS: usize = 36
const PAIR_COUNT: usize = 40
const SLOTS: usize = 44
const LEAF_COUNT: usize = 48
const SCORES: usize = 52
const SCRATCH: usize = 56
const WEIGHT_BITS: usize = 60
const COSINE: usize = 64
const ACTIVE: usize = 68
const L2: usize = 80
const GRADIENT_STEP: usize = 88
const WEIGHT_STEP: usize = 96

const SCRATCH_BYTES: usize = 8192

/** One thread's share of a level: histograms of smaller children, larger ones by subtraction, split scores. */
export function level(at: usize, thread: u32, threads: u32): void {
  const groupCount = load<u32>(at, GROUP_COUNT)
  for (let group = thread; group < groupCount; group += threads) {
    if (load<u8>(load<u32>(at, ACTIVE) + group) == 0) continue
    fillGroup(at, group)
    for (let column = group << 2; column < (group << 2) + 4; column++) {
      if (load<u32>(load<u32>(at, BINS) + (column << 2)) > 1) scoreColumn(at, column, thread)
    }
  }
}

function fillGroup(at: usize, group: u32): void {
  const offsets = load<u32>(at, OFFSETS) + (group << 4)
  const from = <usize>load<u32>(offsets) << 3
  const h1 = (<usize>load<u32>(offsets, 4) << 3) - from
  const h2 = (<usize>load<u32>(offsets, 8) << 3) - from
  const h3 = (<usize>load<u32>(offsets, 12) << 3) - from
  const size = (<usize>load<u32>(offsets, 16) << 3) - from
  const bytes = <usize>load<u32>(load<u32>(at, GROUPS) + (group << 2))
  const order = <usize>load<u32>(at, ORDER)
  const packed = <usize>load<u32>(at, PACKED)
  const slotBytes = <usize>load<u32>(at, SLOT_BYTES)
  const hist = <usize>load<u32>(at, HIST) + from
  let pair = <usize>load<u32>(at, PAIRS)
  const end = pair + (<usize>load<u32>(at, PAIR_COUNT) << 4)
  for (; pair < end; pair += 16) {
    const start = <usize>load<u32>(pair)
    const count = <usize>load<u32>(pair, 4)
    const small = hist + <usize>load<u32>(pair, 8) * slotBytes
    memory.fill(small, 0, size)
    countRows(order + (start << 2), packed + (start << 3), count, bytes, small, small + h1, small + h2, small + h3)
    const big = load<i32>(pair, 12)
    if (big >= 0) subtract(hist + <usize>big * slotBytes, small, size)
  }
}

function countRows(
  order: usize,
  packed: usize,
  count: usize,
  bytes: usize,
  h0: usize,
  h1: usize,
  h2: usize,
  h3: usize,
): void {
  const end = order + (count << 2)
  for (; order < end; order += 4) {
    const bins = load<u32>(bytes + (<usize>load<u32>(order) << 2))
    const value = load<i64>(packed)
    packed += 8
    const p0 = h0 + ((bins & 255) << 3)
    const p1 = h1 + (((bins >> 8) & 255) << 3)
    const p2 = h2 + (((bins >> 16) & 255) << 3)
    const p3 = h3 + ((bins >> 24) << 3)
    store<i64>(p0, load<i64>(p0) + value)
    store<i64>(p1, load<i64>(p1) + value)
    store<i64>(p2, load<i64>(p2) + value)
    store<i64>(p3, load<i64>(p3) + value)
  }
}

function subtract(big: usize, small: usize, size: usize): void {
  const whole = size & ~15
  let i: usize = 0
  for (; i < whole; i += 16) v128.store(big + i, v128.sub<i64>(v128.load(big + i), v128.load(small + i)))
  for (; i < size; i += 8) store<i64>(big + i, load<i64>(big + i) - load<i64>(small + i))
}

function scoreColumn(at: usize, column: u32, thread: u32): void {
  const bins = load<u32>(load<u32>(at, BINS) + (column << 2))
  const oneHot = load<u32>(load<u32>(at, ONE_HOT) + (column << 2))
  const offset = <usize>load<u32>(load<u32>(at, OFFSETS) + (column << 2)) << 3
  const scratch = <usize>load<u32>(at, SCRATCH) + thread * SCRATCH_BYTES
  const hist = <usize>load<u32>(at, HIST) + offset
  const slotBytes = <usize>load<u32>(at, SLOT_BYTES)
  const slots = <usize>load<u32>(at, SLOTS)
  const leafCount = load<u32>(at, LEAF_COUNT)
  const borders = bins - 1
  memory.fill(scratch, 0, <usize>borders << 4)
  for (let leaf: u32 = 0; leaf < leafCount; leaf++) {
    addLeafScores(at, hist + <usize>load<u32>(slots + (leaf << 2)) * slotBytes, bins, oneHot, scratch)
  }
  const scores = <usize>load<u32>(at, SCORES) + offset
  const cosine = load<u32>(at, COSINE)
  for (let border: u32 = 0; border < borders; border++) {
    const top = load<f64>(scratch + (border << 4))
    const below = load<f64>(scratch + (border << 4), 8)
    store<f64>(scores + (border << 3), cosine ? top / Math.sqrt(below + 1e-100) : top)
  }
}

function addLeafScores(at: usize, hist: usize, bins: u32, oneHot: u32, scratch: usize): void {
  const bits = <i64>load<u32>(at, WEIGHT_BITS)
  const mask = ((<i64>1) << bits) - 1
  const l2 = load<f64>(at, L2)
  const gradientStep = load<f64>(at, GRADIENT_STEP)
  const weightStep = load<f64>(at, WEIGHT_STEP)
  let total: i64 = 0
  for (let bin: u32 = 0; bin < bins; bin++) total += load<i64>(hist + (bin << 3))
  if ((total & mask) == 0) return
  let left: i64 = 0
  for (let border: u32 = 0; border < bins - 1; border++) {
    left = oneHot ? total - load<i64>(hist + (border << 3), 8) : left + load<i64>(hist + (border << 3))
    const right = total - left
    const g0 = <f64>(left >> bits) * gradientStep
    const w0 = <f64>(left & mask) * weightStep
    const g1 = <f64>(right >> bits) * gradientStep
    const w1 = <f64>(right & mask) * weightStep
    const a0 = w0 > 0 ? g0 / (w0 + l2) : 0
    const a1 = w1 > 0 ? g1 / (w1 + l2) : 0
    const cell = scratch + (border << 4)
    store<f64>(cell, load<f64>(cell) + (a0 * g0 + a1 * g1))
    store<f64>(cell, load<f64>(cell, 8) + (a0 * a0 * w0 + a1 * a1 * w1), 8)
  }
}

/** Packs gradients and weights of rows as integers; `boots` are factors of a bootstrap, or 0 for none. */
export function pack(
  ders: usize,
  weights: usize,
  boots: usize,
  rows: usize,
  out: usize,
  bits: i64,
  gradientScale: f64,
  weightScale: f64,
): void {
  for (let i: usize = 0; i < rows << 3; i += 8) {
    const boot = boots ? load<f64>(boots + i) : 1
    const g = <i64>Math.floor(load<f64>(ders + i) * boot * gradientScale + 0.5)
    const w = <i64>Math.floor(load<f64>(weights + i) * boot * weightScale + 0.5)
    store<i64>(out + i, (g << bits) + w)
  }
}

/** Rows whose weight is not zero, in row order, with their packed values beside them; returns how many. */
export function start(packed: usize, rows: u32, bits: i64, order: usize, ordered: usize): u32 {
  const mask = ((<i64>1) << bits) - 1
  let count: u32 = 0
  for (let row: u32 = 0; row < rows; row++) {
    const value = load<i64>(packed + (row << 3))
    store<u32>(order + (count << 2), row)
    store<i64>(ordered + (count << 3), value)
    count += (value & mask) != 0 ? 1 : 0
  }
  return count
}

/** Puts a segment's left rows before its right rows, both in their order; returns how many went left. */
export function partition(
  order: usize,
  ordered: usize,
  spareOrder: usize,
  sparePacked: usize,
  count: u32,
  column: usize,
  threshold: u32,
  flip: u32,
): u32 {
  let left: u32 = 0
  let right: u32 = 0
  for (let i: u32 = 0; i < count; i++) {
    const row = load<u32>(order + (i << 2))
    const value = load<i64>(ordered + (i << 3))
    const goes: u32 = (<u32>load<u8>(column + (<usize>row << 2)) ^ flip) >= threshold ? 1 : 0
    store<u32>(order + (left << 2), row)
    store<i64>(ordered + (left << 3), value)
    store<u32>(spareOrder + (right << 2), row)
    store<i64>(sparePacked + (right << 3), value)
    left += 1 - goes
    right += goes
  }
  memory.copy(order + (left << 2), spareOrder, right << 2)
  memory.copy(ordered + (left << 3), sparePacked, right << 3)
  return left
}

/** The leaf of every row; a split is 8 bytes: address of its column (u32), threshold (u8), flip (u8). */
export function leavesOf(rows: u32, depth: u32, splits: usize, out: usize): void {
  memory.fill(out, 0, <usize>rows << 1)
  for (let i: u32 = 0; i < depth; i++) {
    const column = <usize>load<u32>(splits + (i << 3))
    const threshold = <u32>load<u8>(splits + (i << 3), 4)
    const flip = <u32>load<u8>(splits + (i << 3), 5)
    for (let row: u32 = 0; row < rows; row++) {
      const goes: u32 = (<u32>load<u8>(column + (<usize>row << 2)) ^ flip) >= threshold ? 1 : 0
      const cell = out + (row << 1)
      store<u16>(cell, <u16>(<u32>load<u16>(cell) | (goes << i)))
    }
  }
}

/** Adds a value of each row to its leaf's sum, in row order. */
export function leafSums(leaves: usize, values: usize, rows: u32, sums: usize): void {
  for (let row: u32 = 0; row < rows; row++) {
    const cell = sums + (<usize>load<u16>(leaves + (row << 1)) << 3)
    store<f64>(cell, load<f64>(cell) + load<f64>(values + (row << 3)))
  }
}

/** Adds its leaf's value to every row. */
export function addValues(leaves: usize, values: usize, rows: u32, approx: usize): void {
  for (let row: u32 = 0; row < rows; row++) {
    const cell = approx + (row << 3)
    store<f64>(cell, load<f64>(cell) + load<f64>(values + (<usize>load<u16>(leaves + (row << 1)) << 3)))
  }
}
