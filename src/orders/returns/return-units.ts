import { dayMs } from '../../base/clock.ts'
import type { Tx } from '../../base/database.ts'
import { sumTiyin } from '../../base/money.ts'
import { timedUuid } from '../../base/random.ts'
import { refuse } from '../../base/refusal.ts'
import { refundEvents } from '../payments/change-payment.ts'
import { refuseTooMany } from '../fulfilment/fulfil-order.ts'
import type { LineUnits } from '../fulfilment/fulfilment.ts'
import { amountOfReturned, type Order, owedTiyin, returnedLine } from '../order.ts'
import { capturedTiyin, keptTiyin } from '../payments/payment.ts'
import { restock } from './restock.ts'
import { type NewEvent, recordEvents, type Step } from '../record-events.ts'
import { uncountUnits } from '../placing/count-orders.ts'
import type { Return, ReturnedCommission } from './return.ts'
import {
  isInInstalments,
  neededCommissionTiyin,
  outstandingTiyin,
  paidCommissionTiyin,
} from '../payments/instalments.ts'
import { statesOf } from '../states.ts'
import { allowedSteps, type Caller, returnableUnits, invalidTransition } from '../steps.ts'

/** Requests a return of the given delivered units, or of all. */
export async function requestReturn(
  tx: Tx,
  order: Order,
  { lines, reason, caller }: { lines: readonly LineUnits[] | undefined; reason: string; caller: Caller },
): Promise<Step> {
  const returnable = returnableUnits(order)
  if (returnable.length === 0)
    throw invalidTransition(statesOf(order).fulfilmentStatus, 'return', allowedSteps(order, caller))
  const chosen = [...(lines ?? returnable)]
  refuseTooMany(order, chosen, returnable)
  const returnId = timedUuid(tx.now)
  const returned = chosen.map((it) => returnedLine(order, it))
  const amountTiyin = sumTiyin(returned.map((it) => amountOfReturned(order, it)))
  return recordEvents(tx, order, [
    { type: 'ReturnRequested', returnId, lines: returned, reason, amountTiyin },
  ])
}

const requestedReturn = (order: Order, returnId: string, step: 'receive' | 'reject'): Return => {
  const found = order.progress.returns.find((it) => it.id === returnId)
  if (!found) throw refuse('not_found')
  if (found.status !== 'requested') throw invalidTransition(found.status, step, [])
  return found
}

/** Receives a return: restocks its units if wanted, refunds them, and releases the client's limits. */
export async function receiveReturn(
  tx: Tx,
  order: Order,
  { returnId, isRestocked }: { returnId: string; isRestocked: boolean },
): Promise<Step> {
  const found = requestedReturn(order, returnId, 'receive')
  const commission = isInInstalments(order) ? commissionOf(order, found) : undefined
  const received: NewEvent = {
    type: 'ReturnReceived',
    returnId,
    isRestocked,
    ...(commission && { commission }),
  }
  const commissionTiyin = commission?.isRefunded ? commission.tiyin : 0
  const step = await recordEvents(tx, order, [
    received,
    ...refundsFor(order, found, { commissionTiyin, now: tx.now }),
  ])
  if (isRestocked) await restock(tx, order, { units: found.lines, cause: 'returned' })
  uncountUnits(tx, { before: order, after: step.order, units: found.lines })
  return step
}

/** Refunds of returned units, from the latest payment backwards. Amounts that were not paid yet are not refunded. */
function refundsFor(
  order: Order,
  { amountTiyin, id }: Return,
  { commissionTiyin, now }: { commissionTiyin: number; now: Date },
): NewEvent[] {
  const unpaid = isInInstalments(order)
    ? outstandingTiyin(order)
    : Math.max(0, owedTiyin(order) - capturedTiyin(order.progress.payments))
  let left = amountTiyin - Math.min(amountTiyin, unpaid) + commissionTiyin
  return order.progress.payments.toReversed().flatMap((it) => {
    const part = Math.min(left, keptTiyin(it))
    left -= part
    return part > 0 ? refundEvents(it, { amountTiyin: part, reason: `return ${id}`, now }) : []
  })
}

/** Commission is refunded for returns that are requested within this time after the delivery. */
const commissionRefundMs = 14 * dayMs

/**
 * The paid commission that the units left with the buyer do not need. Their commission is what was agreed, whatever
 * part of it was paid before the return and whatever part is in the instalments that stay open.
 */
function commissionOf(order: Order, found: Return): ReturnedCommission {
  const { returns, fulfilments } = order.progress
  const accounted = sumTiyin(returns.map((it) => it.commission?.tiyin ?? 0))
  const after: Order = {
    ...order,
    progress: {
      ...order.progress,
      returns: returns.map((it) => (it === found ? { ...it, status: 'received' } : it)),
    },
  }
  const tiyin = Math.max(0, paidCommissionTiyin(order) - accounted - neededCommissionTiyin(after))
  const delivered = fulfilments
    .filter((it) => it.lines.some(({ line }) => found.lines.some((returned) => returned.line === line)))
    .map((it) => it.deliveredAt?.getTime() ?? 0)
  return { tiyin, isRefunded: found.requestedAt.getTime() - Math.max(...delivered) <= commissionRefundMs }
}

/** Declines a return. */
export async function rejectReturn(
  tx: Tx,
  order: Order,
  { returnId, reason }: { returnId: string; reason: string },
): Promise<Step> {
  requestedReturn(order, returnId, 'reject')
  return recordEvents(tx, order, [{ type: 'ReturnRejected', returnId, reason }])
}
