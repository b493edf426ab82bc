// Every family of models that `evaluate` chooses from: where its search starts, along which axes it moves, what
// it fits, and which trials it suits. No data set is known here, only shapes.

import type { Retriever } from '../ml/retrieval/board.ts'
import { easeGraph } from '../ml/retrieval/ease.ts'
import { ialsModel, ialsRetriever } from '../ml/retrieval/ials.ts'
import { meetingsOf } from '../ml/retrieval/meetings.ts'
import { neighbourRetriever, type Recency } from '../ml/retrieval/neighbours.ts'
import { popularity, popularityRetriever, touchesOf } from '../ml/retrieval/popularity.ts'
import { againRetriever } from '../ml/retrieval/repeat.ts'
import { ridgeGraph } from '../ml/retrieval/ridge.ts'
import { ruleGraph } from '../ml/retrieval/rules.ts'
import { sessionIndex, sessionRetriever } from '../ml/retrieval/session-knn.ts'
import { walkGraph } from '../ml/retrieval/walks.ts'
import { damped, meetingsOn, type Shelf } from './shelf.ts'
import type { Trial } from './trial.ts'

export type Params = Record<string, number>

export interface Family {
  kind: string
  /** What share of the time for choosing it may take, against the others. */
  share: number
  start: Params
  axes: Record<string, number[]>
  suits: (trial: Trial) => boolean
  fitted: (shelf: Shelf, params: Params) => Promise<Retriever>
}

/** EASE proper costs the cube of the catalog; above this side the ridge stands for it. */
const EXACT_ITEMS = 6000

const FADES = [0, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 1, 1.5]
const POWERS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]
const TARGET_POWERS = [-0.2, -0.1, 0, 0.1, 0.2, 0.3]
const LAMBDAS = [1, 2, 4, 8, 15, 30, 60, 100, 200, 400, 800]
const MAX_HISTORY = 1000
/** What EASE and the ridge are both moved along. */
const REGRESSION_AXES = {
  lambda: LAMBDAS,
  fade: FADES,
  fromPower: TARGET_POWERS,
  toPower: TARGET_POWERS,
  damping: [0, 0.2, 0.35, 0.5],
}

const recency = ({ fade = 0, last = MAX_HISTORY }: Params): Recency => ({ fade, last })

export const families: Family[] = [
  {
    kind: 'walk',
    share: 3,
    start: { rowPower: 0.7, fromPower: 0.5, toPower: 0.3, keep: 300, fade: 0 },
    axes: {
      toPower: POWERS,
      fromPower: POWERS,
      fade: FADES,
      rowPower: [0, 0.3, 0.5, 0.7, 1, 1.3],
      keep: [100, 300, 1000],
    },
    suits: () => true,
    fitted: async (shelf, params) => {
      const { rowPower = 1, fromPower = 1, toPower = 0, keep = 100 } = params
      const key = `walk ${rowPower} ${fromPower} ${toPower} ${keep}`
      const make = async () => walkGraph(await meetingsOn(shelf, rowPower), { fromPower, toPower, keep })
      return neighbourRetriever(await shelf.part(key, make), recency(params))
    },
  },
  {
    kind: 'ease',
    share: 5,
    start: { lambda: 60, damping: 0.2, keep: 500, fromPower: 0, toPower: 0, fade: 0 },
    axes: REGRESSION_AXES,
    suits: ({ items }) => items <= EXACT_ITEMS,
    fitted: async (shelf, params) => {
      const { lambda = 100, damping = 0, keep = 200 } = params
      const make = () => easeGraph(shelf.rows, { lambda, damping, keep, threads: shelf.threads })
      const graph = await shelf.part(`ease ${lambda} ${damping} ${keep}`, make)
      return neighbourRetriever(damped(graph, shelf.counts, params), recency(params))
    },
  },
  {
    kind: 'ridge',
    share: 5,
    start: { lambda: 30, damping: 0.2, support: 100, fromPower: 0, toPower: 0, fade: 0 },
    axes: { ...REGRESSION_AXES, support: [50, 100, 200] },
    suits: ({ items }) => items > EXACT_ITEMS,
    fitted: async (shelf, params) => {
      const { lambda = 100, damping = 0, support = 200 } = params
      const make = async () =>
        ridgeGraph(await meetingsOn(shelf, damping), { lambda, support, threads: shelf.threads })
      const graph = await shelf.part(`ridge ${lambda} ${damping} ${support}`, make)
      return neighbourRetriever(damped(graph, shelf.counts, params), recency(params))
    },
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
      fade: FADES,
      backward: [0, 0.15, 0.3, 0.5, 0.75, 1],
      toPower: TARGET_POWERS,
      stepPower: [0, 0.5, 1, 1.5, 2],
      ageFade: [0, 0.5, 1, 2],
      itself: [0, 1],
    },
    suits: ({ order }) => order === 'time',
    fitted: async (shelf, params) => {
      const {
        stepPower = 1,
        maxStep = 10,
        toPower = 0,
        ageFade = 0,
        backward = 0,
        itself = 0,
        keep = 100,
      } = params
      const options = { stepPower, maxStep, toPower, ageFade, backward, itself, keep }
      const make = () => ruleGraph(shelf.sequences, shelf.items, options)
      return neighbourRetriever(
        await shelf.part(`rules ${Object.values(options).join(' ')}`, make),
        recency(params),
      )
    },
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
      fade: FADES,
      neighbours: [50, 100, 200, 400, 800],
      distanceFade: [0, 0.05, 0.1, 0.2, 0.4],
      lengthPower: [0, 0.15, 0.3, 0.5, 0.75],
      backward: [0, 0.1, 0.2, 0.3, 0.5, 0.7, 0.85, 1],
      ageFade: [0, 0.25, 0.5, 1, 2],
      idf: [0, 0.1, 0.2, 0.5, 1],
    },
    suits: ({ order }) => order === 'time',
    fitted: async (shelf, params) => {
      const { recent = 1000, neighbours = 100, last = 30, fade = 0.5, ageFade = 0 } = params
      const { distanceFade = 0, backward = 1, lengthPower = 0, idf = 0 } = params
      const index = await shelf.part(`sessions ${recent}`, () =>
        sessionIndex(shelf.sequences, shelf.items, recent),
      )
      const options = { recent, neighbours, last, fade, ageFade, distanceFade, backward, lengthPower, idf }
      return sessionRetriever(index, options)
    },
  },
  {
    kind: 'alike',
    share: 1,
    start: { rowPower: 0.7, fromPower: 0.5, toPower: 0, keep: 300, fade: 0.5 },
    axes: { rowPower: [0.3, 0.5, 0.7, 1], fade: FADES, toPower: POWERS },
    suits: ({ alike }) => alike !== undefined,
    fitted: async (shelf, params) => {
      const { rowPower = 1, fromPower = 1, toPower = 0, keep = 100 } = params
      if (!shelf.alike) return () => undefined
      const { alike } = shelf
      const met = await shelf.part(`alike ${rowPower}`, () => meetingsOf(alike, rowPower, keep * 4))
      return neighbourRetriever(walkGraph(met, { fromPower, toPower, keep }), recency(params))
    },
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
    suits: ({ order }) => order === 'none',
    fitted: async (shelf, params) => {
      const { factors = 64, epochs = 8, unobserved = 0.01, regularisation = 0.01, scaling = 1 } = params
      const options = {
        factors,
        epochs,
        unobserved,
        regularisation,
        scaling,
        seed: shelf.seed,
        threads: shelf.threads,
      }
      const key = `ials ${factors} ${epochs} ${unobserved} ${regularisation} ${scaling}`
      return ialsRetriever(await shelf.part(key, () => ialsModel(shelf.rows, options)))
    },
  },
  {
    kind: 'again',
    share: 1,
    start: { fade: 0.5 },
    axes: { fade: FADES },
    suits: ({ repeats }) => repeats === 'allowed',
    fitted: async (shelf, { fade = 0.5 }) => againRetriever(shelf.items, fade),
  },
  {
    kind: 'popular',
    share: 1,
    start: { halfLife: 0 },
    axes: { halfLife: [0, 1000, 10_000, 100_000] },
    suits: () => true,
    fitted: async (shelf, { halfLife = 0 }) =>
      popularityRetriever(popularity(touchesOf(shelf.sequences), shelf.items, halfLife)),
  },
]
