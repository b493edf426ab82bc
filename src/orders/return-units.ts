import type { Tx } from '../base/db.ts'
import { timedUuid } from '../base/random.ts'
import { refuse } from '../base/refusal.ts'
import { refundOf } from './change-payment.ts'
import { refuseTooMany } from './fulfil-order.ts'
import type { LineUnits } from './fulfilment.ts'
import { amountOfUnits, type Order, owedTiyin } from './order.ts'
import { capturedTiyin, keptTiyin } from './payment.ts'
import { putBack } from './put-back.ts'
import { type Happening, recordEvents, type Step } from './record-events.ts'
import { forgetUnits } from './remember-limits.ts'
import type { Return } from './return.ts'
import { outstandingTiyin } from './schedule.ts'
import { isInInstalments, statesOf } from './states.ts'
import { allowedSteps, returnableUnits } from './steps.ts'
import { notNow } from './transition.ts'

/** Asks to send delivered units back: those named, or all. */
export async function requestReturn(
  tx: Tx,
  order: Order,
  { lines, reason }: { lines: readonly LineUnits[] | undefined; reason: string },
): Promise<Step> {
  const returnable = returnableUnits(order)
  if (returnable.length === 0) throw notNow(statesOf(order).fulfilmentStatus, 'return', allowedSteps(order))
  const chosen = [...(lines ?? returnable)]
  refuseTooMany(order, chosen, returnable)
  const returnId = timedUuid(tx.now)
  const amountTiyin = amountOfUnits(order, chosen)
  return recordEvents(tx, order, [{ type: 'ReturnRequested', returnId, lines: chosen, reason, amountTiyin }])
}

const waitingReturn = (order: Order, returnId: string, asked: 'receive' | 'reject'): Return => {
  const found = order.story.returns.find((it) => it.id === returnId)
  if (!found) throw refuse('not_found')
  if (found.status !== 'requested') throw notNow(found.status, asked, [])
  return found
}

/** Notes that units came back: they may go on the shelf, their money goes back, and they limit the client no more. */
export async function receiveReturn(
  tx: Tx,
  order: Order,
  { returnId, isRestocked }: { returnId: string; isRestocked: boolean },
): Promise<Step> {
  const found = waitingReturn(order, returnId, 'receive')
  const received: Happening = { type: 'ReturnReceived', returnId, isRestocked }
  const step = await recordEvents(tx, order, [received, ...refundsFor(order, found, tx.now)])
  if (isRestocked) await putBack(tx, order, { units: found.lines, cause: 'returned' })
  forgetUnits(tx, { before: order, after: step.order, units: found.lines })
  return step
}

/** The money of returned units, from what was kept of the payments, the latest first. What was still owed is not paid. */
function refundsFor(order: Order, { amountTiyin, id }: Return, now: Date): Happening[] {
  const unpaid = isInInstalments(order)
    ? outstandingTiyin(order)
    : Math.max(0, owedTiyin(order) - capturedTiyin(order.story.payments))
  let left = amountTiyin - Math.min(amountTiyin, unpaid)
  return order.story.payments.toReversed().flatMap((it) => {
    const part = Math.min(left, keptTiyin(it))
    left -= part
    return part > 0 ? refundOf(it, { amountTiyin: part, reason: `return ${id}`, now }) : []
  })
}

/** Declines a return. */
export async function rejectReturn(
  tx: Tx,
  order: Order,
  { returnId, reason }: { returnId: string; reason: string },
): Promise<Step> {
  waitingReturn(order, returnId, 'reject')
  return recordEvents(tx, order, [{ type: 'ReturnRejected', returnId, reason }])
}
