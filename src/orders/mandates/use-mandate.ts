// Orders that an application places for a client who granted it a mandate. Everything happens in the transaction of the
// order, under the lock of the mandate.

import type { Tx } from '../../base/database.ts'
import { inSums, sumTiyin } from '../../base/money.ts'
import { publish } from '../../base/outbox.ts'
import * as cart from '../../cart/index.ts'
import { categoriesBelow } from '../../catalog/index.ts'
import { amountOf, type Order } from '../order.ts'
import {
  brokenByMandate,
  type Confirmation,
  confirmationFor,
  leftTiyin,
  type Mandate,
  type MandatedOrder,
  unusable,
} from './mandate.ts'
import { addSpent, hasMandate, lockMandate, unusedConfirmations, useConfirmation } from './store.ts'

/**
 * Whether an order needs a mandate: it names one, or the client once granted one to the application. An application
 * cannot avoid the limits of a mandate by not naming it, or by waiting until it is over.
 */
export const orderIsMandated = async (
  tx: Tx,
  { buyer, applicationId }: cart.Shopper,
  mandateId: string | undefined,
): Promise<boolean> => {
  if (mandateId !== undefined) return true
  return buyer.kind === 'client' && applicationId != null && hasMandate(tx, buyer.clientId, applicationId)
}

interface OrderUnderMandate {
  mandateId: string | undefined
  priced: cart.PricedCart
  sold: readonly cart.PricedLine[]
  deliveryTiyin: number
}

export interface MandateUse {
  mandate: Mandate
  confirmation: Confirmation | undefined
}

/** The locked mandate that covers an order; throws if there is none or the order breaks its rules. */
export async function requireMandate(
  tx: Tx,
  shopper: cart.Shopper,
  { mandateId, priced, sold, deliveryTiyin }: OrderUnderMandate,
): Promise<MandateUse> {
  if (mandateId === undefined)
    throw cart.violated([{ code: 'mandate_required', remedy: { action: 'name_mandate' } }])
  const found = await lockMandate(tx, mandateId)
  const mandate = found && isOf(found, shopper) ? found : undefined
  const fault = unusable(mandate, mandateId, tx.now)
  if (!mandate || fault) throw cart.violated([fault!])
  const order = await orderOf(tx, mandate, { priced, sold, deliveryTiyin })
  cart.refuseIf(brokenByMandate(mandate, order, tx.now))
  return { mandate, confirmation: mandate.needsConfirmation ? confirmationFor(order, tx.now) : undefined }
}

/** A mandate is for one client and one application; to others it does not exist. */
const isOf = (mandate: Mandate, { buyer, applicationId }: cart.Shopper): boolean =>
  buyer.kind === 'client' && buyer.clientId === mandate.clientId && applicationId === mandate.applicationId

async function orderOf(
  tx: Tx,
  mandate: Mandate,
  { priced, sold, deliveryTiyin }: Omit<OrderUnderMandate, 'mandateId'>,
): Promise<MandatedOrder> {
  const isLimited = mandate.categoryIds.length > 0
  const covered = new Set(isLimited ? await categoriesBelow(tx, mandate.categoryIds) : [])
  return {
    lines: sold.map(({ line, offer }) => ({
      isModerated: line.isModerated,
      offerId: line.offerId,
      categoryId: offer!.categoryId,
    })),
    totalTiyin: sumTiyin([
      deliveryTiyin,
      ...sold.map(({ line, offer }) =>
        amountOf({
          priceTiyin: offer!.priceTiyin,
          quantity: line.quantity,
          discountTiyin: cart.lineDiscountTiyin(priced, line),
        }),
      ),
    ]),
    cartVersion: await cart.versionBeforeOrder(tx, priced),
    confirmations: mandate.needsConfirmation ? await unusedConfirmations(tx, mandate.id) : [],
    covers: (categoryId) => !isLimited || covered.has(categoryId),
  }
}

/** Counts orders against the budget and uses up the confirmation. */
export function spendBudget(
  tx: Tx,
  { mandate, confirmation }: MandateUse,
  orders: readonly [Order, ...Order[]],
): void {
  const amountTiyin = sumTiyin(orders.map((it) => it.amountTiyin))
  addSpent(tx, mandate.id, amountTiyin)
  if (confirmation) useConfirmation(tx, confirmation.id, orders[0].checkoutId)
  publish(tx, {
    type: 'MandateUsed',
    mandateId: mandate.id,
    clientId: mandate.clientId,
    applicationId: mandate.applicationId,
    orderIds: orders.map((it) => it.id),
    amount: inSums(amountTiyin),
    left: inSums(leftTiyin(mandate) - amountTiyin),
  })
}

/** A cancelled order no longer counts against the budget. */
export function releaseBudget(tx: Tx, { mandateId, amountTiyin }: Order): void {
  if (mandateId !== null) addSpent(tx, mandateId, -amountTiyin)
}
