import type { Tx } from '../../base/db.ts'
import { refuse } from '../../base/refusal.ts'
import { endNotification, lockNotification } from '../store/notifications.ts'
import type { Notification, Status } from './notification.ts'

const cancellable: readonly Status[] = ['queued', 'retrying', 'held']

/** Sends it no more. One that is being sent just now cannot be called back. */
export async function cancelNotification(tx: Tx, id: string): Promise<Notification> {
  const it = await lockNotification(tx, id)
  if (!it) throw refuse('not_found')
  if (it.status === 'cancelled') return it
  if (!cancellable.includes(it.status))
    throw refuse('invalid_transition', { state: it.status, asked: 'cancel', allowed: stepsFrom(it.status) })
  return endNotification(tx, id, { status: 'cancelled', reason: 'by_hand' })
}

/** What can be asked of a notification in a state. */
export const stepsFrom = (status: Status): string[] => [
  ...(cancellable.includes(status) ? ['cancel'] : []),
  ...(status === 'dead' || status === 'held' ? ['retry'] : []),
]
