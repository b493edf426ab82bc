// asc: --enable relaxed-simd --enable threads --sharedMemory --initialMemory 1 --maximumMemory 65536 --noExportMemory
// Finds rows of floats with a large dot product through a copy of the rows in codes of one byte. A row's code is
// value / step to the nearest integer, with a step of its own. Rows have `k` values, k a multiple of 8.

import { dot } from './shared/dot'

// Codes lie in blocks of eight rows: two values of each row side by side, then the next two. Behind the codes of all blocks
// are their terms, eight floats of each kind.
const rowsABlock: u32 = 8
const pairBytes: usize = 16
const stepField: usize = 0
const errorField: usize = 32
const normField: usize = 64
const rowField: usize = 96
const termBytes: usize = 128
/** In place of a row where a block is not full. */
const noRow: u32 = 0xffffffff

// What a stage of the bound is made of.
const endField: usize = 0
const perErrorField: usize = 4
const perNormField: usize = 8
const stageBytes: usize = 12
const stageCount: u32 = 3

// The state of a search.
const mostField: usize = 0
const keptField: usize = 4
const foundField: usize = 8

const largestCode: f32 = 127
const smallestSquare: f32 = 1e-28
const largestSquare: f32 = 1e28

// @ts-ignore: decorator
@inline
function sumOf(a: v128): f32 {
  return (f32x4.extract_lane(a, 0) + f32x4.extract_lane(a, 1)) + (f32x4.extract_lane(a, 2) + f32x4.extract_lane(a, 3))
}

/** The largest magnitude of a row; not a number if one of its values is not. */
function largestOf(row: usize, line: usize): f32 {
  let top = f32x4.splat(0)
  for (let c: usize = 0; c < line; c += 16) top = f32x4.max(top, f32x4.abs(v128.load(row + c)))
  const low = max(f32x4.extract_lane(top, 0), f32x4.extract_lane(top, 1))
  return max(low, max(f32x4.extract_lane(top, 2), f32x4.extract_lane(top, 3)))
}

/** The norm of each row; infinite for a row whose square single floats do not hold. */
export function norms(rows: usize, count: u32, k: u32, out: usize): void {
  const line = <usize>k * 4
  for (let at: u32 = 0; at < count; at++) {
    const row = rows + <usize>at * line
    const square = dot(row, row, line)
    const isUsual = square >= smallestSquare && square <= largestSquare
    const norm = isUsual ? sqrt<f32>(square) : largestOf(row, line) == 0 ? <f32>0 : <f32>Infinity
    store<f32>(out + <usize>at * 4, norm)
  }
}

/**
 * Writes codes and terms of the rows that `order` names to the blocks from … to, whose codes are zero; those of a row of
 * infinite norm stay so.
 */
export function encode(
  rows: usize, order: usize, norms: usize, from: u32, to: u32, k: u32, codes: usize, terms: usize,
): void {
  const line = <usize>k * 4
  for (let place = from * rowsABlock; place < to * rowsABlock; place++) {
    const block = <usize>(place / rowsABlock)
    const lane = <usize>(place % rowsABlock)
    const index = load<u32>(order + <usize>place * 4)
    const norm: f32 = index == noRow ? <f32>0 : load<f32>(norms + <usize>index * 4)
    let step: f32 = 0
    let error: f32 = norm
    if (norm > 0 && norm < Infinity) {
      const row = rows + <usize>index * line
      step = largestOf(row, line) / largestCode
      error = encodeRow(row, line, step, codes + block * rowsABlock * k + lane * 2)
    }
    const term = terms + block * termBytes + lane * 4
    store<f32>(term + stepField, step)
    store<f32>(term + errorField, error)
    store<f32>(term + normField, norm)
    store<u32>(term + rowField, index)
  }
}

/** Writes one row of codes and returns the norm of what they leave out. */
function encodeRow(row: usize, line: usize, step: f32, code: usize): f32 {
  const wide = f32x4.splat(step)
  let rest = f32x4.splat(0)
  for (let c: usize = 0; c < line; c += 32) {
    const a = v128.load(row + c), b = v128.load(row + c, 16)
    const wholeA = f32x4.nearest(f32x4.div(a, wide)), wholeB = f32x4.nearest(f32x4.div(b, wide))
    const restA = f32x4.sub(a, f32x4.mul(wholeA, wide)), restB = f32x4.sub(b, f32x4.mul(wholeB, wide))
    rest = f32x4.add(rest, f32x4.add(f32x4.mul(restA, restA), f32x4.mul(restB, restB)))
    const words = i16x8.narrow_i32x4_s(i32x4.trunc_sat_f32x4_s(wholeA), i32x4.trunc_sat_f32x4_s(wholeB))
    const bytes = i8x16.narrow_i16x8_s(words, words)
    const to = code + (c >> 3) * pairBytes
    v128.store16_lane(to, bytes, 0)
    v128.store16_lane(to + pairBytes, bytes, 1)
    v128.store16_lane(to + 2 * pairBytes, bytes, 2)
    v128.store16_lane(to + 3 * pairBytes, bytes, 3)
  }
  return sqrt<f32>(sumOf(rest))
}

// @ts-ignore: decorator
@inline
function productOf(sum: v128, term: usize, step: v128): v128 {
  return f32x4.mul(f32x4.convert_i32x4_s(sum), f32x4.mul(v128.load(term + stepField), step))
}

/** By how much the products of four rows may differ from those of their codes. */
// @ts-ignore: decorator
@inline
function restOf(term: usize, stage: usize): v128 {
  return f32x4.add(
    f32x4.mul(v128.load(term + errorField), v128.load32_splat(stage + perErrorField)),
    f32x4.mul(v128.load(term + normField), v128.load32_splat(stage + perNormField)))
}

/** Which of four rows may reach `least`; also those without a number, which are left to their exact product. */
// @ts-ignore: decorator
@inline
function mayReach(upper: v128, least: v128): u32 {
  return ~i32x4.bitmask(f32x4.lt(upper, least)) & 15
}

/** The least of the `most` largest lower bounds: a row that cannot reach it is not among the best. */
// @ts-ignore: decorator
@inline
function leastOf(state: usize, heap: usize): f32 {
  return load<u32>(state + keptField) < load<u32>(state + mostField) ? <f32>-Infinity : load<f32>(heap)
}

/** Keeps a lower bound in the heap of the largest, its least first. */
function keep(state: usize, heap: usize, value: f32): void {
  const most = load<u32>(state + mostField)
  let size = load<u32>(state + keptField)
  let at: u32 = 0
  if (size < most) {
    at = size++
    store<u32>(state + keptField, size)
    for (; at > 0; at = (at - 1) >> 1) {
      const parent = load<f32>(heap + <usize>((at - 1) >> 1) * 4)
      if (parent <= value) break
      store<f32>(heap + <usize>at * 4, parent)
    }
  } else {
    if (value <= load<f32>(heap)) return
    for (;;) {
      let child: u32 = 2 * at + 1
      if (child >= size) break
      let low = load<f32>(heap + <usize>child * 4)
      if (child + 1 < size) {
        const other = load<f32>(heap + <usize>child * 4, 4)
        if (other < low) {
          low = other
          child++
        }
      }
      if (value <= low) break
      store<f32>(heap + <usize>at * 4, low)
      at = child
    }
  }
  store<f32>(heap + <usize>at * 4, value)
}

/**
 * Adds the rows of the blocks from … to that may be among the best to `found`, with the most that their product can be.
 * `words` names the pairs of values of the query, the largest first: where they are in a block, and the pair in words of
 * two bytes in steps of `step`. After each stage the values not yet read are bounded by their norms. `reach` times the norm
 * of a row is the most that its product and those of later rows can be.
 */
export function search(
  words: usize, stages: usize, codes: usize, terms: usize, k: u32, from: u32, to: u32,
  step: f32, reach: f32, state: usize, heap: usize, found: usize,
): void {
  const wideStep = f32x4.splat(step)
  let next = found + <usize>load<u32>(state + foundField) * 8
  let least = leastOf(state, heap)
  for (let block = from; block < to; block++) {
    const code = codes + <usize>block * rowsABlock * k
    const term = terms + <usize>block * termBytes
    if (load<f32>(term + normField) * reach < least) break
    const wideLeast = f32x4.splat(least)
    let low = i32x4.splat(0), high = low, upperLow = low, upperHigh = low
    let word = words
    let open: u32 = 255
    let own = stages
    for (let stage: u32 = 0; stage < stageCount && open != 0; stage++) {
      own = stages + <usize>stage * stageBytes
      const end = words + <usize>load<u32>(own + endField) * 8
      for (; word < end; word += 8) {
        const at = code + <usize>load<u32>(word)
        const pair = v128.load32_splat(word, 4)
        low = i32x4.add(low, i32x4.dot_i16x8_s(v128.load8x8_s(at), pair))
        high = i32x4.add(high, i32x4.dot_i16x8_s(v128.load8x8_s(at, 8), pair))
      }
      upperLow = f32x4.add(productOf(low, term, wideStep), restOf(term, own))
      upperHigh = f32x4.add(productOf(high, term + 16, wideStep), restOf(term + 16, own))
      open = mayReach(upperLow, wideLeast) | mayReach(upperHigh, wideLeast) << 4
    }
    if (open == 0) continue
    // Aside, to be read by lane.
    v128.store(state + 16, upperLow)
    v128.store(state + 32, upperHigh)
    v128.store(state + 48, f32x4.sub(productOf(low, term, wideStep), restOf(term, own)))
    v128.store(state + 64, f32x4.sub(productOf(high, term + 16, wideStep), restOf(term + 16, own)))
    for (; open != 0; open &= open - 1) {
      const lane = <usize>ctz(open) * 4
      const index = load<u32>(term + rowField + lane)
      if (index == noRow) continue
      store<u32>(next, index)
      store<f32>(next, load<f32>(state + 16 + lane), 4)
      next += 8
      const lower = load<f32>(state + 48 + lane)
      if (lower > -Infinity) keep(state, heap, lower)
    }
    least = leastOf(state, heap)
  }
  store<u32>(state + foundField, <u32>((next - found) >> 3))
}

/** Replaces what was found by the rows that may be among the best in the end, with their dot products. */
export function settle(query: usize, rows: usize, k: u32, state: usize, heap: usize, found: usize): u32 {
  const line = <usize>k * 4
  const least = leastOf(state, heap)
  const count = load<u32>(state + foundField)
  let size: u32 = 0
  for (let at: u32 = 0; at < count; at++) {
    const one = found + <usize>at * 8
    if (load<f32>(one, 4) < least) continue
    const index = load<u32>(one)
    store<u32>(found + <usize>size * 8, index)
    store<f32>(found + <usize>size * 8, dot(query, rows + <usize>index * line, line), 4)
    size++
  }
  return size
}
