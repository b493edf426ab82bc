// Interactions as lines of an import or export.

import { Type } from 'typebox'
import type { RecordKind } from '../../base/records/record-kind.ts'
import { instantText } from '../../http/instant.ts'
import { oneOf, text } from '../../http/schema.ts'
import { interactionsAfter, type InteractionCursor } from './store.ts'
import { happenedAt, type InteractionKind, interactionKinds } from './interaction.ts'
import { originalIdentifier, buyerKeyOf } from './aliases.ts'
import { saveInteractions } from './report-interactions.ts'

interface InteractionRecord {
  user_id: string
  offer_id: string
  kind: InteractionKind
  at: string
}

export const interactionRecords: RecordKind = {
  name: 'interaction',
  // What every buyer did is not for keys that ship to devices.
  area: 'admin',
  shape: Type.Object(
    {
      user_id: text(),
      offer_id: text({ max: 36 }),
      kind: oneOf(interactionKinds),
      at: instantText,
    },
    { additionalProperties: false },
  ),
  load: async (tx, records) => {
    const lines = (records as InteractionRecord[]).map((it) => ({ ...it, at: happenedAt(it.at, tx.now) }))
    await saveInteractions(
      tx,
      lines.flatMap((it) =>
        it.at instanceof Date
          ? [
              {
                buyer: buyerKeyOf(it.user_id),
                originalBuyer: originalIdentifier(it.user_id),
                offer: it.offer_id.toLowerCase(),
                kind: it.kind,
                at: it.at,
                requestId: null,
                source: null,
              },
            ]
          : [],
      ),
    )
    return lines.flatMap((it, at) =>
      it.at instanceof Date ? [] : [{ at, faults: [{ path: 'at', ...it.at }], isMissingReference: false }],
    )
  },
  page: async (read, after, limit) => {
    const cursor = after === null ? null : (JSON.parse(after) as InteractionCursor)
    const rows = await interactionsAfter(read, cursor, limit)
    const last = rows.at(-1)
    return {
      records: rows.map((it) => ({
        user_id: it.originalBuyer ?? it.buyer,
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
