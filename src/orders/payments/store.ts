// Payments at acquirers, tasks for acquirers, and received callbacks.

import type { Reader, Tx } from '../../base/database.ts'

export type TaskKind = 'authorise' | 'capture' | 'void' | 'refund'

/** A request to an acquirer that must be sent until its outcome is known. */
export interface Task {
  id: string
  orderId: number
  paymentId: string
  acquirer: string
  kind: TaskKind
  refundId: string | null
  amountTiyin: number
  attempts: number
}

export function insertPayment(
  tx: Tx,
  { id, orderId, acquirer }: { id: string; orderId: number; acquirer: string },
): void {
  tx.later(`insert into orders_payments (id, order_id, acquirer) values ($1, $2, $3)`, [
    id,
    orderId,
    acquirer,
  ])
}

export const orderOfPayment = (
  read: Reader,
  paymentId: string,
  acquirer: string,
): Promise<{ orderId: number } | undefined> =>
  read.maybe(`select order_id as "orderId" from orders_payments where id = $1 and acquirer = $2`, [
    paymentId,
    acquirer,
  ])

export function insertTask(tx: Tx, task: Task, nextAt: Date): void {
  tx.later(
    `insert into orders_payment_tasks (id, order_id, payment_id, kind, refund_id, amount_tiyin, next_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [task.id, task.orderId, task.paymentId, task.kind, task.refundId, task.amountTiyin, nextAt],
  )
}

/** Takes overdue tasks, oldest first, and postpones them so that two processes rarely perform the same task. */
export const takeDueTasks = (tx: Tx, limit: number, nextAt: Date): Promise<Task[]> =>
  tx.all<Task>(
    `update orders_payment_tasks task set attempts = task.attempts + 1, next_at = $3
     from orders_payments payment
     where payment.id = task.payment_id and task.id in (
       select id from orders_payment_tasks where done_at is null and next_at <= $1 order by next_at limit $2 for update skip locked)
     returning task.id, task.order_id as "orderId", task.payment_id as "paymentId", payment.acquirer, task.kind,
       task.refund_id as "refundId", task.amount_tiyin as "amountTiyin", task.attempts`,
    [tx.now, limit, nextAt],
  )

export function finishTask(tx: Tx, id: string): void {
  tx.later(`update orders_payment_tasks set done_at = $2 where id = $1 and done_at is null`, [id, tx.now])
}

/** Finishes the authorisation task of a payment whose outcome is known. */
export function finishAuthorisation(tx: Tx, paymentId: string): void {
  tx.later(
    `update orders_payment_tasks set done_at = $2 where payment_id = $1 and kind = 'authorise' and done_at is null`,
    [paymentId, tx.now],
  )
}

/** Records a callback; false when it was received before. */
export const isNewCallback = async (tx: Tx, acquirer: string, callbackId: string): Promise<boolean> =>
  (await tx.maybe(
    `insert into orders_callbacks (acquirer, callback_id, received_at) values ($1, $2, $3) on conflict do nothing returning 1`,
    [acquirer, callbackId, tx.now],
  )) !== undefined

export const callbacksBefore = `delete from orders_callbacks where (acquirer, callback_id) in (
  select acquirer, callback_id from orders_callbacks where received_at < $1 limit $2) returning 1`

export const tasksBefore = `delete from orders_payment_tasks where id in (
  select id from orders_payment_tasks where done_at < $1 limit $2) returning 1`
