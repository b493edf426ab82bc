// A buyer's profile, computed once per history and used by many queries.

import { historyLength, type InteractionKind, interactionWeight } from '../interactions/interaction.ts'
import type { Purchase } from '../../ml/retrieval/repeat.ts'
import type { Items } from '../models/items.ts'

/** One interaction with an item of the model. */
export interface ItemInteraction {
  item: number
  kind: InteractionKind
  /** In days, with a fraction. */
  day: number
}

export interface BuyerProfile {
  /** The latest distinct items, ordered by last interaction. */
  history: readonly number[]
  purchases: readonly Purchase[]
  touches: ReadonlyMap<number, Touches>
  /** Weighted interactions by id. */
  categories: ReadonlyMap<number, number>
  departments: ReadonlyMap<number, number>
  brands: ReadonlyMap<number, number>
  /** Total weight of all interactions, and the weighted sum of log prices. */
  worth: number
  logPrices: number
  lastDay: number | undefined
}

/** The weighted mean log price; undefined without interactions. */
export const usualLogPriceOf = ({ worth, logPrices }: BuyerProfile): number | undefined =>
  worth > 0 ? logPrices / worth : undefined

export interface Touches {
  times: number
  bought: number
  /** Interactions other than views. */
  reactions: number
  lastDay: number
}

const nothing: BuyerProfile = {
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

/** Extends a profile by later interactions, oldest first. */
export function profileOf(
  items: Items,
  steps: readonly ItemInteraction[],
  before: BuyerProfile = nothing,
): BuyerProfile {
  const touches = new Map(before.touches)
  const categories = new Map(before.categories)
  const departments = new Map(before.departments)
  const brands = new Map(before.brands)
  const purchases = [...before.purchases]
  let { worth: total, logPrices } = before
  for (const { item, kind, day } of steps) {
    const weight = interactionWeight[kind]
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
      reactions: (known?.reactions ?? 0) + Number(kind !== 'view'),
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

function latestOf(steps: readonly ItemInteraction[], before: readonly number[]): number[] {
  const seen = new Set<number>()
  for (let at = steps.length - 1; at >= 0 && seen.size < historyLength; at--) seen.add(steps[at]!.item)
  for (let at = before.length - 1; at >= 0 && seen.size < historyLength; at--) seen.add(before[at]!)
  return [...seen].reverse()
}
