// The cart by offer (SPEC-2 4.1, 4.3): ordinary and moderated items share every call, and differ in how an offer is named.

import { type TSchema, Type } from 'typebox'
import type { Reader } from '../../base/db.ts'
import { refuse } from '../../base/refusal.ts'
import type { RefusalCode } from '../../http/refusals.ts'
import { del, get, patch, post, type Route } from '../../http/route.ts'
import { id, idText, list, nullable, oneOf, strict } from '../../http/schema.ts'
import { mergingBuyers } from '../../identity/index.ts'
import { addItems } from '../add-items.ts'
import { shownBasket } from '../basket.ts'
import type { LineKey } from '../cart.ts'
import { changeCondition } from '../change-condition.ts'
import { changeQuantity } from '../change-quantity.ts'
import { clearCart } from '../clear-cart.ts'
import { mergeCarts } from '../merge-carts.ts'
import { strategies } from '../merge.ts'
import { removeItem, removeItems } from '../remove-items.ts'
import type { Terms } from '../shopper.ts'
import {
  buyerFields,
  buyerQuery,
  moderatedId,
  moderatedIdText,
  moderatedKey,
  moderatedKeys,
  namedIn,
  ordinary,
  quantity,
  sessionId,
  shopperOf,
} from './buyer.ts'
import { cartReply, cartView, mergeReply } from './cart-view.ts'
import { wireName } from './named-offer.ts'

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

/** How a family of calls names an offer, in a body and in a path. */
interface Family {
  path: string
  words: string
  field: 'OfferId' | 'ModeratedOfferId'
  shape: TSchema
  parameter: { name: string; shape: TSchema }
  keyOf(read: Reader, named: number | string): Promise<LineKey>
}

const ordinaryItems: Family = {
  path: '/api/cart/items',
  words: 'an item',
  field: 'OfferId',
  shape: id,
  parameter: { name: 'offerId', shape: id },
  keyOf: async (_read, named) => ordinary(Number(named)),
}

const moderatedItems: Family = {
  path: '/api/cart/moderated-items',
  words: 'a moderated item',
  field: 'ModeratedOfferId',
  shape: moderatedId,
  parameter: { name: 'moderatedOfferId', shape: moderatedIdText },
  keyOf: moderatedKey,
}

/** What the bodies of a family hold, each some of it; their shapes see to it that what is read is there. */
interface Given {
  ClientId?: number
  SessionId?: string
  OfferId?: number
  ModeratedOfferId?: number | string
  Quantity: number
  NewQuantity: number
  LoanConditionId?: number | null
}

function familyRoutes(terms: Terms, { path, words, field, shape, parameter, keyOf }: Family): Route[] {
  const body = (fields: Record<string, TSchema>) =>
    Type.Unsafe<Given>(strict({ [field]: shape, ...fields, ...buyerFields }))
  const shared = { scope: 'cart:write', reply: cartReply, versioned: true } as const
  return [
    post(path, {
      ...shared,
      summary: `Add ${words}`,
      description:
        'Units are added to those that the cart holds. A loan condition that is left out stays as it is. The reply shows the whole cart.',
      body: body({ Quantity: quantity, LoanConditionId: Type.Optional(id) }),
      refusals: ruleRefusals,
      run: async ({ tx, body: given, ifMatch, ...call }) => {
        const key = await keyOf(tx, given[field]!)
        const wish = { ...key, quantity: given.Quantity, loanConditionId: given.LoanConditionId ?? undefined }
        const basket = await addItems(tx, shopperOf(terms, call, given), { wishes: [wish], ifMatch })
        return { data: cartView(basket, call), version: basket.cart.version }
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
        const shopper = shopperOf(terms, call, query, given)
        const key = await keyOf(tx, (params as Record<string, number | string>)[parameter.name]!)
        const basket = await removeItem(tx, shopper, { key, ifMatch })
        return { data: cartView(basket, call), version: basket.cart?.version ?? 0 }
      },
    }),
    patch(`${path}/quantity`, {
      ...shared,
      summary: `Change the quantity of ${words}`,
      body: body({ NewQuantity: quantity }),
      refusals: ruleRefusals,
      run: async ({ tx, body: given, ifMatch, ...call }) => {
        const shopper = shopperOf(terms, call, given)
        const key = await keyOf(tx, given[field]!)
        const basket = await changeQuantity(tx, shopper, { key, quantity: given.NewQuantity, ifMatch })
        return { data: cartView(basket, call), version: basket.cart!.version }
      },
    }),
    patch(`${path}/condition`, {
      ...shared,
      summary: `Change the loan condition of ${words}`,
      description: 'A condition that the offer has, or null to clear it.',
      body: body({ LoanConditionId: nullable(id) }),
      refusals: ruleRefusals,
      run: async ({ tx, body: given, ifMatch, ...call }) => {
        const shopper = shopperOf(terms, call, given)
        const key = await keyOf(tx, given[field]!)
        const loanConditionId = given.LoanConditionId ?? null
        const basket = await changeCondition(tx, shopper, { key, loanConditionId, ifMatch })
        return { data: cartView(basket, call), version: basket.cart!.version }
      },
    }),
  ]
}

const mostIds = 1_000
const idsInQuery = (shape: TSchema) => Type.Optional(Type.Unsafe<string[]>(list(shape, mostIds)))

export const itemRoutes = (terms: Terms): Route[] => [
  get('/api/cart/items', {
    summary: 'View the cart',
    description:
      'Prices and stock as they are now. Lines that cannot be bought stay and say so; they count in no total.',
    scope: 'cart:read',
    query: buyerQuery,
    reply: cartReply,
    refusals: ['buyer_required', 'buyer_mismatch'],
    run: async ({ read, query, ...call }) => {
      const basket = await shownBasket(read, shopperOf(terms, call, query))
      return { data: cartView(basket, call), version: basket.cart?.version ?? 0, isLiving: true }
    },
  }),
  ...familyRoutes(terms, ordinaryItems),
  ...familyRoutes(terms, moderatedItems),
  del('/api/cart/items', {
    summary: 'Clear the cart',
    scope: 'cart:write',
    query: buyerQuery,
    body: strict(buyerFields),
    reply: cartReply,
    versioned: true,
    refusals: cartRefusals,
    run: async ({ tx, query, body, ifMatch, ...call }) => {
      const basket = await clearCart(tx, shopperOf(terms, call, query, body), { ifMatch })
      return { data: cartView(basket, call), version: basket.cart?.version ?? 0 }
    },
  }),
  del('/api/cart/items/bulk', {
    summary: 'Remove selected items',
    description:
      'Ids in the body, or separated by commas in the query. Those that are not in the cart are passed over.',
    scope: 'cart:write',
    query: strict({
      ...buyerFields,
      OfferIds: idsInQuery(idText),
      ModeratedOfferIds: idsInQuery(moderatedIdText),
    }),
    body: strict({
      ...buyerFields,
      OfferIds: Type.Optional(list(id, mostIds)),
      ModeratedOfferIds: Type.Optional(list(moderatedId, mostIds)),
    }),
    reply: cartReply,
    versioned: true,
    refusals: cartRefusals,
    run: async ({ tx, query, body, ifMatch, ...call }) => {
      const shopper = shopperOf(terms, call, query, body)
      const offers = body.OfferIds ?? query.OfferIds
      const moderated = body.ModeratedOfferIds ?? query.ModeratedOfferIds
      if (!offers && !moderated)
        throw refuse('validation_failed', { fields: [{ path: 'OfferIds', rule: 'required' }] })
      const keys = [
        ...(offers ?? []).map((it) => ordinary(Number(it))),
        ...(await moderatedKeys(tx, moderated ?? [])),
      ]
      const basket = await removeItems(tx, shopper, { keys, ifMatch })
      return { data: cartView(basket, call), version: basket.cart?.version ?? 0 }
    },
  }),
  post('/api/cart/merge-carts', {
    summary: "Merge a guest's cart into a client's",
    description:
      'For the moment when a guest signs in. Lines of both carts follow the strategy; stock and limits cap them, and the reply says what was dropped. Repeating it changes nothing.',
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
      const { basket, report } = await mergeCarts(tx, terms, {
        guest,
        client,
        strategy: body.Strategy ?? 'max',
      })
      const Merge = report.map(({ key, from, kept, dropped, reason }) => ({
        ...wireName(key),
        From: from,
        Kept: kept,
        Dropped: dropped,
        Reason: reason,
      }))
      return { data: { ...cartView(basket, call), Merge }, version: basket.cart?.version ?? 0 }
    },
  }),
]
