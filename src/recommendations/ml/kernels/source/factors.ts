// asc: --enable relaxed-simd --enable threads --sharedMemory --initialMemory 1 --maximumMemory 65536 --noExportMemory
// Small dense algebra on rows of `k` floats, k a multiple of 8: products, and ridge systems solved by Cholesky.
// Matrices are k × k, row-major; only their upper triangle of 8 × 8 tiles is computed and read.

/** out = rowsᵀ × rows, upper tiles. */
export function gram(rows: usize, count: u32, k: u32, out: usize): void {
  memory.fill(out, 0, <usize>k * k * 4)
  addProducts(rows, count, k, out)
}

function addProducts(rows: usize, count: u32, k: u32, out: usize): void {
  const line = <usize>k * 4
  for (let i: u32 = 0; i < k; i += 8) {
    for (let j = i; j < k; j += 8) {
      addTile(out + (<usize>i * k + j) * 4, line, rows + <usize>i * 4, rows + <usize>j * 4, count)
    }
  }
}

function addTile(c: usize, line: usize, a: usize, b: usize, count: u32): void {
  const c1 = c + line, c2 = c1 + line, c3 = c2 + line, c4 = c3 + line, c5 = c4 + line, c6 = c5 + line, c7 = c6 + line
  let s00 = v128.load(c), s01 = v128.load(c, 16), s10 = v128.load(c1), s11 = v128.load(c1, 16)
  let s20 = v128.load(c2), s21 = v128.load(c2, 16), s30 = v128.load(c3), s31 = v128.load(c3, 16)
  let s40 = v128.load(c4), s41 = v128.load(c4, 16), s50 = v128.load(c5), s51 = v128.load(c5, 16)
  let s60 = v128.load(c6), s61 = v128.load(c6, 16), s70 = v128.load(c7), s71 = v128.load(c7, 16)
  for (let t: u32 = 0; t < count; t++) {
    const b0 = v128.load(b), b1 = v128.load(b, 16)
    let w = v128.load32_splat(a)
    s00 = f32x4.relaxed_madd(w, b0, s00); s01 = f32x4.relaxed_madd(w, b1, s01)
    w = v128.load32_splat(a, 4)
    s10 = f32x4.relaxed_madd(w, b0, s10); s11 = f32x4.relaxed_madd(w, b1, s11)
    w = v128.load32_splat(a, 8)
    s20 = f32x4.relaxed_madd(w, b0, s20); s21 = f32x4.relaxed_madd(w, b1, s21)
    w = v128.load32_splat(a, 12)
    s30 = f32x4.relaxed_madd(w, b0, s30); s31 = f32x4.relaxed_madd(w, b1, s31)
    w = v128.load32_splat(a, 16)
    s40 = f32x4.relaxed_madd(w, b0, s40); s41 = f32x4.relaxed_madd(w, b1, s41)
    w = v128.load32_splat(a, 20)
    s50 = f32x4.relaxed_madd(w, b0, s50); s51 = f32x4.relaxed_madd(w, b1, s51)
    w = v128.load32_splat(a, 24)
    s60 = f32x4.relaxed_madd(w, b0, s60); s61 = f32x4.relaxed_madd(w, b1, s61)
    w = v128.load32_splat(a, 28)
    s70 = f32x4.relaxed_madd(w, b0, s70); s71 = f32x4.relaxed_madd(w, b1, s71)
    a += line
    b += line
  }
  v128.store(c, s00); v128.store(c, s01, 16); v128.store(c1, s10); v128.store(c1, s11, 16)
  v128.store(c2, s20); v128.store(c2, s21, 16); v128.store(c3, s30); v128.store(c3, s31, 16)
  v128.store(c4, s40); v128.store(c4, s41, 16); v128.store(c5, s50); v128.store(c5, s51, 16)
  v128.store(c6, s60); v128.store(c6, s61, 16); v128.store(c7, s70); v128.store(c7, s71, 16)
}

const CHUNK: u32 = 128

/**
 * Solves rows from … to of one side: (base + Σ y yᵀ + ridge[row] · I) x = Σ y over the row's entries. `desk`
 * holds k² + 129 k floats. A row with no entries becomes zero.
 */
export function solveRows(
  offsets: usize, indices: usize, others: usize, base: usize, ridge: usize,
  own: usize, k: u32, desk: usize, from: u32, to: u32,
): void {
  const line = <usize>k * 4
  const matrix = desk
  const sum = matrix + line * k
  const buffer = sum + line
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
    for (let at = start; at < end; at += CHUNK) {
      const count = min(CHUNK, end - at)
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
}

/** Replaces the upper triangle by R with RᵀR = matrix, four rows at a time. 0 when not positive definite. */
export function cholesky(matrix: usize, k: u32): i32 {
  const line = <usize>k * 4
  for (let j: u32 = 0; j < k; j += 4) {
    const r0 = matrix + <usize>j * line
    for (let p: u32 = 0; p < 4; p++) {
      const row = j + p
      const own = matrix + <usize>row * line
      for (let q: u32 = 0; q < p; q++) {
        const other = r0 + <usize>q * line
        const w = f32x4.splat(load<f32>(other + <usize>row * 4))
        for (let c = <usize>j * 4; c < line; c += 16) {
          v128.store(own + c, f32x4.relaxed_nmadd(w, v128.load(other + c), v128.load(own + c)))
        }
      }
      const head = load<f32>(own + <usize>row * 4)
      if (!(head > 1e-20)) return 0
      const scale = f32x4.splat(<f32>1 / sqrt<f32>(head))
      for (let c = <usize>j * 4; c < line; c += 16) v128.store(own + c, f32x4.mul(scale, v128.load(own + c)))
    }
    const r1 = r0 + line, r2 = r1 + line, r3 = r2 + line
    for (let i = j + 4; i < k; i++) {
      const own = matrix + <usize>i * line
      const shift = <usize>i * 4
      const w0 = v128.load32_splat(r0 + shift), w1 = v128.load32_splat(r1 + shift)
      const w2 = v128.load32_splat(r2 + shift), w3 = v128.load32_splat(r3 + shift)
      for (let c = <usize>(i & ~3) * 4; c < line; c += 16) {
        let piece = v128.load(own + c)
        piece = f32x4.relaxed_nmadd(w0, v128.load(r0 + c), piece)
        piece = f32x4.relaxed_nmadd(w1, v128.load(r1 + c), piece)
        piece = f32x4.relaxed_nmadd(w2, v128.load(r2 + c), piece)
        piece = f32x4.relaxed_nmadd(w3, v128.load(r3 + c), piece)
        v128.store(own + c, piece)
      }
    }
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
    let a = f32x4.splat(0), b = a
    for (let c: usize = 0; c < line; c += 32) {
      a = f32x4.relaxed_madd(v128.load(query + c), v128.load(own + c), a)
      b = f32x4.relaxed_madd(v128.load(query + c, 16), v128.load(own + c, 16), b)
    }
    a = f32x4.add(a, b)
    store<f32>(out + <usize>row * 4,
      (f32x4.extract_lane(a, 0) + f32x4.extract_lane(a, 1)) + (f32x4.extract_lane(a, 2) + f32x4.extract_lane(a, 3)))
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
  weights: usize, ridge: f32, desk: usize, places: usize, from: u32, to: u32,
): void {
  for (let item = from; item < to; item++) {
    const start = load<u32>(supportOffsets + <usize>item * 4)
    const size = load<u32>(supportOffsets + <usize>item * 4, 4) - start
    if (size == 0) continue
    const k = (size + 7) & ~7
    const line = <usize>k * 4
    const vector = desk + line * k
    memory.fill(desk, 0, line * k + line)
    for (let s: u32 = 0; s < size; s++) store<u32>(places + <usize>load<u32>(support + <usize>(start + s) * 4) * 4, s + 1)
    for (let s: u32 = 0; s < size; s++) {
      const neighbour = load<u32>(support + <usize>(start + s) * 4)
      const own = desk + <usize>s * line
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
      const at = desk + d * (line + 4)
      store<f32>(at, load<f32>(at) + ridge)
    }
    const target = weights + <usize>start * 4
    if (cholesky(desk, k) == 0) memory.fill(target, 0, <usize>size * 4)
    else {
      substitute(desk, vector, k)
      memory.copy(target, vector, <usize>size * 4)
    }
  }
}
