// Use cases about existing clients: profile changes by the client or an operator, merging duplicates, erasure.

import type { Database, Reader, Tx } from '../../base/database.ts'
import { publish } from '../../base/outbox.ts'
import { conflict } from '../../base/conflict.ts'
import { refuse } from '../../base/refusal.ts'
import { eraseReplies, moveReplies } from '../../http/idempotency.ts'
import { type IfMatch, requireVersion } from '../../http/version.ts'
import { type Attempt, countAttempts } from '../attempts-store.ts'
import { revokeAuthorizationsOf } from '../oauth/grants.ts'
import type { Passwords } from '../passwords.ts'
import * as adminStore from './admin-store.ts'
import { type Client, contactsOf } from './client.ts'
import type { ClientData } from './client-data.ts'
import { nameFaults } from './register-client.ts'
import { maxExternalIds, signOutEverywhere } from './sign-in.ts'
import { findClient, lockClient, updateClient } from './store.ts'

export interface ProfileChanges {
  name?: string | undefined
  phone?: string | null | undefined
  email?: string | null | undefined
}

/** Changes the given fields of a client. */
export async function changeClient(
  tx: Tx,
  clientId: number,
  { changes, ifMatch }: { changes: ProfileChanges; ifMatch?: IfMatch | undefined },
): Promise<Client> {
  const before = await lockClient(tx, clientId)
  if (!before || (await adminStore.findAdminClient(tx, clientId))?.erasedAt) throw refuse('not_found')
  requireVersion(before, ifMatch)
  const name = changes.name === undefined ? before.name : changes.name.trim()
  const contacts = contactsOf({
    phone: changes.phone === undefined ? before.phone : changes.phone,
    email: changes.email === undefined ? before.email : changes.email,
  })
  const { phone, email } = contacts
  const hasNoContact = contacts.faults.length === 0 && phone === null && email === null
  const fields = [
    ...(changes.name === undefined ? [] : nameFaults(name)),
    ...contacts.faults,
    ...(hasNoContact ? [{ path: 'phone', rule: 'required' }] : []),
  ]
  if (fields.length > 0) throw refuse('validation_failed', { fields })
  if (before.name === name && before.phone === phone && before.email === email) return before

  const changed = await updateClient(tx, { id: clientId, name, phone, email })
  if (typeof changed === 'string')
    throw refuse('validation_failed', { fields: [{ path: changed, rule: 'taken' }] })
  publish(tx, { type: 'ClientChanged', clientId })
  return changed
}

/** A new phone number or e-mail address opens the account, so changing it needs the password. */
export async function checkContactChange(
  { db, passwords }: { db: Database; passwords: Passwords },
  clientId: number,
  given: ProfileChanges & { current_password?: string | undefined },
): Promise<void> {
  if (given.phone === undefined && given.email === undefined) return
  const attempts: Attempt[] = [{ budget: 'ownPassword', who: String(clientId) }]
  await countAttempts(db, attempts)
  const client = await findClient(db.read(), clientId)
  if (!(await passwords.matches(given.current_password ?? '', client?.passwordHash)))
    throw refuse('validation_failed', { fields: [{ path: 'current_password', rule: 'wrong' }] })
}

/** Merges a duplicate into another client: contacts that the other lacks, external ids, orders, carts and limits. */
export async function mergeClients(
  tx: Tx,
  { from, into }: { from: number; into: number },
  data: readonly ClientData[],
): Promise<adminStore.AdminClient> {
  if (from === into) throw refuse('validation_failed', { fields: [{ path: 'into', rule: 'wrong' }] })
  const clients = await adminStore.lockAdminClients(tx, [from, into])
  const [duplicate, remaining] = [from, into].map((id) => clients.find((it) => it.id === id))
  if (!duplicate) throw refuse('not_found')
  if (!remaining) throw refuse('not_found', { resource: 'client', id: String(into), path: 'into' })
  if (duplicate.mergedInto === into) return remaining
  for (const it of [duplicate, remaining])
    if (it.mergedInto !== null || it.erasedAt)
      throw conflict('merged_or_erased', { client_id: String(it.id) })

  await adminStore.markMerged(tx, from, into)
  const merged = await adminStore.setContacts(tx, into, {
    phone: remaining.phone ?? duplicate.phone,
    email: remaining.email ?? duplicate.email,
    externalIds: [...new Set([...remaining.externalIds, ...duplicate.externalIds])].slice(0, maxExternalIds),
  })
  await signOutEverywhere(tx, [from])
  await revokeAuthorizationsOf(tx, from)
  moveReplies(tx, { from, into })
  for (const it of data) await it.merge?.(tx, { from, into })
  publish(tx, { type: 'ClientsMerged', clientId: into, mergedClientId: from })
  publish(tx, { type: 'ClientChanged', clientId: from })
  return merged
}

/**
 * Erases a client on request. Orders and payments stay, because accounting law requires them; nothing personal does. Erasing
 * again removes what was written since.
 */
export async function eraseClient(
  tx: Tx,
  clientId: number,
  data: readonly ClientData[],
): Promise<adminStore.AdminClient> {
  const [before] = await adminStore.lockAdminClients(tx, [clientId])
  if (!before) throw refuse('not_found')
  await signOutEverywhere(tx, [clientId])
  await revokeAuthorizationsOf(tx, clientId)
  await adminStore.deleteTraces(tx, clientId)
  eraseReplies(tx, clientId)
  for (const it of data) await it.erase?.(tx, clientId)
  if (before.erasedAt) return before

  const erased = await adminStore.markErased(tx, clientId)
  publish(tx, { type: 'ClientErased', clientId })
  return erased
}

/** An order for such a client would have no one to deliver to, or keep personal data that was to be erased. */
export async function refuseMergedOrErased(read: Reader, clientId: number): Promise<void> {
  const found = await adminStore.findAdminClient(read, clientId)
  if (found && (found.mergedInto !== null || found.erasedAt))
    throw conflict('merged_or_erased', { client_id: String(clientId) })
}
