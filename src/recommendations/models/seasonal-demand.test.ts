import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { itemsOf } from './items.ts'
import {
  type DailyDemand,
  DailyDemandCollector,
  daysAfter,
  daysBefore,
  seasonalFactors,
  yearDays,
} from './seasonal-demand.ts'

const today = 20_000
const firstDay = today - yearDays - daysBefore

/** Items 0 to 4 of the categories 1 to 5; the last two are another department. */
const items = itemsOf(
  [1, 2, 3, 4, 5].map((categoryId) => ({
    productId: categoryId,
    categoryId,
    departmentId: categoryId > 3 ? 200 : 100,
    brandId: 0,
    priceTiyin: 1,
    words: '',
  })),
)

/** Daily demand of each category before and after the date, in its order. */
function demandOf(
  byDay: readonly [before: number, after: number][],
  days = daysBefore + daysAfter,
): DailyDemand {
  const demand = new DailyDemandCollector(days)
  byDay.forEach(([before, after], at) => {
    for (let day = 0; day < days; day++) {
      const worth = day < daysBefore ? before : after
      if (worth > 0) demand.add({ categoryId: at + 1 }, day, worth)
    }
  })
  return demand.result(firstDay)!
}
const factorsOf = (demand: DailyDemand, day = today) => [...(seasonalFactors(demand, items, day) ?? [])]
const near = (value: number, wanted: number, tolerance: number) =>
  ok(Math.abs(value - wanted) < tolerance, `${value} is not near ${wanted}`)

test('a category whose share rose a year ago is expected to rise, and the others to fall', () => {
  const [rises, falls, stays] = factorsOf(
    demandOf([
      [100, 200],
      [100, 50],
      [800, 750],
    ]),
  )
  near(rises!, 2, 0.15)
  near(falls!, 0.5, 0.1)
  near(stays!, 0.94, 0.03)
})

test('factors are at most three and at least a third', () => {
  const factors = factorsOf(
    demandOf([
      [0, 1_000],
      [1_000, 0],
      [1_000, 1_000],
    ]),
  )
  deepEqual(
    factors.slice(0, 2).map((it) => Number(it.toFixed(3))),
    [3, 0.333],
  )
})

test('growth of the shop is no season', () => {
  const factors = factorsOf(
    demandOf([
      [10, 100],
      [50, 500],
      [40, 400],
      [20, 200],
      [20, 200],
    ]),
  )
  for (const it of factors) near(it, 1, 1e-9)
})

test('a category with little data follows its department, and one without any too', () => {
  const [, , , little, none] = factorsOf(
    demandOf([
      [500, 400],
      [500, 400],
      [500, 400],
      [100, 200],
      [0, 0],
    ]),
  )
  const [known, ...others] = [little!, none!]
  near(known, 2, 0.4)
  near(others[0]!, known, 0.2)
  // Two views say nothing.
  const demand = new DailyDemandCollector(daysBefore + daysAfter)
  for (let day = 0; day < daysBefore + daysAfter; day++) demand.add({ categoryId: 1 }, day, 500)
  demand.add({ categoryId: 4 }, daysBefore + 1, 2)
  near(factorsOf(demand.result(firstDay)!)[3]!, 1, 0.05)
})

test('a few days of data before the date prove no change', () => {
  const demand = new DailyDemandCollector(daysBefore + daysAfter)
  demand.add({ categoryId: 1 }, daysBefore - 1, 30)
  for (let day = daysBefore; day < daysBefore + daysAfter; day++)
    for (const categoryId of [1, 2, 3]) demand.add({ categoryId }, day, 1_000)
  for (const it of factorsOf(demand.result(firstDay)!)) near(it, 1, 0.35)
})

test('one category, one instant and empty windows change nothing', () => {
  deepEqual(factorsOf(demandOf([[10, 90]])), [1, 1, 1, 1, 1])
  const instant = new DailyDemandCollector(daysBefore + daysAfter)
  for (const categoryId of [1, 2, 3]) instant.add({ categoryId }, 3, 1_000)
  deepEqual(factorsOf(instant.result(firstDay)!), [])
  deepEqual(
    factorsOf(
      demandOf([
        [100, 0],
        [50, 0],
      ]),
    ),
    [],
  )
  deepEqual(
    factorsOf(
      demandOf([
        [0, 100],
        [0, 50],
      ]),
    ),
    [],
  )
  equal(new DailyDemandCollector(5).result(firstDay), undefined)
})

test('demand of categories that the shop no longer has is ignored', () => {
  const present: [number, number][] = [
    [100, 200],
    [100, 50],
    [100, 80],
    [50, 60],
    [50, 60],
  ]
  deepEqual(factorsOf(demandOf([...present, [1_000, 9_000]])), factorsOf(demandOf(present)))
})

test('an earlier date reads its own windows and nothing later', () => {
  const weeks = demandOf([
    [100, 400],
    [100, 100],
    [100, 100],
  ])
  const weekEarlier = factorsOf(weeks, today - daysAfter)
  // Two weeks ago the coming weeks are the last ones before today, in which nothing has changed yet.
  for (const it of weekEarlier) near(it, 1, 0.02)
  ok(factorsOf(weeks)[0]! > 1.5)
  deepEqual(factorsOf(weeks, today - 300), [])
})
