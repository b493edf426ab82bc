// asc: --enable threads --sharedMemory --maximumMemory 65536
// Grows symmetric trees. Gradient and weight of a row are integers packed into one i64, so sums are exact, any
// order of adding gives the same bytes, and a child's histogram may be had by subtraction from its parent's.
// Columns are stored twice: one after another, and in groups of eight bytes a row; threads take every n-th group.
export { quantise } from './shared/quantise'

import {
  orderField, packedField, groupsField, groupCountField, offsetsField, binsField,
  oneHotField, histField, slotBytesField, pairsField, pairCountField, slotsField,
  leafCountField, scoresField, scratchField, weightBitsField, cosineField, activeField,
  rowsField, l2Field, gradientStepField, weightStepField,
} from './shared/level-fields'

const scratchBytes: usize = 8192
const batchOffset: usize = 4096
const batchRows: usize = 256
/** Rows whose bins the second cache holds while one group after another is counted. */
const stripRows: usize = 4096

/** One thread's share of a level: histograms of smaller children, larger ones by subtraction, split scores. */
export function level(at: usize, thread: u32, threads: u32): void {
  const groupCount = load<u32>(at, groupCountField)
  let pair = <usize>load<u32>(at, pairsField)
  const end = pair + (<usize>load<u32>(at, pairCountField) << 4)
  for (; pair < end; pair += 16) fillPair(at, pair, thread, threads)
  for (let group = thread; group < groupCount; group += threads) {
    if (!isActive(at, group)) continue
    for (let column = group << 3; column < (group << 3) + 8; column++) {
      if (load<u32>(load<u32>(at, binsField) + (column << 2)) > 1) scoreColumn(at, column, thread)
    }
  }
}

// @ts-ignore: decorator
@inline
function isActive(at: usize, group: u32): bool {
  return load<u8>(load<u32>(at, activeField) + group) != 0
}

function scratchOf(at: usize, thread: u32): usize {
  return <usize>load<u32>(at, scratchField) + <usize>thread * scratchBytes
}

/** The histograms of one pair of children: the smaller counted strip by strip, the larger by subtraction. */
function fillPair(at: usize, pair: usize, thread: u32, threads: u32): void {
  const groupCount = load<u32>(at, groupCountField)
  const slotBytes = <usize>load<u32>(at, slotBytesField)
  const small = <usize>load<u32>(at, histField) + <usize>load<u32>(pair, 8) * slotBytes
  const count = <usize>load<u32>(pair, 4)
  const whole = count == <usize>load<u32>(at, rowsField)
  const batchBuffer = scratchOf(at, thread) + batchOffset
  for (let group = thread; group < groupCount; group += threads) {
    if (isActive(at, group)) memory.fill(small + groupFrom(at, group), 0, groupSize(at, group))
  }
  for (let done: usize = 0; done < count; done += stripRows) {
    const from = <usize>load<u32>(pair) + done
    const order = <usize>load<u32>(at, orderField) + (from << 2)
    const packed = <usize>load<u32>(at, packedField) + (from << 3)
    const strip = min(stripRows, count - done)
    for (let group = thread; group < groupCount; group += threads) {
      if (!isActive(at, group)) continue
      const place = <usize>load<u32>(at, groupsField) + (<usize>group << 3)
      const bytes = <usize>load<u32>(place)
      const stride = <usize>load<u32>(place, 4)
      const offsets = load<u32>(at, offsetsField) + (group << 5)
      if (whole) countInOrder(packed, strip, bytes + from * stride, stride, offsets, small)
      else countRows(order, packed, strip, bytes, stride, offsets, small, batchBuffer)
    }
  }
  const big = load<i32>(pair, 12)
  if (big < 0) return
  const large = <usize>load<u32>(at, histField) + <usize>big * slotBytes
  for (let group = thread; group < groupCount; group += threads) {
    const from = groupFrom(at, group)
    if (isActive(at, group)) subtract(large + from, small + from, groupSize(at, group))
  }
}

function groupFrom(at: usize, group: u32): usize {
  return <usize>load<u32>(load<u32>(at, offsetsField) + (group << 5)) << 3
}

function groupSize(at: usize, group: u32): usize {
  return groupFrom(at, group + 1) - groupFrom(at, group)
}

/**
 * Adds rows to the histograms of eight columns. Bins of a batch of rows are fetched first, close together, so that
 * many slow fetches of far rows are under way at once.
 */
function countRows(
  order: usize,
  packed: usize,
  count: usize,
  bytes: usize,
  stride: usize,
  offsets: usize,
  hist: usize,
  batchBuffer: usize,
): void {
  while (count > 0) {
    const batch = min(count, batchRows)
    const end = batchBuffer + (batch << 3)
    for (let cell = batchBuffer; cell < end; cell += 8) {
      store<u64>(cell, load<u64>(bytes + <usize>load<u32>(order) * stride))
      order += 4
    }
    countInOrder(packed, batch, batchBuffer, 8, offsets, hist)
    packed += batch << 3
    count -= batch
  }
}

/** The same for rows that follow one another. */
function countInOrder(
  packed: usize,
  count: usize,
  bytes: usize,
  stride: usize,
  offsets: usize,
  hist: usize,
): void {
  const h0 = hist + (<usize>load<u32>(offsets) << 3)
  const h1 = hist + (<usize>load<u32>(offsets, 4) << 3)
  const h2 = hist + (<usize>load<u32>(offsets, 8) << 3)
  const h3 = hist + (<usize>load<u32>(offsets, 12) << 3)
  const h4 = hist + (<usize>load<u32>(offsets, 16) << 3)
  const h5 = hist + (<usize>load<u32>(offsets, 20) << 3)
  const h6 = hist + (<usize>load<u32>(offsets, 24) << 3)
  const h7 = hist + (<usize>load<u32>(offsets, 28) << 3)
  const end = packed + (count << 3)
  for (; packed + 8 < end; packed += 16) {
    addRow(h0, h1, h2, h3, h4, h5, h6, h7, load<u64>(bytes), load<i64>(packed))
    addRow(h0, h1, h2, h3, h4, h5, h6, h7, load<u64>(bytes + stride), load<i64>(packed, 8))
    bytes += stride << 1
  }
  if (packed < end) addRow(h0, h1, h2, h3, h4, h5, h6, h7, load<u64>(bytes), load<i64>(packed))
}

// @ts-ignore: decorator
@inline
function addRow(
  h0: usize,
  h1: usize,
  h2: usize,
  h3: usize,
  h4: usize,
  h5: usize,
  h6: usize,
  h7: usize,
  bins: u64,
  value: i64,
): void {
  addAt(h0, bins, value)
  addAt(h1, bins >> 8, value)
  addAt(h2, bins >> 16, value)
  addAt(h3, bins >> 24, value)
  addAt(h4, bins >> 32, value)
  addAt(h5, bins >> 40, value)
  addAt(h6, bins >> 48, value)
  addAt(h7, bins >> 56, value)
}

// @ts-ignore: decorator
@inline
function addAt(hist: usize, bins: u64, value: i64): void {
  const cell = hist + (<usize>(bins & 255) << 3)
  store<i64>(cell, load<i64>(cell) + value)
}

function subtract(big: usize, small: usize, size: usize): void {
  const whole = size & ~15
  let i: usize = 0
  for (; i < whole; i += 16) v128.store(big + i, v128.sub<i64>(v128.load(big + i), v128.load(small + i)))
  for (; i < size; i += 8) store<i64>(big + i, load<i64>(big + i) - load<i64>(small + i))
}

function scoreColumn(at: usize, column: u32, thread: u32): void {
  const bins = load<u32>(load<u32>(at, binsField) + (column << 2))
  const oneHot = load<u32>(load<u32>(at, oneHotField) + (column << 2))
  const offset = <usize>load<u32>(load<u32>(at, offsetsField) + (column << 2)) << 3
  const scratch = scratchOf(at, thread)
  const hist = <usize>load<u32>(at, histField) + offset
  const slotBytes = <usize>load<u32>(at, slotBytesField)
  const slots = <usize>load<u32>(at, slotsField)
  const leafCount = load<u32>(at, leafCountField)
  const borders = bins - 1
  memory.fill(scratch, 0, <usize>borders << 4)
  for (let leaf: u32 = 0; leaf < leafCount; leaf++) {
    addLeafScores(at, hist + <usize>load<u32>(slots + (leaf << 2)) * slotBytes, bins, oneHot, scratch)
  }
  const scores = <usize>load<u32>(at, scoresField) + offset
  const cosine = load<u32>(at, cosineField)
  for (let border: u32 = 0; border < borders; border++) {
    const top = load<f64>(scratch + (border << 4))
    const below = load<f64>(scratch + (border << 4), 8)
    store<f64>(scores + (border << 3), cosine ? top / Math.sqrt(below + 1e-100) : top)
  }
}

function addLeafScores(at: usize, hist: usize, bins: u32, oneHot: u32, scratch: usize): void {
  const bits = <i64>load<u32>(at, weightBitsField)
  const mask = ((<i64>1) << bits) - 1
  const l2 = load<f64>(at, l2Field)
  const gradientStep = load<f64>(at, gradientStepField)
  const weightStep = load<f64>(at, weightStepField)
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

/**
 * Packs gradients and weights as integers, for the rows whose weight is not zero, in row order; returns how many.
 * `boots` are factors of a bootstrap, or 0 for none.
 */
export function start(
  ders: usize,
  weights: usize,
  boots: usize,
  rows: u32,
  order: usize,
  ordered: usize,
  bits: i64,
  gradientScale: f64,
  weightScale: f64,
): u32 {
  let count: u32 = 0
  for (let row: u32 = 0; row < rows; row++) {
    const at = <usize>row << 3
    const boot = boots ? load<f64>(boots + at) : 1
    const g = <i64>Math.floor(load<f64>(ders + at) * boot * gradientScale + 0.5)
    const w = <i64>Math.floor(load<f64>(weights + at) * boot * weightScale + 0.5)
    store<u32>(order + (count << 2), row)
    store<i64>(ordered + (count << 3), (g << bits) + w)
    count += w != 0 ? 1 : 0
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
  let left: usize = 0
  let right: usize = 0
  for (let i: usize = 0; i < <usize>count; i++) {
    const row = load<u32>(order + (i << 2))
    const value = load<i64>(ordered + (i << 3))
    const goes: usize = (<u32>load<u8>(column + row) ^ flip) >= threshold ? 1 : 0
    const orderTo = select<usize>(spareOrder + (right << 2), order + (left << 2), goes != 0)
    const packedTo = select<usize>(sparePacked + (right << 3), ordered + (left << 3), goes != 0)
    store<u32>(orderTo, row)
    store<i64>(packedTo, value)
    left += 1 - goes
    right += goes
  }
  memory.copy(order + (left << 2), spareOrder, right << 2)
  memory.copy(ordered + (left << 3), sparePacked, right << 3)
  return <u32>left
}

/** Interleaves eight columns, which follow one another in a table of addresses (0 for none), into a group. */
export function interleave(columns: usize, rows: usize, out: usize, stride: usize): void {
  for (let i: usize = 0; i < 8; i++) {
    const column = <usize>load<u32>(columns + (i << 2))
    if (column == 0) continue
    for (let row: usize = 0; row < rows; row++) store<u8>(out + row * stride + i, load<u8>(column + row))
  }
}

/** The leaf of every row, sixteen rows at a time; a split is 8 bytes: its column (u32), threshold and flip (u8). */
export function leavesOf(rows: u32, depth: u32, splits: usize, out: usize): void {
  for (let row: usize = 0; row < rows; row += 16) {
    let low = i8x16.splat(0)
    let high = i8x16.splat(0)
    for (let i: u32 = 0; i < depth; i++) {
      const split = splits + (i << 3)
      const bins = v128.xor(v128.load(<usize>load<u32>(split) + row), v128.load_splat<u8>(split, 5))
      const right = v128.ge<u8>(bins, v128.load_splat<u8>(split, 4))
      if (i < 8) low = v128.or(low, v128.and(right, i8x16.splat(i8(u32(1) << i))))
      else high = v128.or(high, v128.and(right, i8x16.splat(i8(u32(1) << (i - 8)))))
    }
    v128.store(out + (row << 1), v128.shuffle<u8>(low, high, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23))
    v128.store(
      out + (row << 1),
      v128.shuffle<u8>(low, high, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31),
      16,
    )
  }
}

/** Sums that scale a packing: |gradient|, weight, gradient squared, and whether all weights are whole. */
export function measure(ders: usize, weights: usize, boots: usize, rows: usize, out: usize): void {
  let gradients: f64 = 0
  let sum: f64 = 0
  let plain: f64 = 0
  let squares: f64 = 0
  let whole: f64 = 1
  for (let i: usize = 0; i < rows << 3; i += 8) {
    const boot = boots ? load<f64>(boots + i) : 1
    const der = load<f64>(ders + i)
    const weight = load<f64>(weights + i) * boot
    gradients += Math.abs(der * boot)
    sum += weight
    plain += load<f64>(weights + i)
    squares += der * der
    whole = Math.floor(weight) == weight ? whole : 0
  }
  store<f64>(out, gradients)
  store<f64>(out, sum, 8)
  store<f64>(out, plain, 16)
  store<f64>(out, squares, 24)
  store<f64>(out, whole, 32)
}

/** First and second derivatives of the logistic loss, two rows an instruction, four a step; `weights` are left alone. */
export function logistic(approx: usize, labels: usize, weights: usize, rows: usize, ders: usize, hess: usize): void {
  const one = f64x2.splat(1)
  for (let i: usize = 0; i < rows << 3; i += 32) {
    const first = f64x2.div(one, f64x2.add(one, exp2(f64x2.neg(v128.load(approx + i)))))
    const second = f64x2.div(one, f64x2.add(one, exp2(f64x2.neg(v128.load(approx + i, 16)))))
    const weight = v128.load(weights + i)
    const other = v128.load(weights + i, 16)
    v128.store(ders + i, f64x2.mul(f64x2.sub(v128.load(labels + i), first), weight))
    v128.store(ders + i, f64x2.mul(f64x2.sub(v128.load(labels + i, 16), second), other), 16)
    v128.store(hess + i, f64x2.mul(f64x2.mul(first, f64x2.sub(one, first)), weight))
    v128.store(hess + i, f64x2.mul(f64x2.mul(second, f64x2.sub(one, second)), other), 16)
  }
}

// exp by 2^k times a polynomial of the rest; the plain twin makes the same steps in the same order.
// @ts-ignore: decorator
@inline
function exp2(x: v128): v128 {
  const bounded = f64x2.max(f64x2.splat(-700), f64x2.min(f64x2.splat(700), x))
  const k = f64x2.floor(f64x2.add(f64x2.mul(bounded, f64x2.splat(1.4426950408889634)), f64x2.splat(0.5)))
  let r = f64x2.sub(bounded, f64x2.mul(k, f64x2.splat(0.6931471803691238)))
  r = f64x2.sub(r, f64x2.mul(k, f64x2.splat(1.9082149292705877e-10)))
  let p = f64x2.splat(1.6059043836821613e-10)
  p = f64x2.add(f64x2.mul(p, r), f64x2.splat(2.08767569878681e-9))
  p = f64x2.add(f64x2.mul(p, r), f64x2.splat(2.505210838544172e-8))
  p = f64x2.add(f64x2.mul(p, r), f64x2.splat(2.755731922398589e-7))
  p = f64x2.add(f64x2.mul(p, r), f64x2.splat(2.7557319223985893e-6))
  p = f64x2.add(f64x2.mul(p, r), f64x2.splat(2.48015873015873e-5))
  p = f64x2.add(f64x2.mul(p, r), f64x2.splat(1.984126984126984e-4))
  p = f64x2.add(f64x2.mul(p, r), f64x2.splat(1.388888888888889e-3))
  p = f64x2.add(f64x2.mul(p, r), f64x2.splat(8.333333333333333e-3))
  p = f64x2.add(f64x2.mul(p, r), f64x2.splat(4.1666666666666664e-2))
  p = f64x2.add(f64x2.mul(p, r), f64x2.splat(1.6666666666666666e-1))
  p = f64x2.add(f64x2.mul(p, r), f64x2.splat(0.5))
  p = f64x2.add(f64x2.mul(p, r), f64x2.splat(1))
  p = f64x2.add(f64x2.mul(p, r), f64x2.splat(1))
  const bits = i64x2.add(
    i64x2.extend_low_i32x4_s(i32x4.trunc_sat_f64x2_s_zero(k)),
    i64x2.splat(1023),
  )
  return f64x2.mul(p, i64x2.shl(bits, 52))
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
