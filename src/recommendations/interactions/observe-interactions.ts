// Interactions that the shop observes through its own events: cart additions, wishlist additions and purchases.

import { buyerIdOf, guestPublicId } from '../../base/buyer.ts'
import type { Tx } from '../../base/database.ts'
import type { StoredEvent } from '../../base/outbox.ts'
import { findCartById, readOrdersCreated } from '../../cart/index.ts'
import { findModeratedOffers } from '../../catalog/index.ts'
import type { EventOf, EventType } from '../../events.ts'
import { orderedLines } from '../../orders/index.ts'
import * as aliasStore from './alias-store.ts'
import type { ObservedInteraction } from './interaction.ts'
import { matchReports } from './match-reports.ts'
import { attributePurchases, publishRecorded } from './report-interactions.ts'
import * as store from './store.ts'

export const handledTypes = [
  'CartCreated',
  'ItemAddedToCart',
  'ModeratedItemAddedToCart',
  'CartsMerged',
  'CartRemoved',
  'OfferAddedToWishlist',
  'WishlistsMerged',
  'GuestSignedIn',
  'OrdersCreated',
  'OrderCancelled',
  'IntegrationEventReceived',
  'ClientSignedIn',
  'ClientRegistered',
  'ClientChanged',
  'ClientsMerged',
  'ClientErased',
] as const satisfies EventType[]

export type HandledEvent = StoredEvent<EventOf<(typeof handledTypes)[number]>>

/** An interaction whose offer is still given by its internal id. */
interface Observation extends Omit<ObservedInteraction, 'offer'> {
  offerId: number
  isModerated: boolean
}

const unpaid = { units: null, amountTiyin: null }

/** Saves observed interactions. One that an application has already reported is merged with the report. */
export async function recordObserved(tx: Tx, events: readonly HandledEvent[]): Promise<void> {
  const observations = [
    ...(await cartAdditions(tx, events)),
    ...wishlistAdditions(events),
    ...(await purchases(tx, events)),
  ]
  if (observations.length === 0) return
  const interactions = await withOfferRefs(tx, observations)
  const saved = matchReports(interactions, await store.findReports(tx, interactions))
  store.saveObserved(tx, saved)
  attributePurchases(tx, saved)
  publishRecorded(
    tx,
    interactions.map((it) => it.buyer),
    interactions.length,
  )
}

async function cartAdditions(tx: Tx, events: readonly HandledEvent[]): Promise<Observation[]> {
  const added = events.flatMap(
    ({ event }): (Pick<Observation, 'offerId' | 'isModerated' | 'at'> & { cartId: string })[] => {
      if (event.type !== 'ItemAddedToCart' && event.type !== 'ModeratedItemAddedToCart') return []
      // Moved by a merge: recorded when the guest added it, and the guest is linked to the client.
      if (event.guestCartId !== undefined) return []
      const { cartId } = event
      const at = new Date(event.occurredOn)
      return event.type === 'ItemAddedToCart'
        ? [{ cartId, at, offerId: event.offerId, isModerated: false }]
        : [{ cartId, at, offerId: event.moderatedOfferId, isModerated: true }]
    },
  )
  const buyers = await findCartOwners(tx, [...new Set(added.map((it) => it.cartId))])
  return added.flatMap(({ cartId, ...observation }) => {
    const buyer = buyers.get(cartId)
    return buyer === undefined ? [] : [{ ...observation, buyer, kind: 'cart' as const, ...unpaid }]
  })
}

const wishlistAdditions = (events: readonly HandledEvent[]): Observation[] =>
  events.flatMap(({ event }) =>
    event.type === 'OfferAddedToWishlist'
      ? [
          {
            buyer: String(event.buyerId),
            offerId: (event.offerId ?? event.moderatedOfferId)!,
            isModerated: event.offerId === null,
            kind: 'wishlist' as const,
            at: new Date(event.occurredOn),
            ...unpaid,
          },
        ]
      : [],
  )

/** A cancelled order is no purchase: it must neither exclude the product from lists nor count for a list. */
export async function removeCancelledPurchases(tx: Tx, events: readonly HandledEvent[]): Promise<void> {
  const orderIds = events.flatMap(({ event }) => (event.type === 'OrderCancelled' ? [event.orderId] : []))
  const interactions = await withOfferRefs(tx, await purchasedLines(tx, orderIds))
  if (interactions.length === 0) return
  store.deleteObserved(tx, interactions)
  publishRecorded(
    tx,
    interactions.map((it) => it.buyer),
    interactions.length,
  )
}

/** Purchases are order lines, and sales that an external order system reports for a client. */
async function purchases(tx: Tx, events: readonly HandledEvent[]): Promise<Observation[]> {
  const orderIds = events.flatMap(({ event }) => (event.type === 'OrdersCreated' ? event.orderIds : []))
  const external = events.flatMap(({ event }) => {
    const sold = event.type === 'IntegrationEventReceived' ? readOrdersCreated(event) : undefined
    return sold ? sold.offerIds.map((offerId) => ({ ...sold, offerId })) : []
  })
  return [
    ...(await purchasedLines(tx, orderIds)),
    ...external.map((it) => ({
      buyer: String(it.clientId),
      offerId: it.offerId,
      isModerated: false,
      kind: 'purchase' as const,
      at: it.at,
      ...unpaid,
    })),
  ]
}

async function purchasedLines(tx: Tx, orderIds: readonly number[]): Promise<Observation[]> {
  const lines = orderIds.length > 0 ? await orderedLines(tx, orderIds) : []
  return lines.map((it) => ({
    buyer: String(buyerIdOf(it.buyer)),
    offerId: it.offerId,
    isModerated: it.isModerated,
    kind: 'purchase',
    at: it.orderedAt,
    units: it.quantity,
    amountTiyin: it.priceTiyin * it.quantity,
  }))
}

/** Replaces internal ids by the references that applications use; deleted moderated offers are left out. */
async function withOfferRefs(tx: Tx, observations: readonly Observation[]): Promise<ObservedInteraction[]> {
  const moderated = await findModeratedOffers(tx, [
    ...new Set(observations.filter((it) => it.isModerated).map((it) => it.offerId)),
  ])
  return observations.flatMap(({ offerId, isModerated, ...interaction }) => {
    const offer = isModerated ? moderated.get(offerId)?.moderation?.uuid : String(offerId)
    return offer === undefined ? [] : [{ ...interaction, offer }]
  })
}

// Cart owners. `ItemAddedToCart` names the cart alone, and the cart may be deleted when the event is handled.
export function saveCartOwners(tx: Tx, events: readonly HandledEvent[]): void {
  const carts = events.flatMap(({ event }) =>
    event.type === 'CartCreated' ? [{ cartId: event.cartId, buyer: buyerKeyOf(event.buyerId) }] : [],
  )
  if (carts.length > 0) aliasStore.insertCarts(tx, carts)
}

/** `CartCreated` names a guest by the session id. */
const buyerKeyOf = (buyerId: number | string): string =>
  typeof buyerId === 'number' ? String(buyerId) : guestPublicId(buyerId)

/** Buyer keys by cart; unknown carts are left out. */
export async function findCartOwners(tx: Tx, cartIds: readonly string[]): Promise<Map<string, string>> {
  if (cartIds.length === 0) return new Map()
  const buyers = await aliasStore.findCartBuyers(tx, cartIds)
  // Carts created before owners were recorded.
  for (const cartId of cartIds.filter((it) => !buyers.has(it))) {
    const cart = await findCartById(tx, cartId)
    if (cart) buyers.set(cartId, String(buyerIdOf(cart.buyer)))
  }
  return buyers
}

export function deleteCartOwners(tx: Tx, events: readonly HandledEvent[]): void {
  const gone = events.flatMap(({ event }) =>
    event.type === 'CartRemoved' ? [event.cartId] : event.type === 'CartsMerged' ? [event.guestCartId] : [],
  )
  if (gone.length > 0) aliasStore.deleteCarts(tx, gone)
}
