// Deletes what notifications hold of one client, for the erasure of clients.

import type { Tx } from '../base/database.ts'

/** Deletes devices and the language, withdraws consents, and removes addresses and texts of messages. */
export async function eraseRecipient(tx: Tx, clientId: number): Promise<void> {
  await tx.all(`delete from marketing_devices where client_id = $1`, [clientId])
  await tx.all(`delete from marketing_languages where client_id = $1`, [clientId])
  await tx.all(
    `update marketing_consents set is_granted = false, at = $2 where client_id = $1 and is_granted`,
    [clientId, tx.now],
  )
  await tx.all(
    `update marketing_notifications set address = null, variables = '{}',
       status = case when status in ('queued', 'retrying', 'held') then 'cancelled' else status end
     where client_id = $1`,
    [clientId],
  )
}
