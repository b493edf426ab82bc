import { equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { chooseRuleShares, chooseShare, mostRuleCost, shares } from './choose-rule-shares.ts'

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

test('cases of the week before count, and fewer than a hundred answers decide nothing', async () => {
  const costly = cases(60, (it) => (it === 0 ? 0.5 : 0))
  const figures = new Map([['cart_page' as const, costly]])
  const silent = () => {}
  equal((await chooseRuleShares(figures, new Map(), silent)).cart_page, 1)
  equal((await chooseRuleShares(figures, figures, silent)).cart_page, 0)
})

test('nothing is decided by very few cases with an answer', () => {
  const costly = cases(99, (it) => 0.6 - it / 2)
  equal(chooseShare(costly), undefined)
  equal(chooseShare([...costly, ...cases(500, () => 0)]), undefined)
  equal(chooseShare([]), undefined)
})
