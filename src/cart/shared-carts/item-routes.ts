// Routes for the items of a shared cart.

import { Type } from 'typebox'
import type { RefusalCode } from '../../http/refusals.ts'
import { del, patch, post, type Route } from '../../http/route.ts'
import { strict } from '../../http/schema.ts'
import {
  moderatedIdText,
  moderatedKey,
  ordinary,
  quantity,
  offerFields,
  offerNamed,
} from '../carts/request.ts'
import type { CartSettings } from '../carts/shopper.ts'
import { addSharedItem, changeSharedItem, removeSharedItem } from './change-shared-items.ts'
import { openRefusals, requesterFields, requesterOf, sharedCartId } from './requester.ts'
import { memberName, sharedCartReply, sharedCartView } from './view.ts'

const lineOwner = {
  AddedBy: Type.Optional({
    ...memberName,
    description: 'Owner of the line; the caller when omitted. The creator may name any member.',
  }),
}

const growthRefusals: RefusalCode[] = [
  ...openRefusals,
  'cart_full',
  'offer_unavailable',
  'stock_exceeded',
  'product_limit_exceeded',
  'amount_too_large',
]

export const sharedItemRoutes = (settings: CartSettings): Route[] => [
  post('/api/shared-carts/{id}/items', {
    summary: 'Add an item to a shared cart',
    description:
      'Units are added to the line of the member. Each member has separate lines, so members do not overwrite each other.',
    scope: 'cart:write',
    params: sharedCartId,
    body: strict({ ...requesterFields, ...offerFields, Quantity: quantity }),
    reply: sharedCartReply,
    versioned: true,
    refusals: growthRefusals,
    run: async ({ tx, params, body, ifMatch, ...call }) => {
      const shopper = requesterOf(settings, call, body)
      const item = { ...(await offerNamed(tx, body)), quantity: body.Quantity }
      const held = await addSharedItem(tx, shopper, { id: params.id, ifMatch, item })
      const data = await sharedCartView(tx, shopper, { held, ...call })
      return { data, version: held.cart.version }
    },
  }),
  patch('/api/shared-carts/{id}/items/quantity', {
    summary: 'Change the quantity of an item of a shared cart',
    scope: 'cart:write',
    params: sharedCartId,
    body: strict({ ...requesterFields, ...offerFields, NewQuantity: quantity, ...lineOwner }),
    reply: sharedCartReply,
    versioned: true,
    refusals: growthRefusals,
    run: async ({ tx, params, body, ifMatch, ...call }) => {
      const shopper = requesterOf(settings, call, body)
      const held = await changeSharedItem(tx, shopper, {
        id: params.id,
        ifMatch,
        key: await offerNamed(tx, body),
        addedBy: body.AddedBy,
        quantity: body.NewQuantity,
      })
      const data = await sharedCartView(tx, shopper, { held, ...call })
      return { data, version: held.cart.version }
    },
  }),
  del('/api/shared-carts/{id}/items/{offerId}', {
    summary: 'Remove an item from a shared cart',
    description: 'A number names an ordinary offer, a UUID a moderated one.',
    scope: 'cart:write',
    params: { ...sharedCartId, offerId: moderatedIdText },
    query: strict({ ...requesterFields, ...lineOwner }),
    body: strict({ ...requesterFields, ...lineOwner }),
    reply: sharedCartReply,
    versioned: true,
    refusals: openRefusals,
    run: async ({ tx, params, query, body, ifMatch, ...call }) => {
      const shopper = requesterOf(settings, call, query, body)
      const { id, offerId } = params
      const held = await removeSharedItem(tx, shopper, {
        id,
        ifMatch,
        key: offerId.includes('-') ? await moderatedKey(tx, offerId) : ordinary(Number(offerId)),
        addedBy: body.AddedBy ?? query.AddedBy,
      })
      const data = await sharedCartView(tx, shopper, { held, ...call })
      return { data, version: held.cart.version }
    },
  }),
  del('/api/shared-carts/{id}/items', {
    summary: 'Remove an item of either kind from a shared cart',
    description: '`OfferId` or `ModeratedOfferId`, in the body or in the query.',
    scope: 'cart:write',
    params: sharedCartId,
    query: strict({
      ...requesterFields,
      ...lineOwner,
      OfferId: offerFields.OfferId,
      ModeratedOfferId: Type.Optional(moderatedIdText),
    }),
    body: strict({ ...requesterFields, ...lineOwner, ...offerFields }),
    reply: sharedCartReply,
    versioned: true,
    refusals: openRefusals,
    run: async ({ tx, params, query, body, ifMatch, ...call }) => {
      const shopper = requesterOf(settings, call, query, body)
      const held = await removeSharedItem(tx, shopper, {
        id: params.id,
        ifMatch,
        key: await offerNamed(tx, { ...query, ...body }),
        addedBy: body.AddedBy ?? query.AddedBy,
      })
      const data = await sharedCartView(tx, shopper, { held, ...call })
      return { data, version: held.cart.version }
    },
  }),
]
