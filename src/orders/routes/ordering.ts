// Ordering from the cart (SPEC-2 4.1, contract 7): names and money as the cart module writes them.

import { Type } from 'typebox'
import { inSums, sumTiyin } from '../../base/money.ts'
import { refuse } from '../../base/refusal.ts'
import * as cart from '../../cart/index.ts'
import { inLanguage, type Language } from '../../http/language.ts'
import type { RefusalCode } from '../../http/refusals.ts'
import { post, type Route } from '../../http/route.ts'
import { id, instant, integer, list, named, oneOf, strict, text } from '../../http/schema.ts'
import { amountOf, type OrderLine } from '../order.ts'
import { type Placed, placeOrders } from '../place-orders.ts'
import { orderStatuses, statesOf } from '../states.ts'

const amount = Type.Number({ minimum: 0, examples: [1_299_000] })
const offerName = { OfferId: Type.Optional(id), ModeratedOfferId: Type.Optional(id) }

const orderResult = named(
  'OrderResult',
  Type.Object({
    OrderIds: list(id),
    Orders: list(
      Type.Object({
        OrderId: id,
        PartnerId: id,
        Amount: amount,
        Items: list(
          Type.Object({
            ...offerName,
            Title: Type.String(),
            Quantity: integer(1, 9_999),
            Price: amount,
            Amount: amount,
          }),
        ),
      }),
    ),
    Skipped: list(
      Type.Object({
        ...offerName,
        Quantity: integer(1, 9_999),
        Reason: Type.String({ examples: ['offer_unavailable'] }),
      }),
    ),
    TotalAmount: amount,
    PaymentMethodId: id,
    Status: oneOf(orderStatuses),
    CreatedAt: instant,
  }),
)

const refusals: RefusalCode[] = [
  'buyer_required',
  'buyer_mismatch',
  'cart_empty',
  'offer_unavailable',
  'moderation_pending',
  'stock_exceeded',
  'product_limit_exceeded',
  'guest_limit_exceeded',
  'authorization_required',
  'amount_too_large',
  'purchase_limit_exceeded',
  'credit_limit_exceeded',
  'payment_method_not_allowed',
  'loan_condition_required',
  'loan_condition_unavailable',
  'partner_credit_inactive',
]

const shared = {
  scope: ['cart:write', 'orders:write'],
  reply: orderResult,
  creates: true,
  versioned: true,
  shed: 'last',
  refusals,
} as const

const bodyFields = {
  ...cart.buyerFields,
  PaymentMethodId: id,
  DeliveryAddress: text({ max: 500, pattern: '\\S', examples: ['Toshkent, Amir Temur 1'] }),
}

const selectable = 200

export const orderingRoutes = (terms: cart.Terms): Route[] => [
  post('/api/cart/orders', {
    ...shared,
    summary: 'Order the whole cart',
    description:
      'Everything is judged again at the prices and the stock of this moment, all or nothing. Lines that cannot be bought stay in the cart and stand in `Skipped`. There is one order per partner. With `If-Match` and the version of the cart that the buyer has seen, a cart that has changed since is not ordered.',
    body: strict(bodyFields),
    run: async ({ tx, body, language, ifMatch, ...call }) => {
      const placed = await placeOrders(tx, cart.shopperOf(terms, call, body), {
        method: methodOf(body.PaymentMethodId),
        address: body.DeliveryAddress,
        ifMatch,
      })
      return { data: resultOf(placed, language) }
    },
  }),
  post('/api/cart/orders-v2', {
    ...shared,
    summary: 'Order selected items of the cart',
    description: 'As ordering the whole cart; but a chosen line that cannot be bought refuses the order.',
    body: strict({
      ...bodyFields,
      OfferIds: Type.Optional(Type.Array(id, { maxItems: selectable, uniqueItems: true })),
      ModeratedOfferIds: Type.Optional(
        Type.Array(cart.moderatedId, { maxItems: selectable, uniqueItems: true }),
      ),
    }),
    run: async ({ tx, body, language, ifMatch, ...call }) => {
      const { OfferIds = [], ModeratedOfferIds = [] } = body
      if (OfferIds.length + ModeratedOfferIds.length === 0)
        throw refuse('validation_failed', { fields: [{ path: 'OfferIds', rule: 'required' }] })
      const shopper = cart.shopperOf(terms, call, body)
      const moderated = await cart.moderatedKeys(tx, ModeratedOfferIds)
      if (new Set(moderated.map(cart.keyOf)).size < ModeratedOfferIds.length)
        throw refuse('validation_failed', { fields: [{ path: 'ModeratedOfferIds', rule: 'in_cart' }] })
      const placed = await placeOrders(tx, shopper, {
        method: methodOf(body.PaymentMethodId),
        address: body.DeliveryAddress,
        ifMatch,
        chosen: [...OfferIds.map((offerId) => ({ isModerated: false, offerId })), ...moderated],
      })
      return { data: resultOf(placed, language) }
    },
  }),
]

function methodOf(methodId: number): cart.PaymentMethod {
  const method = cart.paymentMethods.find((it) => it.id === methodId)
  if (method) return method
  throw refuse('validation_failed', {
    fields: [{ path: 'PaymentMethodId', rule: 'choice', limit: cart.paymentMethods.map((it) => it.id) }],
  })
}

const nameOf = ({ isModerated, offerId }: cart.LineKey) =>
  isModerated ? { ModeratedOfferId: offerId } : { OfferId: offerId }

function resultOf({ orders, skipped }: Placed, language: Language) {
  const [first] = orders
  return {
    OrderIds: orders.map((it) => it.id),
    Orders: orders.map((it) => ({
      OrderId: it.id,
      PartnerId: it.partnerId,
      Amount: inSums(it.amountTiyin),
      Items: it.lines.map((line) => itemOf(line, language)),
    })),
    Skipped: skipped.map(({ line }) => ({
      ...nameOf(line),
      Quantity: line.quantity,
      Reason: 'offer_unavailable',
    })),
    TotalAmount: inSums(sumTiyin(orders.map((it) => it.amountTiyin))),
    PaymentMethodId: first!.methodId,
    Status: statesOf(first!).status,
    CreatedAt: first!.createdAt.toISOString(),
  }
}

const itemOf = (line: OrderLine, language: Language) => ({
  ...nameOf(line),
  Title: inLanguage(line.name, language),
  Quantity: line.quantity,
  Price: inSums(line.priceTiyin),
  Amount: inSums(amountOf(line)),
})
