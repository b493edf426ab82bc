// The view of a cart (SPEC-2 2.2, SPEC-2 4). Money is in sums, or in the requested currency.

import { Type } from 'typebox'
import { inCurrency } from '../../base/money.ts'
import { ruleCodes } from '../../http/refusals.ts'
import { flag, id, instant, integer, list, named, nullable, oneOf } from '../../http/schema.ts'
import {
  itemReply,
  itemView,
  messageReply,
  messageView,
  moderatedItemReply,
  moderatedItemView,
  type ViewOptions,
} from './line-wire.ts'
import { couponReasons } from '../coupons/coupon.ts'
import { cartMessages, messageText } from './messages.ts'
import { paymentMethodCodes } from './payment-methods.ts'
import { judgeCart, payableTiyin } from './order-rules.ts'
import { isAvailable, type PricedCart, type PricedLine } from './cart.ts'
import { versionOf } from './version.ts'

const string = Type.String()

export const discountAmount = Type.Number({
  minimum: 0,
  description: 'What the coupon takes off.',
  examples: [100_000],
})
export const couponReply = nullable(
  named(
    'CartCoupon',
    Type.Object({
      Code: Type.String({ examples: ['NAVRUZ10'] }),
      IsApplied: Type.Boolean({ description: 'When false, the cart cannot be ordered with it.' }),
      Reason: nullable(oneOf(couponReasons)),
      Message: nullable(string),
      EndsAt: nullable(instant),
    }),
  ),
)

export const cartFields = {
  CartId: nullable(Type.String({ description: 'Null before the first item.' })),
  Version: integer(0, Number.MAX_SAFE_INTEGER, {
    description:
      'For `If-Match`: another one after every change of the cart, and of a price, a promotion or the availability of a line.',
  }),
  Currency: Type.String({ examples: ['UZS'] }),
  Items: list(itemReply, 200),
  ModeratedItems: list(moderatedItemReply, 200),
  TotalAmount: Type.Number({ minimum: 0, description: 'After the discount.', examples: [1_299_000] }),
  DiscountAmount: discountAmount,
  Coupon: couponReply,
  TotalItemsCount: integer(0, Number.MAX_SAFE_INTEGER, { description: 'Units that can be bought now.' }),
  CanOrder: Type.Boolean({
    description:
      'Whether the cart can be ordered now by at least one payment method. Lines that cannot be bought now stay in the cart. An order charges `TotalAmount` and the delivery.',
  }),
  AvailablePaymentMethods: list(
    named(
      'CartPaymentMethod',
      Type.Object({
        Id: id,
        Code: oneOf(paymentMethodCodes),
        Name: string,
        IsInstallment: flag,
        IsAvailable: flag,
        Reason: nullable(oneOf(ruleCodes)),
      }),
    ),
    10,
  ),
  Messages: list(messageReply, 20),
  CreatedAt: nullable(instant),
  UpdatedAt: nullable(instant),
  ExpiresAt: nullable(instant),
}

export const cartReply = named('Cart', Type.Object(cartFields))
export const mergeReply = Type.Object({
  ...cartFields,
  Merge: list(
    Type.Object({
      OfferId: Type.Optional(id),
      ModeratedOfferId: Type.Optional(id),
      From: oneOf(['guest', 'both'], { description: 'Which carts held the line.' }),
      Kept: integer(0, 9_999, { description: 'Units that the line has now.' }),
      Dropped: integer(0, 19_998, {
        description: 'Units of the strategy that stock or limits did not allow.',
      }),
      Reason: nullable(oneOf(ruleCodes, { description: 'Why they were dropped.' })),
      Messages: list(messageReply, 1),
    }),
    200,
  ),
})

export const unitsForSale = (lines: readonly PricedLine[]): number =>
  lines.filter(isAvailable).reduce((sum, { line }) => sum + line.quantity, 0)

export function cartView(priced: PricedCart, reading: ViewOptions) {
  const { cart, lines } = priced
  const verdict = judgeCart(priced)
  const { violations } = verdict
  return {
    CartId: cart?.id ?? null,
    Version: versionOf(priced),
    Currency: reading.currency.code,
    Items: lines
      .filter(({ line }) => !line.isModerated)
      .map((it) => itemView(it, priced, { ...reading, violations })),
    ModeratedItems: lines
      .filter(({ line }) => line.isModerated)
      .map((it) => moderatedItemView(it, priced, { ...reading, violations })),
    TotalAmount: inCurrency(payableTiyin(priced), reading.currency),
    DiscountAmount: inCurrency(priced.coupon?.discountTiyin ?? 0, reading.currency),
    Coupon: couponView(priced, reading),
    TotalItemsCount: unitsForSale(lines),
    CanOrder: verdict.canOrder,
    AvailablePaymentMethods: verdict.methods.map(({ method, reason }) => ({
      Id: method.id,
      Code: method.code,
      Name: method.name[reading.language],
      IsInstallment: method.isInstallment,
      IsAvailable: reason === undefined,
      Reason: reason ?? null,
    })),
    Messages: cartMessages(priced, verdict).map((it) => messageView(it, reading)),
    CreatedAt: cart?.createdAt.toISOString() ?? null,
    UpdatedAt: cart?.updatedAt.toISOString() ?? null,
    ExpiresAt: cart?.expiresAt?.toISOString() ?? null,
  }
}

export function couponView(
  { coupon }: Pick<PricedCart, 'coupon'>,
  { language }: Pick<ViewOptions, 'language'>,
) {
  if (!coupon) return null
  const { reason } = coupon
  return {
    Code: coupon.coupon.code,
    IsApplied: reason === undefined,
    Reason: reason ?? null,
    Message: reason ? messageText({ code: reason, severity: 'warning' }, language) : null,
    EndsAt: coupon.coupon.endsAt?.toISOString() ?? null,
  }
}
