import type { Tx } from '../../base/database.ts'
import { timedUuid } from '../../base/random.ts'
import { refuse } from '../../base/refusal.ts'
import { type FulfilmentStep, fulfilmentSteps, type LineUnits, stepsFrom } from './fulfilment.ts'
import { lineOf, type Order } from '../order.ts'
import { recordEvents, type Step } from '../record-events.ts'
import { statesOf } from '../states.ts'
import { allowedSteps, canShip, unsentUnits, invalidTransition } from '../steps.ts'

/** Creates a fulfilment with the given units, or with all that are left. */
export async function createFulfilment(
  tx: Tx,
  order: Order,
  lines: readonly LineUnits[] | undefined,
): Promise<Step> {
  const unsent = unsentUnits(order)
  if (!canShip(order) || unsent.length === 0)
    throw invalidTransition(shipmentStateOf(order), 'fulfil', allowedSteps(order, 'staff'))
  const chosen = lines ?? unsent
  refuseTooMany(order, chosen, unsent)
  return recordEvents(tx, order, [
    { type: 'FulfilmentCreated', fulfilmentId: timedUuid(tx.now), lines: [...chosen] },
  ])
}

/** The state that keeps units in the shop: of a confirmed order it is the payment. */
function shipmentStateOf(order: Order): string {
  const { status, paymentStatus } = statesOf(order)
  return status === 'confirmed' && !canShip(order) ? paymentStatus : status
}

/** Refuses unknown lines, repeated lines, and more units than available. */
export function refuseTooMany(
  order: Order,
  chosen: readonly LineUnits[],
  available: readonly LineUnits[],
): void {
  const fields = chosen.flatMap(({ line, quantity }, at) => {
    if (!lineOf(order, line)) return [{ path: `lines.${at}.line`, rule: 'exists' }]
    if (chosen.findIndex((it) => it.line === line) < at) return [{ path: `lines.${at}.line`, rule: 'unique' }]
    const max = available.find((it) => it.line === line)?.quantity ?? 0
    return quantity > max ? [{ path: `lines.${at}.quantity`, rule: 'maximum', limit: max }] : []
  })
  if (fields.length > 0) throw refuse('validation_failed', { fields })
}

export interface FulfilmentMove {
  fulfilmentId: string
  step: FulfilmentStep
  carrier?: string | undefined
  trackingNumber?: string | undefined
}

/** Ships, delivers or cancels a fulfilment. */
export async function moveFulfilment(tx: Tx, order: Order, move: FulfilmentMove): Promise<Step> {
  const { fulfilmentId, step, carrier = null, trackingNumber = null } = move
  const fulfilment = order.progress.fulfilments.find((it) => it.id === fulfilmentId)
  if (!fulfilment) throw refuse('not_found')
  if (fulfilment.status !== fulfilmentSteps[step].from)
    throw invalidTransition(fulfilment.status, step, stepsFrom(fulfilment.status))
  // The payment may have been refunded since the fulfilment was created.
  if (step === 'ship' && !canShip(order))
    throw invalidTransition(shipmentStateOf(order), step, allowedSteps(order, 'staff'))
  return recordEvents(tx, order, [
    step === 'ship'
      ? { type: 'FulfilmentShipped', fulfilmentId, carrier, trackingNumber }
      : { type: step === 'deliver' ? 'FulfilmentDelivered' : 'FulfilmentCancelled', fulfilmentId },
  ])
}
