// The cart by product and variant (SPEC-1 4.1): the same cart as by offer. Ids are strings, money includes its currency.

import { Type } from 'typebox'
import { asMoney, shownTiyin } from '../../base/money.ts'
import { type Buyer, buyerIdOf } from '../../base/buyer.ts'
import type { Reader } from '../../base/database.ts'
import { Refusal, refuse } from '../../base/refusal.ts'
import type { Language } from '../../http/language.ts'
import { get, post, type Principal, type RequestContext, type Route } from '../../http/route.ts'
import {
  flag,
  idText,
  instant,
  integer,
  list,
  named,
  nullable,
  oneOf,
  strict,
  text,
} from '../../http/schema.ts'
import { buyerOf, fieldForBoth, namedByCustomerId } from '../../identity/index.ts'
import { addItems } from './add-items.ts'
import { viewCart } from './load-cart.ts'
import { type Cart, maxLines, type PricedCart, type PricedLine } from './cart.ts'
import { chooseOffers } from './choose-offer.ts'
import { payableTiyin } from './order-rules.ts'
import type { Shopper, CartSettings } from './shopper.ts'
import { findCartById } from './store.ts'
import { versionOf } from './version.ts'
import { couponReasons } from '../coupons/coupon.ts'
import { addedInV1, addFieldsV1, itemFieldsV1, lineViewV1, moneyV1, type ViewOptions } from './line-wire.ts'
import { shopperFor, uuidInAnyCase } from './request.ts'
import { couponView, unitsForSale } from './view.ts'
import { ruleRefusals } from './routes.ts'

const couponReplyV1 = nullable(
  Type.Object({
    code: Type.String({ examples: ['NAVRUZ10'] }),
    is_applied: flag,
    reason: nullable(oneOf(couponReasons)),
    message: nullable(Type.String()),
  }),
)

function couponV1(priced: Pick<PricedCart, 'coupon'>, language: Language) {
  const view = couponView(priced, { language })
  return view && { code: view.Code, is_applied: view.IsApplied, reason: view.Reason, message: view.Message }
}

export const v1Reply = Type.Object({
  cart: named(
    'CartV1',
    Type.Object({
      id: Type.String({ examples: ['019a4b1e-7c52-7d3a-9f10-2b6c8e4d5a77'] }),
      customer_id: Type.String({ examples: ['42'] }),
      items: list(Type.Object({ offer_id: idText, ...itemFieldsV1 }), maxLines),
      moderated_items: list(Type.Object({ moderated_offer_id: idText, ...itemFieldsV1 }), maxLines),
      total: moneyV1,
      discount: moneyV1,
      coupon: couponReplyV1,
      items_count: integer(0, Number.MAX_SAFE_INTEGER),
      created_at: instant,
      updated_at: instant,
    }),
  ),
})

export function v1View(
  { cart, lines, coupon }: PricedCart<Cart>,
  { currency, language, customerId }: Pick<ViewOptions, 'currency' | 'language'> & { customerId: string },
) {
  const view = (it: PricedLine) => lineViewV1(it, currency)
  return {
    cart: {
      id: cart.id,
      customer_id: customerId,
      items: lines
        .filter(({ line }) => !line.isModerated)
        .map((it) => ({ offer_id: String(it.line.offerId), ...view(it) })),
      moderated_items: lines
        .filter(({ line }) => line.isModerated)
        .map((it) => ({ moderated_offer_id: String(it.line.offerId), ...view(it) })),
      total: asMoney(payableTiyin({ lines, coupon }), currency),
      discount: asMoney(shownTiyin(coupon?.discountTiyin ?? 0), currency),
      coupon: couponV1({ coupon }, language),
      items_count: unitsForSale(lines),
      created_at: cart.createdAt.toISOString(),
      updated_at: cart.updatedAt.toISOString(),
    },
  }
}

/**
 * The buyer of a cart. Refuses with `not_found` when the caller may not act for this buyer. Keys of web and mobile
 * applications ship to devices: they reach the carts of guests that their own application has opened.
 */
export async function shopperOfCart(
  read: Reader,
  cartId: string,
  { settings, principal }: { settings: CartSettings } & Pick<RequestContext, 'principal'>,
): Promise<Shopper> {
  const cart = await findCartById(read, cartId)
  const absent = refuse('not_found', { resource: 'cart', id: cartId })
  if (!cart) throw absent
  const { buyer } = cart
  const whose = buyer.kind === 'client' ? { clientId: buyer.clientId } : { sessionId: buyer.sessionId }
  if (isOnDevices(principal!) && cart.applicationId !== principal!.application!.id) throw absent
  try {
    return { settings, buyer: buyerOf(principal!, whose), applicationId: cart.applicationId }
  } catch (error) {
    throw error instanceof Refusal ? absent : error
  }
}

/** Whether the credential is the key of an application that ships to devices. */
const isOnDevices = ({ actor, application }: Principal): boolean =>
  actor.kind === 'application' && application !== null && application.type !== 'server'

/** A caller who knows only the id of a cart does not get the session id of its guest, which opens more than the cart. */
export const shownCustomer = (buyer: Buyer, { principal }: Pick<RequestContext, 'principal'>): string =>
  buyer.kind === 'guest' && !isOnDevices(principal!) ? buyer.sessionId : String(buyerIdOf(buyer))

export const cartId = Type.String({
  pattern: `^${uuidInAnyCase}$`,
  examples: ['019a4b1e-7c52-7d3a-9f10-2b6c8e4d5a77'],
})

export const v1CartRoutes = (settings: CartSettings): Route[] => [
  post('/v1/cart', {
    summary: 'Open a cart, or add to the one that the customer has',
    description:
      'A product and variant are resolved to their best offer that can serve the quantity: in stock, cheapest, of the best rated partner. A product in several variants needs a `variant_id`; without one it is refused with the variants to choose from. Either all items are added or none.',
    scope: 'cart:write',
    body: strict({
      customer_id: text({ max: 128, description: 'Digits are a client id, anything else is a session id.' }),
      items: Type.Optional(list(strict(addFieldsV1), maxLines)),
    }),
    reply: v1Reply,
    versioned: true,
    creates: 'sometimes',
    refusals: ruleRefusals,
    run: async ({ tx, body, ifMatch, ...call }) => {
      const named = namedByCustomerId(body.customer_id)
      const shopper = shopperFor(settings, call, { named, fields: fieldForBoth('customer_id') })
      const products = body.items ?? []
      const keys = await chooseOffers(tx, products, { ...call, shopper, pathOf: (at) => `items.${at}.` })
      const items = keys.map((key, at) => ({ ...key, ...addedInV1(products[at]!) }))
      const priced = await addItems(tx, shopper, { items, ifMatch })
      return {
        data: v1View(priced, { ...call, customerId: body.customer_id }),
        version: versionOf(priced),
        created: priced.cart.version === 1,
      }
    },
  }),
  get('/v1/cart/{cart_id}', {
    summary: 'Get a cart',
    scope: 'cart:read',
    params: { cart_id: cartId },
    reply: v1Reply,
    refusals: ['not_found'],
    run: async ({ read, params, ...call }) => {
      const shopper = await shopperOfCart(read, params.cart_id, { settings, ...call })
      const priced = await viewCart(read, shopper)
      if (!priced.cart) throw refuse('not_found')
      const shown = priced as PricedCart<Cart>
      const customerId = shownCustomer(shopper.buyer, call)
      return { data: v1View(shown, { ...call, customerId }), version: versionOf(shown), isVolatile: true }
    },
  }),
  post('/v1/cart/{cart_id}/items', {
    summary: 'Add an item to a cart',
    scope: 'cart:write',
    params: { cart_id: cartId },
    body: strict(addFieldsV1),
    reply: v1Reply,
    versioned: true,
    refusals: ruleRefusals,
    run: async ({ tx, params, body, ifMatch, ...call }) => {
      const shopper = await shopperOfCart(tx, params.cart_id, { settings, ...call })
      const keys = await chooseOffers(tx, [body], { ...call, shopper, pathOf: () => '' })
      const items = keys.map((key) => ({ ...key, ...addedInV1(body) }))
      const priced = await addItems(tx, shopper, { items, ifMatch })
      const customerId = shownCustomer(shopper.buyer, call)
      return { data: v1View(priced, { ...call, customerId }), version: versionOf(priced) }
    },
  }),
]
