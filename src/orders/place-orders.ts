// From the cart to orders (SPEC-2 4.1): one transaction under the cart's lock, all or nothing.

import type { Tx } from '../base/db.ts'
import { sumTiyin } from '../base/money.ts'
import { publish } from '../base/outbox.ts'
import { timedUuid } from '../base/random.ts'
import { refuse } from '../base/refusal.ts'
import * as cart from '../cart/index.ts'
import * as catalog from '../catalog/index.ts'
import { amountOf, type Order, type Ordered, type OrderLine, untold } from './order.ts'
import { noteOrders } from './remember-limits.ts'
import { statesOf } from './states.ts'
import { insertOrders } from './store/orders.ts'

export interface Checkout {
  method: cart.PaymentMethod
  address: string
  /** Lines of the cart; undefined orders all that can be bought. */
  chosen?: readonly cart.LineKey[] | undefined
}

export interface Placed {
  orders: Order[]
  /** Lines that cannot be bought now; they stay in the cart. */
  skipped: cart.Entry[]
}

/** Makes orders of the buyer's cart, one per partner, and takes what was ordered out of it. */
export async function placeOrders(tx: Tx, shopper: cart.Shopper, checkout: Checkout): Promise<Placed> {
  const basket = await cart.orderBasket(tx, shopper, checkout.chosen)
  const { purchase } = basket
  const sold = purchase.entries.filter((it) => cart.isForSale(it.offer))
  const skipped = purchase.entries.filter((it) => !cart.isForSale(it.offer))
  refuseStrangers(basket, checkout.chosen)
  const gone = checkout.chosen ? skipped.map(cart.offerIsNotForSale) : []
  cart.refuseIf(
    sold.length > 0 || gone.length === 0 ? [...gone, ...cart.brokenAtOrder(purchase, checkout.method)] : gone,
  )

  const orders = await saved(tx, ordersOf(tx, shopper, { sold, checkout }))
  await takeUnits(tx, sold, orders)
  await cart.withoutLines(tx, shopper, {
    before: basket as cart.Basket<cart.Cart>,
    keys: sold.map((it) => it.line),
  })
  noteOrders(tx, orders)
  await publish(tx, {
    type: 'OrdersCreated',
    orderIds: orders.map((it) => it.id),
    clientId: shopper.buyer.kind === 'client' ? shopper.buyer.clientId : null,
    processedOfferIds: sold.filter((it) => !it.line.isModerated).map((it) => it.line.offerId),
  })
  return { orders, skipped }
}

/** Whoever chooses lines must choose such as are in his cart. */
function refuseStrangers({ cart: held }: cart.Basket, chosen: readonly cart.LineKey[] | undefined): void {
  const strange = (chosen ?? []).filter((key) => !held?.lines.some((it) => cart.isSameOffer(it, key)))
  if (!held || held.lines.length === 0 || strange.length === 0) return
  throw refuse('validation_failed', {
    fields: strange.map((it) => ({
      path: it.isModerated ? 'ModeratedOfferIds' : 'OfferIds',
      rule: 'in_cart',
      value: it.offerId,
    })),
  })
}

interface Selling {
  sold: readonly cart.Entry[]
  checkout: Checkout
}

function ordersOf(tx: Tx, { buyer, terms }: cart.Shopper, { sold, checkout }: Selling): Ordered[] {
  const { method, address } = checkout
  const checkoutId = timedUuid(tx.now)
  const partners = [...Map.groupBy(sold, (it) => it.offer!.partner.id)].toSorted(([a], [b]) => a - b)
  return partners.map(([partnerId, entries]) => {
    const lines = entries.map((it, at) => lineOf(it, at + 1, method))
    return {
      checkoutId,
      buyer,
      partnerId,
      methodId: method.id,
      address,
      amountTiyin: sumTiyin(lines.map(amountOf)),
      day: terms.dayOf(tx.now),
      createdAt: tx.now,
      lines,
    }
  })
}

/** Paid at once, a loan condition does not apply (SPEC-2 4.6.3). */
function lineOf(
  { line, offer }: cart.Entry,
  number: number,
  { isInstallment }: cart.PaymentMethod,
): OrderLine {
  const { isModerated, offerId, quantity } = line
  const { productId, name, priceTiyin } = offer!
  const condition = offer!.conditions.find((it) => it.id === line.loanConditionId)
  const loan =
    isInstallment && condition
      ? { conditionId: condition.id, duration: condition.duration, commission: condition.commission }
      : null
  const prepaymentTiyin = loan ? (offer!.prepaymentTiyin ?? 0) : 0
  return { number, isModerated, offerId, productId, name, quantity, priceTiyin, loan, prepaymentTiyin }
}

async function saved(tx: Tx, orders: readonly Ordered[]): Promise<Order[]> {
  const made = orders.map((it) => ({ ...it, id: 0, version: 1, updatedAt: tx.now, story: untold }))
  const ids = await insertOrders(tx, orders, made.map(statesOf))
  return made.map((it, at) => ({ ...it, id: ids[at]! }))
}

/** Takes the units off the shelf. Whoever was faster may have left too few: then there is no order at all. */
async function takeUnits(tx: Tx, sold: readonly cart.Entry[], orders: readonly Order[]): Promise<void> {
  const moves = sold.map(({ line }) => ({
    kind: line.isModerated ? ('moderated' as const) : ('offer' as const),
    offerId: line.offerId,
    change: -line.quantity,
  }))
  const reference = `orders/${orders.map((it) => it.id).join(',')}`
  const shortages = await catalog.moveStock(tx, moves, { cause: 'ordered', reference })
  cart.refuseIf(
    shortages.map(({ kind, offerId, requested, available }) => ({
      code: 'stock_exceeded',
      ...(kind === 'moderated' ? { moderated_offer_id: offerId } : { offer_id: offerId }),
      requested,
      available,
      remedy: available > 0 ? { action: 'set_quantity', quantity: available } : { action: 'remove' },
    })),
  )
}
