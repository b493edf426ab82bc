import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../random.ts'
import { newScoreBoard, type Retriever } from '../retrieval/score-board.ts'
import { exclusionsFor } from './case-evaluator.ts'
import { affordableSources, caseProposerFor, trainListRanker, type CaseProposer } from './list-ranker.ts'
import { newTrainingSet } from './training-set.ts'
import { hitRate, mrr, type Case, type ListTask } from './list-task.ts'

const itemCount = 50

function trialOf(cases: Case[]): ListTask {
  const fit = [Int32Array.of(1, 2), Int32Array.of(2, 3)]
  return {
    items: itemCount,
    names: Array.from({ length: itemCount }, String),
    slice: { fit, cases, all: cases },
    fit,
    cases: () => cases,
    repeats: 'allowed',
    order: 'time',
    rows: 'oldest_first',
    measures: [hitRate(5), mrr(20)],
  }
}

const made = (count: number): Case[] => {
  const random = seededRandom(9)
  return Array.from({ length: count }, (_, at) => ({
    label: String(at),
    history: Int32Array.of(Math.floor(random() * itemCount)),
    relevant: Int32Array.of(Math.floor(random() * itemCount)),
  }))
}

const learning = {
  seed: 1,
  threads: 1,
  elapsed: () => 0,
  until: 100,
  secondsForCases: 100,
  report: () => undefined,
}

/** Candidates in the order of ids. With an informative feature, the chosen one scores higher. */
const proposerOf = (cases: Case[], informative: boolean): CaseProposer => {
  const random = seededRandom(3)
  let asked = 0
  return () => {
    const wanted = cases[asked++]!.relevant[0]!
    const ids = Int32Array.from({ length: itemCount }, (_, item) => item)
    const hint = Float32Array.from(ids, (item) => (informative && item === wanted ? 1 : 0) + random() * 0.5)
    return { ids, features: [hint, Float32Array.from(ids)] }
  }
}

test('a ranker with an informative feature beats the order of its candidates', () => {
  const cases = made(600)
  const ranker = trainListRanker(trialOf(cases), { ...learning, propose: proposerOf(cases, true) })
  assert.ok(ranker)
  assert.ok(ranker.heldOut.ranker[1]! > 2 * ranker.heldOut.blend[1]!)
})

test('a ranker without an informative feature, or with too few cases, is not used', () => {
  const cases = made(600)
  assert.equal(trainListRanker(trialOf(cases), { ...learning, propose: proposerOf(cases, false) }), undefined)
  const few = made(100)
  assert.equal(trainListRanker(trialOf(few), { ...learning, propose: proposerOf(few, true) }), undefined)
})

test('a ranker that only remembers the baskets it learned from is not used', () => {
  // Every basket has an answer of its own, which two features give away to who has seen the basket.
  const cases = made(1_000).map((it, at) => {
    const group = Math.floor(at / 10)
    return { ...it, history: Int32Array.of(group), relevant: Int32Array.of((group * 37) % itemCount), group }
  })
  const propose: CaseProposer = (history) => {
    const ids = Int32Array.from({ length: itemCount }, (_, item) => item)
    const basket = new Float32Array(itemCount).fill(history[0]!)
    const pair = Float32Array.from(ids, (item) => history[0]! * itemCount + item)
    return { ids, features: [basket, pair, Float32Array.from(ids)] }
  }
  const alone = cases.map(({ label, history, relevant }) => ({ label, history, relevant }))
  assert.ok(trainListRanker(trialOf(alone), { ...learning, propose }))
  assert.equal(trainListRanker(trialOf(cases), { ...learning, propose }), undefined)
})

test('candidates have the scores of every source, all of them numbers', () => {
  const listTask = trialOf(made(3))
  const trainingSet = newTrainingSet(listTask.fit, itemCount, { seed: 1, threads: 1, alike: undefined })
  const high: Retriever = (_, board) => Object.assign(board, filledBoard([7, 8], [4, 2]))
  const silent: Retriever = () => undefined
  const sources = { retrievers: [high, silent], weights: [1, 0.5] }
  const { ids, features } = caseProposerFor(listTask, trainingSet, {
    sources,
    exclusions: exclusionsFor(listTask),
  })(Int32Array.of(7))
  assert.deepEqual([...ids], [7, 8])
  assert.deepEqual([...features[0]!], [1, 0.5])
  assert.deepEqual([...features[1]!], [0, 0])
  assert.ok(features.every((feature) => feature.length === 2 && feature.every(Number.isFinite)))
})

test('candidates are recent only where the rows stand in time order', () => {
  const high: Retriever = (_, board) => Object.assign(board, filledBoard([1, 3], [4, 2]))
  const recencyOf = (rows: ListTask['rows']) => {
    const listTask: ListTask = {
      ...trialOf(made(3)),
      rows,
      fit: [[1], [3], [3], [3]].map((it) => Int32Array.from(it)),
    }
    const trainingSet = newTrainingSet(listTask.fit, itemCount, { seed: 1, threads: 1, alike: undefined })
    const sources = { retrievers: [high], weights: [1] }
    const propose = caseProposerFor(listTask, trainingSet, { sources, exclusions: exclusionsFor(listTask) })
    // After the scores of the source, with the last item alone too, and of the blend come place, count and recency.
    return [...propose(Int32Array.of(7)).features[5]!]
  }
  const [first, second] = recencyOf('oldest_first')
  assert.ok(first! < second!)
  assert.deepEqual(recencyOf('unordered'), [0, 0])
})

test('of the sources outside the blend the dearest are left out until all cases can be asked', () => {
  const source = (weight: number, secondsPerCase: number) => ({ weight, secondsPerCase })
  const sources = [source(1, 0.004), source(0, 0.003), source(0, 0.001), source(0, 0.0005)]
  const kept = (seconds: number) =>
    affordableSources(sources, { cases: 1_000, seconds }).map((it) => it.secondsPerCase)
  assert.deepEqual(kept(12), [0.004, 0.003, 0.001, 0.0005])
  assert.deepEqual(kept(8), [0.004, 0.001, 0.0005])
  assert.deepEqual(kept(6.1), [0.004, 0.0005])
  assert.deepEqual(kept(1), [0.004])
})

function filledBoard(items: number[], scores: number[]) {
  const board = newScoreBoard(itemCount)
  items.forEach((item, at) => {
    board.values[item] = scores[at]!
    board.marked[item] = 1
    board.touched[board.size++] = item
  })
  return board
}
