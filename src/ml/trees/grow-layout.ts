// The layout of a training's single memory block, allocated once so that views stay valid.
import type { WasmMemory } from '../kernels/load.ts'
import { columnOffsets, groupColumns, type GrowerShape } from './grower.ts'

const descriptorBytes = 256
const scratchBytes = 8192
const pairBytes = 16
export const splitBytes = 8
const vectorCount = 8
const validationVectorCount = 2

export type Layout = ReturnType<typeof layoutOf>

/** Addresses in the memory block. */
export function layoutOf(shape: GrowerShape) {
  let end = 64
  const take = (bytes: number) => {
    const at = end
    end += Math.ceil(bytes / 16) * 16
    return at
  }
  const { rows, validationRows, columns } = shape
  const offsets = columnOffsets(columns)
  const groupCount = (offsets.length - 1) / groupColumns
  const maxLeaves = 2 ** shape.maxDepth
  const slotBytes = Math.ceil((offsets.at(-1)! * 8) / 16) * 16
  const fixed = {
    descriptor: take(descriptorBytes),
    offsets: take(offsets.byteLength),
    bins: take(groupCount * groupColumns * 4),
    oneHot: take(groupCount * groupColumns * 4),
    sums: take(64),
    borders: take(1024),
    addresses: take(groupColumns * 4),
    active: take(groupCount),
    groupTables: take((shape.trainBlocks + 1) * groupCount * 8),
    pairs: take(maxLeaves * pairBytes),
    slots: take(maxLeaves * 4),
    splits: take(shape.maxDepth * splitBytes),
    leafCells: take(maxLeaves * 8),
    scores: take(offsets.at(-1)! * 8),
    scratch: take(shape.threads * scratchBytes),
    order: take(rows * 4 + 4),
    spareOrder: take(rows * 4 + 4),
    ordered: take(rows * 8 + 8),
    sparePacked: take(rows * 8 + 8),
    placed: take(Math.max(rows, validationRows) * 2 + 32),
    hist: take(slotBytes * Math.max(1, maxLeaves / 2)),
  }
  const groups = groupPlaces(shape, groupCount, take)
  const bytes = blockAddresses(shape, columns.length, {
    shared: shape.sharedColumns,
    take: (blockRows) => take(blockRows + 16),
  })
  const vectors = Array.from({ length: vectorCount + shape.trainBlocks }, () => take(rows * 8 + 32))
  const validationVectors = Array.from({ length: validationVectorCount }, () => take(validationRows * 8 + 32))
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

/** Where a group's eight bytes of row 0 stand, and how far it is to the next row's. */
export interface GroupPlace {
  at: number
  stride: number
}

/**
 * All groups of a row stand side by side, so that one fetch of a far row serves them all. Groups that hold only
 * shared columns stand in the first block alone.
 */
function groupPlaces(
  shape: GrowerShape,
  groupCount: number,
  take: (bytes: number) => number,
): GroupPlace[][] {
  const shared = Math.floor(shape.sharedColumns / groupColumns)
  const table = (count: number): GroupPlace[] => {
    const stride = count * groupColumns
    const at = take(shape.rows * stride)
    return Array.from({ length: count }, (_, group) => ({ at: at + group * groupColumns, stride }))
  }
  const common = table(shared)
  return Array.from({ length: shape.trainBlocks }, () => [...common, ...table(groupCount - shared)])
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

export function writeTables(memory: WasmMemory, shape: GrowerShape, layout: Layout): void {
  const words = new Uint32Array(memory.buffer)
  words.set(layout.offsetTable, layout.offsets / 4)
  for (let column = 0; column < layout.groupCount * groupColumns; column++) {
    words[layout.bins / 4 + column] = shape.columns[column]?.bins ?? 1
    words[layout.oneHot / 4 + column] = shape.columns[column]?.oneHot ? 1 : 0
  }
  layout.groups.forEach((table, block) =>
    words.set(
      table.flatMap(({ at, stride }) => [at, stride]),
      layout.groupTables / 4 + block * layout.groupCount * 2,
    ),
  )
}
