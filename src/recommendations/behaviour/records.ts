// Deeds as lines of an import.

import { Type } from 'typebox'
import type { RecordKind } from '../../base/records.ts'
import { instantText } from '../../http/instant.ts'
import { oneOf, text } from '../../http/schema.ts'
import { interactionsAfter, type InteractionPlace } from '../store/behaviour.ts'
import { type InteractionKind, kinds } from './interaction.ts'
import { spelledName, toldName } from './names.ts'
import { keepInteractions } from './report-interactions.ts'

/** Clocks differ. */
const toleratedMs = 300_000

interface InteractionRecord {
  user_id: string
  offer_id: string
  kind: InteractionKind
  at: string
}

export const interactionRecords: RecordKind = {
  name: 'interaction',
  shape: Type.Object(
    {
      user_id: text(),
      offer_id: text({ max: 36 }),
      kind: oneOf(kinds),
      at: instantText,
    },
    { additionalProperties: false },
  ),
  load: async (tx, records) => {
    const them = records as InteractionRecord[]
    await keepInteractions(
      tx,
      them
        .filter((it) => faultOf(it.at, tx.now) === undefined)
        .map((it) => ({
          buyer: toldName(it.user_id),
          spelled: spelledName(it.user_id),
          offer: it.offer_id.toLowerCase(),
          kind: it.kind,
          at: new Date(it.at),
          requestId: null,
          source: null,
        })),
    )
    return them.flatMap((it, at) => {
      const fault = faultOf(it.at, tx.now)
      return fault === undefined ? [] : [{ at, faults: [{ path: 'at', ...fault }], mayComeLater: false }]
    })
  },
  page: async (read, after, limit) => {
    const place = after === null ? null : (JSON.parse(after) as InteractionPlace)
    const rows = await interactionsAfter(read, place, limit)
    const last = rows.at(-1)
    return {
      records: rows.map((it) => ({
        user_id: it.spelled ?? it.buyer,
        offer_id: it.offer,
        kind: it.kind,
        at: it.at.toISOString(),
      })),
      last:
        last && rows.length === limit
          ? JSON.stringify({
              at: last.at.toISOString(),
              buyer: last.buyer,
              offer: last.offer,
              kind: last.kind,
            })
          : null,
    }
  },
}

/** What is wrong with the instant of a line: it is none, or nobody can have done it yet. */
function faultOf(at: string, now: Date): { rule: string; limit: string } | undefined {
  const instant = Date.parse(at)
  if (Number.isNaN(instant)) return { rule: 'format', limit: '2026-12-31T18:59:59.000Z' }
  return instant > now.getTime() + toleratedMs ? { rule: 'past', limit: now.toISOString() } : undefined
}
