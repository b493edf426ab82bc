import { compiledWasm, wasmPageBytes, wasmApi, type WasmModule } from '../kernels/load.ts'
import { rawValues, withScaleAndBias } from './apply.ts'
import type { FeatureColumns, TreeModel } from './model.ts'
import { modelCtrValues, quantiseRows, type Bins, type FeatureBins } from './quantise.ts'

const stepRows = 16
const maxKernelDepth = 8

/** A model ready to answer many times; `kind` says whether the SIMD kernel or the plain implementation is used. */
export interface Evaluator {
  kind: 'simd' | 'plain'
  model: TreeModel
  /** Raw values of feature rows, row-major by dimension. */
  values(columns: FeatureColumns): Float64Array
  /** Feature rows as byte columns, padded for `valuesOfBins`. */
  quantise(columns: FeatureColumns): Bins
  /** Raw values of rows that are already quantised; their stride is a multiple of sixteen. */
  valuesOfBins(bins: Bins): Float64Array
}

/** How long a byte column is for this many rows, padded to whole instructions. */
export function paddedRows(rows: number): number {
  return Math.ceil(rows / stepRows) * stepRows
}

/** An evaluator on the SIMD kernel where the runtime and the model's shape allow it, else on the plain implementation. */
export function createEvaluator(
  model: TreeModel,
  module: WasmModule | 'none' | undefined = compiledWasm('trees-apply'),
): Evaluator {
  const { forest } = model
  const shallow = forest.kind === 'symmetric' && forest.depths.every((depth) => depth <= maxKernelDepth)
  return module !== undefined && module !== 'none' && shallow
    ? simdEvaluator(model, module)
    : plainEvaluator(model)
}

function plainEvaluator(model: TreeModel): Evaluator {
  return {
    kind: 'plain',
    model,
    values: (columns) => rawValues(model, quantiseRows(model, columns)),
    quantise: (columns) => quantiseRows(model, columns, paddedRows(columns.rows)),
    valuesOfBins: (bins) => rawValues(model, bins),
  }
}

interface ApplyExports {
  addLeaves(
    bins: number,
    stride: number,
    blocks: number,
    trees: number,
    depths: number,
    splits: number,
    leaves: number,
    sums: number,
  ): void
  quantise(values: number, rows: number, borders: number, count: number, missing: number, out: number): void
}

function simdEvaluator(model: TreeModel, module: WasmModule): Evaluator {
  const tables = kernelTables(model)
  const memory = new (wasmApi().Memory)({ initial: Math.ceil(tables.end / wasmPageBytes) + 1 })
  const kernel = new (wasmApi().Instance)(module, { env: { memory } }).exports as ApplyExports
  new Uint8Array(memory.buffer).set(tables.bytes)
  const { dimension, splits } = model
  const ctrs = modelCtrValues(model)

  /** Room behind the tables: the values of one feature, then the bins of all, then sums. */
  const reserveBins = (stride: number, columns = splits.columnCount) => {
    const binsAt = tables.end + stride * 4
    const sumsAt = binsAt + columns * stride
    const missing = sumsAt + stride * 8 - memory.buffer.byteLength
    if (missing > 0) memory.grow(Math.ceil(missing / wasmPageBytes))
    return { binsAt, sumsAt, bytes: new Uint8Array(memory.buffer, binsAt, columns * stride) }
  }
  const quantiseInMemory = (columns: FeatureColumns): Bins => {
    const stride = paddedRows(columns.rows)
    const { bytes } = reserveBins(stride)
    const values = new Float32Array(memory.buffer, tables.end, stride)
    const featureBins: FeatureBins = ({ borders, missing }, given, out) => {
      values.set(given.length === out.length ? given : given.subarray(0, out.length))
      const bordersAt = tables.bordersAt.get(borders)!
      kernel.quantise(tables.end, out.length, bordersAt, borders.length, missing, out.byteOffset)
    }
    return quantiseRows(model, columns, stride, { featureBins, ctrs, bytes: bytes.fill(0) })
  }
  const sumLeaves = ({ rows, stride }: Bins): Float64Array => {
    const { binsAt, sumsAt } = reserveBins(stride)
    const sums = new Float64Array(memory.buffer, sumsAt, rows)
    const values = new Float64Array(rows * dimension)
    for (let d = 0; d < dimension; d++) {
      const leavesAt = tables.leavesAt + d * tables.leafBytes
      const { trees, depthsAt, splitsAt } = tables
      kernel.addLeaves(binsAt, stride, paddedRows(rows), trees, depthsAt, splitsAt, leavesAt, sumsAt)
      if (dimension === 1) values.set(sums)
      else for (let row = 0; row < rows; row++) values[row * dimension + d] = sums[row]!
    }
    return withScaleAndBias(model, values)
  }
  return {
    kind: 'simd',
    model,
    values: (columns) => sumLeaves(quantiseInMemory(columns)),
    quantise: (columns) => {
      const bins = quantiseInMemory(columns)
      return { ...bins, bytes: bins.bytes.slice() }
    },
    valuesOfBins: (bins) => {
      reserveBins(bins.stride).bytes.set(bins.bytes)
      return sumLeaves(bins)
    },
  }
}

/** The model as the kernel reads it: depths, splits of four bytes, leaves one dimension after another, then borders. */
function kernelTables(model: TreeModel) {
  const { forest, dimension, splits } = model
  if (forest.kind !== 'symmetric') throw new Error('The kernel evaluates symmetric trees only.')
  const trees = forest.depths.length
  const splitsAt = paddedRows(trees)
  const leavesAt = paddedRows(splitsAt + forest.splits.length * 4)
  const leafBytes = (forest.leafValues.length / dimension) * 8
  const bordersAt = new Map<Float32Array, number>()
  let end = paddedRows(leavesAt + leafBytes * dimension)
  for (const { borders } of [...model.floats, ...model.ctrs]) {
    bordersAt.set(borders, end)
    end = paddedRows(end + borders.byteLength)
  }
  const bytes = new Uint8Array(end)
  const view = new DataView(bytes.buffer)
  bytes.set(forest.depths)
  forest.splits.forEach((split, i) => {
    view.setUint16(splitsAt + i * 4, splits.columns[split]!, true)
    view.setUint8(splitsAt + i * 4 + 2, splits.thresholds[split]!)
    view.setUint8(splitsAt + i * 4 + 3, splits.flips[split]!)
  })
  forest.leafValues.forEach((value, i) => {
    const leaf = Math.floor(i / dimension)
    view.setFloat64(leavesAt + (i % dimension) * leafBytes + leaf * 8, value, true)
  })
  for (const [borders, at] of bordersAt) new Float32Array(bytes.buffer, at, borders.length).set(borders)
  return { bytes, end, trees, depthsAt: 0, splitsAt, leavesAt, leafBytes, bordersAt }
}
