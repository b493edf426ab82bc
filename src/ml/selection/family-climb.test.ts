import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { addScore } from '../retrieval/score-board.ts'
import type { TriedModel } from './blend-weights.ts'
import { FamilyClimb, tryOnce, type TryingOptions, withEvaluator } from './family-climb.ts'
import type { Family } from './families.ts'
import type { Case, ListTask } from './list-task.ts'
import { newTrainingSet } from './training-set.ts'

const items = 10
const cases: Case[] = [{ label: '', history: Int32Array.of(0), relevant: Int32Array.of(5) }]
const listTask: ListTask = {
  items,
  names: [],
  slice: { fit: [], cases, all: cases },
  fit: [],
  cases: () => cases,
  repeats: 'allowed',
  order: 'none',
  rows: 'unordered',
  // The higher the first item, the better.
  measures: [{ name: 'first', of: (list) => list[0]! + 1 }],
}
const newSet = () => newTrainingSet([[0, 5]], items, { seed: 1, threads: 1, alike: undefined })
const trainingSet = newSet()

/** A family whose fit takes ten seconds, unless only its cheap axis has moved. It lists the sum of its parameters first. */
function openFamily() {
  const clock = { seconds: 0, elapsed: () => clock.seconds, report: () => {} }
  const fitted: object[] = []
  const family: Family = {
    kind: 'slow',
    share: 1,
    start: { costly: 0, cheap: 0 },
    axes: { costly: [0, 1], cheap: [0, 1, 2, 3, 4, 5] },
    cheapAxes: ['cheap'],
    suits: () => true,
    fit: (given, params) =>
      given.part(`slow ${params['costly']}`, () => {
        clock.seconds += 10
        fitted.push(params)
        return { weights: Float64Array.of(1) }
      }),
    load: (_, { costly = 0, cheap = 0 }) => {
      return (_history, board) => {
        clock.seconds += 1
        for (let item = 0; item <= costly + cheap; item++) addScore(board, item, item + 1)
      }
    },
    explain: () => () => [],
  }
  return { family, clock, fitted }
}

const climbOf = (family: Family, how: TryingOptions, first: TriedModel) =>
  new FamilyClimb(family, withEvaluator({ ...how, keep: (it: TriedModel) => it }), first)

test('a search without time for another fit still moves what only scoring reads', async () => {
  const { family, clock, fitted } = openFamily()
  const how = { listTask, trainingSet, clock }
  const first = await tryOnce(family, how)
  deepEqual([first.seconds, first.fitSeconds], [11, 10])
  const climb = climbOf(family, how, first)
  const best = await climb.goOn(clock.seconds + 9)
  ok(!climb.isDone)
  deepEqual(best.params, { costly: 0, cheap: 5 })
  equal(fitted.length, 1)
  ok(clock.seconds <= 11 + 9)
  equal(best.tables['weights']![0], 1)
})

test('a search that is stopped and continued makes the moves that are left', async () => {
  const ends = []
  for (const slices of [[Infinity], [0, 3, 12, 2, 30, 100]]) {
    const { family, clock } = openFamily()
    const how = { listTask, trainingSet: newSet(), clock }
    const climb = climbOf(family, how, await tryOnce(family, how))
    for (const slice of slices) await climb.goOn(clock.seconds + slice)
    ok(climb.isDone)
    ends.push({ params: climb.best.params, tried: climb.tried })
  }
  deepEqual(ends[0], ends[1])
  deepEqual(ends[0]!.params, { costly: 1, cheap: 5 })
})

/**
 * A family in which a costly move is best made first: the cheap one hides what it gains. By costly and cheap parameter, the
 * first item of its list.
 */
const hiding = [
  [0, 3, 4],
  [2, 1, 0],
  [9, 5, 5],
]

test('what a search tries does not depend on the length of its turns', async () => {
  const tried = []
  for (const turns of [[Infinity], [2, 12], [1, 1, 30], [3, 11.5, 3]]) {
    const { family: slow, clock } = openFamily()
    const family: Family = {
      ...slow,
      axes: { costly: [0, 1, 2], cheap: [0, 1, 2] },
      load: (_, { costly = 0, cheap = 0 }) => {
        return (_history, board) => {
          clock.seconds += 1
          for (let item = 0; item <= hiding[costly]![cheap]!; item++) addScore(board, item, item + 1)
        }
      },
    }
    const trials: object[] = []
    const onTrial = ({ params }: Pick<TriedModel, 'params'>) => void trials.push(params)
    const how = { listTask, trainingSet: newSet(), clock, onTrial }
    const climb = climbOf(family, how, await tryOnce(family, how))
    for (let turn = 0; !climb.isDone && turn < 100; turn++)
      await climb.goOn(clock.seconds + turns[turn % turns.length]!, Infinity)
    deepEqual(climb.best.params, { costly: 2, cheap: 0 })
    tried.push(trials)
  }
  for (const it of tried) deepEqual(it, tried[0])
})

test('a search ends after its trials', async () => {
  const { family, clock } = openFamily()
  const how = { listTask, trainingSet: newSet(), clock, trials: 3 }
  const climb = climbOf(family, how, await tryOnce(family, how))
  await climb.goOn(Infinity)
  equal(climb.tried, 3)
  ok(climb.isDone)
})
