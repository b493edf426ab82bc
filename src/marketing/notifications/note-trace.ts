import type { Tx } from '../../base/db.ts'
import { publish } from '../../base/outbox.ts'
import { refuse } from '../../base/refusal.ts'
import { noteFirst } from '../store/notifications.ts'
import type { Notification } from './notification.ts'

/** Notes that a mail was opened; told the first time. */
export async function noteOpened(tx: Tx, notificationId: string): Promise<void> {
  const first = await noteFirst(tx, notificationId, 'opened_at')
  if (first) await publish(tx, { type: 'NotificationOpened', notificationId, ...first })
}

/** Notes that a link was followed; told the first time. */
export async function noteClicked(tx: Tx, notificationId: string, link: number): Promise<void> {
  const first = await noteFirst(tx, notificationId, 'clicked_at')
  if (first) await publish(tx, { type: 'NotificationClicked', notificationId, ...first, link })
}

/** Notes that a message has arrived, as its provider says; told the first time. */
export async function noteDelivered(
  tx: Tx,
  notification: Pick<Notification, 'id' | 'status' | 'channel'>,
): Promise<void> {
  const { id: notificationId, status, channel } = notification
  if (status !== 'sent')
    throw refuse('invalid_transition', { state: status, asked: 'delivered', allowed: [] })
  const first = await noteFirst(tx, notificationId, 'delivered_at')
  if (first) await publish(tx, { type: 'NotificationDelivered', notificationId, channel, ...first })
}
