// What a person expects of a list beyond the order of scores (docs/recommendations.md): on the main page breadth, on a
// product page alternatives of a similar price before other things, in the cart things that go with it and not more of the
// same, and everywhere one colour of a model. Products that break a rule move back; nothing is lost.

import type { Items } from '../models/items.ts'
import type { Model } from '../models/model.ts'
import { isDurable } from './candidates.ts'
import type { ModelQuery } from './model-query.ts'

/** An unknown buyer sees so many products of one category at most, the best of every category before the second of any. */
const mostForUnknown = 3
/** The largest share of a list for one category, at least and at most. */
const leastShare = 0.2
const mostShare = 0.4
/** A category may take this much more of a list than it has of the buyer's history. */
const headroom = 0.1
/** In the cart, how much of the list may be more of the same, where buyers do buy several. */
const sameInCartShare = 0.2

type Arrangement = (items: Int32Array, query: ModelQuery, limit: number) => Int32Array

/** Reorders ranked items for their page; a list about one category is only freed of twins. */
export function arrangerOf(model: Model): Arrangement {
  return (ranked, query, limit) => {
    const groups = groupsFor(model, query, limit)
    const first: number[] = []
    const later: number[][] = []
    for (const item of ranked) {
      const delay = groups(item)
      if (delay === 0) first.push(item)
      else (later[delay] ??= []).push(item)
    }
    return Int32Array.from([...first, ...later.flat()])
  }
}

/** The group of an item: 0 keeps its place, higher ones follow after all lower ones. Called in ranked order. */
function groupsFor(model: Model, query: ModelQuery, limit: number): (item: number) => number {
  const isTwin = twinFinder(model, query)
  const ofPage = query.isOneCategory
    ? () => 0
    : query.layer === 'main_page'
      ? homeGroups(model.items, query, limit)
      : query.layer === 'offer_page'
        ? offerGroups(model, query, limit)
        : cartGroups(model, query, limit)
  return (item) => (isTwin(item) ? twinGroup : ofPage(item))
}

const twinGroup = 9

/** Finds a second product of one model: it differs from the first in colour or in a similar word alone. */
function twinFinder({ twins }: Model, { context }: ModelQuery): (item: number) => boolean {
  const seen = new Set(context.map((it) => twins[it]!))
  return (item) => {
    if (seen.has(twins[item]!)) return true
    seen.add(twins[item]!)
    return false
  }
}

function homeGroups({ categories }: Items, { profile }: ModelQuery, limit: number): (item: number) => number {
  const counts = new Map<number, number>()
  const isKnown = profile.worth > 0
  const most = (category: number): number => {
    const own = (profile.categories.get(category) ?? 0) / profile.worth
    return Math.ceil(limit * Math.max(leastShare, Math.min(mostShare, own + headroom)))
  }
  return (item) => {
    const category = categories[item]!
    const count = counts.get(category) ?? 0
    counts.set(category, count + 1)
    return isKnown ? Number(count >= most(category)) : Math.min(count, mostForUnknown)
  }
}

/** Of the best, a third of a list, alternatives of a similar price come first, then other categories; then the rest. */
function offerGroups(
  { items: { categories, logPrices }, priceBand }: Model,
  { context }: ModelQuery,
  limit: number,
): (item: number) => number {
  const [page] = context
  if (page === undefined) return () => 0
  let position = 0
  return (item) => {
    const isFarBehind = ++position > limit / 3
    const isSame = categories[item] === categories[page]
    if (isSame && Math.abs(logPrices[item]! - logPrices[page]!) > priceBand) return 2
    if (isFarBehind) return 2
    return isSame ? 0 : 1
  }
}

/** Things of other categories first. More of the same follows, of durable products only when nothing else is left. */
function cartGroups(
  { items: { categories }, rhythm }: Model,
  { context }: ModelQuery,
  limit: number,
): (item: number) => number {
  const durable = new Map<number, boolean>()
  for (const item of context)
    durable.set(categories[item]!, isDurable(rhythm, item) && (durable.get(categories[item]!) ?? true))
  const counts = new Map<number, number>()
  const mostOfOne = Math.ceil(limit * mostShare)
  let same = 0
  return (item) => {
    const category = categories[item]!
    const isSameDurable = durable.get(category)
    if (isSameDurable === true) return 3
    if (isSameDurable === false) return ++same <= limit * sameInCartShare ? 0 : 2
    const count = (counts.get(category) ?? 0) + 1
    counts.set(category, count)
    return count <= mostOfOne ? 0 : 1
  }
}
