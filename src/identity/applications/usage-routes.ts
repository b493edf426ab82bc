// HTTP routes of usage counters.

import { hourMs, dayMs } from '../../base/clock.ts'
import { type Static, Type } from 'typebox'
import type { Reader } from '../../base/database.ts'
import { refuse } from '../../base/refusal.ts'
import { dayIn } from '../../base/time-zone.ts'
import { get, type Route } from '../../http/route.ts'
import { instant, integer, list, named, nullable, strict, text } from '../../http/schema.ts'
import { findApplication, findKey } from './store.ts'
import { usageByDay, usageByHour, type UsedHour } from './usage-store.ts'
import { applicationId, keyId } from './wire.ts'

const maxDays = 400
const defaultDays = 30

const day = (description: string) =>
  text({ max: 10, pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', description, examples: ['2026-11-15'] })

const query = strict({
  from: Type.Optional(day('The first day; default: 30 days before `to`.')),
  to: Type.Optional(day('The last day; default: today.')),
})
const count = integer(0, Number.MAX_SAFE_INTEGER)
const reply = Type.Object({
  from: Type.String({ examples: ['2026-10-17'] }),
  to: Type.String({ examples: ['2026-11-15'] }),
  usage: list(
    Type.Object({ day: Type.String({ examples: ['2026-11-15'] }), calls: count, refused: count }),
    maxDays,
  ),
})
const description =
  'Calls per business day; `calls` includes `refused`. Days without calls are omitted. Counts lag by a few seconds.'

export const usageRoutes = [
  get('/v1/admin/applications/{client_id}/usage', {
    summary: 'Get the usage of an application by day',
    description: `${description} Calls with OAuth tokens are included.`,
    scope: 'admin:read',
    mayLag: true,
    params: { client_id: applicationId },
    query,
    reply,
    run: async ({ read, params, query, timezone }) => {
      if (!(await findApplication(read, params.client_id))) throw refuse('not_found')
      return {
        data: await usageOf(read, params.client_id, { keyId: null, ...spanOf(query, read.now, timezone) }),
      }
    },
  }),
  get('/v1/admin/applications/{client_id}/keys/{key_id}/usage', {
    summary: 'Get the usage of a key by day',
    description,
    scope: 'admin:read',
    mayLag: true,
    params: { client_id: applicationId, key_id: keyId },
    query,
    reply,
    run: async ({ read, params, query, timezone }) => {
      if (!(await findKey(read, params.client_id, params.key_id))) throw refuse('not_found')
      const span = spanOf(query, read.now, timezone)
      return { data: await usageOf(read, params.client_id, { keyId: params.key_id, ...span }) }
    },
  }),
]

/** The request log is kept for a week, so charts show at most a week of hours. */
const maxHours = 168
const defaultHours = 24
const maxApplications = 50

const share = Type.Number({
  minimum: 0,
  maximum: 1,
  description: 'The highest share of its rate limit that a key or token used; 1 is the limit.',
  examples: [0.42],
})
const limited = { ...count, description: 'Calls above the rate limit, answered with 429.' } as typeof count
const usedHour = named(
  'UsedHour',
  Type.Object({
    hour: { ...instant, description: 'Its begin.' } as typeof instant,
    calls: count,
    limited,
    peak_share: share,
  }),
)
const applicationUsage = named(
  'ApplicationUsage',
  Type.Object({
    client_id: Type.String({ examples: ['app_test_6fJ2mQ9vXc1aTzR8wK3b'] }),
    name: nullable(Type.String({ description: 'Null when it is unknown.', examples: ['Till'] })),
    rate_limit: nullable(
      Type.String({ description: 'Its own limit; null for that of the server.', examples: ['100/10s'] }),
    ),
    calls: count,
    limited,
    peak_share: share,
    hours: list(usedHour, maxHours + 1),
  }),
)

export const hourlyUsageRoutes = (save: () => Promise<void>): Route[] => [
  get('/v1/admin/usage', {
    summary: 'Get the usage of all applications by hour',
    description: `Calls of the last hours, the running one included, how many of them were above the rate limit, and how close to it an application came: the ${maxApplications} with the most calls. Hours without calls are omitted. Kept for 30 days.`,
    scope: 'admin:read',
    query: strict({
      hours: Type.Optional(integer(1, maxHours, { description: `How many hours; default ${defaultHours}.` })),
    }),
    reply: Type.Object({ from: instant, to: instant, applications: list(applicationUsage, maxApplications) }),
    run: async ({ read, query: { hours = defaultHours } }) => {
      await save()
      const to = read.now
      const from = new Date((Math.floor(to.getTime() / hourMs) - hours + 1) * hourMs)
      const rows = await usageByHour(read, { from, applications: maxApplications })
      const applications = [...Map.groupBy(rows, (it) => it.applicationId).values()].map(applicationView)
      return { data: { from: from.toISOString(), to: to.toISOString(), applications } }
    },
  }),
]

function applicationView(rows: UsedHour[]): Static<typeof applicationUsage> {
  const { applicationId, name, rateLimit } = rows[0]!
  return {
    client_id: applicationId,
    name,
    rate_limit: rateLimit,
    calls: rows.reduce((sum, it) => sum + it.calls, 0),
    limited: rows.reduce((sum, it) => sum + it.limited, 0),
    peak_share: Math.max(...rows.map((it) => it.peakShare)),
    hours: rows.map((it) => ({
      hour: it.hour.toISOString(),
      calls: it.calls,
      limited: it.limited,
      peak_share: it.peakShare,
    })),
  }
}

const usageOf = async (
  read: Reader,
  applicationId: string,
  period: { keyId: string | null; from: string; to: string },
) => ({ from: period.from, to: period.to, usage: await usageByDay(read, applicationId, period) })

/** The requested period; "today" is in the caller's time zone. */
function spanOf(
  period: { from?: string; to?: string },
  now: Date,
  timezone: string,
): { from: string; to: string } {
  const to = dateOf(period.to ?? dayIn(timezone)(now), 'to')
  const from =
    period.from === undefined
      ? new Date(to.getTime() - (defaultDays - 1) * dayMs)
      : dateOf(period.from, 'from')
  const days = (to.getTime() - from.getTime()) / dayMs + 1
  if (days < 1) throw wrong('from', 'maximum', textOf(to))
  if (days > maxDays) throw wrong('from', 'minimum', textOf(new Date(to.getTime() - (maxDays - 1) * dayMs)))
  return { from: textOf(from), to: textOf(to) }
}

/** The pattern accepts February 31st. */
function dateOf(text: string, path: string): Date {
  const date = new Date(`${text}T00:00:00Z`)
  if (Number.isNaN(date.getTime()) || textOf(date) !== text) throw wrong(path, 'format', '2026-11-15')
  return date
}

const textOf = (date: Date): string => date.toISOString().slice(0, 10)

const wrong = (path: string, rule: string, limit: string) =>
  refuse('validation_failed', { fields: [{ path, rule, limit }] })
