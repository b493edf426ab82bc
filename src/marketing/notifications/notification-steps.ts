import type { Tx } from '../../base/database.ts'
import { publish } from '../../base/outbox.ts'
import { refuse } from '../../base/refusal.ts'
import { recordFirst, endNotification, lockNotification, requeueNotification } from './store.ts'
import type { Notification, Status } from './notification.ts'

/** Records that an e-mail was opened; publishes only the first time. */
export async function recordOpened(tx: Tx, notificationId: string): Promise<void> {
  const first = await recordFirst(tx, notificationId, 'opened_at')
  if (first) publish(tx, { type: 'NotificationOpened', notificationId, ...first })
}

/** Records that a link was clicked; publishes only the first time. */
export async function recordClicked(tx: Tx, notificationId: string, link: number): Promise<void> {
  const first = await recordFirst(tx, notificationId, 'clicked_at')
  if (first) publish(tx, { type: 'NotificationClicked', notificationId, ...first, link })
}

/** Records a delivery receipt of the provider; publishes only the first time. */
export async function recordDelivered(
  tx: Tx,
  notification: Pick<Notification, 'id' | 'status' | 'channel'>,
): Promise<void> {
  const { id: notificationId, status, channel } = notification
  if (status !== 'sent')
    throw refuse('invalid_transition', { state: status, requested: 'delivered', allowed: [] })
  const first = await recordFirst(tx, notificationId, 'delivered_at')
  if (first) publish(tx, { type: 'NotificationDelivered', notificationId, channel, ...first })
}

const cancellable: readonly Status[] = ['queued', 'retrying', 'held']

/** A notification that is being sent cannot be cancelled. Idempotent. */
export async function cancelNotification(tx: Tx, id: string): Promise<Notification> {
  const it = await lockNotification(tx, id)
  if (!it) throw refuse('not_found')
  if (it.status === 'cancelled') return it
  if (!cancellable.includes(it.status))
    throw refuse('invalid_transition', {
      state: it.status,
      requested: 'cancel',
      allowed: allowedSteps(it.status),
    })
  return endNotification(tx, id, { status: 'cancelled', reason: 'by_hand' })
}

/** The steps that an operator may take in a status. */
export const allowedSteps = (status: Status): string[] => [
  ...(cancellable.includes(status) ? ['cancel'] : []),
  ...(status === 'dead' || status === 'held' ? ['retry'] : []),
]

/** Restarts a dead or held notification with its full number of attempts. */
export async function retryNotification(tx: Tx, id: string): Promise<Notification> {
  const it = await lockNotification(tx, id)
  if (!it) throw refuse('not_found')
  const allowed = allowedSteps(it.status)
  if (!allowed.includes('retry'))
    throw refuse('invalid_transition', { state: it.status, requested: 'retry', allowed })
  return requeueNotification(tx, id)
}
