// The inverse of a symmetric positive matrix, by a blocked sweep: the closed form behind EASE.

import { canRun, sharedMemory, type SharedMemory } from '../kernels/load.ts'
import { runJob, type Share } from './threads.ts'
import { blockSide, cell, paddedSize, triangleFloats, triangleOn, type Triangle } from './triangle.ts'

const kernelName = 'dense'
const panelFloats = blockSide * 8
const tilesAStrip = 8

export interface Workspace {
  triangle: Triangle
  memory: SharedMemory
}

/** A zero triangle in shared memory, with room behind it for the sweep. */
export function workspaceFor(size: number): Workspace {
  const tilesAcross = paddedSize(size) / 8
  const floats = triangleFloats(size) + 6 * tilesAcross * panelFloats + 3 * blockSide * blockSide + 16
  const memory = sharedMemory(floats * 4)
  return { memory, triangle: triangleOn(new Float32Array(memory.buffer), size) }
}

/** Turns the workspace's matrix into its inverse, in place. Throws when it is not positive definite. */
export async function invert({ triangle, memory }: Workspace, threads = 1): Promise<void> {
  if (!canRun(kernelName)) return invertPlain(triangle)
  const args = [triangle.padded, triangleFloats(triangle.size) * 4]
  const job = { program: 'sweep', kernel: kernelName, memory, args, work: triangle.size ** 3 / 2 }
  await runJob(job, sweepShare, threads)
  if (new Int32Array(memory.buffer, failureAt(triangle.padded, args[1]!), 1)[0] !== 0) {
    throw new RangeError('the matrix is not positive definite: raise the regularisation')
  }
}

const failureAt = (padded: number, base: number): number =>
  base + 6 * (padded / 8) * panelFloats * 4 + 3 * blockSide * blockSide * 4

/** One thread's part of the sweep. */
export function sweepShare({ thread, threads, memory, args, call, barrier }: Share): void {
  const [padded, panels] = args as [number, number]
  const tiles = padded / 8
  const solved = panels + tiles * panelFloats * 4
  const wide = solved + tiles * panelFloats * 4
  const inverse = wide + tiles * panelFloats * 16
  const work = inverse + blockSide * blockSide * 4
  const failure = new Int32Array(memory.buffer, failureAt(padded, panels), 1)
  for (let block = 0; block < padded / blockSide; block++) {
    strips(tiles, thread, threads, (from, to) => call['pack']!(0, panels, block, from, to))
    barrier()
    if (thread === 0 && call['pivot']!(0, block, work, inverse) === 0) Atomics.store(failure, 0, 1)
    barrier()
    if (Atomics.load(failure, 0) !== 0) return
    strips(tiles, thread, threads, (from, to) => call['solve']!(panels, solved, wide, inverse, from, to))
    barrier()
    strips(tiles, thread, threads, (from, to) => {
      call['update']!(0, panels, wide, block, from, to)
      call['unpack']!(0, solved, block, from, to)
    })
    barrier()
  }
  const all = new Float32Array(memory.buffer, 0, panels / 4)
  const part = Math.ceil(all.length / threads)
  for (let at = part * thread; at < Math.min(all.length, part * (thread + 1)); at++) all[at] = -all[at]!
}

/** Assigns strips of tile rows to threads so that each gets an equal area of the triangle. */
function strips(
  tiles: number,
  thread: number,
  threads: number,
  take: (from: number, to: number) => void,
): void {
  const count = tiles / tilesAStrip
  for (let strip = 0; strip < count; strip++) {
    const lap = Math.floor(strip / threads)
    const turn = lap % 2 === 0 ? strip % threads : threads - 1 - (strip % threads)
    if (turn === thread) take(strip * tilesAStrip, (strip + 1) * tilesAStrip)
  }
}

/** The plain twin: the same sweep, one column at a time, in f64. */
export function invertPlain({ size, tiles }: Triangle): void {
  const rows = Array.from({ length: size }, () => new Float64Array(size))
  for (let r = 0; r < size; r++) {
    for (let c = 0; c <= r; c++) rows[r]![c] = rows[c]![r] = tiles[cell(r, c)]!
  }
  for (let p = 0; p < size; p++) {
    const line = rows[p]!
    const head = line[p]!
    if (!(head > 1e-30)) throw new RangeError('the matrix is not positive definite: raise the regularisation')
    for (let c = 0; c < size; c++) line[c] = c === p ? 1 / head : line[c]! / head
    for (let r = 0; r < size; r++) {
      if (r === p) continue
      const other = rows[r]!
      const factor = other[p]!
      other[p] = 0
      for (let c = 0; c < size; c++) other[c]! -= factor * line[c]!
    }
  }
  for (let r = 0; r < size; r++) {
    for (let c = 0; c <= r; c++)
      tiles[cell(r, c)] = tiles[cell(r >>> 3 === c >>> 3 ? c : r, r >>> 3 === c >>> 3 ? r : c)] = rows[r]![c]!
  }
}
