// asc: --enable relaxed-simd --enable threads --sharedMemory --initialMemory 1 --maximumMemory 65536 --noExportMemory
// Finds rows of floats with a large dot product through a copy of the rows in codes of one byte. A row's code is
// value / step to the nearest integer, with a step of its own. Rows have `k` values, k a multiple of 8.

import { dot } from './shared/dot'

// What a place of the codes knows of its row, in bytes.
const stepField: usize = 0
const errorField: usize = 4
const normField: usize = 8
const rowField: usize = 12
const termBytes: usize = 16

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

/** Writes the codes and the terms of the rows that `order` names; a row of infinite norm has codes of zero. */
export function encode(rows: usize, order: usize, norms: usize, count: u32, k: u32, codes: usize, terms: usize): void {
  const line = <usize>k * 4
  for (let at: u32 = 0; at < count; at++) {
    const index = load<u32>(order + <usize>at * 4)
    const norm = load<f32>(norms + <usize>index * 4)
    const code = codes + <usize>at * k
    const term = terms + <usize>at * termBytes
    let step: f32 = 0
    let error: f32 = norm
    if (norm > 0 && norm < Infinity) {
      const row = rows + <usize>index * line
      step = largestOf(row, line) / largestCode
      error = encodeRow(row, line, step, code)
    } else memory.fill(code, 0, k)
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
    const pairs = i16x8.narrow_i32x4_s(i32x4.trunc_sat_f32x4_s(wholeA), i32x4.trunc_sat_f32x4_s(wholeB))
    v128.store64_lane(code + (c >> 2), i8x16.narrow_i16x8_s(pairs, pairs), 0)
  }
  return sqrt<f32>(sumOf(rest))
}

/**
 * Of the places from … to: row and dot product of each row that may have a product of at least `least`, written to `found`.
 * `words` is the query in words of two bytes, in steps of `step`. A row's product is at most that of the codes, plus
 * `perError` times what the codes leave out of the row, plus `perNorm` times its norm.
 */
export function search(
  words: usize, query: usize, rows: usize, codes: usize, terms: usize, k: u32, from: u32, to: u32,
  step: f32, perError: f32, perNorm: f32, least: f32, found: usize,
): u32 {
  const line = <usize>k * 4
  let size: u32 = 0
  for (let at = from; at < to; at++) {
    const code = codes + <usize>at * k
    const term = terms + <usize>at * termBytes
    let sum = i32x4.splat(0)
    for (let c: usize = 0; c < <usize>k; c += 8)
      sum = i32x4.add(sum, i32x4.dot_i16x8_s(v128.load8x8_s(code + c), v128.load(words + 2 * c)))
    const whole = (i32x4.extract_lane(sum, 0) + i32x4.extract_lane(sum, 1)) +
      (i32x4.extract_lane(sum, 2) + i32x4.extract_lane(sum, 3))
    const upper = <f32>whole * (load<f32>(term + stepField) * step) +
      (load<f32>(term + errorField) * perError + load<f32>(term + normField) * perNorm)
    // Also true without a number: such a row is left to its exact product.
    if (!(upper < least)) {
      const index = load<u32>(term + rowField)
      const score = dot(query, rows + <usize>index * line, line)
      if (score >= least) {
        store<u32>(found + <usize>size * 8, index)
        store<f32>(found + <usize>size * 8, score, 4)
        size++
      }
    }
  }
  return size
}
