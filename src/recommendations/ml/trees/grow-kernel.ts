import { Worker } from 'node:worker_threads'
import { compiledWasm, WASM_PAGE_BYTES, wasmApi, type WasmMemory } from '../kernels/load.ts'
import {
  columnOffsets,
  GROUP_COLUMNS,
  packing,
  type ColumnSplit,
  type Grower,
  type GrowerShape,
  type Packing,
  type TreeStart,
} from './grower.ts'
import { startTeam, type Team } from './grow-team.ts'

const MAX_PAGES = 65_536
const DESCRIPTOR_BYTES = 256
const SCRATCH_BYTES = 8192
const PAIR_BYTES = 16
const SPLIT_BYTES = 8

/** What the compiled kernel offers. */
export interface TrainExports {
  level(descriptor: number, thread: number, threads: number): void
  start(
    ders: number,
    weights: number,
    boots: number,
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
  interleave(columns: number, rows: number, out: number): void
  quantise(values: number, rows: number, borders: number, count: number, missing: number, out: number): void
  measure(ders: number, weights: number, boots: number, rows: number, out: number): void
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
  if (module === undefined || layoutOf(shape).end > MAX_PAGES * WASM_PAGE_BYTES) return undefined
  const layout = layoutOf(shape)
  const pages = Math.ceil(layout.end / WASM_PAGE_BYTES)
  const memory = new (wasmApi().Memory)({ initial: pages, maximum: MAX_PAGES, shared })
  const kernel = new (wasmApi().Instance)(module, { env: { memory } }).exports as TrainExports
  writeTables(memory, shape, layout)
  const descriptor = layout.descriptor
  const team = startTeam({
    threads: shape.threads,
    createWorker: (workerData) => new Worker(new URL('./grow-worker.ts', import.meta.url), { workerData }),
    seat: { module, memory, descriptor },
    share: (thread, threads) => kernel.level(descriptor, thread, threads),
  })
  return kernelGrower({ shape, layout, memory, kernel, team })
}

type Layout = ReturnType<typeof layoutOf>

/** Addresses of everything in the one memory, given out once. */
function layoutOf(shape: GrowerShape) {
  let end = 64
  const take = (bytes: number) => {
    const at = end
    end += Math.ceil(bytes / 16) * 16
    return at
  }
  const { rows, validationRows, columns } = shape
  const offsets = columnOffsets(columns)
  const groupCount = (offsets.length - 1) / GROUP_COLUMNS
  const maxLeaves = 2 ** shape.maxDepth
  const slotBytes = Math.ceil((offsets.at(-1)! * 8) / 16) * 16
  const fixed = {
    descriptor: take(DESCRIPTOR_BYTES),
    offsets: take(offsets.byteLength),
    bins: take(groupCount * GROUP_COLUMNS * 4),
    oneHot: take(groupCount * GROUP_COLUMNS * 4),
    sums: take(64),
    borders: take(1024),
    addresses: take(GROUP_COLUMNS * 4),
    active: take(groupCount),
    groupTables: take((shape.trainBlocks + 1) * groupCount * 4),
    pairs: take(maxLeaves * PAIR_BYTES),
    slots: take(maxLeaves * 4),
    splits: take(shape.maxDepth * SPLIT_BYTES),
    leafCells: take(maxLeaves * 8),
    scores: take(offsets.at(-1)! * 8),
    scratch: take(shape.threads * SCRATCH_BYTES),
    order: take(rows * 4 + 4),
    spareOrder: take(rows * 4 + 4),
    ordered: take(rows * 8 + 8),
    sparePacked: take(rows * 8 + 8),
    placed: take(Math.max(rows, validationRows) * 2 + 32),
    hist: take(slotBytes * Math.max(1, maxLeaves / 2)),
  }
  const groups = blockAddresses(shape, groupCount, {
    shared: Math.floor(shape.sharedColumns / GROUP_COLUMNS),
    take: (blockRows) => take(blockRows * GROUP_COLUMNS),
  })
  const bytes = blockAddresses(shape, columns.length, {
    shared: shape.sharedColumns,
    take: (blockRows) => take(blockRows + 16),
  })
  const vectors = Array.from({ length: VECTORS + shape.trainBlocks }, () => take(rows * 8 + 32))
  const validationVectors = Array.from({ length: VALIDATION_VECTORS }, () => take(validationRows * 8 + 32))
  return {
    ...fixed,
    offsetTable: offsets,
    groupCount,
    slotBytes,
    groups,
    bytes,
    vectors,
    validationVectors,
    end,
  }
}

/** One address for each part of each block; the first `shared` parts of training blocks are the first block's. */
function blockAddresses(
  shape: GrowerShape,
  parts: number,
  { shared, take }: { shared: number; take: (rows: number) => number },
): number[][] {
  const addresses: number[][] = []
  for (let block = 0; block <= shape.trainBlocks; block++) {
    const validation = block === shape.trainBlocks
    const rows = validation ? shape.validationRows : shape.rows
    const own = (part: number) =>
      part < shared && block > 0 && !validation ? addresses[0]![part]! : take(rows)
    addresses.push(Array.from({ length: parts }, (_, part) => own(part)))
  }
  return addresses
}

const VECTORS = 8
const VALIDATION_VECTORS = 2

function writeTables(memory: WasmMemory, shape: GrowerShape, layout: Layout): void {
  const words = new Uint32Array(memory.buffer)
  words.set(layout.offsetTable, layout.offsets / 4)
  for (let column = 0; column < layout.groupCount * GROUP_COLUMNS; column++) {
    words[layout.bins / 4 + column] = shape.columns[column]?.bins ?? 1
    words[layout.oneHot / 4 + column] = shape.columns[column]?.oneHot ? 1 : 0
  }
  layout.groups.forEach((table, block) =>
    words.set(table, layout.groupTables / 4 + block * layout.groupCount),
  )
}

interface Parts {
  shape: GrowerShape
  layout: Layout
  memory: WasmMemory
  kernel: TrainExports
  team: Team
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
  const { shape, layout, memory, kernel, team } = parts
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
    measure: (ders, weights, boots) => {
      const boot = boots?.byteOffset ?? 0
      kernel.measure(ders.byteOffset, weights.byteOffset, boot, shape.rows, layout.sums)
      const sums = new Float64Array(memory.buffer, layout.sums, 5)
      return {
        gradients: sums[0]!,
        weights: sums[1]!,
        plainWeights: sums[2]!,
        squares: sums[3]!,
        wholeWeights: sums[4] === 1,
      }
    },
    start: (tree) => {
      segments = startedSegments(parts, tree)
      bytes.set(tree.activeGroups ?? new Uint8Array(layout.groupCount).fill(1), layout.active)
    },
    scores: () => {
      writeLevel(parts, segments!)
      const scores = new Float64Array(memory.buffer, layout.scores, layout.offsetTable.at(-1)!)
      scores.fill(Number.NEGATIVE_INFINITY)
      team.run()
      return scores
    },
    split: (choice) => splitSegments(parts, segments!, choice),
    placeRows: (block, splits) => {
      placedRows = rowsOf(shape, block)
      splits.forEach((choice, i) => {
        const at = layout.splits + i * SPLIT_BYTES
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
    close: () => team.close(),
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
  const desk = new Float32Array(memory.buffer, layout.spareOrder, shape.rows)
  for (let from = 0; from < rows; from += desk.length) {
    const count = Math.min(desk.length, rows - from)
    desk.set(values.subarray(from, from + count))
    kernel.quantise(layout.spareOrder, count, layout.borders, borders.length, missing, target + from)
  }
}

/** Puts columns side by side in groups for the histograms of every training block. */
function interleaveAll({ shape, layout, memory, kernel }: Parts): void {
  const words = new Int32Array(memory.buffer)
  for (let block = 0; block < shape.trainBlocks; block++) {
    layout.groups[block]!.forEach((at, group) => {
      if (block > 0 && at === layout.groups[0]![group]) return
      for (let i = 0; i < GROUP_COLUMNS; i++) {
        words[layout.addresses / 4 + i] = layout.bytes[block]![group * GROUP_COLUMNS + i] ?? 0
      }
      kernel.interleave(layout.addresses, shape.rows, at)
    })
  }
}

function startedSegments({ shape, layout, memory, kernel }: Parts, tree: TreeStart): Segments {
  const chosen = packing(tree.measure, shape.rows)
  const count = kernel.start(
    tree.ders.byteOffset,
    tree.weights.byteOffset,
    tree.boots?.byteOffset ?? 0,
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

function writeLevel({ layout, memory }: Parts, segments: Segments): void {
  const words = new Int32Array(memory.buffer)
  words.set(segments.pairs.flat(), layout.pairs / 4)
  words.set(segments.slots, layout.slots / 4)
  words.set(
    [
      layout.order,
      layout.ordered,
      layout.groupTables + segments.block * layout.groupCount * 4,
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
