// What the ranker knows of a candidate. One definition, for training, serving and explaining.

import { worth } from '../behaviour/interaction.ts'
import { type Candidates, sourceNames } from './candidates.ts'
import type { Inquiry } from './inquiry.ts'
import type { Model } from './model.ts'

export const featureNames = [
  ...sourceNames,
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
] as const

const never = 99
const layerNumber = { main_page: 0, offer_page: 1, cart_page: 2 }

/** A column per feature, a row per candidate. */
export function featuresOf(model: Model, inquiry: Inquiry, candidates: Candidates): Float32Array[] {
  const { items: found, blend, scores } = candidates
  const { items, popularity, recent } = model
  const past = pastOf(model, inquiry)
  const focus = focusSummary(model, candidates.focus)
  const column = (of: (item: number, at: number) => number) => Float32Array.from(found, of)
  const same = (value: number) => new Float32Array(found.length).fill(value)
  return [
    ...scores,
    Float32Array.from(blend),
    column((_, at) => at),
    column((item) => Math.log1p(popularity[item]!)),
    column((item) => Math.log1p(recent[item]!)),
    column((item) => Math.log1p(recent[item]!) - Math.log1p(popularity[item]!)),
    column((item) => items.logPrices[item]!),
    column((item) => (past.total > 0 ? Math.abs(items.logPrices[item]! - past.logPrice) : never)),
    column((item) => (focus.count > 0 ? items.logPrices[item]! - focus.logPrice : never)),
    column((item) => past.categories.get(items.categories[item]!) ?? 0),
    column((item) => past.departments.get(items.departments[item]!) ?? 0),
    column((item) => past.brands.get(items.brands[item]!) ?? 0),
    column((item) => Number(focus.categories.has(items.categories[item]!))),
    column((item) => Number(focus.brands.has(items.brands[item]!))),
    same(candidates.history.length),
    same(past.daysSinceLast),
    column((item) => past.touches.get(item)?.times ?? 0),
    column((item) => inquiry.day - (past.touches.get(item)?.lastDay ?? inquiry.day - never)),
    column((item) => past.touches.get(item)?.bought ?? 0),
    same(layerNumber[inquiry.layer]),
  ]
}

interface Touches {
  times: number
  bought: number
  lastDay: number
}

/** What a buyer's steps say, by worth: shares of categories and brands, the usual price, each item touched. */
function pastOf({ items }: Model, { steps, day }: Inquiry) {
  const categories = new Map<number, number>()
  const departments = new Map<number, number>()
  const brands = new Map<number, number>()
  const touches = new Map<number, Touches>()
  let total = 0
  let logPrice = 0
  const add = (to: Map<number, number>, key: number, weight: number) =>
    to.set(key, (to.get(key) ?? 0) + weight)
  for (const { item, kind, day: then } of steps) {
    const weight = worth[kind]
    total += weight
    logPrice += weight * items.logPrices[item]!
    add(categories, items.categories[item]!, weight)
    add(departments, items.departments[item]!, weight)
    add(brands, items.brands[item]!, weight)
    const known = touches.get(item) ?? { times: 0, bought: 0, lastDay: then }
    touches.set(item, {
      times: known.times + 1,
      bought: known.bought + Number(kind === 'purchase'),
      lastDay: Math.max(known.lastDay, then),
    })
  }
  if (total > 0)
    for (const shares of [categories, departments, brands])
      for (const [key, sum] of shares) shares.set(key, sum / total)
  const last = steps.at(-1)
  return {
    categories,
    departments,
    brands,
    touches,
    total,
    logPrice: total > 0 ? logPrice / total : 0,
    daysSinceLast: last ? Math.min(never, day - last.day) : never,
  }
}

function focusSummary({ items }: Model, focus: readonly number[]) {
  return {
    count: focus.length,
    categories: new Set(focus.map((it) => items.categories[it]!)),
    brands: new Set(focus.map((it) => items.brands[it]!)),
    logPrice: focus.reduce((sum, it) => sum + items.logPrices[it]!, 0) / Math.max(1, focus.length),
  }
}
