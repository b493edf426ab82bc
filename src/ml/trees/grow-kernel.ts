import { Worker } from 'node:worker_threads'
import { compiledWasm, wasmPageBytes, wasmApi, type WasmMemory } from '../kernels/load.ts'
import {
  groupColumns,
  packing,
  type ColumnSplit,
  type Grower,
  type GrowerShape,
  type Measure,
  type Packing,
  type TreeStart,
} from './grower.ts'
import { layoutOf, splitBytes, writeTables, type Layout } from './grow-layout.ts'
import { startThreadPool, type ThreadPool } from './grow-threads.ts'

const maxPages = 65_536

/** What the compiled kernel offers. */
export interface TrainExports {
  level(descriptor: number, thread: number, threads: number): void
  start(
    ders: number,
    weights: number,
    bootstrapWeights: number,
    rows: number,
    order: number,
    ordered: number,
    bits: bigint,
    gradientScale: number,
    weightScale: number,
  ): number
  partition(
    order: number,
    ordered: number,
    spareOrder: number,
    sparePacked: number,
    count: number,
    column: number,
    threshold: number,
    flip: number,
  ): number
  interleave(columns: number, rows: number, out: number, stride: number): void
  quantise(values: number, rows: number, borders: number, count: number, missing: number, out: number): void
  measure(ders: number, weights: number, bootstrapWeights: number, rows: number, out: number): void
  logistic(
    approx: number,
    labels: number,
    weights: number,
    rows: number,
    ders: number,
    hessians: number,
  ): void
  leavesOf(rows: number, depth: number, splits: number, out: number): void
  leafSums(leaves: number, values: number, rows: number, sums: number): void
  addValues(leaves: number, values: number, rows: number, approx: number): void
}

/**
 * The engine on the compiled kernel, with `threads − 1` workers beside the calling thread;
 * undefined where this runtime cannot run it or its memory cannot hold the data.
 */
export function createKernelGrower(shape: GrowerShape): Grower | undefined {
  const shared = shape.threads > 1
  const module = compiledWasm(shared ? 'trees-train' : 'trees-train-alone')
  if (module === undefined || layoutOf(shape).end > maxPages * wasmPageBytes) return undefined
  const layout = layoutOf(shape)
  const pages = Math.ceil(layout.end / wasmPageBytes)
  const memory = new (wasmApi().Memory)({ initial: pages, maximum: maxPages, shared })
  const kernel = new (wasmApi().Instance)(module, { env: { memory } }).exports as TrainExports
  writeTables(memory, shape, layout)
  const descriptor = layout.descriptor
  const pool = startThreadPool({
    threads: shape.threads,
    createWorker: (workerData) => new Worker(new URL('./grow-thread.ts', import.meta.url), { workerData }),
    start: { module, memory, descriptor },
    share: (thread, threads) => kernel.level(descriptor, thread, threads),
  })
  return kernelGrower({ shape, layout, memory, kernel, pool })
}

interface Parts {
  shape: GrowerShape
  layout: Layout
  memory: WasmMemory
  kernel: TrainExports
  pool: ThreadPool
}

interface Segments {
  starts: number[]
  counts: number[]
  slots: number[]
  /** Pairs of (start, count, slot) to count and the slot to subtract from, −1 for none. */
  pairs: number[][]
  block: number
  packing: Packing
}

function kernelGrower(parts: Parts): Grower {
  const { shape, layout, memory, kernel, pool } = parts
  let nextVector = 0
  let nextValidation = 0
  let placedRows = 0
  let segments: Segments | undefined
  const words = new Int32Array(memory.buffer)
  const bytes = new Uint8Array(memory.buffer)
  return {
    kind: 'kernel',
    column: (block, column) => {
      const at = layout.bytes[block]![column]!
      return bytes.subarray(at, at + rowsOf(shape, block))
    },
    quantise: (block, column, feature) => quantiseColumn(parts, block, column, feature),
    ready: () => interleaveAll(parts),
    vector: () => new Float64Array(memory.buffer, layout.vectors[nextVector++], shape.rows),
    validationVector: () =>
      new Float64Array(memory.buffer, layout.validationVectors[nextValidation++], shape.validationRows),
    measure: (ders, weights, bootstrapWeights) => measured(parts, { ders, weights, bootstrapWeights }),
    start: (tree) => {
      segments = startedSegments(parts, tree)
      bytes.set(tree.activeGroups ?? new Uint8Array(layout.groupCount).fill(1), layout.active)
    },
    scores: () => {
      writeLevel(parts, segments!)
      const scores = new Float64Array(memory.buffer, layout.scores, layout.offsetTable.at(-1)!)
      scores.fill(Number.NEGATIVE_INFINITY)
      pool.run()
      return scores
    },
    split: (choice) => splitSegments(parts, segments!, choice),
    placeRows: (block, splits) => {
      placedRows = rowsOf(shape, block)
      splits.forEach((choice, i) => {
        const at = layout.splits + i * splitBytes
        words[at / 4] = layout.bytes[block]![choice.column]!
        bytes[at + 4] = choice.threshold
        bytes[at + 5] = choice.flip
      })
      kernel.leavesOf(placedRows, splits.length, layout.splits, layout.placed)
    },
    leafSums: (values, leafCount) => {
      const sums = new Float64Array(memory.buffer, layout.leafCells, leafCount).fill(0)
      kernel.leafSums(layout.placed, values.byteOffset, placedRows, layout.leafCells)
      return Float64Array.from(sums)
    },
    addValues: (values, approx) => {
      new Float64Array(memory.buffer, layout.leafCells, values.length).set(values)
      kernel.addValues(layout.placed, layout.leafCells, placedRows, approx.byteOffset)
    },
    logistic: (approx, labels, out) =>
      kernel.logistic(
        approx.byteOffset,
        labels.byteOffset,
        out.weights.byteOffset,
        shape.rows,
        out.ders.byteOffset,
        out.hessians.byteOffset,
      ),
    close: () => pool.close(),
  }
}

function measured(
  { shape, layout, memory, kernel }: Parts,
  { ders, weights, bootstrapWeights }: Pick<TreeStart, 'ders' | 'weights' | 'bootstrapWeights'>,
): Measure {
  kernel.measure(
    ders.byteOffset,
    weights.byteOffset,
    bootstrapWeights?.byteOffset ?? 0,
    shape.rows,
    layout.sums,
  )
  const sums = new Float64Array(memory.buffer, layout.sums, 5)
  return {
    gradients: sums[0]!,
    weights: sums[1]!,
    plainWeights: sums[2]!,
    squares: sums[3]!,
    wholeWeights: sums[4] === 1,
  }
}

function rowsOf(shape: GrowerShape, block: number): number {
  return block === shape.trainBlocks ? shape.validationRows : shape.rows
}

/** Bins of a feature; its values pass through memory that a search will use later. */
function quantiseColumn(
  { shape, layout, memory, kernel }: Parts,
  block: number,
  column: number,
  feature: { values: Float32Array; borders: Float32Array; missing: number },
): void {
  const { values, borders, missing } = feature
  const target = layout.bytes[block]![column]!
  const rows = rowsOf(shape, block)
  new Float32Array(memory.buffer, layout.borders, borders.length).set(borders)
  const buffer = new Float32Array(memory.buffer, layout.spareOrder, shape.rows)
  for (let from = 0; from < rows; from += buffer.length) {
    const count = Math.min(buffer.length, rows - from)
    buffer.set(values.subarray(from, from + count))
    kernel.quantise(layout.spareOrder, count, layout.borders, borders.length, missing, target + from)
  }
}

/** Puts columns side by side in groups for the histograms of every training block. */
function interleaveAll({ shape, layout, memory, kernel }: Parts): void {
  const words = new Int32Array(memory.buffer)
  for (let block = 0; block < shape.trainBlocks; block++) {
    layout.groups[block]!.forEach((place, group) => {
      if (block > 0 && place === layout.groups[0]![group]) return
      for (let i = 0; i < groupColumns; i++) {
        words[layout.addresses / 4 + i] = layout.bytes[block]![group * groupColumns + i] ?? 0
      }
      kernel.interleave(layout.addresses, shape.rows, place.at, place.stride)
    })
  }
}

function startedSegments({ shape, layout, memory, kernel }: Parts, tree: TreeStart): Segments {
  const chosen = packing(tree.measure, shape.rows)
  const count = kernel.start(
    tree.ders.byteOffset,
    tree.weights.byteOffset,
    tree.bootstrapWeights?.byteOffset ?? 0,
    shape.rows,
    layout.order,
    layout.ordered,
    BigInt(chosen.bits),
    chosen.gradientScale,
    chosen.weightScale,
  )
  const floats = new DataView(memory.buffer, layout.descriptor)
  floats.setInt32(64, tree.score === 'Cosine' ? 1 : 0, true)
  floats.setFloat64(80, tree.l2, true)
  floats.setFloat64(88, 1 / chosen.gradientScale, true)
  floats.setFloat64(96, 1 / chosen.weightScale, true)
  return {
    starts: [0],
    counts: [count],
    slots: [0],
    pairs: [[0, count, 0, -1]],
    block: tree.block,
    packing: chosen,
  }
}

function writeLevel({ shape, layout, memory }: Parts, segments: Segments): void {
  const words = new Int32Array(memory.buffer)
  words.set(segments.pairs.flat(), layout.pairs / 4)
  words.set(segments.slots, layout.slots / 4)
  words.set(
    [
      layout.order,
      layout.ordered,
      layout.groupTables + segments.block * layout.groupCount * 8,
      layout.groupCount,
      layout.offsets,
      layout.bins,
      layout.oneHot,
      layout.hist,
      layout.slotBytes,
      layout.pairs,
      segments.pairs.length,
      layout.slots,
      segments.slots.length,
      layout.scores,
      layout.scratch,
      segments.packing.bits,
    ],
    layout.descriptor / 4,
  )
  words[layout.descriptor / 4 + 17] = layout.active
  words[layout.descriptor / 4 + 18] = shape.rows
}

/** Cuts every leaf in two; the larger half inherits the parent's histogram, to be subtracted from. */
function splitSegments({ layout, kernel }: Parts, segments: Segments, choice: ColumnSplit): void {
  const { starts, counts, slots } = segments
  const column = layout.bytes[segments.block]![choice.column]!
  const leafCount = starts.length
  segments.pairs = []
  for (let leaf = 0; leaf < leafCount; leaf++) {
    const start = starts[leaf]!
    const count = counts[leaf]!
    const left = kernel.partition(
      layout.order + start * 4,
      layout.ordered + start * 8,
      layout.spareOrder,
      layout.sparePacked,
      count,
      column,
      choice.threshold,
      choice.flip,
    )
    const right = count - left
    const fresh = leafCount + leaf
    starts.push(start + left)
    counts[leaf] = left
    counts.push(right)
    if (left <= right) {
      segments.pairs.push([start, left, fresh, slots[leaf]!])
      slots.push(slots[leaf]!)
      slots[leaf] = fresh
    } else {
      segments.pairs.push([start + left, right, fresh, slots[leaf]!])
      slots.push(fresh)
    }
  }
}
