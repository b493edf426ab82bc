// Route of the daily sales figures.

import { Type } from 'typebox'
import { dayMs } from '../../base/clock.ts'
import { refuse } from '../../base/refusal.ts'
import { dayIn } from '../../base/time-zone.ts'
import { get, type Route } from '../../http/route.ts'
import { integer, list, strict, text } from '../../http/schema.ts'
import { ordersByDay } from './store.ts'

const maxDays = 400
const defaultDays = 30

const day = (description: string) =>
  text({ max: 10, pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', description, examples: ['2026-11-15'] })
const count = integer(0, Number.MAX_SAFE_INTEGER)

export const orderMetricsRoutes: Route[] = [
  get('/v1/orders/metrics', {
    summary: 'Get sales by day',
    description:
      'Days in the shop’s time zone, every day of the period. Revenue counts the orders that are not cancelled, by the day they were placed.',
    scope: 'admin:read',
    mayLag: true,
    query: strict({
      from: Type.Optional(day('The first day; by default 30 days before `to`.')),
      to: Type.Optional(day('The last day; today by default.')),
    }),
    reply: Type.Object({
      from: Type.String({ examples: ['2026-10-17'] }),
      to: Type.String({ examples: ['2026-11-15'] }),
      days: list(
        Type.Object({
          day: Type.String({ examples: ['2026-11-15'] }),
          orders: count,
          cancelled: count,
          buyers: count,
          revenue_tiyin: count,
        }),
        maxDays,
      ),
    }),
    run: async ({ read, query, timezone }) => {
      const to = dateOf(query.to ?? dayIn(timezone)(read.now), 'to')
      const from =
        query.from === undefined
          ? new Date(to.getTime() - (defaultDays - 1) * dayMs)
          : dateOf(query.from, 'from')
      const days = Math.round((to.getTime() - from.getTime()) / dayMs) + 1
      if (days < 1 || days > maxDays)
        throw refuse('validation_failed', { fields: [{ path: 'from', rule: 'span', limit: maxDays }] })
      const span = { from: dayText(from), to: dayText(to) }
      const found = new Map((await ordersByDay(read, span)).map((it) => [it.day, it]))
      const all = Array.from({ length: days }, (_, at) => dayText(new Date(from.getTime() + at * dayMs)))
      return {
        data: {
          ...span,
          days: all.map((it) => ({
            day: it,
            orders: found.get(it)?.orders ?? 0,
            cancelled: found.get(it)?.cancelled ?? 0,
            buyers: found.get(it)?.buyers ?? 0,
            revenue_tiyin: found.get(it)?.revenueTiyin ?? 0,
          })),
        },
      }
    },
  }),
]

const dayText = (at: Date) => at.toISOString().slice(0, 10)

function dateOf(given: string, path: string): Date {
  const at = new Date(`${given}T00:00:00Z`)
  if (Number.isNaN(at.getTime()) || dayText(at) !== given)
    throw refuse('validation_failed', { fields: [{ path, rule: 'date' }] })
  return at
}
