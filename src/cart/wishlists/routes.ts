// The wishlist (SPEC-2 4.5).

import { Type } from 'typebox'
import type { Reader } from '../../base/db.ts'
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
} from '../routes/buyer.ts'
import {
  conditionOf,
  inCurrency,
  itemFields,
  messageView,
  moderatedFields,
  offerView,
  type Reading,
} from '../routes/cart-view.ts'
import { offerFields, offerNamed, wireName } from '../routes/named-offer.ts'
import type { Shopper, Terms } from '../shopper.ts'
import { findWishlist } from '../store/wishlists.ts'
import { mergeWishlists } from './merge-wishlists.ts'
import { type ShownWish, shownWishes, wishMessages } from './shown-wishes.ts'
import { unwishOffer } from './unwish-offer.ts'
import { wishOffer } from './wish-offer.ts'
import { maxWishes, type Wishlist } from './wishlist.ts'

const { Quantity: _quantity, ...offered } = itemFields
const wishFields = { ...offered, IsAvailable: flag, AddedAt: instant }

const viewFields = {
  WishlistId: nullable(Type.String({ description: 'Null before the first wish.' })),
  Currency: Type.String({ examples: ['UZS'] }),
  Offers: list(named('WishedOffer', Type.Object({ OfferId: id, ...wishFields })), maxWishes),
  ModeratedOffers: list(
    named('WishedModeratedOffer', Type.Object({ ...moderatedFields, ...wishFields })),
    maxWishes,
  ),
  CreatedAt: nullable(instant),
  UpdatedAt: nullable(instant),
}
const wishlistReply = named('Wishlist', Type.Object(viewFields))

const mergeReply = Type.Object({
  ...viewFields,
  Merge: Type.Object({
    Added: integer(0, maxWishes, { description: 'Wishes of the guest that the client did not have.' }),
    Dropped: list(
      Type.Object({
        OfferId: Type.Optional(id),
        ModeratedOfferId: Type.Optional(id),
        Reason: oneOf(['wishlist_full']),
      }),
      maxWishes,
    ),
  }),
})

async function wishlistView(read: Reader, shopper: Shopper, shown: { list: Wishlist | undefined } & Reading) {
  const wishes = await shownWishes(read, shopper, shown.list?.wishes ?? [])
  return {
    WishlistId: shown.list?.id ?? null,
    Currency: shown.currency.code,
    Offers: wishes
      .filter((it) => !it.wish.isModerated)
      .map((it) => ({ OfferId: it.wish.offerId, ...wishView(it, shown) })),
    ModeratedOffers: wishes
      .filter((it) => it.wish.isModerated)
      .map((it) => ({
        ModeratedOfferId: it.wish.offerId,
        ModeratedOfferUuid: it.offer?.moderation?.uuid ?? null,
        ModerationStatus: it.offer?.moderation?.status ?? null,
        ...wishView(it, shown),
      })),
    CreatedAt: shown.list?.createdAt.toISOString() ?? null,
    UpdatedAt: shown.list?.updatedAt.toISOString() ?? null,
  }
}

/** Nobody has chosen a loan condition yet, so the best that could be had is shown. */
function wishView(it: ShownWish, reading: Reading) {
  const { wish, offer } = it
  return {
    ...offerView(offer, wish.priceAtAddTiyin, reading),
    LoanCondition: offer?.partner.creditActive
      ? conditionOf(offer, offer.conditions[0]?.id ?? null, reading)
      : null,
    PurchaseRestrictions: {
      IsAvailable: it.isAvailable,
      AvailableQuantity: it.availableUnits,
      MaxQuantity: it.mostUnits,
      ReservedUntil: null,
      Messages: wishMessages(it).map((message) => messageView(message, reading)),
    },
    PriceAtAdd: inCurrency(wish.priceAtAddTiyin, reading.currency),
    IsAvailable: it.isAvailable,
    AddedAt: wish.addedAt.toISOString(),
  }
}

const buyerRefusals = ['buyer_required', 'buyer_mismatch'] as const

export const wishlistRoutes = (terms: Terms): Route[] => [
  get('/api/wishlist', {
    summary: 'View the wishlist',
    description:
      'Prices and stock as they are now, the latest wish first. What cannot be bought stays and says so. Messages tell what has become cheaper and what is back in stock.',
    scope: 'cart:read',
    query: buyerQuery,
    reply: wishlistReply,
    refusals: [...buyerRefusals],
    run: async ({ read, query, ...call }) => {
      const shopper = shopperOf(terms, call, query)
      const list = await findWishlist(read, shopper.buyer)
      return { data: await wishlistView(read, shopper, { list, ...call }) }
    },
  }),
  post('/api/wishlist/offers', {
    summary: 'Wish for an offer',
    description: `Wishing twice is wishing once. A wishlist holds ${maxWishes} offers.`,
    scope: 'cart:write',
    body: strict({ ...offerFields, ...buyerFields }),
    reply: wishlistReply,
    refusals: [...buyerRefusals, 'not_found', 'offer_unavailable', 'wishlist_full'],
    run: async ({ tx, body, ...call }) => {
      const shopper = shopperOf(terms, call, body)
      const list = await wishOffer(tx, shopper.buyer, await offerNamed(tx, body))
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
      const shopper = shopperOf(terms, call, query, body)
      const { offerId } = params
      const key = offerId.includes('-') ? await moderatedKey(tx, offerId) : ordinary(Number(offerId))
      const list = await unwishOffer(tx, shopper.buyer, key)
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
      const shopper = shopperOf(terms, call, query, body)
      const key = await offerNamed(tx, { ...query, ...body })
      const list = await unwishOffer(tx, shopper.buyer, key)
      return { data: await wishlistView(tx, shopper, { list, ...call }) }
    },
  }),
  post('/api/wishlist/merge-wishlists', {
    summary: "Merge a guest's wishlist into a client's",
    description: `For the moment when a guest signs in. The client's wishlist becomes the union of both; repeating it changes nothing. When ${maxWishes} are not enough, the guest's latest wishes come and the reply says which did not.`,
    scope: 'cart:write',
    body: strict({ ClientId: buyerFields.ClientId, SessionId: Type.Optional(sessionId) }),
    reply: mergeReply,
    refusals: [...buyerRefusals],
    run: async ({ tx, body, ...call }) => {
      const { guest, client } = mergingBuyers(call.principal!, namedIn(body))
      const { list, added, dropped } = await mergeWishlists(tx, { guest, client })
      const Dropped = dropped.map((it) => ({ ...wireName(it), Reason: 'wishlist_full' as const }))
      const view = await wishlistView(tx, { buyer: client, terms }, { list, ...call })
      return { data: { ...view, Merge: { Added: added.length, Dropped } } }
    },
  }),
]
