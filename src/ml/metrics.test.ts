import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  auc,
  coverage,
  diversity,
  gini,
  gradedNdcgAt,
  hitAt,
  logLoss,
  ndcgAt,
  positionOf,
  recallAt,
  reciprocalRankAt,
} from './metrics.ts'

const near = (actual: number, expected: number) =>
  assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`)

test('recall counts what was found of all that could be found', () => {
  near(recallAt([1, 2, 3], new Set([2, 9]), 20), 0.5)
  near(recallAt([1, 2, 3], new Set([3]), 2), 0)
  near(recallAt([], new Set(), 20), 0)
})

test('NDCG prefers a hit at the top and is one for the best order', () => {
  near(ndcgAt([7, 8, 1], new Set([7, 8]), 20), 1)
  near(ndcgAt([1, 7], new Set([7]), 20), 1 / Math.log2(3))
  near(ndcgAt([1], new Set(), 20), 0)
})

test('hit rate and reciprocal rank look at the first hit', () => {
  near(hitAt([5, 6, 7], new Set([7]), 2), 0)
  near(hitAt([5, 6, 7], new Set([7]), 3), 1)
  near(reciprocalRankAt([5, 6, 7], new Set([6]), 20), 0.5)
})

test('items with an equal score count half in a position', () => {
  near(positionOf([3, 1, 1, 1], 0), 1)
  near(positionOf([3, 1, 1, 1], 2), 3)
})

test('graded NDCG uses the gain 2^relevance − 1 and counts one where nothing is relevant', () => {
  near(gradedNdcgAt([0, 0], 10), 1)
  near(gradedNdcgAt([2, 1, 0], 10), 1)
  near(gradedNdcgAt([0, 1], 10), 1 / Math.log2(3))
})

test('coverage and Gini tell an even catalog from a narrow one', () => {
  near(coverage([[0, 1], [1]], 4), 0.5)
  near(gini([[0], [1], [2], [3]], 4), 0)
  near(gini([[0], [0]], 4), 0.75)
  near(gini([], 4), 0)
})

test('diversity is one minus the likeness inside a list', () => {
  near(
    diversity([[0, 1, 2]], (a, b) => (a + b === 1 ? 1 : 0)),
    2 / 3,
  )
  near(
    diversity([[0]], () => 1),
    0,
  )
})

test('AUC counts pairs in order, ties half', () => {
  near(auc([0.1, 0.4, 0.35, 0.8], [0, 0, 1, 1]), 0.75)
  near(auc([1, 1], [0, 1]), 0.5)
  near(auc([1, 2], [1, 1]), 0.5)
})

test('log-loss stays finite for a certain and wrong answer', () => {
  near(logLoss([0.5, 0.5], [0, 1]), Math.log(2))
  assert.ok(Number.isFinite(logLoss([0, 1], [1, 0])))
})
