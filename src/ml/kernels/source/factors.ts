// asc: --enable relaxed-simd --enable threads --sharedMemory --initialMemory 1 --maximumMemory 65536 --noExportMemory
// Small dense algebra on rows of `k` floats, k a multiple of 8: products, and ridge systems solved by Cholesky.
// Matrices are k × k, row-major; only their upper triangle of 8 × 8 tiles is computed and read.

import { dot } from './shared/dot'

/** out = rowsᵀ × rows, upper tiles. */
export function gram(rows: usize, count: u32, k: u32, out: usize): void {
  memory.fill(out, 0, <usize>k * k * 4)
  addProducts(rows, count, k, out)
}

function addProducts(rows: usize, count: u32, k: u32, out: usize): void {
  const line = <usize>k * 4
  for (let i: u32 = 0; i < k; i += 4) {
    for (let j = i & ~7; j < k; j += 8) {
      joinTile<Added>(out + (<usize>i * k + j) * 4, line, rows + <usize>i * 4, rows + <usize>j * 4, count)
    }
  }
}

// A type that stands for a sign, so that the compiler makes two loops of one text.
type Added = u32
type TakenOff = i32

// @ts-ignore: decorator
@inline
function joined<Sign>(a: v128, b: v128, sum: v128): v128 {
  return isSigned<Sign>() ? f32x4.relaxed_nmadd(a, b, sum) : f32x4.relaxed_madd(a, b, sum)
}

/** Four lines of eight: as many sums as the registers of the poorest machine hold beside what they are made of. */
function joinTile<Sign>(c: usize, line: usize, a: usize, b: usize, count: u32): void {
  const c1 = c + line, c2 = c1 + line, c3 = c2 + line
  let s00 = v128.load(c), s01 = v128.load(c, 16), s10 = v128.load(c1), s11 = v128.load(c1, 16)
  let s20 = v128.load(c2), s21 = v128.load(c2, 16), s30 = v128.load(c3), s31 = v128.load(c3, 16)
  const end = b + <usize>count * line
  for (; b < end; b += line) {
    const b0 = v128.load(b), b1 = v128.load(b, 16)
    let w = v128.load32_splat(a)
    s00 = joined<Sign>(w, b0, s00); s01 = joined<Sign>(w, b1, s01)
    w = v128.load32_splat(a, 4)
    s10 = joined<Sign>(w, b0, s10); s11 = joined<Sign>(w, b1, s11)
    w = v128.load32_splat(a, 8)
    s20 = joined<Sign>(w, b0, s20); s21 = joined<Sign>(w, b1, s21)
    w = v128.load32_splat(a, 12)
    s30 = joined<Sign>(w, b0, s30); s31 = joined<Sign>(w, b1, s31)
    a += line
  }
  v128.store(c, s00); v128.store(c, s01, 16); v128.store(c1, s10); v128.store(c1, s11, 16)
  v128.store(c2, s20); v128.store(c2, s21, 16); v128.store(c3, s30); v128.store(c3, s31, 16)
}

const chunk: u32 = 64

/** Asks for rows that lie far apart all at once: their cache lines then come side by side, not one after the other. */
function touch(indices: usize, count: u32, rows: usize, line: usize): u32 {
  let seen: u32 = 0
  for (let t: u32 = 0; t < count; t++) {
    const row = rows + <usize>load<u32>(indices + <usize>t * 4) * line
    for (let c: usize = 0; c < line; c += 64) seen |= load<u32>(row + c)
  }
  return seen
}

/**
 * Solves rows from … to of one side: (base + Σ y yᵀ + ridge[row] · I) x = Σ y over the row's entries. `scratch`
 * holds k² + 65 k floats. A row with no entries becomes zero.
 */
export function solveRows(
  offsets: usize, indices: usize, others: usize, base: usize, ridge: usize,
  own: usize, k: u32, scratch: usize, from: u32, to: u32,
): void {
  const line = <usize>k * 4
  const matrix = scratch
  const sum = matrix + line * k
  const buffer = sum + line
  let touched: u32 = 0
  for (let row = from; row < to; row++) {
    const start = load<u32>(offsets + <usize>row * 4)
    const end = load<u32>(offsets + <usize>row * 4, 4)
    const target = own + <usize>row * line
    if (start == end) {
      memory.fill(target, 0, line)
      continue
    }
    memory.copy(matrix, base, line * k)
    memory.fill(sum, 0, line)
    for (let at = start; at < end; at += chunk) {
      const count = min(chunk, end - at)
      touched |= touch(indices + <usize>at * 4, count, others, line)
      for (let t: u32 = 0; t < count; t++) {
        const source = others + <usize>load<u32>(indices + <usize>(at + t) * 4) * line
        const copy = buffer + <usize>t * line
        for (let c: usize = 0; c < line; c += 16) {
          const piece = v128.load(source + c)
          v128.store(copy + c, piece)
          v128.store(sum + c, f32x4.add(v128.load(sum + c), piece))
        }
      }
      addProducts(buffer, count, k, matrix)
    }
    const extra = load<f32>(ridge + <usize>row * 4)
    for (let d: usize = 0; d < k; d++) {
      const at = matrix + d * (line + 4)
      store<f32>(at, load<f32>(at) + extra)
    }
    if (cholesky(matrix, k) == 0) memory.fill(target, 0, line)
    else {
      substitute(matrix, sum, k)
      memory.copy(target, sum, line)
    }
  }
  // Kept, or the compiler would leave the touching out.
  store<u32>(buffer, touched)
}

/**
 * Turns a positive definite matrix into its upper factor R, matrix = RᵀR, in place; returns 0 when it is not one.
 * Four lines at a time: the lines above are taken off by tiles, then the four are finished among themselves.
 */
export function cholesky(matrix: usize, k: u32): i32 {
  const line = <usize>k * 4
  for (let i: u32 = 0; i < k; i += 4) {
    const own = matrix + <usize>i * line
    for (let j = i & ~7; j < k; j += 8) {
      joinTile<TakenOff>(own + <usize>j * 4, line, matrix + <usize>i * 4, matrix + <usize>j * 4, i)
    }
    if (!finishLines(own, line, <usize>i * 4)) return 0
  }
  return 1
}

/** The factor's next four lines, from column `from` (in bytes) on, once the lines above are taken off. */
function finishLines(r0: usize, line: usize, from: usize): i32 {
  const r1 = r0 + line, r2 = r1 + line, r3 = r2 + line
  let head = load<f32>(r0 + from)
  if (!(head > 1e-20)) return 0
  const s0 = <f32>1 / sqrt<f32>(head)
  const w01 = load<f32>(r0 + from, 4) * s0, w02 = load<f32>(r0 + from, 8) * s0, w03 = load<f32>(r0 + from, 12) * s0
  head = load<f32>(r1 + from, 4) - w01 * w01
  if (!(head > 1e-20)) return 0
  const s1 = <f32>1 / sqrt<f32>(head)
  const w12 = (load<f32>(r1 + from, 8) - w01 * w02) * s1, w13 = (load<f32>(r1 + from, 12) - w01 * w03) * s1
  head = load<f32>(r2 + from, 8) - w02 * w02 - w12 * w12
  if (!(head > 1e-20)) return 0
  const s2 = <f32>1 / sqrt<f32>(head)
  const w23 = (load<f32>(r2 + from, 12) - w02 * w03 - w12 * w13) * s2
  head = load<f32>(r3 + from, 12) - w03 * w03 - w13 * w13 - w23 * w23
  if (!(head > 1e-20)) return 0
  const s3 = <f32>1 / sqrt<f32>(head)
  for (let c = from; c < line; c += 16) {
    const x0 = f32x4.mul(v128.load(r0 + c), f32x4.splat(s0))
    const x1 = f32x4.mul(f32x4.relaxed_nmadd(f32x4.splat(w01), x0, v128.load(r1 + c)), f32x4.splat(s1))
    let x2 = f32x4.relaxed_nmadd(f32x4.splat(w02), x0, v128.load(r2 + c))
    x2 = f32x4.mul(f32x4.relaxed_nmadd(f32x4.splat(w12), x1, x2), f32x4.splat(s2))
    let x3 = f32x4.relaxed_nmadd(f32x4.splat(w03), x0, v128.load(r3 + c))
    x3 = f32x4.relaxed_nmadd(f32x4.splat(w13), x1, x3)
    x3 = f32x4.mul(f32x4.relaxed_nmadd(f32x4.splat(w23), x2, x3), f32x4.splat(s3))
    v128.store(r0 + c, x0); v128.store(r1 + c, x1); v128.store(r2 + c, x2); v128.store(r3 + c, x3)
  }
  return 1
}

/** Solves RᵀR x = vector in place, R from `cholesky`. */
export function substitute(matrix: usize, vector: usize, k: u32): void {
  const line = <usize>k * 4
  for (let j: usize = 0; j < k; j++) {
    const own = matrix + j * line
    const value = load<f32>(vector + j * 4) / load<f32>(own + j * 4)
    store<f32>(vector + j * 4, value)
    let c = j + 1
    for (; c < k && (c & 3) != 0; c++) {
      store<f32>(vector + c * 4, load<f32>(vector + c * 4) - value * load<f32>(own + c * 4))
    }
    const wide = f32x4.splat(value)
    for (; c < k; c += 4) {
      v128.store(vector + c * 4, f32x4.relaxed_nmadd(wide, v128.load(own + c * 4), v128.load(vector + c * 4)))
    }
  }
  for (let back: usize = 0; back < k; back++) {
    const j = k - 1 - back
    const own = matrix + j * line
    let sum = f32x4.splat(0)
    let rest: f32 = 0
    let c = j + 1
    for (; c < k && (c & 3) != 0; c++) rest += load<f32>(own + c * 4) * load<f32>(vector + c * 4)
    for (; c < k; c += 4) sum = f32x4.relaxed_madd(v128.load(own + c * 4), v128.load(vector + c * 4), sum)
    rest += f32x4.extract_lane(sum, 0) + f32x4.extract_lane(sum, 1) + f32x4.extract_lane(sum, 2) + f32x4.extract_lane(sum, 3)
    store<f32>(vector + j * 4, (load<f32>(vector + j * 4) - rest) / load<f32>(own + j * 4))
  }
}

/** out[row] = query · rows[row]. */
export function dots(query: usize, rows: usize, count: u32, k: u32, out: usize): void {
  const line = <usize>k * 4
  for (let row: u32 = 0; row < count; row++) {
    const own = rows + <usize>row * line
    store<f32>(out + <usize>row * 4, dot(query, own, line))
  }
}

/** Where in a sorted run the first number of at least `least` stands. */
function firstAtLeast(indices: usize, from: u32, to: u32, least: u32): u32 {
  while (from < to) {
    const middle = (from + to) >> 1
    if (load<u32>(indices + <usize>middle * 4) < least) from = middle + 1
    else to = middle
  }
  return from
}

/**
 * For each item from … to: the ridge regression of its column on its own support, (G[S, S] + ridge · I) b = G[S, item],
 * written over `weights`. G is sparse with its diagonal, rows and supports sorted; `places` is one u32 per item, all zero before and after.
 */
export function ridgeColumns(
  offsets: usize, indices: usize, values: usize, supportOffsets: usize, support: usize,
  weights: usize, ridge: f32, scratch: usize, places: usize, from: u32, to: u32,
): void {
  for (let item = from; item < to; item++) {
    const start = load<u32>(supportOffsets + <usize>item * 4)
    const size = load<u32>(supportOffsets + <usize>item * 4, 4) - start
    if (size == 0) continue
    const k = (size + 7) & ~7
    const line = <usize>k * 4
    const vector = scratch + line * k
    memory.fill(scratch, 0, line * k + line)
    for (let s: u32 = 0; s < size; s++) store<u32>(places + <usize>load<u32>(support + <usize>(start + s) * 4) * 4, s + 1)
    for (let s: u32 = 0; s < size; s++) {
      const neighbour = load<u32>(support + <usize>(start + s) * 4)
      const own = scratch + <usize>s * line
      const end = load<u32>(offsets + <usize>neighbour * 4, 4)
      for (let at = firstAtLeast(indices, load<u32>(offsets + <usize>neighbour * 4), end, neighbour); at < end; at++) {
        const place = load<u32>(places + <usize>load<u32>(indices + <usize>at * 4) * 4)
        if (place > s) store<f32>(own + <usize>(place - 1) * 4, load<f32>(values + <usize>at * 4))
      }
    }
    const last = load<u32>(offsets + <usize>item * 4, 4)
    for (let at = load<u32>(offsets + <usize>item * 4); at < last; at++) {
      const place = load<u32>(places + <usize>load<u32>(indices + <usize>at * 4) * 4)
      if (place > 0) store<f32>(vector + <usize>(place - 1) * 4, load<f32>(values + <usize>at * 4))
    }
    for (let s: u32 = 0; s < size; s++) store<u32>(places + <usize>load<u32>(support + <usize>(start + s) * 4) * 4, 0)
    for (let d: usize = 0; d < k; d++) {
      const at = scratch + d * (line + 4)
      store<f32>(at, load<f32>(at) + ridge)
    }
    const target = weights + <usize>start * 4
    if (cholesky(scratch, k) == 0) memory.fill(target, 0, <usize>size * 4)
    else {
      substitute(scratch, vector, k)
      memory.copy(target, vector, <usize>size * 4)
    }
  }
}
