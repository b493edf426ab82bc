// Ordering a cart by its id (SPEC-1 4.1): the same orders as from the cart's API, in the spelling of `/v1`.

import { Type } from 'typebox'
import { asMoney, type Currency, sumTiyin } from '../../base/money.ts'
import { Refusal, refuse } from '../../base/refusal.ts'
import type { FieldFault } from '../../base/validation.ts'
import * as cart from '../../cart/index.ts'
import { post, type RequestContext, type Route } from '../../http/route.ts'
import { idInput, integer, list, name, smallIdInput, strict, text } from '../../http/schema.ts'
import { deliveryFields, inV1, v1Path } from '../delivery/request.ts'
import { skippedReply, skippedView } from '../line-view.ts'
import { mandateId } from '../mandates/wire.ts'
import { statesOf } from '../states.ts'
import { money, orderSummary, summaryView } from '../view.ts'
import { ordering, place, type SentOrder, wholeCart } from './routes.ts'

const selectable = 200

const body = strict({
  cart_id: cart.cartId,
  payment_method_id: smallIdInput,
  expected_total: Type.Optional(
    Type.Object(
      { amount: integer(0, Number.MAX_SAFE_INTEGER), currency: text({ max: 3, examples: ['UZS'] }) },
      {
        additionalProperties: false,
        description:
          'The total that the buyer has seen, with delivery. If the order would charge another one, nothing is ordered: 409 `price_changed` with `actual_total`.',
        examples: [{ amount: 129_900_000, currency: 'UZS' }],
      },
    ),
  ),
  offer_ids: Type.Optional(Type.Array(idInput, { maxItems: selectable, uniqueItems: true })),
  moderated_offer_ids: Type.Optional(
    Type.Array(cart.moderatedId, { maxItems: selectable, uniqueItems: true }),
  ),
  contact: Type.Optional(
    Type.Object(
      {
        name: name(200, 'Aziza'),
        phone: text({ max: 40, examples: ['+998901234567'] }),
        email: Type.Optional(text({ max: 254, examples: ['name@mail.uz'] })),
      },
      {
        additionalProperties: false,
        description: 'Required for guests. For clients it replaces the contact of the profile in this order.',
      },
    ),
  ),
  ...deliveryFields(inV1),
  mandate_id: Type.Optional(mandateId),
})

interface SentInV1 {
  payment_method_id: number | string
  expected_total?: { amount: number; currency: string }
  offer_ids?: (number | string)[]
  moderated_offer_ids?: (number | string)[]
  contact?: { name: string; phone: string; email?: string }
  mandate_id?: string
}

/** The same in the spelling of the cart's API. Fields of the delivery are read in either spelling. */
function asSentToCart(sent: SentInV1, { currency }: Pick<RequestContext, 'currency'>): SentOrder {
  const { expected_total: expected, offer_ids: offers, moderated_offer_ids: moderated, contact } = sent
  if (expected && expected.currency !== currency.code)
    throw refuse('validation_failed', {
      fields: [{ path: 'expected_total.currency', rule: 'choice', limit: [currency.code] }],
    })
  return {
    ...sent,
    PaymentMethodId: Number(sent.payment_method_id),
    ...(expected && { ExpectedTotalAmount: expected.amount / currency.parts }),
    ...(offers && { OfferIds: offers.map(Number) }),
    ...(moderated && { ModeratedOfferIds: moderated }),
    ...(sent.mandate_id !== undefined && { MandateId: sent.mandate_id }),
    ...(contact && {
      Contact: {
        Name: contact.name,
        Phone: contact.phone,
        ...(contact.email !== undefined && { Email: contact.email }),
      },
    }),
  }
}

/** Runs a use case of the cart's API and spells the fields and the total of its refusals as `/v1` does. */
async function translateRefusals<T>({ parts }: Currency, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { fields, actual, currency } = error.details as {
      fields?: FieldFault[]
      actual?: number
      currency?: string
    }
    throw refuse(error.code, {
      ...error.details,
      ...(fields && { fields: fields.map((it) => ({ ...it, path: v1Path(it.path) })) }),
      ...(error.code === 'price_changed' && {
        actual_total: { amount: Math.round(actual! * parts), currency },
      }),
    })
  }
}

export interface V1OrderingOptions {
  settings: cart.CartSettings
  unpaidOrderMinutes: number
}

export const v1OrderingRoutes = ({ settings, unpaidOrderMinutes }: V1OrderingOptions): Route[] => [
  post('/v1/orders', {
    ...ordering,
    summary: 'Order a cart or selected items of it',
    description: `${wholeCart.replace('Skipped', 'skipped')} With \`offer_ids\` or \`moderated_offer_ids\` only these lines are ordered; one that cannot be bought refuses the order.`,
    body,
    reply: Type.Object({ orders: list(orderSummary, 200), skipped: list(skippedReply, 200), total: money }),
    refusals: [...ordering.refusals, 'not_found'],
    run: async ({ tx, body: sent, language, ...request }) => {
      const shopper = await cart.shopperOfCart(tx, sent.cart_id, { settings, ...request })
      const { orders, skipped } = await translateRefusals(request.currency, () =>
        place({ tx, body: asSentToCart(sent, request), ...request }, shopper),
      )
      const options = { language, origin: request.origin, unpaidOrderMinutes }
      return {
        data: {
          orders: orders.map((it) => summaryView({ ...it, ...statesOf(it) }, options)),
          skipped: skipped.map(({ line, reason }) => skippedView(line, reason)),
          total: asMoney(sumTiyin(orders.map((it) => it.amountTiyin))),
        },
      }
    },
  }),
]
