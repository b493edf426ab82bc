import { equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { chooseRuleShares, chooseShare, mostRuleCost, shares } from './choose-rule-shares.ts'

/** So many cases whose figure depends on the share of the rules, each of a buyer of its own. */
const cases = (count: number, figureOf: (share: number, at: number) => number) =>
  Array.from({ length: count }, (_, at) => ({ buyer: at, ndcg: shares.map((it) => figureOf(it, at)) }))

test('the rules decide as much as they can within the bound of their cost', () => {
  equal(chooseShare(cases(200, () => 0.5))!.share, 1)
  const { share, cost } = chooseShare(cases(200, (it) => 0.5 * (1 - 0.09 * it)))!
  equal(share, 0.5)
  ok(cost <= mostRuleCost)
  equal(chooseShare(cases(200, (it) => (it === 0 ? 0.5 : 0)))!.share, 0)
})

test('a cost that differs from case to case must be below the bound by its error', () => {
  // With full rules one case in thirty loses everything: 3.5 % of NDCG, which may be 5 % in another week.
  const rare = (count: number, every: number) =>
    chooseShare(cases(count, (it, at) => (it > 0.65 && at % every === 0 ? 0 : 0.5)))!
  const few = rare(200, 30)
  equal(few.share, 0.6)
  const many = rare(3_000, 30)
  equal(many.share, 1)
  ok(many.cost > 0.033 && many.cost < many.atMost && many.atMost < mostRuleCost, JSON.stringify(many))
})

test('many cases of one buyer are no more certain than that buyer', () => {
  const lost = (it: number, at: number) => (it > 0.65 && (at % 200) % 30 === 0 ? 0 : 0.5)
  const several = cases(2_000, lost)
  equal(chooseShare(several)!.share, 1)
  const repeated = several.map((it, at) => ({ ...it, buyer: at % 200 }))
  equal(chooseShare(repeated)!.share, 0.6)
})

test('rules that cost some buyers as much as others gain are not certain to cost nothing', () => {
  const even = cases(200, (it, at) => (it > 0.55 ? at % 2 : 0.5))
  const { share, atMost } = chooseShare(even)!
  equal(share, 0.5)
  equal(atMost, 0)
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
