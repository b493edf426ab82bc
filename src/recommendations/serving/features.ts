// The ranker's features. One definition for training, serving and explaining.

import { type Candidates, sourceNames } from './candidates.ts'
import type { ModelQuery } from './model-query.ts'
import type { Items } from '../models/items.ts'
import type { Model } from '../models/model.ts'
import { usualLogPriceOf } from './buyer-profile.ts'

export const featureNames = [
  ...sourceNames,
  ...sourceNames.map((it) => `${it}_rank` as const),
  'blend',
  'blend_rank',
  'popularity',
  'recent_popularity',
  'trend',
  'log_price',
  'price_gap_history',
  'price_gap_focus',
  'category_share',
  'department_share',
  'brand_share',
  'focus_same_category',
  'focus_same_brand',
  'history_items',
  'days_since_last',
  'times_touched',
  'days_since_touched',
  'times_bought',
  'layer',
  'credit_room',
] as const
type FeatureName = (typeof featureNames)[number]

/** A column per feature, in the order of their names; a row per candidate. */
export type Features = readonly Float32Array[]

/** Writes features into the first rows of the given columns, or into new ones. */
export type Describer = (query: ModelQuery, candidates: Candidates, into?: Features) => Features

export const columnsFor = (rows: number): Features => featureNames.map(() => new Float32Array(rows))

const never = 99
const layerNumber = { main_page: 0, offer_page: 1, cart_page: 2 }

export function describerOf(model: Model): Describer {
  const logPopularity = logsOf(model.popularity)
  const logRecent = logsOf(model.recent)
  const writeRanks = rankWriter(model.items.count)
  return (query, candidates, into = columnsFor(candidates.items.length)) => {
    writeSources(candidates, into, writeRanks)
    writePopularity(candidates, { logPopularity, logRecent }, into)
    writePast(model.items, query, candidates, into)
    writeTouches(query, candidates, into)
    writeFocus(model.items, candidates, into)
    writeCredit(model.items, query, candidates, into)
    return into
  }
}

/** A plain loop: it runs between two calls when a model is activated, and `map` takes thirty times as long. */
function logsOf(weights: Float64Array): Float32Array {
  const logs = new Float32Array(weights.length)
  for (let item = 0; item < weights.length; item++) logs[item] = Math.log1p(weights[item]!)
  return logs
}

const places = new Map<FeatureName, number>(featureNames.map((name, at) => [name, at]))
const column = (of: Features, name: FeatureName): Float32Array => of[places.get(name)!]!

function writeSources({ scores, blend }: Candidates, into: Features, writeRanks: RankWriter): void {
  for (const [source, shares] of scores.entries()) {
    into[source]!.set(shares)
    writeRanks(shares, into[sourceNames.length + source]!)
  }
  column(into, 'blend').set(blend)
  const ranks = column(into, 'blend_rank')
  for (let row = 0; row < blend.length; row++) ranks[row] = row
}

function writePopularity(
  { items: found }: Candidates,
  { logPopularity, logRecent }: { logPopularity: Float32Array; logRecent: Float32Array },
  into: Features,
): void {
  const popularity = column(into, 'popularity')
  const recent = column(into, 'recent_popularity')
  const trend = column(into, 'trend')
  for (let row = 0; row < found.length; row++) {
    const item = found[row]!
    popularity[row] = logPopularity[item]!
    recent[row] = logRecent[item]!
    trend[row] = logRecent[item]! - logPopularity[item]!
  }
}

function writePast(
  { logPrices, categories, departments, brands }: Items,
  { profile }: ModelQuery,
  { items: found }: Candidates,
  into: Features,
): void {
  const price = column(into, 'log_price')
  const gap = column(into, 'price_gap_history')
  const category = column(into, 'category_share')
  const department = column(into, 'department_share')
  const brand = column(into, 'brand_share')
  const usual = usualLogPriceOf(profile)
  const whole = profile.worth || 1
  for (let row = 0; row < found.length; row++) {
    const item = found[row]!
    price[row] = logPrices[item]!
    gap[row] = usual === undefined ? never : Math.abs(logPrices[item]! - usual)
    category[row] = (profile.categories.get(categories[item]!) ?? 0) / whole
    department[row] = (profile.departments.get(departments[item]!) ?? 0) / whole
    brand[row] = (profile.brands.get(brands[item]!) ?? 0) / whole
  }
}

function writeTouches(
  { profile, day, layer }: ModelQuery,
  { items: found }: Candidates,
  into: Features,
): void {
  const times = column(into, 'times_touched')
  const ago = column(into, 'days_since_touched')
  const bought = column(into, 'times_bought')
  for (let row = 0; row < found.length; row++) {
    const touches = profile.touches.get(found[row]!)
    times[row] = touches?.times ?? 0
    ago[row] = touches ? day - touches.lastDay : never
    bought[row] = touches?.bought ?? 0
  }
  const sinceLast = profile.lastDay === undefined ? never : Math.min(never, day - profile.lastDay)
  column(into, 'history_items').fill(profile.history.length, 0, found.length)
  column(into, 'days_since_last').fill(sinceLast, 0, found.length)
  column(into, 'layer').fill(layerNumber[layer], 0, found.length)
}

function writeFocus(
  { categories, brands, logPrices }: Items,
  { items: found, focus }: Candidates,
  into: Features,
): void {
  const inCategory = new Set(focus.map((it) => categories[it]!))
  const ofBrand = new Set(focus.map((it) => brands[it]!))
  const usual = focus.reduce((sum, it) => sum + logPrices[it]!, 0) / Math.max(1, focus.length)
  const gap = column(into, 'price_gap_focus')
  const sameCategory = column(into, 'focus_same_category')
  const sameBrand = column(into, 'focus_same_brand')
  for (let row = 0; row < found.length; row++) {
    const item = found[row]!
    gap[row] = focus.length > 0 ? logPrices[item]! - usual : never
    sameCategory[row] = Number(inCategory.has(categories[item]!))
    sameBrand[row] = Number(ofBrand.has(brands[item]!))
  }
}

/**
 * How many times the price is within what the buyer may still buy on credit, as a logarithm: below 0 it is beyond. An order
 * uses as much credit as it costs, whatever its monthly repayment.
 */
function writeCredit(
  { logPrices }: Items,
  { remainingCreditTiyin: remaining }: ModelQuery,
  { items: found }: Candidates,
  into: Features,
): void {
  const room = column(into, 'credit_room')
  if (remaining === undefined) return void room.fill(never, 0, found.length)
  const log = Math.log(Math.max(1, remaining))
  for (let row = 0; row < found.length; row++) room[row] = log - logPrices[found[row]!]!
}

/** Relative scores are ranked in buckets; buckets of low scores, which are many, are finer. */
const buckets = 255

/** Writes for each relative score how many are above it; items that the source did not propose come last. */
export type RankWriter = (shares: Float32Array, ranks: Float32Array) => void

export function rankWriter(most: number): RankWriter {
  const above = new Uint16Array(buckets + 1)
  const bucketOf = new Uint8Array(most)
  return (shares, ranks) => {
    above.fill(0)
    for (let at = 0; at < shares.length; at++) {
      const share = shares[at]!
      const bucket = share > 0 ? 1 + ((Math.sqrt(share) * (buckets - 1)) | 0) : 0
      bucketOf[at] = bucket
      above[bucket]!++
    }
    // A source that proposed none of the items; most models lack several sources.
    if (above[0] === shares.length) return void ranks.fill(0, 0, shares.length)
    let sum = 0
    for (let bucket = buckets; bucket >= 0; bucket--) {
      const here = above[bucket]!
      above[bucket] = sum
      sum += here
    }
    for (let at = 0; at < shares.length; at++) ranks[at] = above[bucketOf[at]!]!
  }
}
