// Route of the daily sales figures.

import { Type } from 'typebox'
import { dayIn } from '../../base/time-zone.ts'
import { dayReply, daysOf, maxPeriodDays, periodOf, periodQuery, periodReply } from '../../http/day-period.ts'
import { get, type Route } from '../../http/route.ts'
import { integer, list, strict } from '../../http/schema.ts'
import { ordersByDay } from './store.ts'

const count = integer(0, Number.MAX_SAFE_INTEGER)

export const orderMetricsRoutes: Route[] = [
  get('/v1/orders/metrics', {
    summary: 'Get sales by day',
    description:
      'Days in the shop’s time zone, every day of the period. Revenue counts the orders that are not cancelled, by the day they were placed.',
    scope: 'admin:read',
    mayLag: true,
    query: strict(periodQuery),
    reply: Type.Object({
      ...periodReply,
      days: list(
        Type.Object({
          day: dayReply,
          orders: count,
          cancelled: count,
          buyers: count,
          revenue_tiyin: count,
        }),
        maxPeriodDays,
      ),
    }),
    run: async ({ read, query, timezone }) => {
      const period = periodOf(query, dayIn(timezone)(read.now))
      const found = new Map((await ordersByDay(read, period)).map((it) => [it.day, it]))
      return {
        data: {
          ...period,
          days: daysOf(period).map((it) => ({
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
