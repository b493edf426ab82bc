// The cart in the short form of the mini-app (SPEC-2 4.2): other schemas, the same cart and rules.

import { Type } from 'typebox'
import { inCurrency } from '../../base/money.ts'
import { del, get, post, type Route } from '../../http/route.ts'
import { flag, id, integer, list, named, strict } from '../../http/schema.ts'
import { addItems } from '../carts/add-items.ts'
import { viewCart } from '../carts/load-cart.ts'
import { payableTiyin } from '../carts/order-rules.ts'
import { isAvailable, type PricedCart, type PricedLine, whyUnavailable } from '../carts/cart.ts'
import { removeItem } from '../carts/change-items.ts'
import type { CartSettings } from '../carts/shopper.ts'
import { buyerFields, buyerQuery, ordinary, shopperOf } from '../carts/request.ts'
import { versionOf } from '../carts/version.ts'
import {
  addedIn,
  addFields,
  imagesOf,
  titleOf,
  unavailableReason,
  type ViewOptions,
} from '../carts/line-wire.ts'
import { couponReply, couponView, discountAmount, unitsForSale } from '../carts/view.ts'
import { cartRefusals, ruleRefusals } from '../carts/routes.ts'

const amount = Type.Number({ minimum: 0, examples: [1_299_000] })

const itemFields = {
  Title: Type.String(),
  Price: amount,
  Quantity: integer(1, 9_999),
  ImageUrl: Type.String(),
  IsAvailable: flag,
  Reason: unavailableReason,
}

export const miniReply = named(
  'MiniAppCart',
  Type.Object({
    Items: list(Type.Object({ OfferId: id, ...itemFields }), 200),
    ModeratedItems: list(Type.Object({ ModeratedOfferId: id, ...itemFields }), 200),
    TotalAmount: amount,
    DiscountAmount: discountAmount,
    Coupon: couponReply,
    TotalItemsCount: integer(0, Number.MAX_SAFE_INTEGER),
  }),
)

export function miniView(priced: PricedCart, reading: ViewOptions) {
  const { lines } = priced
  const { currency } = reading
  const view = (it: PricedLine) => ({
    Title: titleOf(it, reading),
    Price: inCurrency(it.offer?.priceTiyin ?? it.line.priceAtAddTiyin, currency),
    Quantity: it.line.quantity,
    ImageUrl: imagesOf(it, reading)[0]?.mdPath ?? '',
    IsAvailable: isAvailable(it),
    Reason: whyUnavailable(it) ?? null,
  })
  return {
    Items: lines
      .filter(({ line }) => !line.isModerated)
      .map((it) => ({ OfferId: it.line.offerId, ...view(it) })),
    ModeratedItems: lines
      .filter(({ line }) => line.isModerated)
      .map((it) => ({ ModeratedOfferId: it.line.offerId, ...view(it) })),
    TotalAmount: inCurrency(payableTiyin(priced), currency),
    DiscountAmount: inCurrency(priced.coupon?.discountTiyin ?? 0, currency),
    Coupon: couponView(priced, reading),
    TotalItemsCount: unitsForSale(lines),
  }
}

export const miniAppRoutes = (settings: CartSettings): Route[] => [
  post('/api/cart/mini-app/items', {
    summary: 'Add an item',
    scope: 'cart:write',
    body: strict({ OfferId: id, ...addFields, ...buyerFields }),
    reply: miniReply,
    versioned: true,
    refusals: ruleRefusals,
    run: async ({ tx, body, ifMatch, ...call }) => {
      const item = { ...ordinary(body.OfferId), ...addedIn(body) }
      const priced = await addItems(tx, shopperOf(settings, call, body), { items: [item], ifMatch })
      return { data: miniView(priced, call), version: versionOf(priced) }
    },
  }),
  get('/api/cart/mini-app/items', {
    summary: 'View the cart',
    scope: 'cart:read',
    query: buyerQuery,
    reply: miniReply,
    refusals: ['buyer_required', 'buyer_mismatch'],
    run: async ({ read, query, ...call }) => {
      const priced = await viewCart(read, shopperOf(settings, call, query))
      return { data: miniView(priced, call), version: versionOf(priced), isVolatile: true }
    },
  }),
  del('/api/cart/mini-app/items/{offerId}', {
    summary: 'Remove an item',
    scope: 'cart:write',
    params: { offerId: id },
    query: buyerQuery,
    body: strict(buyerFields),
    reply: miniReply,
    versioned: true,
    refusals: [...cartRefusals, 'not_found'],
    run: async ({ tx, params, query, body, ifMatch, ...call }) => {
      const shopper = shopperOf(settings, call, query, body)
      const priced = await removeItem(tx, shopper, { key: ordinary(params.offerId), ifMatch })
      return { data: miniView(priced, call), version: versionOf(priced) }
    },
  }),
]
