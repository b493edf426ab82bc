// HTTP routes of usage counters.

import { hourMs } from '../../base/clock.ts'
import { type Static, Type } from 'typebox'
import type { Reader } from '../../base/database.ts'
import { refuse } from '../../base/refusal.ts'
import { dayIn } from '../../base/time-zone.ts'
import { dayReply, maxPeriodDays, periodOf, periodQuery, periodReply } from '../../http/day-period.ts'
import { get, type Route } from '../../http/route.ts'
import { instant, integer, list, named, nullable, strict } from '../../http/schema.ts'
import { findApplication, findKey } from './store.ts'
import { usageByDay, usageByHour, type UsedHour } from './usage-store.ts'
import { applicationId, keyId } from './wire.ts'

const query = strict(periodQuery)
const count = integer(0, Number.MAX_SAFE_INTEGER)
const reply = Type.Object({
  ...periodReply,
  usage: list(Type.Object({ day: dayReply, calls: count, refused: count }), maxPeriodDays),
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
      const period = periodOf(query, dayIn(timezone)(read.now))
      return { data: await usageOf(read, params.client_id, { keyId: null, ...period }) }
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
      const period = periodOf(query, dayIn(timezone)(read.now))
      return { data: await usageOf(read, params.client_id, { keyId: params.key_id, ...period }) }
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
