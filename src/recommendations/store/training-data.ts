// What buyers did, page by page, for those who learn elsewhere.

import type { Reader } from '../../base/db.ts'
import type { InteractionKind } from '../behaviour/interaction.ts'

export interface DeedPlace {
  at: Date
  buyer: string
  offer: string
  kind: InteractionKind
}

interface DeedRow extends DeedPlace {
  /** The name that the buyer is known by now. */
  known: string
}

/** Deeds of a period after a place, in the order of time. */
export const deedsAfter = (
  read: Reader,
  asked: { from?: Date; to?: Date; after: DeedPlace | undefined; limit: number },
): Promise<DeedRow[]> =>
  read.all<DeedRow>(
    `select deed.at, deed.buyer, deed.offer, deed.kind, coalesce(name.buyer, deed.buyer) as known
     from recommendations_interactions deed left join recommendations_names name on name.name = deed.buyer
     where deed.at >= $1 and deed.at < $2 and (deed.at, deed.buyer, deed.offer, deed.kind) > ($3, $4, $5, $6)
     order by deed.at, deed.buyer, deed.offer, deed.kind limit $7`,
    [
      asked.after?.at ?? asked.from ?? '-infinity',
      asked.to ?? 'infinity',
      asked.after?.at ?? '-infinity',
      asked.after?.buyer ?? '',
      asked.after?.offer ?? '',
      asked.after?.kind ?? '',
      asked.limit,
    ],
  )
