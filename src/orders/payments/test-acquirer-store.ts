// The charges, refunds and planned callbacks of the test acquirer.

import type { Tx } from '../../base/database.ts'
import { secretUuid } from '../../base/random.ts'
import type { Callback } from './acquirer.ts'

export interface TestCharge {
  paymentId: string
  behaviour: string
  status: 'pending' | 'authorised' | 'captured' | 'failed' | 'voided'
  amountTiyin: number
}

const columns = `payment_id as "paymentId", behaviour, status, amount_tiyin as "amountTiyin"`

const chargeById = `select ${columns} from orders_test_charges where payment_id = $1`

export const findCharge = (tx: Tx, paymentId: string): Promise<TestCharge | undefined> =>
  tx.maybe<TestCharge>(chargeById, [paymentId])

/** Opens a charge. An existing one is returned unchanged. */
export async function openCharge(
  tx: Tx,
  it: TestCharge & { captures: boolean },
): Promise<TestCharge & { isNew: boolean }> {
  const made = await tx.maybe<TestCharge>(
    `insert into orders_test_charges (payment_id, behaviour, status, amount_tiyin, captures, created_at)
     values ($1, $2, $3, $4, $5, $6) on conflict do nothing returning ${columns}`,
    [it.paymentId, it.behaviour, it.status, it.amountTiyin, it.captures, tx.now],
  )
  return made
    ? { ...made, isNew: true }
    : { ...(await tx.one<TestCharge>(chargeById, [it.paymentId])), isNew: false }
}

/** Changes the status of a charge. Idempotent; undefined when the charge has another status. */
export async function changeCharge(
  tx: Tx,
  { paymentId, from, to }: { paymentId: string; from: string; to: string },
): Promise<TestCharge | undefined> {
  return tx.maybe<TestCharge>(
    `update orders_test_charges set status = $3 where payment_id = $1 and status in ($2, $3) returning ${columns}`,
    [paymentId, from, to],
  )
}

/** Refunds a charge once per refund id; false when the amount exceeds the rest. */
export async function refundCharge(
  tx: Tx,
  it: { paymentId: string; refundId: string; amountTiyin: number },
): Promise<boolean> {
  const isNew = await tx.maybe(
    `insert into orders_test_refunds (id, payment_id, amount_tiyin) values ($1, $2, $3) on conflict do nothing returning 1`,
    [it.refundId, it.paymentId, it.amountTiyin],
  )
  if (!isNew) return true
  const done = await tx.maybe(
    `update orders_test_charges set refunded_tiyin = refunded_tiyin + $2
     where payment_id = $1 and status = 'captured' and refunded_tiyin + $2 <= amount_tiyin returning 1`,
    [it.paymentId, it.amountTiyin],
  )
  if (!done) await tx.all(`delete from orders_test_refunds where id = $1`, [it.refundId])
  return done !== undefined
}

export interface PlannedCallback {
  callbackId: string
  paymentId: string
  status: TestCharge['status']
  code: string | null
}

export function planCallback(tx: Tx, it: PlannedCallback & { dueAt: Date }): void {
  tx.later(
    `insert into orders_test_callbacks (callback_id, payment_id, status, code, due_at) values ($1, $2, $3, $4, $5)`,
    [it.callbackId, it.paymentId, it.status, it.code, it.dueAt],
  )
}

/**
 * The holder of the card decides about a pending charge, and its planned callbacks are dropped. Undefined when it is not
 * pending any more.
 */
export async function decideCharge(
  tx: Tx,
  { paymentId, isApproved }: { paymentId: string; isApproved: boolean },
): Promise<Callback | undefined> {
  const decided = await tx.maybe<{ status: 'authorised' | 'captured' | 'failed' }>(
    `update orders_test_charges
     set status = case when not $2 then 'failed' when captures then 'captured' else 'authorised' end
     where payment_id = $1 and status = 'pending' returning status`,
    [paymentId, isApproved],
  )
  if (!decided) return undefined
  tx.later(`delete from orders_test_callbacks where payment_id = $1`, [paymentId])
  const { status } = decided
  const outcome = status === 'failed' ? { status, code: 'authentication_failed' } : { status }
  return { id: secretUuid(), paymentId, outcome }
}

/** Takes due callbacks. A pending charge gets the status of its first one. */
export async function takeDueCallbacks(tx: Tx, limit: number): Promise<PlannedCallback[]> {
  const due = await tx.all<PlannedCallback & { id: number }>(
    `delete from orders_test_callbacks where id in (
       select id from orders_test_callbacks where due_at <= $1 order by due_at, id limit $2 for update skip locked)
     returning id, callback_id as "callbackId", payment_id as "paymentId", status, code`,
    [tx.now, limit],
  )
  const ordered = due.toSorted((a, b) => a.id - b.id)
  for (const { paymentId, status } of ordered)
    tx.later(`update orders_test_charges set status = $2 where payment_id = $1 and status = 'pending'`, [
      paymentId,
      status,
    ])
  return ordered
}
