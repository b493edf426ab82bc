import type { Tx } from '../base/db.ts'
import { timedUuid } from '../base/random.ts'
import { refuse } from '../base/refusal.ts'
import { type FulfilmentStep, fulfilmentSteps, type LineUnits, stepsFrom } from './fulfilment.ts'
import { lineOf, type Order } from './order.ts'
import { recordEvents, type Step } from './record-events.ts'
import { statesOf } from './states.ts'
import { allowedSteps, unsentUnits } from './steps.ts'
import { notNow } from './transition.ts'

/** Puts units of an order into a parcel: those named, or all that are left. */
export async function createFulfilment(
  tx: Tx,
  order: Order,
  lines: readonly LineUnits[] | undefined,
): Promise<Step> {
  const { status } = statesOf(order)
  const unsent = unsentUnits(order)
  if (status !== 'confirmed' || unsent.length === 0) throw notNow(status, 'fulfil', allowedSteps(order))
  const chosen = lines ?? unsent
  refuseTooMany(order, chosen, unsent)
  return recordEvents(tx, order, [
    { type: 'FulfilmentCreated', fulfilmentId: timedUuid(tx.now), lines: [...chosen] },
  ])
}

/** Refuses lines that are not of the order, named twice, or with more units than there are. */
export function refuseTooMany(
  order: Order,
  chosen: readonly LineUnits[],
  available: readonly LineUnits[],
): void {
  const fields = chosen.flatMap(({ line, quantity }, at) => {
    if (!lineOf(order, line)) return [{ path: `lines.${at}.line`, rule: 'exists' }]
    if (chosen.findIndex((it) => it.line === line) < at) return [{ path: `lines.${at}.line`, rule: 'unique' }]
    const most = available.find((it) => it.line === line)?.quantity ?? 0
    return quantity > most ? [{ path: `lines.${at}.quantity`, rule: 'maximum', limit: most }] : []
  })
  if (fields.length > 0) throw refuse('validation_failed', { fields })
}

export interface FulfilmentMove {
  fulfilmentId: string
  step: FulfilmentStep
  carrier?: string | undefined
  trackingNumber?: string | undefined
}

/** Sends a parcel off, notes its arrival, or unpacks it again. */
export async function moveFulfilment(tx: Tx, order: Order, move: FulfilmentMove): Promise<Step> {
  const { fulfilmentId, step, carrier = null, trackingNumber = null } = move
  const fulfilment = order.story.fulfilments.find((it) => it.id === fulfilmentId)
  if (!fulfilment) throw refuse('not_found')
  if (fulfilment.status !== fulfilmentSteps[step].from)
    throw notNow(fulfilment.status, step, stepsFrom(fulfilment.status))
  const { status } = statesOf(order)
  // Money that was promised may have been let go since the parcel was packed.
  if (step === 'ship' && status !== 'confirmed') throw notNow(status, step, allowedSteps(order))
  return recordEvents(tx, order, [
    step === 'ship'
      ? { type: 'FulfilmentShipped', fulfilmentId, carrier, trackingNumber }
      : { type: step === 'deliver' ? 'FulfilmentDelivered' : 'FulfilmentCancelled', fulfilmentId },
  ])
}
