import type { Tx } from '../../base/db.ts'
import { refuse } from '../../base/refusal.ts'
import { lockNotification, requeueNotification } from '../store/notifications.ts'
import { stepsFrom } from './cancel-notification.ts'
import type { Notification } from './notification.ts'

/** Gives one that was given up all its tries again. */
export async function retryNotification(tx: Tx, id: string): Promise<Notification> {
  const it = await lockNotification(tx, id)
  if (!it) throw refuse('not_found')
  const allowed = stepsFrom(it.status)
  if (!allowed.includes('retry'))
    throw refuse('invalid_transition', { state: it.status, asked: 'retry', allowed })
  return requeueNotification(tx, id)
}
