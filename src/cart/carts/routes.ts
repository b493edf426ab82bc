// The cart by offer (SPEC-2 4.1, 4.3): ordinary and moderated items have the same routes and differ in how an offer is named.

import { type TSchema, Type } from 'typebox'
import type { Reader } from '../../base/database.ts'
import { refuse } from '../../base/refusal.ts'
import type { RefusalCode } from '../../http/refusals.ts'
import { del, get, patch, post, type Route } from '../../http/route.ts'
import { id, list, oneOf, strict } from '../../http/schema.ts'
import { mergingBuyers } from '../../identity/index.ts'
import { addItems } from './add-items.ts'
import { viewCart } from './load-cart.ts'
import type { LineKey } from './cart.ts'
import { changeLine, clearCart, removeItem, removeItems } from './change-items.ts'
import { addedIn, addFields, changeRoutes, type LineBody, messageView } from './line-wire.ts'
import { mergeCarts } from '../merging/merge-carts.ts'
import { strategies } from '../merging/merge.ts'
import type { CartSettings } from './shopper.ts'
import {
  type BuyerNames,
  buyerFields,
  buyerQuery,
  moderatedId,
  moderatedIdText,
  moderatedKey,
  moderatedKeys,
  namedIn,
  type OfferNames,
  ordinary,
  sessionId,
  shopperOf,
  wireName,
  maxIds,
  moderatedIdsInQuery,
  offerIdsInQuery,
} from './request.ts'
import { versionOf } from './version.ts'
import { cartReply, cartView, mergeReply } from './view.ts'

export const cartRefusals: RefusalCode[] = ['buyer_required', 'buyer_mismatch', 'version_mismatch']
export const ruleRefusals: RefusalCode[] = [
  ...cartRefusals,
  'not_found',
  'cart_full',
  'offer_unavailable',
  'stock_exceeded',
  'product_limit_exceeded',
  'guest_limit_exceeded',
  'amount_too_large',
  'purchase_limit_exceeded',
  'credit_limit_exceeded',
  'loan_condition_unavailable',
  'partner_credit_inactive',
]

/** How the routes of one item kind name an offer, in a body and in a path. */
interface ItemKind {
  path: string
  words: string
  field: 'OfferId' | 'ModeratedOfferId'
  shape: TSchema
  parameter: { name: string; shape: TSchema }
  keyOf(read: Reader, named: number | string): Promise<LineKey>
}

const ordinaryItems: ItemKind = {
  path: '/api/cart/items',
  words: 'an item',
  field: 'OfferId',
  shape: id,
  parameter: { name: 'offerId', shape: id },
  keyOf: async (_read, named) => ordinary(Number(named)),
}

const moderatedItems: ItemKind = {
  path: '/api/cart/moderated-items',
  words: 'a moderated item',
  field: 'ModeratedOfferId',
  shape: moderatedId,
  parameter: { name: 'moderatedOfferId', shape: moderatedIdText },
  keyOf: moderatedKey,
}

/** All fields of the bodies of one item kind. */
type ItemBody = BuyerNames & OfferNames & LineBody

function itemKindRoutes(
  settings: CartSettings,
  { path, words, field, shape, parameter, keyOf }: ItemKind,
): Route[] {
  const body = (fields: Record<string, TSchema>) =>
    Type.Unsafe<ItemBody>(strict({ [field]: shape, ...fields, ...buyerFields }))
  const shared = { scope: 'cart:write', reply: cartReply, versioned: true } as const
  return [
    post(path, {
      ...shared,
      summary: `Add ${words}`,
      description:
        'Units are added to those in the cart. An omitted loan condition stays unchanged. The reply contains the whole cart.',
      body: body(addFields),
      refusals: ruleRefusals,
      run: async ({ tx, body: given, ifMatch, ...call }) => {
        const key = await keyOf(tx, given[field]!)
        const items = [{ ...key, ...addedIn(given) }]
        const priced = await addItems(tx, shopperOf(settings, call, given), { items, ifMatch })
        return { data: cartView(priced, call), version: versionOf(priced) }
      },
    }),
    del(`${path}/{${parameter.name}}`, {
      ...shared,
      summary: `Remove ${words}`,
      params: { [parameter.name]: parameter.shape },
      query: buyerQuery,
      body: strict(buyerFields),
      refusals: [...cartRefusals, 'not_found'],
      run: async ({ tx, params, query, body: given, ifMatch, ...call }) => {
        const shopper = shopperOf(settings, call, query, given)
        const key = await keyOf(tx, (params as Record<string, number | string>)[parameter.name]!)
        const priced = await removeItem(tx, shopper, { key, ifMatch })
        return { data: cartView(priced, call), version: versionOf(priced) }
      },
    }),
    ...changeRoutes.map((it) =>
      patch(`${path}/${it.path}`, {
        ...shared,
        summary: `Change ${it.words} of ${words}`,
        ...(it.description && { description: it.description }),
        body: body(it.fields),
        refusals: ruleRefusals,
        run: async ({ tx, body: given, ifMatch, ...call }) => {
          const shopper = shopperOf(settings, call, given)
          const key = await keyOf(tx, given[field]!)
          const priced = await changeLine(tx, shopper, { key, change: it.changeIn(given), ifMatch })
          return { data: cartView(priced, call), version: versionOf(priced) }
        },
      }),
    ),
  ]
}

export const itemRoutes = (settings: CartSettings): Route[] => [
  get('/api/cart/items', {
    summary: 'View the cart',
    description:
      'Current prices and stock. Lines that cannot be bought stay in the cart, are marked, and count in no total.',
    scope: 'cart:read',
    query: buyerQuery,
    reply: cartReply,
    refusals: ['buyer_required', 'buyer_mismatch'],
    run: async ({ read, query, ...call }) => {
      const priced = await viewCart(read, shopperOf(settings, call, query))
      return { data: cartView(priced, call), version: versionOf(priced), isVolatile: true }
    },
  }),
  ...itemKindRoutes(settings, ordinaryItems),
  ...itemKindRoutes(settings, moderatedItems),
  del('/api/cart/items', {
    summary: 'Clear the cart',
    scope: 'cart:write',
    query: buyerQuery,
    body: strict(buyerFields),
    reply: cartReply,
    versioned: true,
    refusals: cartRefusals,
    run: async ({ tx, query, body, ifMatch, ...call }) => {
      const priced = await clearCart(tx, shopperOf(settings, call, query, body), { ifMatch })
      return { data: cartView(priced, call), version: versionOf(priced) }
    },
  }),
  del('/api/cart/items/bulk', {
    summary: 'Remove selected items',
    description:
      'Ids in the body, or separated by commas in the query. Ids that are not in the cart are ignored.',
    scope: 'cart:write',
    query: strict({
      ...buyerFields,
      OfferIds: offerIdsInQuery,
      ModeratedOfferIds: moderatedIdsInQuery,
    }),
    body: strict({
      ...buyerFields,
      OfferIds: Type.Optional(list(id, maxIds)),
      ModeratedOfferIds: Type.Optional(list(moderatedId, maxIds)),
    }),
    reply: cartReply,
    versioned: true,
    refusals: cartRefusals,
    run: async ({ tx, query, body, ifMatch, ...call }) => {
      const shopper = shopperOf(settings, call, query, body)
      const offers = body.OfferIds ?? query.OfferIds
      const moderated = body.ModeratedOfferIds ?? query.ModeratedOfferIds
      if (!offers && !moderated)
        throw refuse('validation_failed', { fields: [{ path: 'OfferIds', rule: 'required' }] })
      const keys = [
        ...(offers ?? []).map((it) => ordinary(Number(it))),
        ...(await moderatedKeys(tx, moderated ?? [])),
      ]
      const priced = await removeItems(tx, shopper, { keys, ifMatch })
      return { data: cartView(priced, call), version: versionOf(priced) }
    },
  }),
  post('/api/cart/merge-carts', {
    summary: "Merge a guest's cart into a client's",
    description:
      'Call it when a guest signs in. The strategy decides on offers in both carts; stock and limits cap quantities, and the reply lists what was dropped. Idempotent.',
    scope: 'cart:write',
    body: strict({
      ClientId: buyerFields.ClientId,
      SessionId: Type.Optional(sessionId),
      Strategy: Type.Optional(
        oneOf(strategies, {
          description:
            'For offers in both carts: the larger quantity, their sum, the guest’s, or the client’s.',
        }),
      ),
    }),
    reply: mergeReply,
    refusals: ['buyer_required', 'buyer_mismatch'],
    run: async ({ tx, body, ...call }) => {
      const { guest, client } = mergingBuyers(call.principal!, namedIn(body))
      const { priced, report } = await mergeCarts(tx, settings, {
        guest,
        client,
        strategy: body.Strategy ?? 'max',
      })
      const Merge = report.map(({ key, from, kept, dropped, reason, clearedConditionId }) => ({
        ...wireName(key),
        From: from,
        Kept: kept,
        Dropped: dropped,
        Reason: reason,
        Messages:
          clearedConditionId === null
            ? []
            : [messageView({ code: 'loan_condition_cleared', severity: 'warning' }, call)],
      }))
      return { data: { ...cartView(priced, call), Merge }, version: versionOf(priced) }
    },
  }),
]
