// The wishlist (SPEC-2 4.5).

import { Type } from 'typebox'
import type { Reader } from '../../base/database.ts'
import { inCurrency } from '../../base/money.ts'
import { openConditions } from '../../catalog/index.ts'
import { del, get, post, type Route } from '../../http/route.ts'
import { flag, id, instant, integer, list, named, nullable, oneOf, strict } from '../../http/schema.ts'
import { mergingBuyers } from '../../identity/index.ts'
import {
  buyerFields,
  buyerQuery,
  moderatedIdText,
  moderatedKey,
  namedIn,
  ordinary,
  sessionId,
  shopperOf,
  offerFields,
  offerNamed,
  wireName,
} from '../carts/request.ts'
import {
  conditionsOf,
  messageView,
  moderatedFields,
  offerView,
  shownOfferFields,
  type ViewOptions,
} from '../carts/line-wire.ts'
import type { Shopper, CartSettings } from '../carts/shopper.ts'
import { findWishlist } from './store.ts'
import { mergeWishlists, removeFromWishlist, addToWishlist } from './change-wishlist.ts'
import { type PricedWishlistItem, priceWishlistItems, wishlistMessages } from './priced-items.ts'
import { maxWishlistItems, type Wishlist } from './wishlist.ts'

const wishlistItemFields = { ...shownOfferFields, IsAvailable: flag, AddedAt: instant }

const viewFields = {
  WishlistId: nullable(Type.String({ description: 'Null before the first offer is added.' })),
  Currency: Type.String({ examples: ['UZS'] }),
  Offers: list(named('WishedOffer', Type.Object({ OfferId: id, ...wishlistItemFields })), maxWishlistItems),
  ModeratedOffers: list(
    named('WishedModeratedOffer', Type.Object({ ...moderatedFields, ...wishlistItemFields })),
    maxWishlistItems,
  ),
  CreatedAt: nullable(instant),
  UpdatedAt: nullable(instant),
}
const wishlistReply = named('Wishlist', Type.Object(viewFields))

const mergeReply = Type.Object({
  ...viewFields,
  Merge: Type.Object({
    Added: integer(0, maxWishlistItems, { description: 'Offers of the guest that the client did not have.' }),
    Dropped: list(
      Type.Object({
        OfferId: Type.Optional(id),
        ModeratedOfferId: Type.Optional(id),
        Reason: oneOf(['wishlist_full']),
      }),
      maxWishlistItems,
    ),
  }),
})

async function wishlistView(
  read: Reader,
  shopper: Shopper,
  shown: { list: Wishlist | undefined } & ViewOptions,
) {
  const items = await priceWishlistItems(read, shopper, shown.list?.items ?? [])
  return {
    WishlistId: shown.list?.id ?? null,
    Currency: shown.currency.code,
    Offers: items
      .filter((it) => !it.item.isModerated)
      .map((it) => ({ OfferId: it.item.offerId, ...wishlistItemView(it, shown) })),
    ModeratedOffers: items
      .filter((it) => it.item.isModerated)
      .map((it) => ({
        ModeratedOfferId: it.item.offerId,
        ModeratedOfferUuid: it.offer?.moderation?.uuid ?? null,
        ModerationStatus: it.offer?.moderation?.status ?? null,
        ...wishlistItemView(it, shown),
      })),
    CreatedAt: shown.list?.createdAt.toISOString() ?? null,
    UpdatedAt: shown.list?.updatedAt.toISOString() ?? null,
  }
}

/** No loan condition is chosen yet, so the best one of the offer is shown. */
function wishlistItemView(it: PricedWishlistItem, reading: ViewOptions) {
  const { item, offer } = it
  const bestConditionId = offer ? (openConditions(offer)[0]?.id ?? null) : null
  return {
    ...offerView(it, item.priceAtAddTiyin, reading),
    ...conditionsOf(offer, { quantity: 1, loanConditionId: bestConditionId }, reading),
    PurchaseRestrictions: {
      IsAvailable: it.unavailable === undefined,
      Reason: it.unavailable ?? null,
      AvailableQuantity: it.availableUnits,
      MaxQuantity: it.maxUnits,
      ReservedUntil: null,
      Messages: wishlistMessages(it).map((message) => messageView(message, reading)),
    },
    PriceAtAdd: inCurrency(item.priceAtAddTiyin, reading.currency),
    IsAvailable: it.unavailable === undefined,
    AddedAt: item.addedAt.toISOString(),
  }
}

const buyerRefusals = ['buyer_required', 'buyer_mismatch'] as const

export const wishlistRoutes = (settings: CartSettings): Route[] => [
  get('/api/wishlist', {
    summary: 'View the wishlist',
    description:
      'Current prices and stock, latest item first. Offers that cannot be bought stay on the list and are marked. Messages say what became cheaper and what is back in stock.',
    scope: 'cart:read',
    query: buyerQuery,
    reply: wishlistReply,
    refusals: [...buyerRefusals],
    run: async ({ read, query, ...call }) => {
      const shopper = shopperOf(settings, call, query)
      const list = await findWishlist(read, shopper.buyer)
      return { data: await wishlistView(read, shopper, { list, ...call }) }
    },
  }),
  post('/api/wishlist/offers', {
    summary: 'Add an offer to the wishlist',
    description: `Idempotent: an offer is on the list once. A wishlist holds at most ${maxWishlistItems} offers.`,
    scope: 'cart:write',
    body: strict({ ...offerFields, ...buyerFields }),
    reply: wishlistReply,
    refusals: [...buyerRefusals, 'not_found', 'offer_unavailable', 'wishlist_full'],
    run: async ({ tx, body, ...call }) => {
      const shopper = shopperOf(settings, call, body)
      const list = await addToWishlist(tx, shopper.buyer, await offerNamed(tx, body))
      return { data: await wishlistView(tx, shopper, { list, ...call }) }
    },
  }),
  del('/api/wishlist/offers/{offerId}', {
    summary: 'Remove an offer from the wishlist',
    description: 'A number names an ordinary offer, a UUID a moderated one.',
    scope: 'cart:write',
    params: { offerId: moderatedIdText },
    query: buyerQuery,
    body: strict(buyerFields),
    reply: wishlistReply,
    refusals: [...buyerRefusals, 'not_found'],
    run: async ({ tx, params, query, body, ...call }) => {
      const shopper = shopperOf(settings, call, query, body)
      const { offerId } = params
      const key = offerId.includes('-') ? await moderatedKey(tx, offerId) : ordinary(Number(offerId))
      const list = await removeFromWishlist(tx, shopper.buyer, key)
      return { data: await wishlistView(tx, shopper, { list, ...call }) }
    },
  }),
  del('/api/wishlist/offers', {
    summary: 'Remove an offer of either kind from the wishlist',
    description: '`OfferId` or `ModeratedOfferId`, in the body or in the query.',
    scope: 'cart:write',
    query: strict({
      OfferId: offerFields.OfferId,
      ModeratedOfferId: Type.Optional(moderatedIdText),
      ...buyerFields,
    }),
    body: strict({ ...offerFields, ...buyerFields }),
    reply: wishlistReply,
    refusals: [...buyerRefusals, 'not_found'],
    run: async ({ tx, query, body, ...call }) => {
      const shopper = shopperOf(settings, call, query, body)
      const key = await offerNamed(tx, { ...query, ...body })
      const list = await removeFromWishlist(tx, shopper.buyer, key)
      return { data: await wishlistView(tx, shopper, { list, ...call }) }
    },
  }),
  post('/api/wishlist/merge-wishlists', {
    summary: "Merge a guest's wishlist into a client's",
    description: `Call it when a guest signs in. The client's wishlist becomes the union of both. Idempotent. If the union exceeds ${maxWishlistItems} offers, the guest's latest offers are kept and the reply lists the dropped ones.`,
    scope: 'cart:write',
    body: strict({ ClientId: buyerFields.ClientId, SessionId: Type.Optional(sessionId) }),
    reply: mergeReply,
    refusals: [...buyerRefusals],
    run: async ({ tx, body, ...call }) => {
      const { guest, client } = mergingBuyers(call.principal!, namedIn(body))
      const { list, added, dropped } = await mergeWishlists(tx, { guest, client })
      const Dropped = dropped.map((it) => ({ ...wireName(it), Reason: 'wishlist_full' as const }))
      const view = await wishlistView(tx, { buyer: client, settings }, { list, ...call })
      return { data: { ...view, Merge: { Added: added.length, Dropped } } }
    },
  }),
]
