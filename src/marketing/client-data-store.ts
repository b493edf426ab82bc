// Deletes what notifications hold of one client, for the erasure of clients.

import type { Tx } from '../base/database.ts'
import { contactsOfClients } from '../identity/index.ts'

/**
 * Deletes devices and the language, withdraws consents, and removes addresses and texts of messages. What a mail server
 * replied may repeat the address. Messages that were not sent are cancelled, also those that a retry could send; the outcome
 * of an attempt that is under way is not stored. The same holds for messages and consents of the client's bare addresses.
 */
export async function eraseRecipient(tx: Tx, clientId: number): Promise<void> {
  await tx.all(`delete from marketing_devices where client_id = $1`, [clientId])
  await tx.all(`delete from marketing_languages where client_id = $1`, [clientId])
  await tx.all(
    `update marketing_consents set is_granted = false, at = $2 where client_id = $1 and is_granted`,
    [clientId, tx.now],
  )
  const [contact] = await contactsOfClients(tx, [clientId])
  const addresses = [contact?.email, contact?.phone].filter((it) => it != null)
  await eraseAddressConsents(tx, addresses)
  await eraseMessages(tx, clientId, addresses)
}

/** Their holder is the address itself. Without a consent nothing is sent, so no withdrawal has to be kept. */
async function eraseAddressConsents(tx: Tx, addresses: readonly string[]): Promise<void> {
  await tx.all(
    `delete from marketing_consent_changes where consent_id in
       (select id from marketing_consents where holder = any($1::text[]))`,
    [addresses],
  )
  await tx.all(`delete from marketing_consents where holder = any($1::text[])`, [addresses])
}

/** No index on addresses: erasures are rare, and notifications are purged. */
const theirs = `(client_id = $1 or client_id is null and address = any($2::text[]))`

async function eraseMessages(tx: Tx, clientId: number, addresses: readonly string[]): Promise<void> {
  await tx.all(
    `update marketing_attempts set reply = null, error = null
     where notification_id in (select id from marketing_notifications where ${theirs})`,
    [clientId, addresses],
  )
  await tx.all(
    `update marketing_notifications set status = 'cancelled', reason = 'erased', next_at = null,
       lease = null, leased_until = null, ended_at = coalesce(ended_at, $3)
     where ${theirs} and status in ('queued', 'sending', 'retrying', 'held', 'dead')`,
    [clientId, addresses, tx.now],
  )
  await tx.all(`update marketing_notifications set address = null, variables = '{}' where ${theirs}`, [
    clientId,
    addresses,
  ])
}
