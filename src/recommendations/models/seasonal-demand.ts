// How demand for categories changes at this time of year, learned from the same dates a year ago.

import type { Items, TrainingProduct } from './items.ts'

/** 52 weeks, so that the days of the week are the same. */
export const yearDays = 364
/**
 * The windows a year ago: the days before the date and after it. Their middles are 28 days apart, about as the popularity of
 * the last weeks, which is twenty days old on the mean, and the coming week.
 */
export const daysBefore = 28
export const daysAfter = 28

/** The demand of past days, without gaps. */
export interface DailyDemand {
  /** In days of the epoch, with a fraction. */
  firstDay: number
  /** By category, the weighted interactions of each day. */
  byCategory: ReadonlyMap<number, Float64Array>
}

/** Adds up the interactions of past days by category. */
export class DailyDemandCollector {
  readonly #days: number
  readonly #byCategory = new Map<number, Float64Array>()

  constructor(days: number) {
    this.#days = days
  }

  add({ categoryId }: Pick<TrainingProduct, 'categoryId'>, day: number, worth: number): void {
    let own = this.#byCategory.get(categoryId)
    if (!own) this.#byCategory.set(categoryId, (own = new Float64Array(this.#days)))
    own[day]! += worth
  }

  /** Undefined without interactions. */
  result(firstDay: number): DailyDemand | undefined {
    return this.#byCategory.size > 0 ? { firstDay, byCategory: this.#byCategory } : undefined
  }
}

/** The weight of so many interactions counts as one independent observation: those of a visit depend on each other. */
const worthOfVisit = 20
/** The largest variance of the logarithms of factors that data may show. */
const mostVariance = 0.25
const mostLog = Math.log(3)

/**
 * By item, the expected demand of the coming weeks relative to that of the last weeks, from a third to three; undefined
 * where one of the windows of a year ago is empty. Shares of the shop's demand are compared, so growth of the shop has no
 * effect. Categories with little data follow their department, and departments with little data do not change.
 */
export function seasonalFactors(demand: DailyDemand, items: Items, day: number): Float64Array | undefined {
  const departmentOf = new Map(
    Array.from(items.categories, (category, item) => [category, items.departments[item]!]),
  )
  const categories = new Map<number, Windows>()
  const departments = new Map<number, Windows>()
  const shop: Windows = { before: 0, after: 0 }
  for (const [category, days] of demand.byCategory) {
    const department = departmentOf.get(category)
    if (department === undefined) continue
    const own = windowsOf(days, demand.firstDay - (day - yearDays))
    categories.set(category, own)
    const known = departments.get(department) ?? { before: 0, after: 0 }
    departments.set(department, { before: known.before + own.before, after: known.after + own.after })
    shop.before += own.before
    shop.after += own.after
  }
  if (shop.before === 0 || shop.after === 0) return undefined
  const ofDepartments = logFactors(departments, shop, () => 0)
  const priorOf = (category: number) => ofDepartments.get(departmentOf.get(category)!) ?? 0
  const logs = logFactors(categories, shop, priorOf)
  return Float64Array.from(items.categories, (category) =>
    Math.exp(Math.max(-mostLog, Math.min(mostLog, logs.get(category) ?? priorOf(category)))),
  )
}

/** Weighted interactions. */
interface Windows {
  before: number
  after: number
}

/** `start` is the beginning of the first day relative to the date a year ago. */
function windowsOf(days: Float64Array, start: number): Windows {
  const sums: Windows = { before: 0, after: 0 }
  days.forEach((worth, at) => {
    const middle = start + at + 0.5
    if (middle >= -daysBefore && middle < 0) sums.before += worth
    else if (middle >= 0 && middle < daysAfter) sums.after += worth
  })
  return sums
}

/** Logarithms of ratios of shares, shrunk to their priors as far as chance explains their differences from them. */
function logFactors(
  windows: ReadonlyMap<number, Windows>,
  shop: Windows,
  priorOf: (key: number) => number,
): Map<number, number> {
  const changes = [...windows].flatMap(([key, own]) =>
    own.before + own.after > 0 ? [{ key, prior: priorOf(key), ...changeOf(own, shop) }] : [],
  )
  // By moments: what the squares of the differences exceed chance by.
  const squares = changes.map(({ log, prior, chance }) => (log - prior) ** 2 / chance - 1)
  const weights = changes.map(({ chance }) => 1 / chance)
  const variance = Math.max(0, Math.min(mostVariance, sum(squares) / sum(weights)))
  return new Map(
    changes.map(({ key, log, prior, chance }) => [
      key,
      prior + (variance / (variance + chance)) * (log - prior),
    ]),
  )
}

/** The change of a category's share, with one more visit in each window, and the variance of its logarithm by chance. */
function changeOf(own: Windows, shop: Windows): { log: number; chance: number } {
  const all = own.before + own.after
  const relative = (window: keyof Windows) => {
    const unchanged = (all * shop[window]) / (shop.before + shop.after)
    return { ratio: (own[window] + worthOfVisit) / (unchanged + worthOfVisit), unchanged }
  }
  const [before, after] = [relative('before'), relative('after')]
  return {
    log: Math.log(after.ratio / before.ratio),
    chance: worthOfVisit * (1 / before.unchanged + 1 / after.unchanged),
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, it) => total + it, 0)
