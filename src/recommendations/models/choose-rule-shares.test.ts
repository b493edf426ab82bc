import { equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { chooseShare, mostRuleCost, shares } from './choose-rule-shares.ts'

/** So many cases whose figure depends on the share of the rules. */
const cases = (count: number, figureOf: (share: number) => number) =>
  Array.from({ length: count }, () => shares.map(figureOf))

test('the rules decide as much as they can within the bound of their cost', () => {
  equal(chooseShare(cases(200, () => 0.5))!.share, 1)
  const { share, cost } = chooseShare(cases(200, (it) => 0.5 * (1 - 0.09 * it)))!
  equal(share, 0.5)
  ok(cost <= mostRuleCost)
  equal(chooseShare(cases(200, (it) => (it === 0 ? 0.5 : 0)))!.share, 0)
})

test('rules that gain accuracy decide everything', () => {
  const { share, cost } = chooseShare(cases(200, (it) => 0.5 + 0.1 * it))!
  equal(share, 1)
  ok(cost < 0)
})

/** Cases that are answered better without rules, and cases that are answered better with them. */
const opposed = (lost: number, won: number) => [
  ...cases(lost, (it) => (1 - it) / 2),
  ...cases(won, (it) => it / 2),
]

test('few carts bound the rules only where their cost is certain', () => {
  ok(chooseShare(opposed(30, 2))!.share < 0.2)
  equal(chooseShare(opposed(10, 8))!.share, 1, 'the cost may be chance')
  const many = chooseShare(opposed(100, 80))!
  ok(many.share < 1 && many.cost <= mostRuleCost, 'with many cases the mean decides')
})

test('nothing is decided by very few cases with an answer', () => {
  const costly = cases(9, (it) => 0.6 - it / 2)
  equal(chooseShare(costly), undefined)
  equal(chooseShare([...costly, ...cases(500, () => 0)]), undefined)
  equal(chooseShare([]), undefined)
})
