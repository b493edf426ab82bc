import type { Tx } from '../base/db.ts'
import { refuse } from '../base/refusal.ts'
import type { Callback } from './payments/acquirer.ts'
import type { Step } from './record-events.ts'
import { settlePayment } from './settle-payment.ts'
import { lockOrder } from './store/orders.ts'
import { isNewCallback, orderOfPayment } from './store/payments.ts'

/** Hears what an acquirer tells of a payment by itself. What it told before changes nothing. */
export async function hearCallback(
  tx: Tx,
  acquirer: string,
  { id, paymentId, outcome }: Callback,
): Promise<Pick<Step, 'tasks'>> {
  const found = await orderOfPayment(tx, paymentId, acquirer)
  if (!found) throw refuse('not_found')
  if (!(await isNewCallback(tx, acquirer, id))) return { tasks: [] }
  const order = (await lockOrder(tx, found.orderId))!
  return settlePayment(tx, order, { paymentId, outcome })
}
