// Reacts to events of the shop: saves observed interactions, links guests and external ids to clients, and follows merged
// and erased clients.

import type { Tx } from '../../base/database.ts'
import { type Reaction, reactionToMany } from '../../base/outbox.ts'
import { eraseBuyers, linkExternalIds, type IdentifiedGuest, linkGuests, mergeBuyers } from './aliases.ts'
import {
  deleteCartOwners,
  type HandledEvent,
  handledTypes,
  recordObserved,
  removeCancelledPurchases,
  saveCartOwners,
} from './observe-interactions.ts'

/** One reaction for all events, because a cart's owner must be saved before an addition to that cart is handled. */
export const reactions: Reaction[] = [
  reactionToMany('recommendations.learn', handledTypes, async (tx, events) => {
    saveCartOwners(tx, events)
    await recordObserved(tx, events)
    await removeCancelledPurchases(tx, events)
    await linkGuests(tx, events.flatMap(identifiedGuests))
    await linkChangedClients(tx, events)
    await followClients(tx, events)
    deleteCartOwners(tx, events)
  }),
]

function identifiedGuests({ event }: HandledEvent): IdentifiedGuest[] {
  switch (event.type) {
    case 'CartsMerged':
    case 'WishlistsMerged':
    case 'GuestSignedIn':
      return [{ identifier: event.guestId, clientId: event.buyerId }]
    case 'ClientSignedIn':
      return event.guestId === null ? [] : [{ identifier: event.guestId, clientId: event.clientId }]
    default:
      return []
  }
}

async function linkChangedClients(tx: Tx, events: readonly HandledEvent[]): Promise<void> {
  const clientIds = events.flatMap(({ event }) =>
    event.type === 'ClientRegistered' || event.type === 'ClientChanged' ? [event.clientId] : [],
  )
  if (clientIds.length > 0) await linkExternalIds(tx, [...new Set(clientIds)])
}

/** After what earlier events of the batch have saved, so that nothing of an erased client is left. */
async function followClients(tx: Tx, events: readonly HandledEvent[]): Promise<void> {
  for (const { event } of events)
    if (event.type === 'ClientsMerged')
      await mergeBuyers(tx, { from: event.mergedClientId, into: event.clientId })
  const erased = events.flatMap(({ event }) => (event.type === 'ClientErased' ? [event.clientId] : []))
  if (erased.length > 0) await eraseBuyers(tx, erased)
}
