// The main page: the breadth of the shop for a new buyer; for a known one the interests of the history, without too much of
// what they have seen, ignored or just bought.

import { leastSecondShare } from '../models/companions.ts'
import type { Model } from '../models/model.ts'
import type { BuyerProfile } from './buyer-profile.ts'
import type { ModelQuery } from './model-query.ts'

/** The most products of one category that an unknown buyer sees, the best of every category before the second of any. */
const mostForUnknown = 3
/** The largest share of a list for one category, at least and at most. */
const leastShare = 0.2
const mostShare = 0.4
/** A category may take this much more of a list than it has of the buyer's history. */
const headroom = 0.1
/** The share of a category that the buyer has just bought from, where few buy a second time, and where it may begin. */
const ownedShare = 0.1
const ownedFrom = 0.2
const ownedDays = 30
/** The largest shares of a list for products that the buyer has seen, and has seen often without a reaction. */
const seenShare = 0.5
const ignoredShare = 0.1
const ignoredTimes = 3

export function homePlaces(
  { items: { categories }, rhythm }: Model,
  { query: { profile, day }, limit }: { query: ModelQuery; limit: number },
): (item: number) => number {
  const shown = new Map<number, ShownCategory>()
  const { purchases, worth } = profile
  const owned = ownedCategories({ items: { categories }, rhythm }, purchases, day)
  const shownOf = (category: number): ShownCategory => {
    let known = shown.get(category)
    if (!known) {
      known = { count: 0, most: mostOf(category, profile, limit), isOwned: owned.has(category) }
      shown.set(category, known)
    }
    return known
  }
  if (worth === 0) return (item) => Math.min(shownOf(categories[item]!).count++, mostForUnknown)
  const isSeenEnough = seenLimit(profile, limit)
  const mostFirst = owned.size > 0 ? limit * ownedFrom : Infinity
  let position = 0
  return (item) => {
    if (isSeenEnough(item)) return 1
    const category = shownOf(categories[item]!)
    const count = category.count++
    if (category.isOwned) return count < limit * ownedShare ? 0.5 : 1
    if (count >= category.most) return 1
    return ++position <= mostFirst ? 0 : 0.5
  }
}

export interface CategoryRhythms {
  items: Pick<Model['items'], 'categories'>
  rhythm: Pick<Model['rhythm'], 'second'>
}

/** Categories that the buyer has just bought from and where few buy a second time. */
export function ownedCategories(
  { items: { categories }, rhythm: { second } }: CategoryRhythms,
  purchases: BuyerProfile['purchases'],
  day: number,
): Set<number> {
  const owned = new Set<number>()
  for (const { item, time } of purchases)
    if (day - time <= ownedDays && second[item]! < leastSecondShare) owned.add(categories[item]!)
  return owned
}

/** What a list shows of a category. */
interface ShownCategory {
  count: number
  most: number
  isOwned: boolean
}

function mostOf(category: number, { categories, worth }: BuyerProfile, limit: number): number {
  const own = (categories.get(category) ?? 0) / worth
  return Math.ceil(limit * Math.max(leastShare, Math.min(mostShare, own + headroom)))
}

/** Whether a list has enough products that the buyer has seen; what is due again does not count. */
function seenLimit({ touches }: Pick<BuyerProfile, 'touches'>, limit: number): (item: number) => boolean {
  let seen = 0
  let ignored = 0
  return (item) => {
    const known = touches.get(item)
    if (!known || known.bought > 0) return false
    const isIgnored = known.times >= ignoredTimes && known.reactions === 0
    if (isIgnored && ++ignored > limit * ignoredShare) return true
    return ++seen > limit * seenShare
  }
}
