// Routes for ordering from the cart (SPEC-2 4.1). Field names and money follow the cart's API.

import { Type } from 'typebox'
import type { Buyer } from '../../base/buyer.ts'
import type { Reader, Tx } from '../../base/database.ts'
import { inSums, sumTiyin } from '../../base/money.ts'
import { refuse } from '../../base/refusal.ts'
import * as cart from '../../cart/index.ts'
import { inLanguage, type Language } from '../../http/language.ts'
import type { RefusalCode } from '../../http/refusals.ts'
import { post, type RequestContext, type Route } from '../../http/route.ts'
import { id, instant, integer, list, name, named, oneOf, smallId, strict, text } from '../../http/schema.ts'
import { emailOf, findClients, phoneOf, refuseMergedOrErased } from '../../identity/index.ts'
import {
  deliveryFields,
  deliveryReply,
  deliveryView,
  inCartApi,
  addressOf,
  camelKeys,
} from '../delivery/request.ts'
import type { Address } from '../delivery/address.ts'
import { findAddress } from '../delivery/addresses-store.ts'
import type { WantedDelivery } from '../delivery/delivery.ts'
import { amountOf, type Contact, couponTiyin, type OrderLine } from '../order.ts'
import { mandateId } from '../mandates/wire.ts'
import { type PlacedOrders, placeOrders } from './place-orders.ts'
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
        Amount: Type.Number({ minimum: 0, description: 'With delivery.', examples: [1_299_000] }),
        Address: Type.String({ description: 'In one line.' }),
        Delivery: deliveryReply(inCartApi),
        Items: list(
          Type.Object({
            ...offerName,
            Title: Type.String(),
            Quantity: integer(1, 9_999),
            Price: amount,
            DiscountAmount: amount,
            Amount: amount,
          }),
        ),
      }),
    ),
    Skipped: list(
      Type.Object({
        ...offerName,
        Quantity: integer(1, 9_999),
        Reason: oneOf(cart.unavailableReasons),
      }),
    ),
    DiscountAmount: amount,
    TotalAmount: amount,
    PaymentMethodId: smallId,
    Status: oneOf(orderStatuses),
    CreatedAt: instant,
  }),
)

const refusals: RefusalCode[] = [
  'buyer_required',
  'buyer_mismatch',
  'conflict',
  'price_changed',
  'cart_empty',
  'nothing_orderable',
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
  'delivery_method_required',
  'delivery_unavailable',
  'mandate_required',
  'mandate_invalid',
  'mandate_category_not_allowed',
  'mandate_budget_exceeded',
  'confirmation_required',
  'coupon_inactive',
  'coupon_expired',
  'coupon_used_up',
  'coupon_already_used',
  'coupon_sign_in_required',
  'coupon_not_applicable',
  'coupon_amount_too_low',
]

/** What all ordering calls declare. */
export const ordering = {
  scope: ['cart:write', 'orders:write'],
  creates: true,
  versioned: true,
  shed: 'last',
  refusals,
} as const

const contactField = Type.Optional(
  Type.Object(
    {
      ...strict({ Name: name(200, 'Aziza') }).properties,
      Phone: text({ max: 40, examples: ['+998901234567'] }),
      Email: Type.Optional(text({ max: 254, examples: ['name@mail.uz'] })),
    },
    {
      additionalProperties: false,
      description: 'Required for guests. For clients it replaces the contact of the profile in this order.',
    },
  ),
)

const bodyFields = {
  ...cart.buyerFields,
  PaymentMethodId: smallId,
  ExpectedTotalAmount: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'The total that the buyer has seen, with delivery, in the currency of the request. If the order would charge another one, nothing is ordered: 409 `price_changed` with `expected`, `actual` and the changed lines.',
      examples: [1_299_000],
    }),
  ),
  ...deliveryFields(inCartApi),
  Contact: contactField,
  MandateId: Type.Optional(mandateId),
}

const selectable = 200
const chosenFields = {
  OfferIds: Type.Optional(Type.Array(id, { maxItems: selectable, uniqueItems: true })),
  ModeratedOfferIds: Type.Optional(Type.Array(cart.moderatedId, { maxItems: selectable, uniqueItems: true })),
}

interface SentContact {
  Name: string
  Phone: string
  Email?: string
}

/** What a caller sends, in the spelling of the cart's API. */
export interface SentOrder {
  PaymentMethodId: number
  ExpectedTotalAmount?: number
  OfferIds?: number[]
  ModeratedOfferIds?: (number | string)[]
  Contact?: SentContact
  MandateId?: string
}

type OrderRequest = Pick<RequestContext, 'currency' | 'ifMatch'> & { tx: Tx; body: SentOrder }

/** Places the orders of a request. */
export async function place(
  { tx, body, currency, ifMatch }: OrderRequest,
  shopper: cart.Shopper,
): Promise<PlacedOrders> {
  const isSelection = body.OfferIds !== undefined || body.ModeratedOfferIds !== undefined
  const chosen = isSelection ? await selectedLines(tx, body) : undefined
  return placeOrders(tx, shopper, {
    method: methodOf(body.PaymentMethodId),
    delivery: await wantedDelivery(tx, shopper.buyer, body),
    contact: await contactOf(tx, shopper.buyer, body.Contact),
    ifMatch,
    mandateId: body.MandateId,
    expected:
      body.ExpectedTotalAmount === undefined ? undefined : { amount: body.ExpectedTotalAmount, currency },
    chosen,
  })
}

/** The selected lines in the order of the request. An id that is unknown, or that names a line again, is refused. */
async function selectedLines(tx: Tx, body: SentOrder): Promise<cart.LineKey[]> {
  refuseEmptySelection(body)
  const { OfferIds = [], ModeratedOfferIds = [] } = body
  const moderated = await cart.moderatedKeysOf(tx, ModeratedOfferIds)
  const chosen = [...OfferIds.map((offerId) => ({ isModerated: false, offerId })), ...moderated]
  const names = chosen.map((it) => it && cart.keyOf(it))
  const fields = names.flatMap((name, at) => {
    const path = at < OfferIds.length ? `OfferIds.${at}` : `ModeratedOfferIds.${at - OfferIds.length}`
    if (name === undefined) return [{ path, rule: 'in_cart' }]
    return names.indexOf(name) < at ? [{ path, rule: 'unique' }] : []
  })
  if (fields.length > 0) throw refuse('validation_failed', { fields })
  return chosen.filter((it) => it !== undefined)
}

/** Not as an empty cart: the buyer has selected none of its lines. */
function refuseEmptySelection({ OfferIds = [], ModeratedOfferIds = [] }: SentOrder): void {
  if (OfferIds.length + ModeratedOfferIds.length === 0)
    throw refuse('validation_failed', { fields: [{ path: 'OfferIds', rule: 'required' }] })
}

interface SentDelivery {
  deliveryAddress?: string
  delivery?: {
    address?: object
    addressId?: string
    methods?: { partnerId: number | string; deliveryMethodId: number | string; pickupPointId?: string }[]
  }
}

/** The delivery that a request asks for, from either spelling. */
async function wantedDelivery(read: Reader, buyer: Buyer, body: object): Promise<WantedDelivery> {
  const { deliveryAddress, delivery = {} } = camelKeys(body) as SentDelivery
  if (delivery.address && delivery.addressId !== undefined)
    throw refuse('validation_failed', {
      fields: [{ path: 'Delivery.Address', rule: 'one_of', limit: ['Address', 'AddressId'] }],
    })
  return {
    address:
      delivery.addressId === undefined
        ? delivery.address
          ? addressOf(delivery.address)
          : null
        : await savedAddress(read, buyer, delivery.addressId),
    text: deliveryAddress?.trim() ?? null,
    choices: (delivery.methods ?? []).map((it) => ({
      partnerId: Number(it.partnerId),
      methodId: Number(it.deliveryMethodId),
      pointId: it.pickupPointId,
    })),
  }
}

async function savedAddress(read: Reader, buyer: Buyer, addressId: string): Promise<Address> {
  const found = buyer.kind === 'client' ? await findAddress(read, buyer.clientId, addressId) : undefined
  if (found) return found.address
  throw refuse('validation_failed', { fields: [{ path: 'Delivery.AddressId', rule: 'exists' }] })
}

/** The sent contact, else that of the client's profile; null for clients that are registered elsewhere. */
async function contactOf(tx: Tx, buyer: Buyer, sent: SentContact | undefined): Promise<Contact | null> {
  if (buyer.kind === 'client') await refuseMergedOrErased(tx, buyer.clientId)
  if (sent) return normalized(sent)
  if (buyer.kind === 'guest')
    throw refuse('validation_failed', { fields: [{ path: 'Contact', rule: 'required' }] })
  const [client] = await findClients(tx, [buyer.clientId])
  return client ? { name: client.name, phone: client.phone, email: client.email } : null
}

function normalized({ Name, Phone, Email }: SentContact): Contact {
  const phone = phoneOf(Phone)
  const email = Email === undefined ? null : emailOf(Email)
  const fields = [
    ...(phone === undefined ? [{ path: 'Contact.Phone', rule: 'format', limit: '+998901234567' }] : []),
    ...(email === undefined ? [{ path: 'Contact.Email', rule: 'format', limit: 'name@mail.uz' }] : []),
  ]
  if (fields.length > 0) throw refuse('validation_failed', { fields })
  return { name: Name.trim(), phone: phone!, email: email! }
}

export const wholeCart =
  'Checks every rule again with the current prices and stock; all or nothing. Lines that cannot be bought stay in the cart and are listed in `Skipped`. Creates one order per partner. With `If-Match` and the cart version that the buyer has seen, a cart that has changed since is refused.'
const someItems = 'Like ordering the whole cart, but a chosen line that cannot be bought refuses the order.'

export const orderingRoutes = (settings: cart.CartSettings): Route[] => [
  post('/api/cart/orders', {
    ...ordering,
    reply: orderResult,
    summary: 'Order the whole cart',
    description: wholeCart,
    body: strict(bodyFields),
    run: async ({ language, ...request }) => {
      const placed = await place(request, cart.shopperOf(settings, request, request.body))
      return { data: resultOf(placed, language) }
    },
  }),
  post('/api/cart/orders-v2', {
    ...ordering,
    reply: orderResult,
    summary: 'Order selected items of the cart',
    description: someItems,
    body: strict({ ...bodyFields, ...chosenFields }),
    run: async ({ language, ...request }) => {
      refuseEmptySelection(request.body)
      const placed = await place(request, cart.shopperOf(settings, request, request.body))
      return { data: resultOf(placed, language) }
    },
  }),
  post('/api/cart/mini-app/orders', {
    ...ordering,
    reply: orderResult,
    summary: 'Order the cart or selected items of it',
    description: `${wholeCart} With \`OfferIds\` or \`ModeratedOfferIds\` only these lines are ordered; one that cannot be bought refuses the order.`,
    body: strict({ ...bodyFields, ...chosenFields }),
    run: async ({ language, ...request }) => {
      const placed = await place(request, cart.shopperOf(settings, request, request.body))
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

function resultOf({ orders, skipped }: PlacedOrders, language: Language) {
  const [first] = orders
  return {
    OrderIds: orders.map((it) => it.id),
    Orders: orders.map((it) => ({
      OrderId: it.id,
      PartnerId: it.partnerId,
      Amount: inSums(it.amountTiyin),
      Address: it.address,
      Delivery: deliveryView(it.delivery, language, inCartApi),
      Items: it.lines.map((line) => itemOf(line, language)),
    })),
    Skipped: skipped.map(({ line, reason }) => ({
      ...nameOf(line),
      Quantity: line.quantity,
      Reason: reason,
    })),
    DiscountAmount: inSums(sumTiyin(orders.map(couponTiyin))),
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
  DiscountAmount: inSums(line.discountTiyin),
  Amount: inSums(amountOf(line)),
})
