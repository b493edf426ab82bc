// How fast candidates are fitted and found. Work on one thread is measured in CPU time, which is steadier than the
// clock on a machine that others use too; work on two in seconds by the clock, with its CPU time beside it.
// BENCH_FULL=1 takes an epoch of iALS from ten of them, not from two. Alone it takes `--json`, and `--small` for a
// tenth of each size.

import { newScoreBoard, listFor, type Retriever } from '../src/ml/retrieval/score-board.ts'
import { contentVectors } from '../src/ml/retrieval/content.ts'
import { easeGraph } from '../src/ml/retrieval/ease.ts'
import { folding, ialsModel, ialsPlain } from '../src/ml/retrieval/ials.ts'
import { dotsWith, factorIndex, factorSearch } from '../src/ml/retrieval/factor-index.ts'
import { cooccurrenceOf } from '../src/ml/retrieval/cooccurrence.ts'
import { neighbourRetriever } from '../src/ml/retrieval/neighbours.ts'
import { ridgeGraph } from '../src/ml/retrieval/ridge.ts'
import { ruleGraph } from '../src/ml/retrieval/rules.ts'
import { sessionIndex, sessionRetriever } from '../src/ml/retrieval/session-knn.ts'
import type { Csr } from '../src/ml/retrieval/sparse.ts'
import { walkGraph } from '../src/ml/retrieval/walks.ts'
import { seededNormal, seededRandom } from '../src/ml/random.ts'
import { topK } from '../src/ml/top-k.ts'
import type { Row } from './row.ts'

const THREADS = 2
const EPOCHS = process.env['BENCH_FULL'] === '1' ? 10 : 2

/** Measures every row once, on data made here; `scale` shrinks the sizes. */
export async function bench(scale = 1): Promise<Row[]> {
  return [
    await easeRow(Math.round(5000 * scale)),
    ...(await ialsRows(scale)),
    ...(await requestRows(scale)),
    await ridgeRow(Math.round(20_000 * scale)),
    await scanRow(Math.round(40_000 * scale)),
    await scanRow(Math.round(100_000 * scale)),
    await indexRow(Math.round(300_000 * scale)),
    await contentRow(Math.round(50_000 * scale)),
  ]
}

interface Spent {
  seconds: number
  cpu: number
}

async function spentOn(work: () => unknown): Promise<Spent> {
  const start = performance.now()
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return { seconds: (performance.now() - start) / 1000, cpu: (user + system) / 1e6 }
}

const onThreads = (cpu: number): string => `${THREADS} threads, ${cpu.toFixed(1)} CPU-s`

/** Rows of popular and rare items: item frequencies fall off as sales do. */
function madeRows(rows: number, items: number, perRow: number): Csr {
  const random = seededRandom(1)
  const offsets = new Int32Array(rows + 1)
  const indices = new Int32Array(rows * perRow)
  const marks = new Int32Array(items).fill(-1)
  let size = 0
  for (let row = 0; row < rows; row++) {
    const length = Math.max(2, Math.floor(perRow * (0.3 + 1.4 * random())))
    const from = size
    for (let at = 0; at < length && size < indices.length; at++) {
      const item = Math.min(items - 1, Math.floor(items * random() ** 2.5))
      if (marks[item] === row) continue
      marks[item] = row
      indices[size++] = item
    }
    indices.subarray(from, size).sort()
    offsets[row + 1] = size
  }
  const kept = indices.slice(0, size)
  return { rows, cols: items, offsets, indices: kept, values: new Float32Array(size).fill(1) }
}

async function easeRow(items: number): Promise<Row> {
  const rows = madeRows(items * 4, items, 20)
  const options = { lambda: 100, damping: 0, keep: 200, threads: THREADS }
  const { seconds, cpu } = await spentOn(() => easeGraph(rows, options))
  return {
    name: `EASE, ${items} items, pruned to 200`,
    ours: seconds,
    unit: 's',
    bar: '≤ 6 s',
    note: onThreads(cpu),
  }
}

async function ialsRows(scale: number): Promise<Row[]> {
  const rows = madeRows(Math.round(138_000 * scale), Math.round(27_000 * scale), 150)
  const options = {
    factors: 64,
    unobserved: 0.1,
    regularisation: 0.01,
    scaling: 1,
    seed: 1,
    threads: THREADS,
  }
  const one = await spentOn(() => ialsModel(rows, { ...options, epochs: 1 }))
  const more = await spentOn(() => ialsModel(rows, { ...options, epochs: 1 + EPOCHS }))
  const epoch = { seconds: (more.seconds - one.seconds) / EPOCHS, cpu: (more.cpu - one.cpu) / EPOCHS }
  const few = madeRows(1000, 1000, 50)
  const plain = await spentOn(() => ialsPlain(few, { ...options, epochs: 1 }))
  const fast = await spentOn(() => ialsModel(few, { ...options, epochs: 1, threads: 1 }))
  const fold = folding(await ialsModel(few, { ...options, epochs: 1 }))
  const history = few.indices.subarray(0, few.offsets[1])
  const folds = await spentOn(() => {
    for (let round = 0; round < 5000; round++) fold(history)
  })
  const name = `iALS, k = 64, ${(rows.indices.length / 1e6).toFixed(1)} M interactions, an epoch`
  const setUp = `set-up ${(one.seconds - epoch.seconds).toFixed(1)} s once`
  return [
    {
      name,
      ours: epoch.seconds,
      unit: 's',
      bar: '≤ 8 s for 20 M',
      note: `${onThreads(epoch.cpu)}, the mean of ${EPOCHS} epochs; ${setUp}`,
    },
    { name: `${name}, CPU`, ours: epoch.cpu, unit: 'CPU-s', note: 'of both threads' },
    {
      name: 'iALS, plain implementation over accelerated',
      ours: plain.cpu / fast.cpu,
      unit: '×',
      note: 'CPU, 1000 × 1000',
    },
    { name: 'iALS fold-in of a buyer', ours: (folds.cpu / 5000) * 1e6, unit: 'µs', note: 'CPU' },
  ]
}

/** Retrieval for one request over 40 000 items and 200 000 sessions. */
async function requestRows(scale: number): Promise<Row[]> {
  const items = Math.round(40_000 * scale)
  const made = madeRows(Math.round(200_000 * scale), items, 5)
  const sessions = Array.from({ length: made.rows }, (_, row) =>
    made.indices.slice(made.offsets[row], made.offsets[row + 1]),
  )
  const options = { recent: 500, neighbours: 100, last: 10, fade: 0.5, ageFade: 0.5, distanceFade: 0.1 }
  const index = sessionIndex(sessions, items, options.recent)
  const near = sessionRetriever(index, { ...options, backward: 1, lengthPower: 0.3, idf: 0.2 })
  const walk = walkGraph(cooccurrenceOf(made, 1), { fromPower: 0.5, toPower: 0.3, keep: 200 })
  const rule = { stepPower: 1, maxStep: 10, toPower: 0, ageFade: 0, backward: 0, itself: 0, keep: 200 }
  const rules = ruleGraph(sessions, items, rule)
  const row = async (name: string, retriever: Retriever): Promise<Row> => {
    const ours = await millisecondsPerList(retriever, sessions, items)
    return {
      name: `${name}, a request`,
      ours,
      unit: 'ms',
      bar: '≤ 0.2 ms',
      note: `CPU, top 100 of ${items} items`,
    }
  }
  return [
    await row('session neighbours (bounded at 500)', near),
    await row('item neighbours', neighbourRetriever(walk)),
    await row('forward rules', neighbourRetriever(rules, { fade: 0.5, last: 10 })),
  ]
}

async function millisecondsPerList(
  retriever: Retriever,
  histories: Int32Array[],
  items: number,
): Promise<number> {
  const board = newScoreBoard(items)
  const asked = histories.filter((history) => history.length >= 4).slice(0, 3000)
  const round = () => {
    for (const history of asked) listFor(retriever, history, { board, k: 100 })
  }
  round()
  const { cpu } = await spentOn(round)
  return (cpu * 1000) / Math.max(1, asked.length)
}

async function ridgeRow(items: number): Promise<Row> {
  const meetings = cooccurrenceOf(madeRows(items * 2, items, 15), 0.2)
  const { seconds, cpu } = await spentOn(() =>
    ridgeGraph(meetings, { lambda: 60, support: 100, threads: THREADS }),
  )
  return {
    name: `ridge, ${items} items on 100 neighbours each`,
    ours: seconds,
    unit: 's',
    note: onThreads(cpu),
  }
}

/** The floor multiplies every row as floats, in turns with ours. */
async function scanRow(items: number): Promise<Row> {
  const [k, most] = [64, 300]
  const { factors, queries } = groupedFactors(items, k)
  const search = factorSearch(factors, k)
  const dots = dotsWith(factors, k)
  const ways = [
    (query: Float32Array) => search(query, most),
    (query: Float32Array) => topK(dots(query, 0, items), most),
  ]
  const cpu = [0, 0]
  for (let round = 0; round <= 4; round++)
    for (const [at, way] of ways.entries()) {
      const spent = await spentOn(() => queries.forEach(way))
      if (round > 0) cpu[at]! += (spent.cpu * 1000) / queries.length / 4
    }
  return {
    name: `exact top ${most} of ${items} by dot product, k = ${k}`,
    ours: cpu[0]!,
    unit: 'ms',
    floor: cpu[1]!,
    note: 'CPU; floor: the product of every row',
  }
}

/** Factors in groups of different sizes and norms, as those of a shop; queries lie between two groups. */
function groupedFactors(items: number, k: number): { factors: Float32Array; queries: Float32Array[] } {
  const [random, normal, groups] = [seededRandom(4), seededNormal(3), 400]
  const centres = Array.from({ length: groups }, () => Float32Array.from({ length: k }, normal))
  const group = (steepness: number) => centres[Math.floor(groups * random() ** steepness)]!
  const factors = new Float32Array(items * k)
  for (let item = 0; item < items; item++) {
    const [centre, norm] = [group(2), 0.1 + random() ** 6]
    for (let at = 0; at < k; at++) factors[item * k + at] = norm * (centre[at]! + 0.8 * normal())
  }
  const queries = Array.from({ length: 200 }, () => {
    const [one, other] = [group(2), group(1)]
    return Float32Array.from({ length: k }, (_, at) => one[at]! + 0.5 * other[at]! + 0.5 * normal())
  })
  return { factors, queries }
}

async function indexRow(items: number): Promise<Row> {
  const k = 64
  const { factors, queries } = groupedFactors(items, k)
  const built = await spentOn(() => factorIndex(factors, k))
  const [exact, approximate] = [factorSearch(factors, k), factorSearch(factors, k, factorIndex(factors, k))]
  const found = queries.map((query) => {
    const best = new Set(exact(query, 100).ids)
    return approximate(query, 100).ids.filter((id) => best.has(id)).length
  })
  const ask = (search: typeof exact) => () => queries.forEach((query) => search(query, 100))
  const [{ cpu }, { cpu: exactCpu }] = [await spentOn(ask(approximate)), await spentOn(ask(exact))]
  const share = found.reduce((sum, it) => sum + it, 0) / (100 * queries.length)
  return {
    name: `approximate top 100 of ${items} by dot product, k = 64`,
    ours: (cpu * 1000) / queries.length,
    unit: 'ms',
    floor: (exactCpu * 1000) / queries.length,
    note: `CPU; ${(100 * share).toFixed(1)} % of the exact ones; index ${built.cpu.toFixed(1)} CPU-s; floor: exact`,
  }
}

async function contentRow(count: number): Promise<Row> {
  const titles = Array.from(
    { length: count },
    (_, at) => `Чайник электрический choynak ${at % 977} steel ${at % 31} l`,
  )
  const { cpu } = await spentOn(() => contentVectors(titles))
  return { name: `content vectors of ${count} titles`, ours: cpu, unit: 's', note: 'CPU' }
}

if (import.meta.main) {
  const rows = await bench(process.argv.includes('--small') ? 0.1 : 1)
  if (process.argv.includes('--json')) console.log(JSON.stringify(rows))
  else console.table(rows)
}
