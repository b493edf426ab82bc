// HTTP routes of usage counters.

import { Type } from 'typebox'
import type { Reader } from '../../base/database.ts'
import { refuse } from '../../base/refusal.ts'
import { dayIn } from '../../base/time-zone.ts'
import { get } from '../../http/route.ts'
import { integer, list, strict, text } from '../../http/schema.ts'
import { findApplication, findKey } from './store.ts'
import { usageByDay } from './usage-store.ts'
import { applicationId, keyId } from './wire.ts'

const maxDays = 400
const defaultDays = 30
const dayMs = 86_400_000

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
