// What a buyer's steps say of him. It is worked out once for a history and serves many questions.

import { type InteractionKind, worth } from '../behaviour/interaction.ts'
import type { Purchase } from '../ml/retrieval/repeat.ts'
import type { Items } from './items.ts'

/** One deed with an item of the model. */
export interface Step {
  item: number
  kind: InteractionKind
  /** In days, with a fraction. */
  day: number
}

export interface Past {
  /** The items touched, each once, in the order in which they were last touched; only the latest. */
  history: readonly number[]
  purchases: readonly Purchase[]
  touches: ReadonlyMap<number, Touches>
  /** By id, what was done there, by worth. */
  categories: ReadonlyMap<number, number>
  departments: ReadonlyMap<number, number>
  brands: ReadonlyMap<number, number>
  /** All that was done, by worth, and the prices of it. */
  worth: number
  logPrices: number
  lastDay: number | undefined
}

/** The usual price, by worth; undefined when nothing was done. */
export const usualLogPrice = ({ worth, logPrices }: Past): number | undefined =>
  worth > 0 ? logPrices / worth : undefined

export interface Touches {
  times: number
  bought: number
  lastDay: number
}

const mostItems = 40

const nothing: Past = {
  history: [],
  purchases: [],
  touches: new Map(),
  categories: new Map(),
  departments: new Map(),
  brands: new Map(),
  worth: 0,
  logPrices: 0,
  lastDay: undefined,
}

/** Steps come oldest first, after all that is known of before. */
export function pastOf(items: Items, steps: readonly Step[], before: Past = nothing): Past {
  const touches = new Map(before.touches)
  const categories = new Map(before.categories)
  const departments = new Map(before.departments)
  const brands = new Map(before.brands)
  const purchases = [...before.purchases]
  let { worth: total, logPrices } = before
  for (const { item, kind, day } of steps) {
    const weight = worth[kind]
    total += weight
    logPrices += weight * items.logPrices[item]!
    addTo(categories, items.categories[item]!, weight)
    addTo(departments, items.departments[item]!, weight)
    addTo(brands, items.brands[item]!, weight)
    const isPurchase = kind === 'purchase'
    const known = touches.get(item)
    touches.set(item, {
      times: (known?.times ?? 0) + 1,
      bought: (known?.bought ?? 0) + Number(isPurchase),
      lastDay: Math.max(known?.lastDay ?? day, day),
    })
    if (isPurchase) purchases.push({ item, time: day })
  }
  return {
    history: latestOf(steps, before.history),
    purchases,
    touches,
    categories,
    departments,
    brands,
    worth: total,
    logPrices,
    lastDay: steps.at(-1)?.day ?? before.lastDay,
  }
}

const addTo = (sums: Map<number, number>, key: number, weight: number): void =>
  void sums.set(key, (sums.get(key) ?? 0) + weight)

function latestOf(steps: readonly Step[], before: readonly number[]): number[] {
  const seen = new Set<number>()
  for (let at = steps.length - 1; at >= 0 && seen.size < mostItems; at--) seen.add(steps[at]!.item)
  for (let at = before.length - 1; at >= 0 && seen.size < mostItems; at--) seen.add(before[at]!)
  return [...seen].reverse()
}
