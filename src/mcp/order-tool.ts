// Ordering by an agent: always under a mandate. The server checks it in the transaction of the order.

import { type Static, Type } from 'typebox'
import { refuse } from '../base/refusal.ts'
import { integer, maxInt4, strict, text, uuid } from '../http/schema.ts'
import { type AgentShop, mandatesOf, mandateView } from './shop.ts'
import type { Tool } from './tool.ts'

const id = integer(1, Number.MAX_SAFE_INTEGER)
const input = strict({
  payment_method_id: integer(1, maxInt4, { description: 'One of payment_methods of view_cart.' }),
  expected_total: Type.Number({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description:
      'The total in sums that the buyer has seen, with delivery. Another total is refused with price_changed.',
  }),
  delivery_address: Type.Optional(text({ max: 500, description: 'The address in one line.' })),
  delivery_methods: Type.Optional(
    Type.Array(
      strict({ partner_id: id, delivery_method_id: id, pickup_point_id: Type.Optional(text({ max: 100 })) }),
      {
        maxItems: 200,
        description: 'One per partner, from list_delivery_methods. Leave out for free delivery.',
      },
    ),
  ),
  offer_ids: Type.Optional(
    Type.Array(id, {
      minItems: 1,
      maxItems: 200,
      description: 'Lines of the cart to order; leave out to order all that are available.',
    }),
  ),
  mandate_id: Type.Optional({
    ...uuid,
    description:
      'From list_mandates. Without it the one active mandate is used; with several active ones name it.',
  } as typeof uuid),
  idempotency_key: Type.Optional(
    text({
      max: 255,
      description: 'Repeat a call with the same key after a failure: the order is placed once.',
    }),
  ),
})

type Input = Static<typeof input>

export const orderTool: Tool<typeof input> = {
  name: 'order',
  title: 'Order the cart',
  description:
    "Orders the buyer's cart, one order per partner; this spends the buyer's money. All or nothing: a refusal changes nothing. Needs an active mandate: the total with delivery must be within what is left of its budget and all products within its categories, besides the purchase limits of the buyer. A mandate may ask the buyer to confirm this version of the cart first.",
  input,
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  run: async (shop, sent) => {
    const mandateId = sent.mandate_id ?? (await onlyActiveMandate(shop))
    const body = { ...orderFields(shop, sent), MandateId: mandateId }
    const options = sent.idempotency_key === undefined ? {} : { idempotencyKey: sent.idempotency_key }
    const placed = sent.offer_ids
      ? await shop.bozor.cart.orderItems({ ...body, OfferIds: sent.offer_ids }, options)
      : await shop.bozor.cart.order(body, options)
    return {
      order_ids: placed.OrderIds.map(String),
      status: placed.Status,
      total: placed.TotalAmount,
      mandate_id: mandateId,
      skipped: placed.Skipped,
    }
  },
}

const orderFields = ({ buyer }: AgentShop, sent: Input) => ({
  ...buyer,
  PaymentMethodId: sent.payment_method_id,
  ExpectedTotalAmount: sent.expected_total,
  ...(sent.delivery_address !== undefined && { DeliveryAddress: sent.delivery_address }),
  ...(sent.delivery_methods && {
    Delivery: {
      Methods: sent.delivery_methods.map((it) => ({
        PartnerId: it.partner_id,
        DeliveryMethodId: it.delivery_method_id,
        ...(it.pickup_point_id !== undefined && { PickupPointId: it.pickup_point_id }),
      })),
    },
  }),
})

/** With one active mandate there is nothing to choose; of several the agent names one. */
async function onlyActiveMandate(shop: AgentShop): Promise<string> {
  const active = await mandatesOf(shop, { status: 'active' })
  if (active.length === 1) return active[0]!.id
  throw active.length === 0
    ? refuse('mandate_required', { reason: 'none' })
    : refuse('mandate_required', {
        reason: 'several',
        active: active.length,
        mandates: active.map(mandateView),
      })
}
