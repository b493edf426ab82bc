import { buyerIdOf } from '../../base/buyer.ts'
import type { Tx } from '../../base/db.ts'
import { moderatedOffersShown } from '../../catalog/index.ts'
import { readOrdersCreated } from '../../cart/index.ts'
import { orderedLines } from '../../orders/index.ts'
import * as store from '../store/behaviour.ts'
import { asReported } from './as-reported.ts'
import { attributePurchases } from './attribute-purchases.ts'
import { buyersOfCarts } from './carts.ts'
import type { SeenDeed } from './interaction.ts'
import type { Heard } from './reactions.ts'
import { tellOf } from './report-interactions.ts'

/** A deed whose offer is known by its number: of an ordinary offer, or of a moderated one. */
interface Sight extends Omit<SeenDeed, 'offer'> {
  offerId: number
  isModerated: boolean
}

const unpaid = { units: null, amountTiyin: null }

/** Keeps what buyers did in the shop itself, each deed once. */
export async function noteDeeds(tx: Tx, told: readonly Heard[]): Promise<void> {
  const sights = [...(await inCarts(tx, told)), ...wishes(told), ...(await purchases(tx, told))]
  if (sights.length === 0) return
  const deeds = await withOfferNames(tx, sights)
  const kept = asReported(deeds, await store.reportsOf(tx, deeds))
  store.saveSeen(tx, kept)
  attributePurchases(tx, kept)
  await tellOf(
    tx,
    deeds.map((it) => it.buyer),
    deeds.length,
  )
}

async function inCarts(tx: Tx, told: readonly Heard[]): Promise<Sight[]> {
  const added = told.flatMap(
    ({ event }): (Pick<Sight, 'offerId' | 'isModerated' | 'at'> & { cartId: string })[] => {
      if (event.type !== 'ItemAddedToCart' && event.type !== 'ModeratedItemAddedToCart') return []
      const { cartId } = event
      const at = new Date(event.occurredOn)
      return event.type === 'ItemAddedToCart'
        ? [{ cartId, at, offerId: event.offerId, isModerated: false }]
        : [{ cartId, at, offerId: event.moderatedOfferId, isModerated: true }]
    },
  )
  const buyers = await buyersOfCarts(tx, [...new Set(added.map((it) => it.cartId))])
  return added.flatMap(({ cartId, ...sight }) => {
    const buyer = buyers.get(cartId)
    return buyer === undefined ? [] : [{ ...sight, buyer, kind: 'cart' as const, ...unpaid }]
  })
}

const wishes = (told: readonly Heard[]): Sight[] =>
  told.flatMap(({ event }) =>
    event.type === 'OfferWished'
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

/** An order that was called off was no purchase: nobody is kept from what he did not get, and no list is praised for it. */
export async function forgetPurchases(tx: Tx, told: readonly Heard[]): Promise<void> {
  const orderIds = told.flatMap(({ event }) => (event.type === 'OrderCancelled' ? [event.orderId] : []))
  const deeds = await withOfferNames(tx, await linesBought(tx, orderIds))
  if (deeds.length === 0) return
  store.deleteSeen(tx, deeds)
  await tellOf(
    tx,
    deeds.map((it) => it.buyer),
    deeds.length,
  )
}

/** Every line of an order is a purchase; so is what an order system outside says to have sold to a client. */
async function purchases(tx: Tx, told: readonly Heard[]): Promise<Sight[]> {
  const orderIds = told.flatMap(({ event }) => (event.type === 'OrdersCreated' ? event.orderIds : []))
  const outside = told.flatMap(({ event }) => {
    const sold = event.type === 'IntegrationEventReceived' ? readOrdersCreated(event) : undefined
    return sold ? sold.offerIds.map((offerId) => ({ ...sold, offerId })) : []
  })
  return [
    ...(await linesBought(tx, orderIds)),
    ...outside.map((it) => ({
      buyer: String(it.clientId),
      offerId: it.offerId,
      isModerated: false,
      kind: 'purchase' as const,
      at: it.at,
      ...unpaid,
    })),
  ]
}

async function linesBought(tx: Tx, orderIds: readonly number[]): Promise<Sight[]> {
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

/** Offers as applications name them; moderated ones that are gone are left out. */
async function withOfferNames(tx: Tx, sights: readonly Sight[]): Promise<SeenDeed[]> {
  const moderated = await moderatedOffersShown(tx, [
    ...new Set(sights.filter((it) => it.isModerated).map((it) => it.offerId)),
  ])
  return sights.flatMap(({ offerId, isModerated, ...deed }) => {
    const offer = isModerated ? moderated.get(offerId)?.moderation?.uuid : String(offerId)
    return offer === undefined ? [] : [{ ...deed, offer }]
  })
}
