// What a person expects of a list beyond the order of scores (docs/recommendations.md): on the main page breadth and not too
// much of what is known or owned, on a product page alternatives of a similar price and the same size before things that go
// with it, in the cart companions in turn and not more of the same, and everywhere one colour of a model. Products that break
// a rule move back; nothing is lost.

import type { Model } from '../models/model.ts'
import { otherModelFinder } from '../models/mentions.ts'
import { areSameSize } from '../models/sizes.ts'
import { isDurable } from './candidates.ts'
import { companionFinder, type CompanionFinder } from './companion-finder.ts'
import { homePlaces } from './home-places.ts'
import type { ModelQuery } from './model-query.ts'

/** On a product page, the share of the list for alternatives of the same size. More would cost accuracy. */
const sameSizeShare = 1 / 7
/** In the cart, the largest share of a list for one category, and for more of the same where buyers do buy several. */
const mostInCartShare = 0.4
const sameInCartShare = 0.2

/** `share` is that of the places that the rules decide; as training chose by default. */
type Arrangement = (items: Int32Array, query: ModelQuery, limit: number, share?: number) => Int32Array

/** The place of an item: the lowest come first, items of one place in ranked order. Called in ranked order. */
type Places = (item: number) => number

interface Page {
  query: ModelQuery
  limit: number
  companionsOf: CompanionFinder
  /** Whether a product is made for another model than those of the page. */
  isForAnother: (item: number) => boolean
}

/** Reorders ranked items for their page; a list about one category is only freed of twins. */
export function arrangerOf(model: Model): Arrangement {
  const arrangeBy = sharesArrangerOf(model)
  return (ranked, query, limit, share = shareFor(model, query)) =>
    arrangeBy(ranked, query, limit, [share])[0]!
}

/** The same for several shares of the rules. */
export function sharesArrangerOf(
  model: Model,
): (items: Int32Array, query: ModelQuery, limit: number, shares: readonly number[]) => Int32Array[] {
  const companionsOf = companionFinder(model)
  const othersOf = otherModelFinder(model.mentions, model.items.categories)
  return (ranked, query, limit, shares) => {
    const isForAnother = othersOf(query.context)
    const placeOf = placesFor(model, { query, limit, companionsOf, isForAnother })
    // Place and rank in one number: sorting numbers is several times as fast as sorting by a function.
    const keys = new Float64Array(ranked.length)
    const kept: number[] = []
    for (let at = 0; at < ranked.length; at++) {
      const place = placeOf(ranked[at]!)
      keys[at] = Math.floor(place * placeSteps) * ranked.length + at
      if (place < unwantedPlace) kept.push(ranked[at]!)
    }
    keys.sort()
    const arranged = new Int32Array(ranked.length)
    for (let at = 0; at < ranked.length; at++) arranged[at] = ranked[keys[at]! % ranked.length]!
    return shares.map((share) => (share < 1 ? mixed(arranged, kept, share) : arranged))
  }
}

/** The rules for a new buyer have no share: nothing else is known of them. */
const shareFor = ({ ruleShares }: Model, { layer, profile, context }: ModelQuery): number =>
  profile.worth === 0 && context.length === 0 ? 1 : ruleShares[layer]

/** Takes places in turn from the arranged items, by their share, and from those that the ranker put first. */
function mixed(arranged: Int32Array, ranked: readonly number[], share: number): Int32Array {
  const taken = new Set<number>()
  const byRules = arranged[Symbol.iterator]()
  const byRank = ranked[Symbol.iterator]()
  const take = (from: Iterator<number>): boolean => {
    for (let it = from.next(); !it.done; it = from.next()) {
      if (taken.has(it.value)) continue
      taken.add(it.value)
      return true
    }
    return false
  }
  // With half of the places and more the rules have the first one.
  for (let due = 2 * share; taken.size < arranged.length; due += share) {
    const isRules = due >= 1
    if (isRules) due -= 1
    if (isRules || !take(byRank)) take(byRules)
  }
  return Int32Array.from(taken)
}

const placeSteps = 1e6

/** What no shopper wants comes last, whatever the share of the rules. */
const unwantedPlace = 4
const twinPlace = 9

function placesFor(model: Model, page: Page): Places {
  const isTwin = twinFinder(model, page.query)
  const ofPage = page.query.isOneCategory ? () => 0 : pagePlaces[page.query.layer](model, page)
  return (item) => (isTwin(item) ? twinPlace : ofPage(item))
}

const pagePlaces: Record<ModelQuery['layer'], (model: Model, page: Page) => Places> = {
  main_page: homePlaces,
  offer_page: offerPlaces,
  cart_page: cartPlaces,
}

/** Finds a second product of one model: it differs from the first in colour or in a similar word alone. */
function twinFinder({ twins }: Model, { context }: ModelQuery): (item: number) => boolean {
  const seen = new Set(context.map((it) => twins[it]!))
  return (item) => {
    if (seen.has(twins[item]!)) return true
    seen.add(twins[item]!)
    return false
  }
}

/**
 * Some alternatives of a similar price and the same size come first, then the best others of a similar price; then the best of
 * other categories and what goes with the product; then the rest.
 */
function offerPlaces(
  { items: { categories, logPrices }, priceBand, sizes }: Model,
  { query: { context }, limit, companionsOf, isForAnother }: Page,
): Places {
  const [page] = context
  if (page === undefined) return () => 0
  const third = limit / 3
  const companions = companionsOf([categories[page]!])
  const inTurn = turns()
  let position = 0
  let fitting = 0
  return (item) => {
    const isAmongBest = ++position <= third
    const category = categories[item]!
    if (category === categories[page]) {
      if (Math.abs(logPrices[item]! - logPrices[page]!) > priceBand) return 3
      if (areSameSize(sizes, page, item) && ++fitting <= limit * sameSizeShare) return 0
      return isAmongBest ? 0.5 : 3
    }
    if (isForAnother(item)) return unwantedPlace
    if (isAmongBest) return 1
    const weight = companions.get(category)
    return weight === undefined ? 3 : 1 + inTurn(category, weight)
  }
}

/**
 * Companions first, their categories in turn and the closest one most often; then things of other categories. More of the same
 * follows, of durable products only when nothing else is left.
 */
function cartPlaces(
  { items: { categories }, rhythm }: Model,
  { query: { context }, limit, companionsOf, isForAnother }: Page,
): Places {
  const durable = new Map<number, boolean>()
  for (const item of context)
    durable.set(categories[item]!, isDurable(rhythm, item) && (durable.get(categories[item]!) ?? true))
  const companions = companionsOf(durable.keys())
  const inTurn = turns()
  const counts = new Map<number, number>()
  const mostOfOne = Math.ceil(limit * mostInCartShare)
  let same = 0
  return (item) => {
    const category = categories[item]!
    const isSameDurable = durable.get(category)
    if (isSameDurable === true) return unwantedPlace
    if (isSameDurable === false) return ++same <= limit * sameInCartShare ? 1 : 3
    if (isForAnother(item)) return unwantedPlace
    const count = (counts.get(category) ?? 0) + 1
    counts.set(category, count)
    if (count > mostOfOne) return 2
    const weight = companions.get(category)
    return weight === undefined ? 1 : inTurn(category, weight)
  }
}

/** From 0 to 1: when the next of a category has its turn, so that each has places in proportion to its weight. */
function turns(): (category: number, weight: number) => number {
  const counts = new Map<number, number>()
  return (category, weight) => {
    const count = (counts.get(category) ?? 0) + 1
    counts.set(category, count)
    return count / (count + weight)
  }
}
