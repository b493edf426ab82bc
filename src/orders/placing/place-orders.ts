// Turns a cart into orders (SPEC-2 4.1) in one transaction under the cart's lock.

import type { Tx } from '../../base/database.ts'
import { sumTiyin } from '../../base/money.ts'
import { publish } from '../../base/outbox.ts'
import { timedUuid } from '../../base/random.ts'
import { refuse } from '../../base/refusal.ts'
import * as cart from '../../cart/index.ts'
import * as catalog from '../../catalog/index.ts'
import { decideDeliveries, type DecidedDeliveries, type WantedDelivery } from '../delivery/delivery.ts'
import {
  amountOf,
  type Contact,
  couponTiyin,
  lineFromCart,
  type Order,
  type Ordered,
  type OrderLine,
} from '../order.ts'
import { noProgress } from '../order-events.ts'
import { orderIsMandated, requireMandate, spendBudget } from '../mandates/use-mandate.ts'
import { countOrders } from './count-orders.ts'
import { statesOf } from '../states.ts'
import { insertOrders, nextOrderId } from '../store.ts'
import type { IfMatch } from '../../http/version.ts'

export interface Checkout {
  method: cart.PaymentMethod
  delivery: WantedDelivery
  contact: Contact | null
  /** Lines of the cart; undefined orders all that can be bought. */
  chosen?: readonly cart.LineKey[] | undefined
  /** The version of the cart that the buyer has seen. */
  ifMatch?: IfMatch | undefined
  /** What the buyer agreed to pay; another total is refused. */
  expected?: cart.ExpectedTotal | undefined
  /** The mandate that an application names. */
  mandateId?: string | undefined
}

export interface PlacedOrders {
  orders: Order[]
  /** Lines that cannot be bought now; they stay in the cart. */
  skipped: cart.LeftLine[]
}

/** Creates one order per partner from the buyer's cart and removes the ordered lines from it. */
export async function placeOrders(tx: Tx, shopper: cart.Shopper, checkout: Checkout): Promise<PlacedOrders> {
  const [priced, firstId, isMandated] = await tx.pipeline(() =>
    Promise.all([
      cart.lockCartForOrder(tx, shopper, checkout),
      nextOrderId(tx),
      orderIsMandated(tx, shopper, checkout.mandateId),
    ]),
  )
  const { sold, left: skipped } = cart.splitLines(priced.lines)
  refuseLinesNotInCart(priced, checkout.chosen)
  const gone = checkout.chosen ? cart.leftOut(skipped) : []
  cart.refuseIf(
    sold.length > 0 || gone.length === 0 ? [...gone, ...cart.brokenAtOrder(priced, checkout.method)] : gone,
  )
  const deliveries = await deliveriesOf(tx, shopper, { sold, checkout })
  const deliveryTiyin = sumTiyin([...deliveries.values()].map((it) => it.priceTiyin))
  cart.requireTotal(priced, checkout.expected, deliveryTiyin)
  const use = isMandated
    ? await requireMandate(tx, shopper, { mandateId: checkout.mandateId, priced, sold, deliveryTiyin })
    : null

  const mandateId = use?.mandate.id ?? null
  const orders = await withIds(
    tx,
    ordersOf(tx, shopper, { sold, checkout, deliveries, priced, mandateId }),
    firstId,
  )
  insertOrders(tx, orders, orders.map(statesOf))
  await takeStock(tx, sold, orders)
  const keys = sold.map((it) => it.line)
  cart.removeOrderedLines(tx, priced.cart!, keys)
  cart.redeemCoupon(tx, priced, {
    checkoutId: orders[0].checkoutId,
    orderIds: orders.filter((it) => it.couponCode !== null).map((it) => it.id),
  })
  countOrders(tx, orders)
  if (use) spendBudget(tx, use, orders)
  publish(tx, {
    type: 'OrdersCreated',
    orderIds: orders.map((it) => it.id),
    clientId: shopper.buyer.kind === 'client' ? shopper.buyer.clientId : null,
    processedOfferIds: keys.filter((it) => !it.isModerated).map((it) => it.offerId),
    processedModeratedOfferIds: keys.filter((it) => it.isModerated).map((it) => it.offerId),
    cartId: priced.cart!.id,
  })
  return { orders, skipped }
}

/** Chosen lines must be in the buyer's cart. */
function refuseLinesNotInCart({ cart: held }: cart.PricedCart, chosen: readonly cart.LineKey[] = []): void {
  if (!held || held.lines.length === 0) return
  const isHeld = (key: cart.LineKey) => held.lines.some((it) => cart.isSameOffer(it, key))
  const errors = (path: string, isModerated: boolean) =>
    chosen
      .filter((it) => it.isModerated === isModerated)
      .flatMap((it, at) => (isHeld(it) ? [] : [{ path: `${path}.${at}`, rule: 'in_cart' }]))
  const fields = [...errors('OfferIds', false), ...errors('ModeratedOfferIds', true)]
  if (fields.length > 0) throw refuse('validation_failed', { fields })
}

interface SoldLines {
  sold: readonly cart.PricedLine[]
  checkout: Checkout
}

type Deliveries = DecidedDeliveries['deliveries']

const byPartner = (sold: readonly cart.PricedLine[]) =>
  [...Map.groupBy(sold, (it) => it.offer!.partner.id)].toSorted(([a], [b]) => a - b)

/** How the products of each partner are delivered. */
async function deliveriesOf(
  tx: Tx,
  { settings }: cart.Shopper,
  { sold, checkout }: SoldLines,
): Promise<Deliveries> {
  const parcels = byPartner(sold).map(([partnerId, entries]) => ({
    partnerId,
    amountTiyin: sumTiyin(entries.map(({ line, offer }) => offer!.priceTiyin * line.quantity)),
  }))
  const partnerIds = parcels.map((it) => it.partnerId)
  const { deliveries, faults, violations } = decideDeliveries(parcels, checkout.delivery, {
    methods: await catalog.deliveryMethodsOf(tx, partnerIds),
    day: settings.dayOf(tx.now),
  })
  if (faults.length > 0) throw refuse('validation_failed', { fields: faults })
  cart.refuseIf(violations)
  return deliveries
}

function ordersOf(
  tx: Tx,
  { buyer, settings }: cart.Shopper,
  {
    sold,
    checkout,
    deliveries,
    priced,
    mandateId,
  }: SoldLines & { deliveries: Deliveries; priced: cart.PricedCart; mandateId: string | null },
): Ordered[] {
  const { method, contact } = checkout
  const checkoutId = timedUuid(tx.now)
  return byPartner(sold).map(([partnerId, entries]) => {
    const lines = entries.map((it, at) => ({
      ...lineFromCart(it, at + 1, method),
      discountTiyin: cart.lineDiscountTiyin(priced, it.line),
    }))
    const { text: address, ...delivery } = deliveries.get(partnerId)!
    return {
      checkoutId,
      buyer,
      partnerId,
      partnerName: entries[0]!.offer!.partner.name,
      contact,
      methodId: method.id,
      mandateId,
      address,
      delivery,
      couponCode: couponCodeOf(lines, priced),
      amountTiyin: sumTiyin([...lines.map(amountOf), delivery.priceTiyin]),
      day: settings.dayOf(tx.now),
      createdAt: tx.now,
      lines,
    }
  })
}

/** The code of the coupon, for an order that has a part of its discount. */
const couponCodeOf = (lines: readonly OrderLine[], { coupon }: cart.PricedCart): string | null =>
  couponTiyin({ lines: [...lines] }) > 0 ? coupon!.coupon.code : null

/** Orders with their ids. The first id is fetched early, because most carts have one partner. */
async function withIds(tx: Tx, orders: readonly Ordered[], firstId: number): Promise<[Order, ...Order[]]> {
  const others = await tx.pipeline(() => Promise.all(orders.slice(1).map(() => nextOrderId(tx))))
  const ids = [firstId, ...others]
  const [first, ...rest] = orders.map((it, at) => ({
    ...it,
    id: ids[at]!,
    version: 1,
    updatedAt: tx.now,
    progress: noProgress,
  }))
  return [first!, ...rest]
}

/** Takes the units out of stock. They were checked under the same lock, so a shortage is a bug. */
async function takeStock(tx: Tx, sold: readonly cart.PricedLine[], orders: readonly Order[]): Promise<void> {
  const offers = sold.map(({ line, offer }) => ({
    kind: line.isModerated ? ('moderated' as const) : ('offer' as const),
    offerId: line.offerId,
    change: -line.quantity,
    onHand: offer!.quantity,
  }))
  const reference = `orders/${orders.map((it) => it.id).join(',')}`
  const [shortage] = await catalog.moveLockedStock(
    tx,
    { moves: offers, held: offers },
    { cause: 'ordered', reference },
  )
  if (shortage) throw new Error(`${shortage.kind} ${shortage.offerId} was sold beyond its stock`)
}
