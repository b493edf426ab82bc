import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../ml/random.ts'
import { boardFor, type Retriever } from '../ml/retrieval/board.ts'
import { guardFor } from './asking.ts'
import { candidateDesk, learntRanker, type Desk } from './ranker.ts'
import { shelfOf } from './shelf.ts'
import { hitRate, mrr, type Case, type Trial } from './trial.ts'

const ITEMS = 50

function trialOf(cases: Case[]): Trial {
  const fit = [Int32Array.of(1, 2), Int32Array.of(2, 3)]
  return {
    items: ITEMS,
    names: Array.from({ length: ITEMS }, String),
    slice: { fit, cases, all: cases },
    fit,
    cases: () => cases,
    repeats: 'allowed',
    order: 'time',
    measures: [hitRate(5), mrr(20)],
  }
}

const made = (count: number): Case[] => {
  const random = seededRandom(9)
  return Array.from({ length: count }, (_, at) => ({
    label: String(at),
    history: Int32Array.of(Math.floor(random() * ITEMS)),
    relevant: Int32Array.of(Math.floor(random() * ITEMS)),
  }))
}

const learning = {
  seed: 1,
  threads: 1,
  elapsed: () => 0,
  until: 100,
  secondsToAsk: 100,
  tell: () => undefined,
}

/** Candidates in the order of ids; with a telling feature, the wanted one stands out. */
const deskOf = (cases: Case[], telling: boolean): Desk => {
  const random = seededRandom(3)
  let asked = 0
  return () => {
    const wanted = cases[asked++]!.relevant[0]!
    const ids = Int32Array.from({ length: ITEMS }, (_, item) => item)
    const hint = Float32Array.from(ids, (item) => (telling && item === wanted ? 1 : 0) + random() * 0.5)
    return { ids, features: [hint, Float32Array.from(ids)] }
  }
}

test('a ranker that sees a telling feature wins over its candidates', () => {
  const cases = made(600)
  const ranker = learntRanker(trialOf(cases), { ...learning, desk: deskOf(cases, true) })
  assert.ok(ranker)
  assert.ok(ranker.heldOut.ranker[1]! > 2 * ranker.heldOut.blend[1]!)
})

test('a ranker with nothing to see, or too few cases, is not used', () => {
  const cases = made(600)
  assert.equal(learntRanker(trialOf(cases), { ...learning, desk: deskOf(cases, false) }), undefined)
  const few = made(100)
  assert.equal(learntRanker(trialOf(few), { ...learning, desk: deskOf(few, true) }), undefined)
})

test('candidates carry the scores of every source, and nothing that is not a number', () => {
  const trial = trialOf(made(3))
  const shelf = shelfOf(trial.fit, ITEMS, { seed: 1, threads: 1, alike: undefined })
  const high: Retriever = (_, board) => Object.assign(board, filledBoard([7, 8], [4, 2]))
  const silent: Retriever = () => undefined
  const sources = { retrievers: [high, silent], weights: [1, 0.5] }
  const { ids, features } = candidateDesk(trial, shelf, { sources, guard: guardFor(trial) })(Int32Array.of(7))
  assert.deepEqual([...ids], [7, 8])
  assert.deepEqual([...features[0]!], [1, 0.5])
  assert.deepEqual([...features[1]!], [0, 0])
  assert.ok(features.every((feature) => feature.length === 2 && feature.every(Number.isFinite)))
})

function filledBoard(items: number[], scores: number[]) {
  const board = boardFor(ITEMS)
  items.forEach((item, at) => {
    board.values[item] = scores[at]!
    board.marked[item] = 1
    board.touched[board.size++] = item
  })
  return board
}
