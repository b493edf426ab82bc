// Every family of models that `evaluate` and the training of a shop choose from: where its search starts, along which
// axes it moves, what it fits, how the fit becomes a retriever, how a score is explained, and which tasks it suits. No
// data set is known here, only shapes.

import type { Retriever } from '../retrieval/score-board.ts'
import { easeGraph } from '../retrieval/ease.ts'
import { type FactorIndex, factorIndexOf, gramOf } from '../retrieval/factor-index.ts'
import {
  againExplainer,
  type Explainer,
  neighbourExplainer,
  popularityExplainer,
} from '../retrieval/explainers.ts'
import {
  type FoldedModel,
  ialsExplainer,
  ialsModel,
  ialsRetriever,
  paddedFactors,
} from '../retrieval/ials.ts'
import { cooccurrenceOf } from '../retrieval/cooccurrence.ts'
import { neighbourRetriever, type Recency } from '../retrieval/neighbours.ts'
import { popularity, popularityRetriever, touchesOf } from '../retrieval/popularity.ts'
import { againRetriever } from '../retrieval/repeat.ts'
import { ridgeGraph } from '../retrieval/ridge.ts'
import { ruleGraph } from '../retrieval/rules.ts'
import {
  sessionExplainer,
  sessionIndex,
  type SessionIndex,
  type SessionOptions,
  sessionRetriever,
} from '../retrieval/session-knn.ts'
import { walkGraph } from '../retrieval/walks.ts'
import type { Csr } from '../retrieval/sparse.ts'
import { affordableNeighbours, damped, cooccurrenceIn, type TrainingSet } from './training-set.ts'
import type { ListTask } from './list-task.ts'

export type Params = Record<string, number>

export interface Family {
  kind: string
  /** Its share of the selection time, relative to the other families. */
  share: number
  start: Params
  axes: Record<string, number[]>
  /** Axes along which a trial costs no new fit: it scores in another way, or scales what was fitted. */
  cheapAxes: readonly string[]
  suits: (listTask: Pick<ListTask, 'items' | 'order' | 'repeats' | 'alike'>) => boolean
  /** Learns from a training set. The tables are all that a file must keep. */
  fit: (trainingSet: TrainingSet, params: Params) => Promise<Tables>
  /** The retriever of fitted tables; it folds any history in, known or new. */
  load: (tables: Tables, params: Params, items: number) => Retriever
  /** Says of the retriever of the same tables what of a history gave an item its score. */
  explain: (tables: Tables, params: Params, items: number) => Explainer
}

/** What a family learned, as named arrays. */
export type Tables = Readonly<Record<string, Float64Array | Float32Array | Int32Array>>

export const fittedRetriever = async (
  { fit, load }: Family,
  trainingSet: TrainingSet,
  params: Params,
): Promise<Retriever> => load(await fit(trainingSet, params), params, trainingSet.items)

/** The tables of a family that learns neighbours; undefined for other families. */
export function graphOf({ offsets, indices, values }: Tables, items: number): Csr | undefined {
  if (!(offsets instanceof Int32Array && indices instanceof Int32Array && values instanceof Float32Array))
    return undefined
  return { rows: offsets.length - 1, cols: items, offsets, indices, values }
}

const tablesOf = ({ offsets, indices, values }: Csr): Tables => ({ offsets, indices, values })

/** The axes that only scoring reads, and those that scale the weights of a fitted regression. */
const scoringAxes = ['fade', 'last']
const rescaledAxes = [...scoringAxes, 'fromPower', 'toPower']

/** How every family that learns neighbours scores: the history's neighbours, the latest items most. */
const loadGraph: Family['load'] = (tables, params, items) =>
  neighbourRetriever(graphOf(tables, items)!, recency(params))

const explainGraph: Family['explain'] = (tables, params, items) =>
  neighbourExplainer(graphOf(tables, items)!, recency(params))

/** Exact EASE takes time cubic in the catalog; above this size the ridge family replaces it. */
const exactItems = 6000

const fadeAxis = [0, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 1, 1.5]
const powerAxis = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]
const targetPowerAxis = [-0.2, -0.1, 0, 0.1, 0.2, 0.3]
const lambdaAxis = [1, 2, 4, 8, 15, 30, 60, 100, 200, 400, 800]
const maxHistory = 1000
/** The axes that EASE and ridge share. */
const regressionAxes = {
  lambda: lambdaAxis,
  fade: fadeAxis,
  fromPower: targetPowerAxis,
  toPower: targetPowerAxis,
  damping: [0, 0.2, 0.35, 0.5],
}

export const recency = ({ fade = 0, last = maxHistory }: Params): Recency => ({ fade, last })

const ialsOptionsOf = (params: Params) => {
  const { factors = 64, epochs = 8, unobserved = 0.01, regularisation = 0.01, scaling = 1 } = params
  return { factors, epochs, unobserved, regularisation, scaling }
}

const indexTables = (index: FactorIndex | undefined): Tables =>
  index ? { centroids: index.centroids, cells: index.offsets, members: index.members } : {}

const indexIn = ({ centroids, cells, members }: Tables): FactorIndex | undefined =>
  centroids && cells && members
    ? {
        centroids: centroids as Float32Array,
        offsets: cells as Int32Array,
        members: members as Int32Array,
      }
    : undefined

const sessionsIn = (tables: Tables, items: number): SessionIndex => {
  const index = { ...(tables as Omit<SessionIndex, 'items' | 'sessions'>), items }
  return { ...index, sessions: index.offsets.length - 1 }
}

const sessionOptionsOf = (params: Params): SessionOptions => {
  const { recent = 1000, neighbours = 100, last = 30, fade = 0.5, ageFade = 0 } = params
  const { distanceFade = 0, backward = 1, lengthPower = 0, idf = 0 } = params
  return { recent, neighbours, last, fade, ageFade, distanceFade, backward, lengthPower, idf }
}

const factorsIn = (tables: Tables, params: Params): FoldedModel => {
  const options = ialsOptionsOf(params)
  const items = tables['items'] as Float32Array
  // Files of earlier builds have it only beside an index.
  const gram = tables['gram'] as Float64Array | undefined
  return { factors: paddedFactors(options.factors), items, options, gram, index: indexIn(tables) }
}

const noNeighbours = (items: number): Csr => {
  const empty = { indices: new Int32Array(), values: new Float32Array() }
  return { rows: items, cols: items, offsets: new Int32Array(items + 1), ...empty }
}

/** Axes that read how old rows are, and axes that read in which order a history stands. */
const agedAxes = ['halfLife']
const orderedAxes = ['fade']

/** A family without the axes that would learn an order that means nothing, such as that of the lines of a file. */
export function searchable(family: Family, { rows, order }: Pick<ListTask, 'rows' | 'order'>): Family {
  const left = [...(rows === 'oldest_first' ? [] : agedAxes), ...(order === 'time' ? [] : orderedAxes)]
  const axes = Object.entries(family.axes).filter(([name]) => !left.includes(name))
  return { ...family, axes: Object.fromEntries(axes) }
}

export const familyOf = (kind: string): Family | undefined => families.find((it) => it.kind === kind)

export const families: Family[] = [
  {
    kind: 'walk',
    share: 3,
    start: { rowPower: 0.7, fromPower: 0.5, toPower: 0.3, keep: 300, fade: 0 },
    axes: {
      toPower: powerAxis,
      fromPower: powerAxis,
      fade: fadeAxis,
      rowPower: [0, 0.3, 0.5, 0.7, 1, 1.3],
      keep: [100, 300, 1000],
    },
    cheapAxes: scoringAxes,
    suits: () => true,
    fit: async (trainingSet, params) => {
      const { rowPower = 1, fromPower = 1, toPower = 0 } = params
      const keep = affordableNeighbours(params['keep'] ?? 100, trainingSet.items)
      const key = `walk ${rowPower} ${fromPower} ${toPower} ${keep}`
      const make = async () =>
        walkGraph(await cooccurrenceIn(trainingSet, rowPower), { fromPower, toPower, keep })
      return tablesOf(await trainingSet.part(key, make))
    },
    load: loadGraph,
    explain: explainGraph,
  },
  {
    kind: 'ease',
    share: 5,
    start: { lambda: 60, damping: 0.2, keep: 500, fromPower: 0, toPower: 0, fade: 0 },
    axes: regressionAxes,
    cheapAxes: rescaledAxes,
    suits: ({ items }) => items <= exactItems,
    fit: async (trainingSet, params) => {
      const { lambda = 100, damping = 0, keep = 200 } = params
      const make = () => easeGraph(trainingSet.rows, { lambda, damping, keep, threads: trainingSet.threads })
      const graph = await trainingSet.part(`ease ${lambda} ${damping} ${keep}`, make)
      return tablesOf(damped(graph, trainingSet.counts, params))
    },
    load: loadGraph,
    explain: explainGraph,
  },
  {
    kind: 'ridge',
    share: 5,
    start: { lambda: 30, damping: 0.2, support: 100, fromPower: 0, toPower: 0, fade: 0 },
    axes: { ...regressionAxes, support: [50, 100, 200] },
    cheapAxes: rescaledAxes,
    suits: ({ items }) => items > exactItems,
    fit: async (trainingSet, params) => {
      const { lambda = 100, damping = 0 } = params
      const support = affordableNeighbours(params['support'] ?? 200, trainingSet.items)
      const make = async () =>
        ridgeGraph(await cooccurrenceIn(trainingSet, damping), {
          lambda,
          support,
          threads: trainingSet.threads,
        })
      const graph = await trainingSet.part(`ridge ${lambda} ${damping} ${support}`, make)
      return tablesOf(damped(graph, trainingSet.counts, params))
    },
    load: loadGraph,
    explain: explainGraph,
  },
  {
    kind: 'rules',
    share: 2,
    start: {
      stepPower: 1,
      maxStep: 10,
      toPower: 0,
      ageFade: 0,
      backward: 0.3,
      itself: 1,
      keep: 500,
      fade: 0.5,
      last: 20,
    },
    axes: {
      fade: fadeAxis,
      backward: [0, 0.15, 0.3, 0.5, 0.75, 1],
      toPower: targetPowerAxis,
      stepPower: [0, 0.5, 1, 1.5, 2],
      ageFade: [0, 0.5, 1, 2],
      itself: [0, 1],
    },
    cheapAxes: scoringAxes,
    suits: ({ order }) => order === 'time',
    fit: async (trainingSet, params) => {
      const { stepPower = 1, maxStep = 10, toPower = 0, ageFade = 0, backward = 0, itself = 0 } = params
      const keep = affordableNeighbours(params['keep'] ?? 100, trainingSet.items)
      const options = { stepPower, maxStep, toPower, ageFade, backward, itself, keep }
      const make = () => ruleGraph(trainingSet.sequences, trainingSet.items, options)
      return tablesOf(await trainingSet.part(`rules ${Object.values(options).join(' ')}`, make))
    },
    load: loadGraph,
    explain: explainGraph,
  },
  {
    kind: 'sessions',
    share: 4,
    start: {
      recent: 1000,
      neighbours: 100,
      last: 30,
      fade: 0.5,
      ageFade: 0.5,
      distanceFade: 0.1,
      backward: 1,
      lengthPower: 0.3,
      idf: 0.2,
    },
    axes: {
      fade: fadeAxis,
      neighbours: [50, 100, 200, 400, 800],
      distanceFade: [0, 0.05, 0.1, 0.2, 0.4],
      lengthPower: [0, 0.15, 0.3, 0.5, 0.75],
      backward: [0, 0.1, 0.2, 0.3, 0.5, 0.7, 0.85, 1],
      ageFade: [0, 0.25, 0.5, 1, 2],
      idf: [0, 0.1, 0.2, 0.5, 1],
    },
    cheapAxes: ['fade', 'neighbours', 'distanceFade', 'lengthPower', 'backward', 'ageFade', 'idf'],
    suits: ({ order }) => order === 'time',
    fit: async (trainingSet, params) => {
      const { recent = 1000 } = params
      const {
        items: _items,
        sessions: _sessions,
        ...tables
      } = await trainingSet.part(`sessions ${recent}`, () =>
        sessionIndex(trainingSet.sequences, trainingSet.items, recent),
      )
      return tables
    },
    load: (tables, params, items) => sessionRetriever(sessionsIn(tables, items), sessionOptionsOf(params)),
    explain: (tables, params, items) => sessionExplainer(sessionsIn(tables, items), sessionOptionsOf(params)),
  },
  {
    kind: 'alike',
    share: 1,
    start: { rowPower: 0.7, fromPower: 0.5, toPower: 0, keep: 300, fade: 0.5 },
    axes: { rowPower: [0.3, 0.5, 0.7, 1], fade: fadeAxis, toPower: powerAxis },
    cheapAxes: scoringAxes,
    suits: ({ alike }) => alike !== undefined,
    fit: async (trainingSet, params) => {
      const { rowPower = 1, fromPower = 1, toPower = 0 } = params
      const keep = affordableNeighbours(params['keep'] ?? 100, trainingSet.items)
      if (!trainingSet.alike) return tablesOf(noNeighbours(trainingSet.items))
      const { alike } = trainingSet
      const met = await trainingSet.part(`alike ${rowPower}`, () => cooccurrenceOf(alike, rowPower, keep * 4))
      return tablesOf(walkGraph(met, { fromPower, toPower, keep }))
    },
    load: loadGraph,
    explain: explainGraph,
  },
  {
    kind: 'ials',
    share: 2,
    start: { factors: 64, epochs: 8, unobserved: 0.01, regularisation: 0.01, scaling: 1 },
    axes: {
      unobserved: [0.001, 0.003, 0.01, 0.03, 0.1],
      regularisation: [0.001, 0.003, 0.01, 0.03],
      factors: [64, 128],
    },
    cheapAxes: [],
    suits: ({ order }) => order === 'none',
    fit: async ({ rows, seed, threads, part }, params) => {
      const options = { ...ialsOptionsOf(params), seed, threads }
      const { items } = await part(`ials ${Object.values(options).join(' ')}`, () => ialsModel(rows, options))
      const k = paddedFactors(options.factors)
      return { items, gram: gramOf(items, k), ...indexTables(factorIndexOf(items, k)) }
    },
    load: (tables, params) => ialsRetriever(factorsIn(tables, params)),
    explain: (tables, params) => ialsExplainer(factorsIn(tables, params)),
  },
  {
    kind: 'again',
    share: 1,
    start: { fade: 0.5 },
    axes: { fade: fadeAxis },
    cheapAxes: scoringAxes,
    suits: ({ repeats }) => repeats === 'allowed',
    fit: async () => ({}),
    load: (_tables, { fade = 0.5 }, items) => againRetriever(items, fade),
    explain: (_tables, { fade = 0.5 }, items) => againExplainer(items, fade),
  },
  {
    kind: 'popular',
    share: 1,
    start: { halfLife: 0 },
    axes: { halfLife: [0, 1000, 10_000, 100_000] },
    cheapAxes: [],
    suits: () => true,
    fit: async ({ sequences, items }, { halfLife = 0 }) => ({
      weights: popularity(touchesOf(sequences), items, halfLife),
    }),
    load: ({ weights }) => popularityRetriever(weights as Float64Array),
    explain: ({ weights }) => popularityExplainer(weights as Float64Array),
  },
]
