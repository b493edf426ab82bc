import { equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { categories } from './categories.ts'
import { demandAt, seasonalCategories } from './demand-by-month.ts'

const at = (day: string) => new Date(`${day}T12:00:00Z`)

test('only categories of the shop have demand by month, and its mean over the year is one', () => {
  const slugs = new Set(categories.map((it) => it.slug))
  for (const category of seasonalCategories) {
    ok(slugs.has(category), category)
    const days = Array.from({ length: 365 }, (_, day) =>
      demandAt(category, new Date(Date.UTC(2026, 0, 1 + day))),
    )
    const mean = days.reduce((sum, it) => sum + it, 0) / days.length
    ok(Math.abs(mean - 1) < 0.02, `${category} ${mean}`)
  }
})

test('school, heat, winter and spring have their months', () => {
  const highest = (category: string) => {
    const months = Array.from({ length: 12 }, (_, month) =>
      demandAt(category, new Date(Date.UTC(2026, month, 15))),
    )
    return 1 + months.indexOf(Math.max(...months))
  }
  equal(highest('stationery'), 8)
  equal(highest('air-conditioners'), 7)
  equal(highest('tyres'), 11)
  equal(highest('bedding'), 11)
  equal(highest('garden'), 4)
  equal(demandAt('smartphones', at('2026-04-15')), 1)
})

test('demand changes by small steps from day to day, also at the turn of the year', () => {
  for (const category of seasonalCategories)
    for (let day = 0; day < 400; day++) {
      const [today, tomorrow] = [day, day + 1].map((it) =>
        demandAt(category, new Date(Date.UTC(2026, 5, it))),
      )
      ok(Math.abs(tomorrow! - today!) < 0.1, `${category} on day ${day}: ${today} to ${tomorrow}`)
    }
})
