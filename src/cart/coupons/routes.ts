// Coupons of the buyer's cart.

import { Type } from 'typebox'
import type { RefusalCode } from '../../http/refusals.ts'
import { del, post, put, type Route } from '../../http/route.ts'
import { strict } from '../../http/schema.ts'
import type { Cart, PricedCart } from '../carts/cart.ts'
import { buyerFields, buyerQuery, shopperOf } from '../carts/request.ts'
import { cartRefusals } from '../carts/routes.ts'
import type { CartSettings } from '../carts/shopper.ts'
import { cartId, shopperOfCart, shownCustomer, v1Reply, v1View } from '../carts/v1-routes.ts'
import { versionOf } from '../carts/version.ts'
import { cartReply, cartView } from '../carts/view.ts'
import { miniReply, miniView } from '../mini-app/routes.ts'
import { codeForm } from './coupon.ts'
import { applyCoupon, removeCoupon } from './use-coupon.ts'

const code = Type.String({ pattern: codeForm, examples: ['NAVRUZ10'] })

const refusals: RefusalCode[] = [
  ...cartRefusals,
  'cart_empty',
  'coupon_unknown',
  'coupon_inactive',
  'coupon_expired',
  'coupon_used_up',
  'coupon_already_used',
  'coupon_sign_in_required',
  'coupon_not_applicable',
  'coupon_amount_too_low',
]

const applying = {
  summary: 'Apply a coupon',
  description:
    'Replaces the coupon that the cart has. Refused when the coupon gives no discount for the cart now. The order redeems it; a coupon that no longer applies then makes the cart not orderable until it is removed.',
  scope: 'cart:write',
  versioned: true,
} as const
const removing = { summary: 'Remove the coupon', scope: 'cart:write', versioned: true } as const

export const couponRoutes = (settings: CartSettings): Route[] => [
  post('/api/cart/coupon', {
    ...applying,
    body: strict({ Code: code, ...buyerFields }),
    reply: cartReply,
    refusals,
    run: async ({ tx, body, ifMatch, ...call }) => {
      const priced = await applyCoupon(tx, shopperOf(settings, call, body), { code: body.Code, ifMatch })
      return { data: cartView(priced, call), version: versionOf(priced) }
    },
  }),
  del('/api/cart/coupon', {
    ...removing,
    query: buyerQuery,
    body: strict(buyerFields),
    reply: cartReply,
    refusals: cartRefusals,
    run: async ({ tx, query, body, ifMatch, ...call }) => {
      const priced = await removeCoupon(tx, shopperOf(settings, call, query, body), { ifMatch })
      return { data: cartView(priced, call), version: versionOf(priced) }
    },
  }),
  post('/api/cart/mini-app/coupon', {
    ...applying,
    body: strict({ Code: code, ...buyerFields }),
    reply: miniReply,
    refusals,
    run: async ({ tx, body, ifMatch, ...call }) => {
      const priced = await applyCoupon(tx, shopperOf(settings, call, body), { code: body.Code, ifMatch })
      return { data: miniView(priced, call), version: versionOf(priced) }
    },
  }),
  del('/api/cart/mini-app/coupon', {
    ...removing,
    query: buyerQuery,
    body: strict(buyerFields),
    reply: miniReply,
    refusals: cartRefusals,
    run: async ({ tx, query, body, ifMatch, ...call }) => {
      const priced = await removeCoupon(tx, shopperOf(settings, call, query, body), { ifMatch })
      return { data: miniView(priced, call), version: versionOf(priced) }
    },
  }),
  put('/v1/cart/{cart_id}/coupon', {
    ...applying,
    params: { cart_id: cartId },
    body: strict({ code }),
    reply: v1Reply,
    refusals: [...refusals, 'not_found'],
    run: async ({ tx, params, body, ifMatch, ...call }) => {
      const shopper = await shopperOfCart(tx, params.cart_id, { settings, ...call })
      const priced = (await applyCoupon(tx, shopper, { code: body.code, ifMatch })) as PricedCart<Cart>
      const customerId = shownCustomer(shopper.buyer, call)
      return { data: v1View(priced, { ...call, customerId }), version: versionOf(priced) }
    },
  }),
  del('/v1/cart/{cart_id}/coupon', {
    ...removing,
    params: { cart_id: cartId },
    reply: v1Reply,
    refusals: ['not_found', 'version_mismatch'],
    run: async ({ tx, params, ifMatch, ...call }) => {
      const shopper = await shopperOfCart(tx, params.cart_id, { settings, ...call })
      const priced = (await removeCoupon(tx, shopper, { ifMatch })) as PricedCart<Cart>
      const customerId = shownCustomer(shopper.buyer, call)
      return { data: v1View(priced, { ...call, customerId }), version: versionOf(priced) }
    },
  }),
]
