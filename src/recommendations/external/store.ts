// SQL of the interaction export.

import type { Reader } from '../../base/database.ts'
import type { InteractionKind } from '../interactions/interaction.ts'

export interface InteractionCursor {
  at: Date
  buyer: string
  offer: string
  kind: InteractionKind
}

interface InteractionRow extends InteractionCursor {
  /** The present buyer of the alias. */
  known: string
}

/** Interactions of a period after a cursor, in order of time. */
export const interactionsAfter = (
  read: Reader,
  page: { from?: Date; to?: Date; after: InteractionCursor | undefined; limit: number },
): Promise<InteractionRow[]> =>
  read.all<InteractionRow>(
    `select interaction.at, interaction.buyer, interaction.offer, interaction.kind, coalesce(known.buyer, interaction.buyer) as known
     from recommendations_interactions interaction left join recommendations_aliases known on known.alias = interaction.buyer
     where interaction.at >= $1 and interaction.at < $2 and (interaction.at, interaction.buyer, interaction.offer, interaction.kind) > ($3, $4, $5, $6)
     order by interaction.at, interaction.buyer, interaction.offer, interaction.kind limit $7`,
    [
      page.after?.at ?? page.from ?? '-infinity',
      page.to ?? 'infinity',
      page.after?.at ?? '-infinity',
      page.after?.buyer ?? '',
      page.after?.offer ?? '',
      page.after?.kind ?? '',
      page.limit,
    ],
  )
