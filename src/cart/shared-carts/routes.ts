// Carts that several buyers fill together (SPEC-2 4.4).

import { Type } from 'typebox'
import type { Tx } from '../../base/database.ts'
import { del, get, post, type Route } from '../../http/route.ts'
import { id, integer, list, name, oneOf, strict, text } from '../../http/schema.ts'
import { type AddItem, unavailableReasons } from '../carts/cart.ts'
import { quantity, offerFields, type OfferNames, offerNamed, wireName } from '../carts/request.ts'
import { cartFields, cartView } from '../carts/view.ts'
import { ruleRefusals } from '../carts/routes.ts'
import type { CartSettings } from '../carts/shopper.ts'
import { countOpen } from './store.ts'
import { closeSharedCart, renewToken, joinSharedCart, findForMember } from './manage-shared-cart.ts'
import { createSharedCart, creatorPlace, readToken } from './create-shared-cart.ts'
import { sharedItemRoutes } from './item-routes.ts'
import { openRefusals, requesterFields, requesterOf, sharedCartId, sharedRefusals } from './requester.ts'
import { defaultHours, maxHours, maxParticipants, maxSharedLines } from './shared-cart.ts'
import { takeSharedCart } from './take-shared-cart.ts'
import { sharedCartReply, sharedCartView } from './view.ts'

const takenReply = Type.Object({
  ...cartFields,
  Skipped: list(
    Type.Object({
      OfferId: Type.Optional(id),
      ModeratedOfferId: Type.Optional(id),
      Quantity: integer(1, Number.MAX_SAFE_INTEGER),
      Reason: oneOf(unavailableReasons),
    }),
    maxSharedLines,
  ),
})

async function itemsToAdd(tx: Tx, items: (OfferNames & { Quantity: number })[]): Promise<AddItem[]> {
  const found: AddItem[] = []
  for (const [at, it] of items.entries())
    found.push({ ...(await offerNamed(tx, it, `Items.${at}.`)), quantity: it.Quantity })
  return found
}

const readingRoutes = (settings: CartSettings): Route[] => [
  get('/api/shared-carts/count', {
    summary: 'Count the shared carts of a buyer',
    description: 'Open shared carts that the buyer created or joined, or is named in as a participant.',
    scope: 'cart:read',
    query: strict(requesterFields),
    reply: Type.Object({ Count: integer(0, Number.MAX_SAFE_INTEGER) }),
    refusals: ['buyer_required', 'buyer_mismatch'],
    run: async ({ read, query, ...call }) => {
      const { buyer } = requesterOf(settings, call, query)
      return { data: { Count: await countOpen(read, buyer) } }
    },
  }),
  get('/api/shared-carts/{id}', {
    summary: 'Get a shared cart',
    description:
      'For the creator, for clients named by the creator, and for buyers who joined. Other callers get 404, and so do all after expiry.',
    scope: 'cart:read',
    params: sharedCartId,
    query: strict(requesterFields),
    reply: sharedCartReply,
    refusals: sharedRefusals,
    run: async ({ read, params, query, ...call }) => {
      const shopper = requesterOf(settings, call, query)
      const held = await findForMember(read, shopper.buyer, params.id)
      const token = held.member.place === creatorPlace ? readToken(settings, held.cart) : undefined
      const data = await sharedCartView(read, shopper, { held, ...(token && { token }), ...call })
      return { data, version: held.cart.version, isVolatile: true }
    },
  }),
]

const creatorRoutes = (settings: CartSettings): Route[] => [
  post('/api/shared-carts', {
    summary: 'Create a shared cart',
    description: `It contains the given items, or a copy of the buyer's cart. Clients in \`ParticipantIds\` may open it; they are not notified. All others join with the \`JoinToken\`, which only the creator sees.`,
    scope: 'cart:write',
    body: strict({
      ...requesterFields,
      Items: Type.Optional(list(strict({ ...offerFields, Quantity: quantity }), maxSharedLines)),
      ParticipantIds: Type.Optional(list(id, maxParticipants)),
      ExpiresInHours: Type.Optional(integer(1, maxHours, { default: defaultHours })),
      Title: Type.Optional(name(200, 'Birthday')),
    }),
    reply: sharedCartReply,
    creates: true,
    secrets: ['JoinToken'],
    refusals: [
      ...sharedRefusals,
      'cart_full',
      'offer_unavailable',
      'stock_exceeded',
      'product_limit_exceeded',
      'amount_too_large',
    ],
    run: async ({ tx, body, ...call }) => {
      const shopper = requesterOf(settings, call, body)
      const { cart, token } = await createSharedCart(tx, shopper, {
        items: body.Items && (await itemsToAdd(tx, body.Items)),
        participantIds: body.ParticipantIds ?? [],
        hours: body.ExpiresInHours ?? defaultHours,
        title: body.Title ?? null,
      })
      const held = { cart, member: cart.members[0]! }
      const data = await sharedCartView(tx, shopper, { held, token, ...call })
      return { data, version: cart.version, created: true }
    },
  }),
  post('/api/shared-carts/{id}/join-token', {
    summary: 'Make a new join token',
    description: 'For the creator. The old token stops working; members stay.',
    scope: 'cart:write',
    params: sharedCartId,
    body: strict(requesterFields),
    reply: sharedCartReply,
    versioned: true,
    secrets: ['JoinToken'],
    refusals: openRefusals,
    run: async ({ tx, params, body, ifMatch, ...call }) => {
      const shopper = requesterOf(settings, call, body)
      const { token, ...held } = await renewToken(tx, shopper, { id: params.id, ifMatch })
      const data = await sharedCartView(tx, shopper, { held, token, ...call })
      return { data, version: held.cart.version }
    },
  }),
  del('/api/shared-carts/{id}', {
    summary: 'Close a shared cart',
    description: 'For the creator. It cannot be changed afterwards; members may view it until it expires.',
    scope: 'cart:write',
    params: sharedCartId,
    query: strict(requesterFields),
    body: strict(requesterFields),
    reply: sharedCartReply,
    versioned: true,
    refusals: openRefusals,
    run: async ({ tx, params, query, body, ifMatch, ...call }) => {
      const shopper = requesterOf(settings, call, query, body)
      const held = await closeSharedCart(tx, shopper.buyer, { id: params.id, ifMatch })
      const data = await sharedCartView(tx, shopper, { held, ...call })
      return { data, version: held.cart.version }
    },
  }),
]

const memberRoutes = (settings: CartSettings): Route[] => [
  post('/api/shared-carts/{id}/participants', {
    summary: 'Join a shared cart',
    description: 'With the token, or without it for clients named by the creator. Idempotent.',
    scope: 'cart:write',
    params: sharedCartId,
    body: strict({ ...requesterFields, Token: Type.Optional(text({ max: 128 })) }),
    reply: sharedCartReply,
    refusals: [...sharedRefusals, 'shared_cart_closed', 'conflict'],
    run: async ({ tx, params, body, ...call }) => {
      const shopper = requesterOf(settings, call, body)
      const held = await joinSharedCart(tx, shopper.buyer, { id: params.id, token: body.Token })
      const data = await sharedCartView(tx, shopper, { held, ...call })
      return { data, version: held.cart.version }
    },
  }),
  post('/api/shared-carts/{id}/to-cart', {
    summary: 'Move a shared cart into the own cart',
    description:
      'Adds the items of all members to the cart of the caller and closes the shared cart. Items that cannot be bought now are listed in `Skipped`. All others must pass the rules of the caller’s cart: either all are added or none, and every broken rule is reported. The reply contains the caller’s cart.',
    scope: 'cart:write',
    params: sharedCartId,
    body: strict(requesterFields),
    reply: takenReply,
    versioned: true,
    refusals: [
      ...new Set([...openRefusals, ...ruleRefusals, 'cart_empty' as const, 'nothing_orderable' as const]),
    ],
    run: async ({ tx, params, body, ifMatch, ...call }) => {
      const shopper = requesterOf(settings, call, body)
      const { priced, skipped } = await takeSharedCart(tx, shopper, { id: params.id, ifMatch })
      const Skipped = skipped.map(({ line, reason }) => ({
        ...wireName(line),
        Quantity: line.quantity,
        Reason: reason,
      }))
      return { data: { ...cartView(priced, call), Skipped } }
    },
  }),
]

export const sharedCartRoutes = (settings: CartSettings): Route[] => [
  ...readingRoutes(settings),
  ...creatorRoutes(settings),
  ...memberRoutes(settings),
  ...sharedItemRoutes(settings),
]
