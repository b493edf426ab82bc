// What the shop's own facts say of buyers: what they put into carts, wished for and bought, and who they turn out to be.

import type { Tx } from '../../base/db.ts'
import { type Reaction, reactionToMany, type Told } from '../../base/outbox.ts'
import type { EventOf, EventType } from '../../events.ts'
import { linkOutsideNames, type Recognised, recogniseGuests } from './link-names.ts'
import { forgetCarts, rememberCarts } from './carts.ts'
import { forgetPurchases, noteDeeds } from './note-deeds.ts'

const heard = [
  'CartCreated',
  'ItemAddedToCart',
  'ModeratedItemAddedToCart',
  'CartsMerged',
  'CartRemoved',
  'OfferWished',
  'WishlistsMerged',
  'GuestSignedIn',
  'OrdersCreated',
  'OrderCancelled',
  'IntegrationEventReceived',
  'ClientSignedIn',
  'ClientRegistered',
  'ClientChanged',
] as const satisfies EventType[]

export type Heard = Told<EventOf<(typeof heard)[number]>>

/** One reaction for all of them, because a cart must be known before what is put into it. */
export const reactions: Reaction[] = [
  reactionToMany('recommendations.learn', heard, async (tx, told) => {
    rememberCarts(tx, told)
    await noteDeeds(tx, told)
    await forgetPurchases(tx, told)
    await recogniseGuests(tx, told.flatMap(recognisedIn))
    await linkNames(tx, told)
    forgetCarts(tx, told)
  }),
]

function recognisedIn({ event }: Heard): Recognised[] {
  switch (event.type) {
    case 'CartsMerged':
    case 'WishlistsMerged':
    case 'GuestSignedIn':
      return [{ name: event.guestId, clientId: event.buyerId }]
    case 'ClientSignedIn':
      return event.guestId === null ? [] : [{ name: event.guestId, clientId: event.clientId }]
    default:
      return []
  }
}

async function linkNames(tx: Tx, told: readonly Heard[]): Promise<void> {
  const clientIds = told.flatMap(({ event }) =>
    event.type === 'ClientRegistered' || event.type === 'ClientChanged' ? [event.clientId] : [],
  )
  if (clientIds.length > 0) await linkOutsideNames(tx, [...new Set(clientIds)])
}
