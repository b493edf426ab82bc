// Implicit matrix factorisation by alternating least squares, with the weights and the scaled regularisation
// of Rendle and others (2021): Σ over entries (x·y − 1)² + α Σ over everything (x·y)² + Σ ridge ‖x‖².

import { canRun, kernelCalls, kernelModule, sharedMemory } from '../kernels/load.ts'
import { seededNormal } from '../random.ts'
import { type Explainer, ReasonSums } from './explainers.ts'
import { type FactorIndex, factorSearch, gramOf } from './factor-index.ts'
import { addScore, maxProposed, type Retriever } from './score-board.ts'
import { factorise, solveFactorised, solveSymmetric } from './solve.ts'
import { rowSizes, transposed, type Csr } from './sparse.ts'
import { runJob, type Share } from './threads.ts'

const kernelName = 'factors'
const rowsATurn = 64
const addresses = 10

export interface IalsOptions {
  /** Rounded up to a multiple of 8. */
  factors: number
  epochs: number
  /** α: what an absent entry weighs. */
  unobserved: number
  regularisation: number
  /** ν: 1 scales the regularisation with a row's weight, 0 keeps it equal for all. */
  scaling: number
  seed: number
  threads: number
}

export interface IalsModel {
  factors: number
  users: Float32Array
  items: Float32Array
  options: IalsOptions
}

/** What folding a history in needs of a model. */
export interface FoldedModel extends Pick<IalsModel, 'factors' | 'items'> {
  options: Pick<IalsOptions, 'unobserved' | 'regularisation' | 'scaling'>
  /** The sum of the outer products of all items. It takes seconds for many, so serving and explaining share it. */
  gram?: Float64Array | undefined
  /** Of many items; without it all of them are scanned. */
  index?: FactorIndex | undefined
}

interface Layout {
  rows: number
  cols: number
  k: number
  epochs: number
  unobserved: number
  places: number[]
}

/** Fits both sides. The same seed gives the same bytes with any number of threads. */
export async function ialsModel(rows: Csr, options: IalsOptions): Promise<IalsModel> {
  const k = paddedFactors(options.factors)
  const columns = transposed(rows)
  const start = startingFactors(rows.cols, k, options)
  if (!canRun(kernelName)) return ialsPlain(rows, options)
  const parts = [
    rows.offsets,
    rows.indices,
    columns.offsets,
    columns.indices,
    ridges(rows, options),
    ridges(columns, options),
    new Float32Array(rows.rows * k),
    start,
    new Float32Array(k * k),
    new Int32Array(2 * options.epochs + 2),
  ]
  const places: number[] = []
  let bytes = 0
  for (const part of parts) {
    places.push(bytes)
    bytes += Math.ceil(part.byteLength / 64) * 64
  }
  const memory = sharedMemory(bytes + scratchBytes(k) * Math.max(1, options.threads))
  parts.forEach((part, at) => copyInto(memory.buffer, places[at]!, part))
  const args = [rows.rows, rows.cols, k, options.epochs, options.unobserved, bytes, ...places]
  const work = options.epochs * (rows.indices.length * k * k + ((rows.rows + rows.cols) * k ** 3) / 6)
  await runJob({ program: 'ials', kernel: kernelName, memory, args, work }, ialsShare, options.threads)
  return {
    factors: k,
    // A view: with many buyers a copy would double the memory of the fit.
    users: new Float32Array(memory.buffer, places[6], rows.rows * k),
    items: new Float32Array(memory.buffer, places[7], rows.cols * k).slice(),
    options,
  }
}

function copyInto(buffer: SharedArrayBuffer, at: number, part: Float32Array | Int32Array): void {
  new Uint8Array(buffer, at, part.byteLength).set(
    new Uint8Array(part.buffer, part.byteOffset, part.byteLength),
  )
}

/** One thread's part of all epochs: users from items, then items from users. */
export function ialsShare(share: Share): void {
  const [rows, cols, k, epochs, unobserved, scratchStart] = share.args as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const layout: Layout = { rows, cols, k, epochs, unobserved, places: share.args.slice(6, 6 + addresses) }
  const scratch = scratchStart + share.thread * scratchBytes(k)
  for (let epoch = 0; epoch < epochs; epoch++) {
    solveSide(share, layout, { scratch, turn: 2 * epoch, users: true })
    solveSide(share, layout, { scratch, turn: 2 * epoch + 1, users: false })
  }
}

function solveSide(
  share: Share,
  layout: Layout,
  at: { scratch: number; turn: number; users: boolean },
): void {
  const { places, k } = layout
  const [count, otherCount] = at.users ? [layout.rows, layout.cols] : [layout.cols, layout.rows]
  const [offsets, indices] = at.users ? [places[0]!, places[1]!] : [places[2]!, places[3]!]
  const ridge = at.users ? places[4]! : places[5]!
  const [own, others] = at.users ? [places[6]!, places[7]!] : [places[7]!, places[6]!]
  const base = places[8]!
  const turns = new Int32Array(share.memory.buffer, places[9]!, 2 * layout.epochs)
  if (share.thread === 0) {
    share.call['gram']!(others, otherCount, k, base)
    const matrix = new Float32Array(share.memory.buffer, base, k * k)
    for (let cell = 0; cell < matrix.length; cell++) matrix[cell]! *= layout.unobserved
  }
  share.barrier()
  for (;;) {
    const from = Atomics.add(turns, at.turn, 1) * rowsATurn
    if (from >= count) break
    const to = Math.min(count, from + rowsATurn)
    share.call['solveRows']!(offsets, indices, others, base, ridge, own, k, at.scratch, from, to)
  }
  share.barrier()
}

/** What the kernel works on for one row: a matrix, a sum, and the rows of a chunk of 64 entries. */
const scratchBytes = (k: number): number => (k * k + 65 * k) * 4

export const paddedFactors = (factors: number): number => Math.max(8, Math.ceil(factors / 8) * 8)

function startingFactors(items: number, k: number, { factors, seed }: IalsOptions): Float32Array {
  const normal = seededNormal(seed)
  const scale = 0.1 / Math.sqrt(factors)
  const start = new Float32Array(items * k)
  for (let at = 0; at < start.length; at++) if (at % k < factors) start[at] = normal() * scale
  return start
}

function ridges(side: Csr, { regularisation, scaling, unobserved }: IalsOptions): Float32Array {
  return Float32Array.from(
    rowSizes(side),
    (size) => regularisation * (size + unobserved * side.cols) ** scaling,
  )
}

/** Scores the best items for a buyer known only by a history: one small solve, then a search of the items. */
export function ialsRetriever(model: FoldedModel): Retriever {
  const { factors: k, items } = model
  const count = items.length / k
  const fold = folding(model)
  const search = factorSearch(items, k, model.index)
  return (history, board) => {
    const known = knownItems(history, count)
    if (known.length === 0) return
    const { ids, scores } = search(fold(known), maxProposed)
    for (let at = 0; at < ids.length; at++) addScore(board, ids[at]!, scores[at]!)
  }
}

const knownItems = (history: ArrayLike<number>, count: number): Int32Array =>
  Int32Array.from(new Set(Array.from(history).filter((item) => item >= 0 && item < count))).toSorted()

/**
 * A buyer's factors are W⁻¹ Σ y over the history, so each item y of it adds its product with W⁻¹ times the explained
 * item (Hu and others 2008).
 */
export function ialsExplainer(model: FoldedModel): Explainer {
  const { factors: k, items } = model
  const count = items.length / k
  const solverOf = historySolver(model)
  return (history, item) => {
    const known = knownItems(history, count).slice(-mostFolded)
    if (known.length === 0 || !(item >= 0 && item < count)) return []
    const solved = solverOf(known)(items.subarray(item * k, (item + 1) * k))
    const sums = new ReasonSums()
    for (const from of known) {
      let dot = 0
      for (let at = 0; at < k; at++) dot += items[from * k + at]! * solved[at]!
      sums.add(from, dot)
    }
    return sums.reasons()
  }
}

/** W⁻¹ times a vector. */
type Solver = (vector: Float32Array) => Float64Array

/** Factorises W of a history, which is sorted; that of the last one is cached, because it explains all offers of a list. */
export function historySolver(model: FoldedModel): (known: Int32Array) => Solver {
  const { factors: k, items } = model
  const base = baseOf(model)
  const ridge = ridgeOf(model)
  let last: { known: Int32Array; solver: Solver } | undefined
  return (known) => {
    if (last && isSame(last.known, known)) return last.solver
    const { matrix } = systemOf(known, { items, base, k, ridge: ridge(known.length) })
    const solver: Solver = factorise(matrix, k)
      ? (vector) => solveFactorised(matrix, Float64Array.from(vector))
      : () => new Float64Array(k)
    last = { known, solver }
    return solver
  }
}

const isSame = (a: Int32Array, b: Int32Array): boolean =>
  a.length === b.length && a.every((item, at) => item === b[at])

const baseOf = ({ items, factors, options, gram = gramOf(items, factors) }: FoldedModel): Float64Array =>
  gram.map((value) => value * options.unobserved)

const ridgeOf =
  ({ items, factors, options }: FoldedModel) =>
  (size: number): number =>
    options.regularisation * (size + (options.unobserved * items.length) / factors) ** options.scaling

/** The most items of a history that are folded in, the last ones by id. */
const mostFolded = 4096

/** Turns a history of known items into the factors that a row of training with it would have. */
export function folding(model: FoldedModel): (history: Int32Array) => Float32Array {
  const { factors: k, items } = model
  const base = baseOf(model)
  const ridge = ridgeOf(model)
  if (!canRun(kernelName))
    return (history) => solvedPlain(history, { items, base, k, ridge: ridge(history.length) })
  // The rows of a history are copied for each call: all items would be a second copy of the model.
  const rowsLength = mostFolded * k
  const memory = sharedMemory((rowsLength + k * k + k + mostFolded + 16) * 4 + scratchBytes(k))
  const calls = kernelCalls(kernelModule(kernelName), memory)
  const [baseAt, scratchAt] = [rowsLength * 4, (rowsLength + k * k) * 4]
  const ownAt = scratchAt + scratchBytes(k)
  const headAt = ownAt + k * 4
  const rows = new Float32Array(memory.buffer, 0, rowsLength)
  new Float32Array(memory.buffer, baseAt, k * k).set(base)
  const head = new Int32Array(memory.buffer, headAt, mostFolded + 4)
  const ridgeView = new Float32Array(memory.buffer, headAt, 4)
  for (let at = 0; at < mostFolded; at++) head[4 + at] = at
  return (history) => {
    const recent = history.subarray(Math.max(0, history.length - mostFolded))
    recent.forEach((item, at) => rows.set(items.subarray(item * k, (item + 1) * k), at * k))
    head[0] = 0
    head[1] = recent.length
    ridgeView[2] = ridge(recent.length)
    calls['solveRows']!(headAt, headAt + 16, 0, baseAt, headAt + 8, ownAt, k, scratchAt, 0, 1)
    return new Float32Array(memory.buffer, ownAt, k).slice()
  }
}

/** The plain implementation of the whole fit. */
export function ialsPlain(rows: Csr, options: IalsOptions): IalsModel {
  const k = paddedFactors(options.factors)
  const columns = transposed(rows)
  const users = new Float32Array(rows.rows * k)
  const items = startingFactors(rows.cols, k, options)
  const sides = [
    { side: rows, own: users, others: items, ridge: ridges(rows, options) },
    { side: columns, own: items, others: users, ridge: ridges(columns, options) },
  ]
  for (let epoch = 0; epoch < options.epochs; epoch++) {
    for (const { side, own, others, ridge } of sides) {
      const base = gramOf(others, k).map((value) => value * options.unobserved)
      for (let row = 0; row < side.rows; row++) {
        const entries = side.indices.subarray(side.offsets[row], side.offsets[row + 1])
        own.set(solvedPlain(entries, { items: others, base, k, ridge: ridge[row]! }), row * k)
      }
    }
  }
  return { factors: k, users, items, options }
}

interface Side {
  items: Float32Array
  base: Float64Array
  k: number
  ridge: number
}

function solvedPlain(entries: Int32Array, side: Side): Float32Array {
  if (entries.length === 0) return new Float32Array(side.k)
  const { matrix, vector } = systemOf(entries, side)
  return Float32Array.from(solveSymmetric(matrix, vector))
}

/** The equations of one row, and the sum of the factors of its entries. */
function systemOf(
  entries: Int32Array,
  { items, base, k, ridge }: Side,
): { matrix: Float64Array; vector: Float64Array } {
  const matrix = base.slice()
  const vector = new Float64Array(k)
  for (const entry of entries) {
    for (let i = 0; i < k; i++) {
      const value = items[entry * k + i]!
      vector[i]! += value
      for (let j = 0; j < k; j++) matrix[i * k + j]! += value * items[entry * k + j]!
    }
  }
  for (let i = 0; i < k; i++) matrix[i * k + i]! += ridge
  return { matrix, vector }
}
