import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { chooseShare, mostRuleCost } from './choose-rule-shares.ts'

/** The same figures in many cases, from full rules to none. */
const cases = (count: number, ...figures: number[]) => Array.from({ length: count }, () => figures)

test('the rules decide as much as they can within the bound of their cost', () => {
  deepEqual(chooseShare(cases(200, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5)), { share: 1, cost: 0, answered: 200 })
  const { share, cost } = chooseShare(cases(200, 0.3, 0.4, 0.46, 0.48, 0.49, 0.5))!
  equal(share, 0.4)
  ok(cost <= mostRuleCost)
  equal(chooseShare(cases(200, 0, 0, 0, 0, 0, 0.5))!.share, 0)
})

test('rules that gain accuracy decide everything', () => {
  const { share, cost } = chooseShare(cases(200, 0.6, 0.5, 0.5, 0.5, 0.5, 0.5))!
  equal(share, 1)
  ok(cost < 0)
})

/** Cases that only lists without rules answer, and cases that only lists with rules answer. */
const opposed = (lost: number, won: number) => [
  ...cases(lost, 0, 0.1, 0.2, 0.3, 0.4, 0.5),
  ...cases(won, 0.5, 0.4, 0.3, 0.2, 0.1, 0),
]

test('few carts bound the rules only where their cost is certain', () => {
  equal(chooseShare(opposed(30, 2))!.share, 0)
  equal(chooseShare(opposed(10, 8))!.share, 1, 'the cost may be chance')
  const many = chooseShare(opposed(100, 80))!
  ok(many.share < 1 && many.cost <= mostRuleCost, 'with many cases the mean decides')
})

test('nothing is decided by very few cases with an answer', () => {
  equal(chooseShare(cases(9, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6)), undefined)
  equal(chooseShare([...cases(9, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6), ...cases(500, 0, 0, 0, 0, 0, 0)]), undefined)
  equal(chooseShare([]), undefined)
})
