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
  /** By id, the share of all that was done, by worth. */
  categories: ReadonlyMap<number, number>
  departments: ReadonlyMap<number, number>
  brands: ReadonlyMap<number, number>
  /** The usual price, by worth; undefined when nothing was done. */
  logPrice: number | undefined
  lastDay: number | undefined
}

export interface Touches {
  times: number
  bought: number
  lastDay: number
}

const mostItems = 40

/** Steps come oldest first. */
export function pastOf(items: Items, steps: readonly Step[]): Past {
  const touches = new Map<number, Touches>()
  const [categories, departments, brands] = [new Shares(), new Shares(), new Shares()]
  const purchases: Purchase[] = []
  let logPrices = 0
  for (const { item, kind, day } of steps) {
    const weight = worth[kind]
    logPrices += weight * items.logPrices[item]!
    categories.add(items.categories[item]!, weight)
    departments.add(items.departments[item]!, weight)
    brands.add(items.brands[item]!, weight)
    const known = touches.get(item) ?? { times: 0, bought: 0, lastDay: day }
    if (known.times === 0) touches.set(item, known)
    known.times++
    known.lastDay = Math.max(known.lastDay, day)
    if (kind !== 'purchase') continue
    known.bought++
    purchases.push({ item, time: day })
  }
  return {
    history: latestOf(steps),
    purchases,
    touches,
    categories: categories.shares(),
    departments: departments.shares(),
    brands: brands.shares(),
    logPrice: steps.length > 0 ? logPrices / categories.total : undefined,
    lastDay: steps.at(-1)?.day,
  }
}

class Shares {
  readonly #sums = new Map<number, number>()
  total = 0

  add(key: number, weight: number): void {
    this.total += weight
    this.#sums.set(key, (this.#sums.get(key) ?? 0) + weight)
  }

  shares(): Map<number, number> {
    for (const [key, sum] of this.#sums) this.#sums.set(key, sum / this.total)
    return this.#sums
  }
}

function latestOf(steps: readonly Step[]): number[] {
  const seen = new Set<number>()
  for (let at = steps.length - 1; at >= 0 && seen.size < mostItems; at--) seen.add(steps[at]!.item)
  return [...seen].reverse()
}
