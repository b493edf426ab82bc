// What recommendations bring, by day.

import { Type } from 'typebox'
import { refuse } from '../../base/refusal.ts'
import { get, type Route } from '../../http/route.ts'
import { integer, list, strict, text } from '../../http/schema.ts'
import type { Day, DayFigures } from '../store/outcomes.ts'
import { dayAgo, daysBetween } from './count-days.ts'

const mostDays = 400
const usualDays = 30
const dayMs = 86_400_000

const day = (description: string) =>
  text({ max: 10, pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', description, examples: ['2026-11-15'] })
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
  coverage: Type.Integer({ minimum: 0, description: 'Different offers that were shown.' }),
  took_ms: Type.Object({ p50: share, p90: share, p99: share }),
}

export const metricsRoutes = (zone: string): Route[] => [
  get('/v1/recommendations/metrics', {
    summary: 'Get what recommendations bring, by day',
    description:
      'Days of the shop’s zone, all sources together and each apart with its share of the lists. Past days are counted every night, and again until a week is over, because purchases may follow clicks; today and yesterday are counted now. Where only a share of lists is written down, figures stand for all.',
    scope: 'admin:read',
    query: strict({
      from: Type.Optional(day('The first day; 30 days up to `to` when left out.')),
      to: Type.Optional(day('The last day; today when left out.')),
    }),
    reply: Type.Object({
      from: Type.String({ examples: ['2026-10-17'] }),
      to: Type.String({ examples: ['2026-11-15'] }),
      days: list(
        Type.Object({
          day: Type.String({ examples: ['2026-11-15'] }),
          ...figures,
          sources: list(Type.Object({ source: Type.String(), share, ...figures }), 10),
        }),
        mostDays,
      ),
    }),
    run: async ({ read, query }) => {
      const to = dateOf(query.to ?? dayAgo(zone, read.now, 0), 'to')
      const from =
        query.from === undefined
          ? new Date(to.getTime() - (usualDays - 1) * dayMs)
          : dateOf(query.from, 'from')
      if (from > to || to.getTime() - from.getTime() >= mostDays * dayMs)
        throw refuse('validation_failed', { fields: [{ path: 'from', rule: 'span', limit: mostDays }] })
      const span = { from: dayText(from), to: dayText(to) }
      return { data: { ...span, days: daysView(await daysBetween(read, zone, span)) } }
    },
  }),
]

const dayText = (at: Date) => at.toISOString().slice(0, 10)

function dateOf(said: string, path: string): Date {
  const at = new Date(`${said}T00:00:00Z`)
  if (Number.isNaN(at.getTime()) || dayText(at) !== said)
    throw refuse('validation_failed', { fields: [{ path, rule: 'date' }] })
  return at
}

const daysView = (rows: readonly Day[]) =>
  rows
    .filter((it) => it.source === '')
    .map((all) => ({
      day: all.day,
      ...figuresView(all.figures),
      sources: rows
        .filter((it) => it.day === all.day && it.source !== '')
        .map((it) => ({
          source: it.source,
          share: it.figures.lists / all.figures.lists,
          ...figuresView(it.figures),
        })),
    }))

const figuresView = (it: DayFigures) => ({
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
  took_ms: { p50: it.p50Ms, p90: it.p90Ms, p99: it.p99Ms },
})
