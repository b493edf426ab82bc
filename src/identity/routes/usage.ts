// The use of applications and keys on the wire.

import { Type } from 'typebox'
import type { Reader } from '../../base/db.ts'
import { refuse } from '../../base/refusal.ts'
import { dayIn } from '../../base/zone.ts'
import { get } from '../../http/route.ts'
import { integer, list, strict, text } from '../../http/schema.ts'
import { findApplication, findKey } from '../store/applications.ts'
import { usageByDay } from '../store/usage.ts'
import { clientId, keyId } from './credentials-wire.ts'

const maxDays = 400
const usualDays = 30
const dayMs = 86_400_000

const day = (description: string) =>
  text({ max: 10, pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', description, examples: ['2026-11-15'] })

const query = strict({
  from: Type.Optional(day('The first day; 30 days up to `to` when left out.')),
  to: Type.Optional(day('The last day; today when left out.')),
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
  'Calls per day of the shop, refused ones among them and also apart. Days without a call are left out. Counts are a few seconds late.'

export const usageRoutes = [
  get('/v1/admin/applications/{client_id}/usage', {
    summary: 'Get the use of an application by day',
    description: `${description} Calls with tokens count too.`,
    scope: 'admin:read',
    params: { client_id: clientId },
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
    summary: 'Get the use of a key by day',
    description,
    scope: 'admin:read',
    params: { client_id: clientId, key_id: keyId },
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
  clientId: string,
  asked: { keyId: string | null; from: string; to: string },
) => ({ from: asked.from, to: asked.to, usage: await usageByDay(read, clientId, asked) })

/** The days that are asked for; today is that of the caller's zone. */
function spanOf(
  asked: { from?: string; to?: string },
  now: Date,
  timezone: string,
): { from: string; to: string } {
  const to = dateOf(asked.to ?? dayIn(timezone)(now), 'to')
  const from =
    asked.from === undefined ? new Date(to.getTime() - (usualDays - 1) * dayMs) : dateOf(asked.from, 'from')
  const days = (to.getTime() - from.getTime()) / dayMs + 1
  if (days < 1) throw wrong('from', 'maximum', textOf(to))
  if (days > maxDays) throw wrong('from', 'minimum', textOf(new Date(to.getTime() - (maxDays - 1) * dayMs)))
  return { from: textOf(from), to: textOf(to) }
}

/** The pattern lets the 31st of February pass; the calendar does not. */
function dateOf(text: string, path: string): Date {
  const date = new Date(`${text}T00:00:00Z`)
  if (Number.isNaN(date.getTime()) || textOf(date) !== text) throw wrong(path, 'format', '2026-11-15')
  return date
}

const textOf = (date: Date): string => date.toISOString().slice(0, 10)

const wrong = (path: string, rule: string, limit: string) =>
  refuse('validation_failed', { fields: [{ path, rule, limit }] })
