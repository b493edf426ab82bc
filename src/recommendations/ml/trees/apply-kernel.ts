import { compiledWasm, WASM_PAGE_BYTES, wasmApi, type WasmMemory, type WasmModule } from '../kernels/load.ts'
import { rawValues, withScaleAndBias } from './apply.ts'
import type { FeatureColumns, TreeModel } from './model.ts'
import { modelCtrValues, quantisedRows, type Bins, type FeatureBins } from './quantise.ts'

const LANES = 16
const STEP_ROWS = 16
const MAX_KERNEL_DEPTH = 8

/** A model ready to answer many times; `kind` says whether the SIMD kernel or its plain twin does the work. */
export interface Evaluator {
  kind: 'simd' | 'plain'
  model: TreeModel
  /** Raw values of feature rows, row-major by dimension. */
  values(columns: FeatureColumns): Float64Array
  /** Feature rows as byte columns, padded for `valuesOfBins`. */
  quantise(columns: FeatureColumns): Bins
  /** Raw values of rows that are already quantised; their stride is a multiple of thirty-two. */
  valuesOfBins(bins: Bins): Float64Array
}

/** How long a byte column is for so many rows, padded to whole instructions. */
export function paddedRows(rows: number): number {
  return Math.ceil(rows / STEP_ROWS) * STEP_ROWS
}

/** An evaluator on the SIMD kernel where the runtime and the model's shape allow it, else on the plain twin. */
export function createEvaluator(
  model: TreeModel,
  module: WasmModule | 'none' | undefined = compiledWasm('trees-apply'),
): Evaluator {
  const { forest } = model
  const shallow = forest.kind === 'symmetric' && forest.depths.every((depth) => depth <= MAX_KERNEL_DEPTH)
  return module !== undefined && module !== 'none' && shallow
    ? simdEvaluator(model, module)
    : plainEvaluator(model)
}

function plainEvaluator(model: TreeModel): Evaluator {
  return {
    kind: 'plain',
    model,
    values: (columns) => rawValues(model, quantisedRows(model, columns)),
    quantise: (columns) => quantisedRows(model, columns, paddedRows(columns.rows)),
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
  const memory = new (wasmApi().Memory)({ initial: Math.ceil(tables.end / WASM_PAGE_BYTES) + 1 })
  const kernel = new (wasmApi().Instance)(module, { env: { memory } }).exports as ApplyExports
  new Uint8Array(memory.buffer).set(tables.bytes)
  const { dimension } = model

  const valuesOfBins = (bins: Bins): Float64Array => {
    const padded = paddedRows(bins.rows)
    const sumsAt = tables.end + Math.ceil(bins.bytes.length / LANES) * LANES + LANES
    const missing = sumsAt + padded * 8 - memory.buffer.byteLength
    if (missing > 0) memory.grow(Math.ceil(missing / WASM_PAGE_BYTES))
    new Uint8Array(memory.buffer).set(bins.bytes, tables.end)
    const values = new Float64Array(bins.rows * dimension)
    const sums = new Float64Array(memory.buffer, sumsAt, bins.rows)
    for (let d = 0; d < dimension; d++) {
      kernel.addLeaves(
        tables.end,
        bins.stride,
        padded,
        tables.trees,
        tables.depthsAt,
        tables.splitsAt,
        tables.leavesAt + d * tables.leafBytes,
        sumsAt,
      )
      if (dimension === 1) values.set(sums)
      else for (let row = 0; row < bins.rows; row++) values[row * dimension + d] = sums[row]!
    }
    return withScaleAndBias(model, values)
  }
  const featureBins = kernelBins(kernel, memory, tables.end)
  const ctrs = modelCtrValues(model)
  const quantise = (columns: FeatureColumns) => {
    const stride = paddedRows(columns.rows)
    const room = tables.end + MAX_BORDER_BYTES + columns.rows * 4 + stride
    if (room > memory.buffer.byteLength) {
      memory.grow(Math.ceil((room - memory.buffer.byteLength) / WASM_PAGE_BYTES))
    }
    return quantisedRows(model, columns, stride, { featureBins, ctrs })
  }
  const values = (columns: FeatureColumns) => valuesOfBins(quantise(columns))
  return { kind: 'simd', model, values, quantise, valuesOfBins }
}

const MAX_BORDER_BYTES = 1024

/** Finds bins of one feature in the memory behind the model's tables: borders, values, then bytes. */
function kernelBins(kernel: ApplyExports, memory: WasmMemory, at: number): FeatureBins {
  return ({ borders, missing }, values, out) => {
    const valuesAt = at + MAX_BORDER_BYTES
    const bytesAt = valuesAt + out.length * 4
    new Float32Array(memory.buffer, at, borders.length).set(borders)
    new Float32Array(memory.buffer, valuesAt, out.length).set(values.subarray(0, out.length))
    kernel.quantise(valuesAt, out.length, at, borders.length, missing, bytesAt)
    out.set(new Uint8Array(memory.buffer, bytesAt, out.length))
  }
}

/** The model as the kernel reads it: depths, then splits of four bytes, then leaves one dimension after another. */
function kernelTables(model: TreeModel) {
  const { forest, dimension, splits } = model
  if (forest.kind !== 'symmetric') throw new Error('The kernel evaluates symmetric trees only.')
  const trees = forest.depths.length
  const splitsAt = paddedRows(trees)
  const leavesAt = paddedRows(splitsAt + forest.splits.length * 4)
  const leafBytes = (forest.leafValues.length / dimension) * 8
  const end = paddedRows(leavesAt + leafBytes * dimension)
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
  return { bytes, end, trees, depthsAt: 0, splitsAt, leavesAt, leafBytes }
}
