// What the tools need of the shop, in few words: agents pay for every field that they read. All calls go through the SDK.

import { refuse } from '../base/refusal.ts'
import type { Bozor, Operations } from '../sdk/index.ts'

/** For whom the tools act. Empty when the credential belongs to the buyer. */
export type BuyerFields = { ClientId: number } | { SessionId: string } | {}

export interface AgentShop {
  bozor: Bozor
  buyer: BuyerFields
  /** Throws unless the credential belongs to a buyer. */
  requireBuyer(): Promise<void>
  /** The id by which recommendations know the buyer; undefined for unknown buyers. */
  userId: string | undefined
}

type Found = Operations['products.search']['reply']['products'][number]
type Detail = Operations['products.get']['reply']['product']
type Cart = Operations['cart.get']['reply']
type Mandate = Operations['mandates.get']['reply']['mandate']
type Order = Operations['orders.get']['reply']['order']
type OrderSummary = Operations['orders.list']['item']

const tiyinPerSum = 100
const inSums = ({ amount }: { amount: number }): number => amount / tiyinPerSum
const maybeSums = (money: { amount: number } | null): number | null => money && inSums(money)

export const foundView = (it: Found) => ({
  product_id: it.id,
  name: it.name,
  category: it.category,
  brand: it.brand?.name ?? null,
  price: maybeSums(it.price),
  old_price: maybeSums(it.old_price),
  in_stock: it.in_stock,
  rating: it.rating,
  best_offer_id: it.best_offer_id === null ? null : Number(it.best_offer_id),
})

const maxOffers = 20

export const productView = (it: Detail) => ({
  ...foundView(it),
  description: it.description,
  variants: it.variants,
  offers: it.offers.slice(0, maxOffers).map((offer) => ({
    offer_id: Number(offer.id),
    name: offer.name,
    price: inSums(offer.price),
    available: offer.quantity,
    partner: { id: offer.partner.id, name: offer.partner.name, rating: offer.partner.rating },
    loan_conditions: offer.loan_conditions.map((loan) => ({
      id: Number(loan.id),
      months: loan.duration,
      commission_percent: loan.commission,
    })),
  })),
})

export const cartView = (it: Cart) => ({
  cart_version: it.Version,
  currency: it.Currency,
  lines: it.Items.map((line) => ({
    offer_id: line.OfferId,
    name: line.Title,
    quantity: line.Quantity,
    price: line.Price,
    is_available: line.PurchaseRestrictions.IsAvailable,
    reason: line.PurchaseRestrictions.Reason,
    max_quantity: line.PurchaseRestrictions.MaxQuantity,
  })),
  total: it.TotalAmount,
  can_order: it.CanOrder,
  payment_methods: it.AvailablePaymentMethods.filter((method) => method.IsAvailable).map((method) => ({
    id: method.Id,
    name: method.Name,
  })),
})

const maxMandates = 100

/** The mandates that the buyer granted to the application, the latest first. */
export async function mandatesOf(shop: AgentShop, filter: { status?: 'active' } = {}): Promise<Mandate[]> {
  const { items } = await shop.bozor.mandates.list({
    ...(await customerOf(shop)),
    ...filter,
    per_page: maxMandates,
  })
  return items
}

/**
 * The buyer in calls of `/v1`. Without a buyer, such calls would show an application the orders and mandates of all
 * buyers.
 */
export async function customerOf({
  buyer,
  requireBuyer,
}: AgentShop): Promise<{ customer_id?: string; session_id?: string }> {
  if ('ClientId' in buyer) return { customer_id: String(buyer.ClientId) }
  if ('SessionId' in buyer) return { session_id: buyer.SessionId }
  await requireBuyer()
  return {}
}

/** An order of the buyer. One of another buyer is treated as one that does not exist. */
export async function orderOf(shop: AgentShop, id: string): Promise<Order> {
  const { customer_id, ...guest } = await customerOf(shop)
  const { order } = await shop.bozor.orders.get({ id, ...guest })
  if (customer_id !== undefined && order.customer_id !== customer_id)
    throw refuse('not_found', { resource: 'order', id })
  return order
}

export const mandateView = (it: Mandate) => ({
  mandate_id: it.id,
  status: it.status,
  budget: inSums(it.budget),
  left: inSums(it.left),
  category_ids: it.category_ids,
  needs_confirmation: it.needs_confirmation,
  expires_at: it.expires_at,
})

export const orderView = (it: Order | OrderSummary) => ({
  order_id: it.id,
  status: it.status,
  payment_status: it.payment_status,
  fulfilment_status: it.fulfilment_status,
  partner: it.partner_name,
  total: inSums(it.total),
  mandate_id: it.mandate_id,
  pay_until: it.pay_until,
  promised_on: it.delivery?.promised_on ?? null,
  lines: it.lines.map((line) => ({
    offer_id: line.offer_id === null ? null : Number(line.offer_id),
    name: line.title,
    quantity: line.quantity,
    price: inSums(line.unit_price),
  })),
  created_at: it.created_at,
})
