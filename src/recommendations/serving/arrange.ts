// What a person expects of a list beyond the order of scores (docs/recommendations.md): on the main page breadth and not too
// much of what is known or owned, on a product page alternatives of a similar price and the same size before things that go
// with it, in the cart companions in turn and not more of the same, and everywhere one colour of a model. Products that break
// a rule move back; nothing is lost.

import type { Model } from '../models/model.ts'
import { otherModelFinder } from '../models/mentions.ts'
import { areSameSize, hasKeptSize } from '../models/sizes.ts'
import { isDurable } from './candidates.ts'
import { companionFinder, type CompanionFinder } from './companion-finder.ts'
import { homePlaces } from './home-places.ts'
import type { ModelQuery } from './model-query.ts'

/** On a product page, the share of the list for alternatives of the same size, of the same variety and of others. More would cost accuracy. */
const sameSizeShare = 1 / 7
/** In the cart, the largest share of a list for one category, and for more of the same where buyers do buy several. */
const mostInCartShare = 0.4
const sameInCartShare = 0.2
/** In the cart, the weights of more of the same, and of other categories of its departments, which weak companions take turns with. */
const weightOfSame = 0.3
const weightOfDepartment = 0.1

/** `share` is that of the places that the rules decide; as training chose by default. */
type Arrangement = (items: Int32Array, query: ModelQuery, limit: number, share?: number) => Int32Array

/**
 * The place of an item: the lowest come first, items of one place in ranked order. Called once for each item of the page and
 * its position, in ranked order.
 */
type Places = (item: number, at: number) => number

interface Page {
  query: ModelQuery
  limit: number
  /** Ranked, without twins. */
  items: Int32Array
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

/**
 * The same for several shares of the rules. Where buyers of the first product on the page keep to its size, the rules decide
 * every place, unless they have no share: other sizes are of little use. It owns buffers, so threads must not share it.
 */
export function sharesArrangerOf(
  model: Model,
): (items: Int32Array, query: ModelQuery, limit: number, shares: readonly number[]) => Int32Array[] {
  const companionsOf = companionFinder(model)
  const othersOf = otherModelFinder(model.mentions, model.items.categories)
  const twinsOf = twinFinder(model)
  const mix = mixer(model.items.count)
  return (ranked, query, limit, shares) => {
    const isForAnother = othersOf(query.context)
    const { items, twins } = twinsOf(query.context, ranked)
    const placeOf = placesFor(model, { query, limit, items, companionsOf, isForAnother })
    const count = items.length
    // Place and rank in one number: sorting numbers is several times as fast as sorting by a function.
    const keys = new Float64Array(count)
    const kept: number[] = []
    for (let at = 0; at < count; at++) {
      const place = placeOf(items[at]!, at)
      keys[at] = Math.floor(place * placeSteps) * count + at
      if (place < unwantedPlace) kept.push(items[at]!)
    }
    keys.sort()
    const arranged = new Int32Array(ranked.length)
    for (let at = 0; at < count; at++) arranged[at] = items[keys[at]! % count]!
    arranged.set(twins, count)
    const [page] = query.context
    const isForSize = query.layer === 'offer_page' && page !== undefined && hasKeptSize(model.sizes, page)
    const isRuled = (share: number) => share === 1 || (share > 0 && isForSize)
    return shares.map((share) => (isRuled(share) ? arranged : mix(arranged, kept, share)))
  }
}

/** The rules for a new buyer have no share: nothing else is known of them. */
const shareFor = ({ ruleShares }: Model, { layer, profile, context }: ModelQuery): number =>
  profile.worth === 0 && context.length === 0 ? 1 : ruleShares[layer]

/** Takes places in turn from the arranged items, by their share, and from those that the ranker put first. */
function mixer(
  items: number,
): (arranged: Int32Array, ranked: readonly number[], share: number) => Int32Array {
  const isTaken = new Uint8Array(items)
  return (arranged, ranked, share) => {
    const list = new Int32Array(arranged.length)
    let [byRules, byRank] = [0, 0]
    // With half of the places and more the rules have the first one.
    for (let size = 0, due = 2 * share; size < list.length; size++, due += share) {
      const fromRules = due >= 1
      if (fromRules) due -= 1
      while (byRank < ranked.length && isTaken[ranked[byRank]!]) byRank++
      while (isTaken[arranged[byRules]!]) byRules++
      list[size] = fromRules || byRank === ranked.length ? arranged[byRules]! : ranked[byRank]!
      isTaken[list[size]!] = 1
    }
    for (const item of arranged) isTaken[item] = 0
    return list
  }
}

const placeSteps = 1e6

/** What no shopper wants comes last, whatever the share of the rules: another size, a part for another model, after them twins. */
const unwantedPlace = 4

const placesFor = (model: Model, page: Page): Places =>
  page.query.isOneCategory ? () => 0 : pagePlaces[page.query.layer](model, page)

const pagePlaces: Record<ModelQuery['layer'], (model: Model, page: Page) => Places> = {
  main_page: homePlaces,
  offer_page: offerPlaces,
  cart_page: cartPlaces,
}

/** Separates twins: second products of one model, which differ from the first in colour or in a similar word alone. */
function twinFinder({
  twins: groupOf,
}: Model): (context: readonly number[], ranked: Int32Array) => { items: Int32Array; twins: number[] } {
  let groups = 0
  for (const group of groupOf) groups = Math.max(groups, group + 1)
  /** By group, the number of the last query that saw one of it. */
  const seenBy = new Int32Array(groups)
  let query = 0
  return (context, ranked) => {
    query++
    for (const it of context) seenBy[groupOf[it]!] = query
    const items = new Int32Array(ranked.length)
    const twins: number[] = []
    let count = 0
    for (let at = 0; at < ranked.length; at++) {
      const item = ranked[at]!
      const group = groupOf[item]!
      if (seenBy[group] === query) twins.push(item)
      else items[count++] = item
      seenBy[group] = query
    }
    return { items: items.subarray(0, count), twins }
  }
}

/** Alternatives of the same size: winter tyres for a winter tyre, before summer tyres. */
const fitPlace = { whole: 0, size: 0.25 }

/**
 * Some alternatives of a similar price and the same size come first, then the best others of a similar price; then the best of
 * other categories and what goes with the product; then the rest. Where buyers keep to a size, another one comes last.
 */
function offerPlaces(
  { items: { categories, logPrices }, priceBand, sizes, varieties }: Model,
  { query: { context }, limit, companionsOf, isForAnother }: Page,
): Places {
  const [page] = context
  if (page === undefined) return () => 0
  const third = limit / 3
  const mustFit = hasKeptSize(sizes, page)
  const companions = companionsOf([categories[page]!])
  const turns = new Map<number, number>()
  let position = 0
  const fitting = { whole: 0, size: 0 }
  return (item) => {
    const isAmongBest = ++position <= third
    const category = categories[item]!
    if (category === categories[page]) {
      if (Math.abs(logPrices[item]! - logPrices[page]!) > priceBand) return 3
      if (areSameSize(sizes, page, item)) {
        const fit = varieties[item] === varieties[page] ? 'whole' : 'size'
        if (++fitting[fit] <= limit * sameSizeShare) return fitPlace[fit]
      } else if (mustFit && hasKeptSize(sizes, item)) return unwantedPlace
      return isAmongBest ? 0.5 : 3
    }
    if (isForAnother(item)) return unwantedPlace
    if (isAmongBest) return 1
    const weight = companions.get(category)
    if (weight === undefined) return 3
    const times = (turns.get(category) ?? 0) + 1
    turns.set(category, times)
    return 1 + turnOf(times, weight)
  }
}

/**
 * Companions first, their categories in turn and the closest one most often, within each its varieties in turn; then other
 * categories of the departments of the cart in turn, then the rest. More of the same takes its turn too, of durable products only when nothing else is left.
 */
function cartPlaces(
  { items: { categories, departments }, rhythm, varieties }: Model,
  { query: { context }, limit, items, companionsOf, isForAnother }: Page,
): Places {
  const inCart = new Set(context.map((item) => departments[item]!))
  const durable = new Map<number, boolean>()
  for (const item of context)
    durable.set(categories[item]!, isDurable(rhythm, item) && (durable.get(categories[item]!) ?? true))
  const companions = companionsOf(durable.keys())
  const shown = new Map<number, ShownCategory>()
  const places = new Float64Array(items.length)
  let same = 0
  for (let at = 0; at < items.length; at++) {
    const item = items[at]!
    const category = categories[item]!
    const isSameDurable = durable.get(category)
    if (isSameDurable === false)
      places[at] = ++same <= limit * sameInCartShare ? turnOf(same, weightOfSame) : 3
    else if (isSameDurable === true || isForAnother(item)) places[at] = unwantedPlace
    else {
      let known = shown.get(category)
      if (!known) {
        const isRelated = inCart.has(departments[item]!)
        const weight = companions.get(category) ?? (isRelated ? weightOfDepartment : undefined)
        shown.set(category, (known = { weight, shownOf: new Map(), rounds: [] }))
      }
      addToRound(known, varieties[item]!, at)
    }
  }
  const mostOfOne = Math.ceil(limit * mostInCartShare)
  for (const category of shown.values()) takeTurns(category, mostOfOne, places)
  return (_, at) => places[at]!
}

interface ShownCategory {
  weight: number | undefined
  /** By variety, how many products the list has of it. */
  shownOf: Map<number, number>
  /** The positions of the first product of every variety, then those of the second ones, and so on. */
  rounds: number[][]
}

function addToRound({ shownOf, rounds }: ShownCategory, variety: number, at: number): void {
  const round = shownOf.get(variety) ?? 0
  shownOf.set(variety, round + 1)
  const positions = rounds[round]
  if (positions) positions.push(at)
  else rounds.push([at])
}

/** The varieties of a category take turns: a charger comes before one more power bank. What is over the limit comes later. */
function takeTurns({ weight, rounds }: ShownCategory, mostOfOne: number, places: Float64Array): void {
  let turn = 0
  for (const positions of rounds)
    for (const at of positions)
      places[at] = ++turn > mostOfOne ? 2 : weight === undefined ? 1 : turnOf(turn, weight)
}

/** The place, from 0 to 1, of the n-th product of a category: categories take turns in proportion to their weights. */
const turnOf = (times: number, weight: number): number => times / (times + weight)
