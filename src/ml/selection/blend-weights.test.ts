import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addScore, type Retriever } from '../retrieval/score-board.ts'
import { exclusionsFor } from './case-evaluator.ts'
import type { Family } from './families.ts'
import { hitRate, type Case, type ListTask } from './list-task.ts'
import { dropSlow, weighModels, type TriedModel } from './blend-weights.ts'

const itemCount = 60
/** Item 1 is asked after item 0 in two cases of three, item 3 after item 2 in the third. */
const cases: Case[] = [
  [0, 1],
  [0, 1],
  [2, 3],
].map(([seen, next]) => ({ label: '', history: Int32Array.of(seen!), relevant: Int32Array.of(next!) }))

const listTask: ListTask = {
  items: itemCount,
  names: [],
  slice: { fit: [], cases, all: cases },
  fit: [],
  cases: () => cases,
  repeats: 'excluded',
  order: 'none',
  rows: 'unordered',
  measures: [hitRate(1)],
}

/** A model that knows what follows one item. */
function found(seen: number, next: number, score: number): TriedModel {
  const retriever: Retriever = (history, board) => {
    if (history[0] === seen) addScore(board, next, 1)
  }
  const family: Family = {
    kind: `${seen} to ${next}`,
    share: 1,
    start: {},
    axes: {},
    cheapAxes: [],
    suits: () => true,
    fit: async () => ({}),
    load: () => retriever,
    explain: () => () => [],
  }
  return { family, params: {}, tables: {}, retriever, score, seconds: 2, fitSeconds: 1, secondsPerCase: 0.5 }
}

const usedKinds = (seconds: number): string[] => {
  const parts = weighModels(listTask, [found(2, 3, 1 / 3), found(0, 1, 2 / 3)], exclusionsFor(listTask))
  dropSlow(listTask, parts, { seconds, cases: 10 })
  return parts.filter(({ weight }) => weight > 0).map(({ family }) => family.kind)
}

test('a blend keeps every part that earns its keep while time suffices', () => {
  assert.deepEqual(usedKinds(14), ['0 to 1', '2 to 3'])
})

test('a blend that could not be asked in time loses the part that lists miss least, and never the last', () => {
  assert.deepEqual(usedKinds(13), ['0 to 1'])
  assert.deepEqual(usedKinds(0), ['0 to 1'])
})
