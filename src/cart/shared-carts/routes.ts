// Carts that several people fill (SPEC-2 4.4).

import { Type } from 'typebox'
import type { Tx } from '../../base/db.ts'
import { del, get, post, type Route } from '../../http/route.ts'
import { id, integer, list, name, strict, text } from '../../http/schema.ts'
import type { Wish } from '../cart.ts'
import { quantity } from '../routes/buyer.ts'
import { cartFields, cartView } from '../routes/cart-view.ts'
import { ruleRefusals } from '../routes/items.ts'
import { offerFields, type OfferNames, offerNamed, wireName } from '../routes/named-offer.ts'
import type { Terms } from '../shopper.ts'
import { countOpen } from '../store/shared-carts.ts'
import { closeSharedCart, renewToken } from './close-shared-cart.ts'
import { createSharedCart } from './create-shared-cart.ts'
import { joinSharedCart, sharedCartOf } from './hold-shared-cart.ts'
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
      Reason: Type.String({ examples: ['offer_unavailable'] }),
    }),
    maxSharedLines,
  ),
})

async function wishesOf(tx: Tx, items: (OfferNames & { Quantity: number })[]): Promise<Wish[]> {
  const wishes: Wish[] = []
  for (const [at, it] of items.entries())
    wishes.push({ ...(await offerNamed(tx, it, `Items/${at}/`)), quantity: it.Quantity })
  return wishes
}

const readingRoutes = (terms: Terms): Route[] => [
  get('/api/shared-carts/count', {
    summary: 'Count the shared carts of a buyer',
    description: 'Those that are open and that he made or joined.',
    scope: 'cart:read',
    query: strict(requesterFields),
    reply: Type.Object({ Count: integer(0, Number.MAX_SAFE_INTEGER) }),
    refusals: ['buyer_required', 'buyer_mismatch'],
    run: async ({ read, query, ...call }) => {
      const { buyer } = requesterOf(terms, call, query)
      return { data: { Count: await countOpen(read, buyer) } }
    },
  }),
  get('/api/shared-carts/{id}', {
    summary: 'Get a shared cart',
    description:
      'For its creator, for clients whom he named, and for those who joined. To everybody else there is none, as after its time.',
    scope: 'cart:read',
    params: sharedCartId,
    query: strict(requesterFields),
    reply: sharedCartReply,
    refusals: sharedRefusals,
    run: async ({ read, params, query, ...call }) => {
      const shopper = requesterOf(terms, call, query)
      const held = await sharedCartOf(read, shopper.buyer, params.id)
      const data = await sharedCartView(read, shopper, { held, ...call })
      return { data, version: held.cart.version, isLiving: true }
    },
  }),
]

const creatorRoutes = (terms: Terms): Route[] => [
  post('/api/shared-carts', {
    summary: 'Create a shared cart',
    description: `It begins with the items that are named, or with a copy of the buyer's cart. Clients in \`ParticipantIds\` may open it; nobody is written to. All others join with the \`JoinToken\`, which is shown now and never again.`,
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
      const shopper = requesterOf(terms, call, body)
      const { cart, token } = await createSharedCart(tx, shopper, {
        wishes: body.Items && (await wishesOf(tx, body.Items)),
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
    description: 'For the creator. The old token stops working; those who have joined stay.',
    scope: 'cart:write',
    params: sharedCartId,
    body: strict(requesterFields),
    reply: sharedCartReply,
    versioned: true,
    secrets: ['JoinToken'],
    refusals: openRefusals,
    run: async ({ tx, params, body, ifMatch, ...call }) => {
      const shopper = requesterOf(terms, call, body)
      const { token, ...held } = await renewToken(tx, shopper.buyer, { id: params.id, ifMatch })
      const data = await sharedCartView(tx, shopper, { held, token, ...call })
      return { data, version: held.cart.version }
    },
  }),
  del('/api/shared-carts/{id}', {
    summary: 'Close a shared cart',
    description:
      'For the creator. Nobody can change it any more; its members may look at it until it expires.',
    scope: 'cart:write',
    params: sharedCartId,
    query: strict(requesterFields),
    body: strict(requesterFields),
    reply: sharedCartReply,
    versioned: true,
    refusals: openRefusals,
    run: async ({ tx, params, query, body, ifMatch, ...call }) => {
      const shopper = requesterOf(terms, call, query, body)
      const held = await closeSharedCart(tx, shopper.buyer, { id: params.id, ifMatch })
      const data = await sharedCartView(tx, shopper, { held, ...call })
      return { data, version: held.cart.version }
    },
  }),
]

const memberRoutes = (terms: Terms): Route[] => [
  post('/api/shared-carts/{id}/participants', {
    summary: 'Join a shared cart',
    description:
      'With the token, or without it for clients whom the creator named. Joining twice is joining once.',
    scope: 'cart:write',
    params: sharedCartId,
    body: strict({ ...requesterFields, Token: Type.Optional(text({ max: 128 })) }),
    reply: sharedCartReply,
    refusals: [...sharedRefusals, 'shared_cart_closed', 'conflict'],
    run: async ({ tx, params, body, ...call }) => {
      const shopper = requesterOf(terms, call, body)
      const held = await joinSharedCart(tx, shopper.buyer, { id: params.id, token: body.Token })
      const data = await sharedCartView(tx, shopper, { held, ...call })
      return { data, version: held.cart.version }
    },
  }),
  post('/api/shared-carts/{id}/to-cart', {
    summary: 'Take a shared cart into one’s own',
    description:
      'Puts what all have gathered into the cart of the member who asks, and closes the shared cart. What cannot be bought now is left behind and named in `Skipped`; all the rest goes through the rules of his cart, all or nothing, with every broken rule reported. The reply shows his cart.',
    scope: 'cart:write',
    params: sharedCartId,
    body: strict(requesterFields),
    reply: takenReply,
    versioned: true,
    refusals: [...new Set([...openRefusals, ...ruleRefusals, 'cart_empty' as const])],
    run: async ({ tx, params, body, ifMatch, ...call }) => {
      const shopper = requesterOf(terms, call, body)
      const { basket, skipped } = await takeSharedCart(tx, shopper, { id: params.id, ifMatch })
      const Skipped = skipped.map((it) => ({
        ...wireName(it),
        Quantity: it.quantity,
        Reason: 'offer_unavailable',
      }))
      return { data: { ...cartView(basket, call), Skipped } }
    },
  }),
]

export const sharedCartRoutes = (terms: Terms): Route[] => [
  ...readingRoutes(terms),
  ...creatorRoutes(terms),
  ...memberRoutes(terms),
  ...sharedItemRoutes(terms),
]
