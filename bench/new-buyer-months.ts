// How much of a new buyer's list is wanted more or less than usual at its date, by the simulation's own table of demand by month.

import { dayMs } from '../src/base/clock.ts'
import { demandAt } from '../src/demo/demand-by-month.ts'
import { prepareModel } from '../src/recommendations/models/active-model.ts'
import { longHalfLifeDays, popularityOf } from '../src/recommendations/models/fit-parts.ts'
import { historiesOf } from '../src/recommendations/models/histories.ts'
import type { Model } from '../src/recommendations/models/model.ts'
import { seasonalFactors } from '../src/recommendations/models/seasonal-demand.ts'
import { type Shop, until } from './demo-shop.ts'
import type { Row } from './row.ts'
import { newList } from './shopper-lists.ts'

/** Demand relative to the mean of the year, below and above which a category is wanted less and more than usual. */
const wantedLess = 0.75
const wantedMore = 1.25

interface ListAt {
  list: readonly number[]
  at: Date
}

/** Shares of the whole lists and of their first ten places; `when` names the dates. */
export function seasonalRows({ slugOf }: Shop, lists: readonly ListAt[], when: string): Row[] {
  const share = (places: number, isIn: (demand: number) => boolean): number => {
    const shown = lists.flatMap(({ list, at }) =>
      list.slice(0, places).map((id) => Number(isIn(demandAt(slugOf(id), at)))),
    )
    return (100 * shown.reduce((sum, it) => sum + it, 0)) / Math.max(1, shown.length)
  }
  const rowOf = (name: string, isIn: (demand: number) => boolean): Row => ({
    name: `shoppers: new buyer: ${name}${when}`,
    ours: share(Infinity, isIn),
    unit: '%',
    note: `of the first ten ${share(10, isIn).toFixed(1)} %`,
  })
  return [
    rowOf('products that are wanted less at this time of year', (it) => it < wantedLess),
    rowOf('products that are wanted more at this time of year', (it) => it > wantedMore),
  ]
}

/** On the first of each of twelve months, with what is popular then, and with what the year before tells of it. */
export function seasonalRowsOfYears(shop: Shop, model: Model): Row[] {
  const years = { first: [] as ListAt[], second: [] as ListAt[] }
  for (let month = 0; month < 12; month++) {
    const at = new Date(Date.UTC(until.getUTCFullYear(), month, 1))
    const today = at.getTime() / dayMs
    const histories = historiesOf(shop.historiesAt(at))
    const popularity = popularityOf(histories, model.items, { today, halfLife: longHalfLifeDays })
    const factors = seasonalFactors(shop.lastYear(at), model.items, today)
    const expected = factors && popularity.map((weight, item) => weight * factors[item]!)
    const listOfYear = (it: Pick<Model, 'popularity' | 'expected'>) =>
      newList(shop, prepareModel(0, { ...model, ...it }))
    years.first.push({ at, list: listOfYear({ popularity, expected: undefined }) })
    years.second.push({ at, list: listOfYear({ popularity, expected }) })
  }
  return Object.entries(years).flatMap(([year, lists]) =>
    seasonalRows(shop, lists, `, twelve dates, ${year} year of the shop`),
  )
}
