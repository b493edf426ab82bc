import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Measurement,
  rankerPlot,
  scoresOf,
  searchPlot,
  stageTimes,
  triedFamilies,
} from './training-figures.ts'

const point = (it: Partial<Measurement>): Measurement => ({
  stage: 'search',
  seconds: 0,
  score: null,
  page: null,
  source: null,
  family: null,
  trees: null,
  ...it,
})
const trial = (seconds: number, page: string, family: string, score: number) =>
  point({ seconds, page, source: 'regression', family, score })
const progress = [
  point({ stage: 'read' }),
  point({ seconds: 1 }),
  trial(2, 'main_page', 'ease', 0.2),
  trial(3, 'cart_page', 'walk', 0.5),
  trial(4, 'main_page', 'ease', 0.1),
  trial(5, 'main_page', 'ials', 0.3),
  point({ stage: 'ranker', seconds: 6 }),
  point({ stage: 'ranker', seconds: 8, score: 0.4, trees: 10 }),
]

test('a stage takes until the next one begins, and the last one goes on while the training runs', () => {
  deepEqual(stageTimes(progress, 9), [
    { stage: 'read', seconds: 1, isRunning: false },
    { stage: 'search', seconds: 5, isRunning: false },
    { stage: 'ranker', seconds: 3, isRunning: true },
  ])
  const done = [...progress, point({ stage: 'done', seconds: 12 })]
  deepEqual(
    stageTimes(done, null).map((it) => [it.stage, it.seconds, it.isRunning]),
    [
      ['read', 1, false],
      ['search', 5, false],
      ['ranker', 6, false],
    ],
  )
})

test('the plot of the search holds the best score so far of each page', () => {
  deepEqual(searchPlot(progress), {
    seconds: [2, 3, 4, 5],
    pages: [
      { page: 'main_page', best: [0.2, 0.2, 0.2, 0.3] },
      { page: 'cart_page', best: [null, 0.5, 0.5, 0.5] },
    ],
  })
})

test('families are listed by page with their trials, the best first', () => {
  deepEqual(
    triedFamilies(progress).map((it) => [it.page, it.family, it.trials, it.best]),
    [
      ['main_page', 'ials', 1, 0.3],
      ['main_page', 'ease', 2, 0.2],
      ['cart_page', 'walk', 1, 0.5],
    ],
  )
})

test('the start of a stage is no score', () => {
  deepEqual(
    scoresOf(progress, 'ranker').map((it) => [it.trees, it.score]),
    [[10, 0.4]],
  )
})

test('each ranker has a curve over the trees of all of them, up to its last tree', () => {
  const after = (source: string, trees: number, score: number) =>
    point({ stage: 'ranker', source, trees, score })
  const both = [after('YetiRank', 2, 0.1), after('YetiRank', 4, 0.2), after('QueryRMSE', 3, 0.3)]
  deepEqual(rankerPlot(both), {
    trees: [2, 3, 4],
    rankers: [
      { loss: 'YetiRank', scores: [0.1, 0.1, 0.2] },
      { loss: 'QueryRMSE', scores: [null, 0.3, null] },
    ],
  })
})
