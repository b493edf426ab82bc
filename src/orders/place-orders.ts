// From the cart to orders (SPEC-2 4.1): one transaction under the cart's lock, all or nothing.

import type { Tx } from '../base/db.ts'
import { sumTiyin } from '../base/money.ts'
import { publish } from '../base/outbox.ts'
import { timedUuid } from '../base/random.ts'
import { refuse } from '../base/refusal.ts'
import * as cart from '../cart/index.ts'
import * as catalog from '../catalog/index.ts'
import { refuseStale } from '../http/version.ts'
import { amountOf, type Order, type Ordered, type OrderLine, untold } from './order.ts'
import { noteOrders } from './remember-limits.ts'
import { statesOf } from './states.ts'
import { insertOrders, nextOrderId } from './store/orders.ts'

export interface Checkout {
  method: cart.PaymentMethod
  address: string
  /** Lines of the cart; undefined orders all that can be bought. */
  chosen?: readonly cart.LineKey[] | undefined
  /** The version of the cart that the buyer has seen. */
  ifMatch?: number | undefined
}

export interface Placed {
  orders: Order[]
  /** Lines that cannot be bought now; they stay in the cart. */
  skipped: cart.Entry[]
}

/** Makes orders of the buyer's cart, one per partner, and takes what was ordered out of it. */
export async function placeOrders(tx: Tx, shopper: cart.Shopper, checkout: Checkout): Promise<Placed> {
  const [basket, firstId] = await tx.together(() =>
    Promise.all([cart.orderBasket(tx, shopper, checkout.chosen), nextOrderId(tx)]),
  )
  // It was counted as changed when it was taken up.
  refuseStale({ version: basket.cart ? basket.cart.version - 1 : 0 }, checkout.ifMatch)
  const { purchase } = basket
  const sold = purchase.entries.filter((it) => cart.isForSale(it.offer))
  const skipped = purchase.entries.filter((it) => !cart.isForSale(it.offer))
  refuseStrangers(basket, checkout.chosen)
  const gone = checkout.chosen ? skipped.map(cart.offerIsNotForSale) : []
  cart.refuseIf(
    sold.length > 0 || gone.length === 0 ? [...gone, ...cart.brokenAtOrder(purchase, checkout.method)] : gone,
  )

  const orders = await numbered(tx, ordersOf(tx, shopper, { sold, checkout }), firstId)
  insertOrders(tx, orders, orders.map(statesOf))
  await takeUnits(tx, sold, orders)
  const keys = sold.map((it) => it.line)
  cart.takeOrderedLines(tx, basket.cart!, keys)
  noteOrders(tx, orders)
  await publish(tx, {
    type: 'OrdersCreated',
    orderIds: orders.map((it) => it.id),
    clientId: shopper.buyer.kind === 'client' ? shopper.buyer.clientId : null,
    processedOfferIds: keys.filter((it) => !it.isModerated).map((it) => it.offerId),
    processedModeratedOfferIds: keys.filter((it) => it.isModerated).map((it) => it.offerId),
    cartId: basket.cart!.id,
  })
  return { orders, skipped }
}

/** Whoever chooses lines must choose such as are in his cart. */
function refuseStrangers({ cart: held }: cart.Basket, chosen: readonly cart.LineKey[] = []): void {
  if (!held || held.lines.length === 0) return
  const isHeld = (key: cart.LineKey) => held.lines.some((it) => cart.isSameOffer(it, key))
  const faults = (path: string, isModerated: boolean) =>
    chosen
      .filter((it) => it.isModerated === isModerated)
      .flatMap((it, at) => (isHeld(it) ? [] : [{ path: `${path}.${at}`, rule: 'in_cart' }]))
  const fields = [...faults('OfferIds', false), ...faults('ModeratedOfferIds', true)]
  if (fields.length > 0) throw refuse('validation_failed', { fields })
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

/** Orders with their ids; the first was asked for ahead, because most carts are of one partner. */
async function numbered(tx: Tx, orders: readonly Ordered[], firstId: number): Promise<[Order, ...Order[]]> {
  const others = await tx.together(() => Promise.all(orders.slice(1).map(() => nextOrderId(tx))))
  const ids = [firstId, ...others]
  const [first, ...rest] = orders.map((it, at) => ({
    ...it,
    id: ids[at]!,
    version: 1,
    updatedAt: tx.now,
    story: untold,
  }))
  return [first!, ...rest]
}

/** Takes the units off the shelf. They were judged under the same lock, so there are as many. */
async function takeUnits(tx: Tx, sold: readonly cart.Entry[], orders: readonly Order[]): Promise<void> {
  const offers = sold.map(({ line, offer }) => ({
    kind: line.isModerated ? ('moderated' as const) : ('offer' as const),
    offerId: line.offerId,
    change: -line.quantity,
    onHand: offer!.quantity,
  }))
  const reference = `orders/${orders.map((it) => it.id).join(',')}`
  const [shortage] = await catalog.moveHeldStock(
    tx,
    { moves: offers, held: offers },
    { cause: 'ordered', reference },
  )
  if (shortage) throw new Error(`${shortage.kind} ${shortage.offerId} was sold beyond its stock`)
}
