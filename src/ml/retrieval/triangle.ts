// A symmetric matrix kept as its lower triangle in tiles of 8 × 8 floats, half the memory of a square.

const tileSide = 8
const tileFloats = 64
export const blockSide = 128

export interface Triangle {
  /** The true side; rows past it pad the last block and hold the identity. */
  size: number
  padded: number
  tiles: Float32Array
}

export const paddedSize = (size: number): number => Math.max(1, Math.ceil(size / blockSide)) * blockSide

/** How many floats a triangle of this side takes. */
export function triangleFloats(size: number): number {
  const across = paddedSize(size) / tileSide
  return (across * (across + 1) * tileFloats) / 2
}

/** A zero triangle on the floats given, with the padding set to the identity. */
export function triangleOn(tiles: Float32Array, size: number): Triangle {
  const triangle = { size, padded: paddedSize(size), tiles: tiles.subarray(0, triangleFloats(size)) }
  triangle.tiles.fill(0)
  for (let at = size; at < triangle.padded; at++) triangle.tiles[cell(at, at)] = 1
  return triangle
}

/** The offset of the entry (row, column); row ≥ column is required except inside a diagonal tile. */
export function cell(row: number, column: number): number {
  const tileRow = row >>> 3
  return ((tileRow * (tileRow + 1)) / 2 + (column >>> 3)) * tileFloats + ((row & 7) << 3) + (column & 7)
}

/** Adds to both mirror images of an entry, which are one unless they share a diagonal tile. */
export function addTo({ tiles }: Triangle, row: number, column: number, amount: number): void {
  const high = Math.max(row, column)
  const low = Math.min(row, column)
  tiles[cell(high, low)]! += amount
  if (high !== low && high >>> 3 === low >>> 3) tiles[cell(low, high)]! += amount
}

/** One whole row, read through the mirror. */
export function copyRow({ size, tiles }: Triangle, row: number, into: Float32Array): void {
  const start = cell(row, 0)
  for (let column = 0; column <= row; column += tileSide) {
    const from = start + (column >>> 3) * tileFloats
    for (let inner = 0; inner < tileSide && column + inner < size; inner++)
      into[column + inner] = tiles[from + inner]!
  }
  for (let below = (row >>> 3) * tileSide + tileSide; below < size; below++)
    into[below] = tiles[cell(below, row)]!
}
