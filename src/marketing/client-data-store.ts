// Deletes what notifications hold of one client, for the erasure of clients.

import type { Tx } from '../base/database.ts'

/**
 * Deletes devices and the language, withdraws consents, and removes addresses and texts of messages. What a mail server
 * replied may repeat the address. Messages that were not sent are cancelled, also those that a retry could send.
 */
export async function eraseRecipient(tx: Tx, clientId: number): Promise<void> {
  await tx.all(`delete from marketing_devices where client_id = $1`, [clientId])
  await tx.all(`delete from marketing_languages where client_id = $1`, [clientId])
  await tx.all(
    `update marketing_consents set is_granted = false, at = $2 where client_id = $1 and is_granted`,
    [clientId, tx.now],
  )
  await tx.all(
    `update marketing_attempts set reply = null, error = null
     where notification_id in (select id from marketing_notifications where client_id = $1)`,
    [clientId],
  )
  await tx.all(`update marketing_notifications set address = null, variables = '{}' where client_id = $1`, [
    clientId,
  ])
  await tx.all(
    `update marketing_notifications set status = 'cancelled', reason = 'erased', next_at = null,
       ended_at = coalesce(ended_at, $2)
     where client_id = $1 and status in ('queued', 'retrying', 'held', 'dead')`,
    [clientId, tx.now],
  )
}
