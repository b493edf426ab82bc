// asc: --enable relaxed-simd --enable threads --sharedMemory --initialMemory 1 --maximumMemory 65536 --noExportMemory
// The symmetric sweep on a lower triangle kept in tiles of 8 × 8 floats: tile (I, J) stands at I(I+1)/2 + J.
// Swept over every block of 128 columns, the matrix becomes minus its inverse. A call does one share of one
// phase, so threads only need a barrier between phases, and any number of them gives the same bytes.

const tileFloats: usize = 256
const boardSide: usize = 128
const panelFloats: usize = boardSide * 32
const widePanel: usize = panelFloats * 4
const inBlock: u32 = 16
/** Columns taken together, so that a row's tiles are met in the order they stand in memory. */
const groupTiles: u32 = 8

// @ts-ignore: decorator
@inline
function tileAt(matrix: usize, row: u32, column: u32): usize {
  return matrix + (((<usize>row * (<usize>row + 1)) >> 1) + <usize>column) * tileFloats
}

/** Copies the block's columns, one panel of 8 rows after the other, each as 128 lines of 8. */
export function pack(matrix: usize, panels: usize, block: u32, from: u32, to: u32): void {
  for (let tile = from; tile < to; tile++) {
    const panel = panels + <usize>tile * panelFloats
    for (let inner: u32 = 0; inner < inBlock; inner++) {
      const column = block * inBlock + inner
      const target = panel + <usize>inner * tileFloats
      if (tile >= column) transpose(tileAt(matrix, tile, column), target)
      else memory.copy(target, tileAt(matrix, column, tile), tileFloats)
    }
  }
}

/** Puts panels back where `pack` took them, outside the block itself. */
export function unpack(matrix: usize, panels: usize, block: u32, from: u32, to: u32): void {
  for (let tile = from; tile < to; tile++) {
    if (tile / inBlock == block) continue
    const panel = panels + <usize>tile * panelFloats
    for (let inner: u32 = 0; inner < inBlock; inner++) {
      const column = block * inBlock + inner
      const source = panel + <usize>inner * tileFloats
      if (tile >= column) transpose(source, tileAt(matrix, tile, column))
      else memory.copy(tileAt(matrix, column, tile), source, tileFloats)
    }
  }
}

function transpose(source: usize, target: usize): void {
  for (let r: usize = 0; r < 8; r++) {
    for (let c: usize = 0; c < 8; c++) store<f32>(target + (c * 8 + r) * 4, load<f32>(source + (r * 8 + c) * 4))
  }
}

/** Inverts the pivot block in f64 (`work`: 128 × 128 f64) into `inverse` (f32) and writes it, negated, back. 0 when singular. */
export function pivot(matrix: usize, block: u32, work: usize, inverse: usize): i32 {
  for (let r: usize = 0; r < boardSide; r++) {
    for (let c: usize = 0; c <= r; c++) {
      const tile = tileAt(matrix, block * inBlock + <u32>(r >> 3), block * inBlock + <u32>(c >> 3))
      const value = <f64>load<f32>(tile + ((r & 7) * 8 + (c & 7)) * 4)
      store<f64>(work + (r * boardSide + c) * 8, value)
      store<f64>(work + (c * boardSide + r) * 8, value)
    }
  }
  for (let p: usize = 0; p < boardSide; p++) {
    const line = work + p * boardSide * 8
    const head = load<f64>(line + p * 8)
    if (!(head > 1e-30)) return 0
    const scale = 1 / head
    for (let c: usize = 0; c < boardSide; c++) store<f64>(line + c * 8, load<f64>(line + c * 8) * scale)
    store<f64>(line + p * 8, scale)
    for (let r: usize = 0; r < boardSide; r++) {
      if (r == p) continue
      const other = work + r * boardSide * 8
      const factor = load<f64>(other + p * 8)
      store<f64>(other + p * 8, 0)
      const wide = f64x2.splat(factor)
      for (let c: usize = 0; c < boardSide; c += 2) {
        v128.store(other + c * 8, f64x2.sub(v128.load(other + c * 8), f64x2.mul(wide, v128.load(line + c * 8))))
      }
    }
  }
  for (let r: usize = 0; r < boardSide; r++) {
    for (let c: usize = 0; c < boardSide; c++) {
      const value = <f32>(0.5 * (load<f64>(work + (r * boardSide + c) * 8) + load<f64>(work + (c * boardSide + r) * 8)))
      store<f32>(inverse + (r * boardSide + c) * 4, value)
      if (r >> 3 < c >> 3) continue
      const tile = tileAt(matrix, block * inBlock + <u32>(r >> 3), block * inBlock + <u32>(c >> 3))
      store<f32>(tile + ((r & 7) * 8 + (c & 7)) * 4, -value)
    }
  }
  return 1
}

/**
 * solved = panels × inverse, panel by panel. `wide` gets every number four times over: the update then loads
 * whole registers, which costs less than spreading one number each time.
 */
export function solve(panels: usize, solved: usize, wide: usize, inverse: usize, from: u32, to: u32): void {
  for (let tile = from; tile < to; tile++) {
    const source = panels + <usize>tile * panelFloats
    const target = solved + <usize>tile * panelFloats
    for (let t: usize = 0; t < boardSide; t += 4) {
      let a0 = f32x4.splat(0), a1 = a0, b0 = a0, b1 = a0, c0 = a0, c1 = a0, d0 = a0, d1 = a0
      for (let s: usize = 0; s < boardSide; s++) {
        const low = v128.load(source + s * 32)
        const high = v128.load(source + s * 32, 16)
        const at = inverse + (s * boardSide + t) * 4
        const w0 = v128.load32_splat(at), w1 = v128.load32_splat(at, 4)
        const w2 = v128.load32_splat(at, 8), w3 = v128.load32_splat(at, 12)
        a0 = f32x4.relaxed_madd(low, w0, a0)
        a1 = f32x4.relaxed_madd(high, w0, a1)
        b0 = f32x4.relaxed_madd(low, w1, b0)
        b1 = f32x4.relaxed_madd(high, w1, b1)
        c0 = f32x4.relaxed_madd(low, w2, c0)
        c1 = f32x4.relaxed_madd(high, w2, c1)
        d0 = f32x4.relaxed_madd(low, w3, d0)
        d1 = f32x4.relaxed_madd(high, w3, d1)
      }
      const out = target + t * 32
      v128.store(out, a0)
      v128.store(out, a1, 16)
      v128.store(out, b0, 32)
      v128.store(out, b1, 48)
      v128.store(out, c0, 64)
      v128.store(out, c1, 80)
      v128.store(out, d0, 96)
      v128.store(out, d1, 112)
    }
    const spread = wide + <usize>tile * widePanel
    for (let at: usize = 0; at < panelFloats; at += 4) v128.store(spread + at * 4, v128.load32_splat(target + at))
  }
}

/** matrix(I, J) −= wide(I) × panels(J)ᵀ for the tile rows from … to of the triangle, outside the block. */
export function update(matrix: usize, panels: usize, wide: usize, block: u32, from: u32, to: u32): void {
  const skipFrom = block * inBlock
  const skipTo = skipFrom + inBlock
  if (from >= skipFrom && from < skipTo) return
  for (let group: u32 = 0; group < to; group += groupTiles) {
    if (group >= skipFrom && group < skipTo) continue
    for (let row = max(from, group); row < to; row++) {
      const end = min(group + groupTiles, row + 1)
      for (let column = group; column < end; column++) {
        subtractProduct(tileAt(matrix, row, column), wide + <usize>row * widePanel, panels + <usize>column * panelFloats)
      }
    }
  }
}

function subtractProduct(c: usize, a: usize, b: usize): void {
  let c00 = v128.load(c), c01 = v128.load(c, 16), c10 = v128.load(c, 32), c11 = v128.load(c, 48)
  let c20 = v128.load(c, 64), c21 = v128.load(c, 80), c30 = v128.load(c, 96), c31 = v128.load(c, 112)
  let c40 = v128.load(c, 128), c41 = v128.load(c, 144), c50 = v128.load(c, 160), c51 = v128.load(c, 176)
  let c60 = v128.load(c, 192), c61 = v128.load(c, 208), c70 = v128.load(c, 224), c71 = v128.load(c, 240)
  const end = a + widePanel
  while (a < end) {
    const b0 = v128.load(b), b1 = v128.load(b, 16)
    let w = v128.load(a)
    c00 = f32x4.relaxed_nmadd(w, b0, c00); c01 = f32x4.relaxed_nmadd(w, b1, c01)
    w = v128.load(a, 16)
    c10 = f32x4.relaxed_nmadd(w, b0, c10); c11 = f32x4.relaxed_nmadd(w, b1, c11)
    w = v128.load(a, 32)
    c20 = f32x4.relaxed_nmadd(w, b0, c20); c21 = f32x4.relaxed_nmadd(w, b1, c21)
    w = v128.load(a, 48)
    c30 = f32x4.relaxed_nmadd(w, b0, c30); c31 = f32x4.relaxed_nmadd(w, b1, c31)
    w = v128.load(a, 64)
    c40 = f32x4.relaxed_nmadd(w, b0, c40); c41 = f32x4.relaxed_nmadd(w, b1, c41)
    w = v128.load(a, 80)
    c50 = f32x4.relaxed_nmadd(w, b0, c50); c51 = f32x4.relaxed_nmadd(w, b1, c51)
    w = v128.load(a, 96)
    c60 = f32x4.relaxed_nmadd(w, b0, c60); c61 = f32x4.relaxed_nmadd(w, b1, c61)
    w = v128.load(a, 112)
    c70 = f32x4.relaxed_nmadd(w, b0, c70); c71 = f32x4.relaxed_nmadd(w, b1, c71)
    a += 128
    b += 32
  }
  v128.store(c, c00); v128.store(c, c01, 16); v128.store(c, c10, 32); v128.store(c, c11, 48)
  v128.store(c, c20, 64); v128.store(c, c21, 80); v128.store(c, c30, 96); v128.store(c, c31, 112)
  v128.store(c, c40, 128); v128.store(c, c41, 144); v128.store(c, c50, 160); v128.store(c, c51, 176)
  v128.store(c, c60, 192); v128.store(c, c61, 208); v128.store(c, c70, 224); v128.store(c, c71, 240)
}
