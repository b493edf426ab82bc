// Route of the daily metrics.

import { Type } from 'typebox'
import { dayReply, maxPeriodDays, periodOf, periodQuery, periodReply } from '../../http/day-period.ts'
import { get, type Route } from '../../http/route.ts'
import { integer, list, nullable, oneOf, strict } from '../../http/schema.ts'
import type { DayMetrics, DailyMetrics } from './metrics-store.ts'
import { type Source, sources } from '../serving/request.ts'
import { dayAgo, daysBetween } from './daily-metrics.ts'

const count = integer(0, Number.MAX_SAFE_INTEGER)
const share = Type.Number({ minimum: 0 })
const figures = {
  lists: count,
  buyers: count,
  clicks: count,
  carts: count,
  purchases: count,
  revenue_tiyin: count,
  ctr: share,
  conversion: share,
  revenue_per_list: share,
  coverage: Type.Integer({ minimum: 0, description: 'Distinct offers shown.' }),
  diversity: nullable(
    Type.Number({
      minimum: 0,
      description:
        'How many offers, each shown equally often, would be as diverse: the exponential of the Shannon entropy of the shown offers. Null for days that were stored before it was computed.',
    }),
  ),
  duration_ms: Type.Object({ p50: share, p90: share, p99: share }),
}

export const metricsRoutes = (zone: string): Route[] => [
  get('/v1/recommendations/metrics', {
    summary: 'Get recommendation metrics by day',
    description:
      'Days in the shop’s time zone, in total and per source with its share of the lists. Past days are recomputed every night for a week, because purchases may follow clicks; today and yesterday are computed now. Where only a sample of the lists is logged, the figures are scaled up.',
    scope: 'admin:read',
    mayLag: true,
    query: strict(periodQuery),
    reply: Type.Object({
      ...periodReply,
      days: list(
        Type.Object({
          day: dayReply,
          ...figures,
          sources: list(Type.Object({ source: oneOf(sources), share, ...figures }), 10),
        }),
        maxPeriodDays,
      ),
    }),
    run: async ({ read, query }) => {
      const period = periodOf(query, dayAgo(zone, read.now, 0))
      return { data: { ...period, days: daysView(await daysBetween(read, zone, period)) } }
    },
  }),
]

const daysView = (rows: readonly DayMetrics[]) =>
  rows
    .filter((it) => it.source === '')
    .map((all) => ({
      day: all.day,
      ...figuresView(all.metrics),
      sources: rows
        .filter((it) => it.day === all.day && it.source !== '')
        .map((it) => ({
          source: it.source as Source,
          share: it.metrics.lists / all.metrics.lists,
          ...figuresView(it.metrics),
        })),
    }))

const figuresView = (it: DailyMetrics) => ({
  lists: it.lists,
  buyers: it.buyers,
  clicks: it.clicks,
  carts: it.carts,
  purchases: it.purchases,
  revenue_tiyin: it.revenueTiyin,
  ctr: it.clickedLists / it.lists,
  conversion: it.convertedLists / it.lists,
  revenue_per_list: it.revenueTiyin / it.lists,
  coverage: it.coverage,
  diversity: it.diversity ?? null,
  duration_ms: { p50: it.p50Ms, p90: it.p90Ms, p99: it.p99Ms },
})
