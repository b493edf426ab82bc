// Deeds as lines of an import.

import { Type } from 'typebox'
import type { RecordKind } from '../../base/records.ts'
import { instantText } from '../../http/instant.ts'
import { oneOf, text } from '../../http/schema.ts'
import { interactionsAfter, type InteractionPlace } from '../store/behaviour.ts'
import { type InteractionKind, kinds } from './interaction.ts'
import { reportInteractions } from './report-interactions.ts'

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
      user_id: text({ max: 256 }),
      offer_id: text({ max: 36 }),
      kind: oneOf(kinds),
      at: instantText,
    },
    { additionalProperties: false },
  ),
  load: async (tx, records) => {
    const them = records as InteractionRecord[]
    const isInstant = (it: string) => !Number.isNaN(Date.parse(it))
    await reportInteractions(
      tx,
      them
        .filter((it) => isInstant(it.at))
        .map((it) => ({
          buyer: it.user_id,
          offer: it.offer_id.toLowerCase(),
          kind: it.kind,
          at: new Date(it.at),
          requestId: null,
          source: null,
        })),
    )
    return them.flatMap((it, at) =>
      isInstant(it.at) ? [] : [{ at, faults: [{ path: 'at', rule: 'instant' }], mayComeLater: false }],
    )
  },
  page: async (read, after, limit) => {
    const place = after === null ? null : (JSON.parse(after) as InteractionPlace)
    const rows = await interactionsAfter(read, place, limit)
    const last = rows.at(-1)
    return {
      records: rows.map((it) => ({
        user_id: it.buyer,
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
