import type { Database, Tx } from '../../base/database.ts'
import { publish } from '../../base/outbox.ts'
import { refuse } from '../../base/refusal.ts'
import { countAttempts } from '../attempts-store.ts'
import { type Client, contactsOf, type Fault } from './client.ts'
import { passwordFaults, type Passwords } from '../passwords.ts'
import * as store from './store.ts'

/**
 * Returns which of these client ids already own carts or orders. A shop may keep its client directory elsewhere, so an
 * id without an account may own data; new clients must not get such an id.
 */
export type FindClientsWithData = (tx: Tx, clientIds: readonly number[]) => Promise<readonly number[]>

export const noClientsWithData: FindClientsWithData = async () => []

export interface NewClient {
  name: string
  phone?: string | null | undefined
  email?: string | null | undefined
  password: string
}

export type CheckedNewClient = Pick<Client, 'name' | 'phone' | 'email'> & { passwordHash: string }

/**
 * Validates a new client and hashes the password before a transaction begins. Probing for existing accounts is limited.
 */
export async function checkNewClient(
  { db, passwords }: { db: Database; passwords: Passwords },
  newClient: NewClient,
  network: string | null,
): Promise<CheckedNewClient> {
  const { phone, email, faults } = contactsOf(newClient)
  const name = newClient.name.trim()
  const fields = [
    ...nameFaults(name),
    ...faults,
    ...(newClient.phone == null && newClient.email == null ? [{ path: 'phone', rule: 'required' }] : []),
    ...passwordFaults(newClient.password, { phone, email, name }, 'password'),
  ]
  if (fields.length > 0) throw refuse('validation_failed', { fields })
  const holders = await store.holdersOf(db.read(), phone ? [phone] : [], email ? [email] : [])
  if (holders.length > 0) {
    if (network !== null) await countAttempts(db, [{ budget: 'takenNetwork', who: network }])
    throw taken(holders.some((it) => it.phone === phone && phone !== null) ? 'phone' : 'email')
  }
  return { name, phone, email, passwordHash: await passwords.hash(newClient.password) }
}

const maxNameLength = 200

export const nameFaults = (name: string): Fault[] => {
  if (name === '') return [{ path: 'name', rule: 'required' }]
  return [...name].length > maxNameLength ? [{ path: 'name', rule: 'max_length', limit: maxNameLength }] : []
}

const idsPerTry = [1, 10, 100, 1_000]

/** Adds a client under an id that owns no data. */
export async function registerClient(
  tx: Tx,
  it: CheckedNewClient,
  findClientsWithData: FindClientsWithData,
): Promise<Client> {
  for (const count of idsPerTry) {
    const ids = await store.nextClientIds(tx, count)
    const owning = new Set(await findClientsWithData(tx, ids))
    for (const id of ids.filter((one) => !owning.has(one))) {
      const added = await store.insertClient(tx, { ...it, id })
      if (added === 'id') continue
      if (typeof added === 'string') throw taken(added)
      publish(tx, { type: 'ClientRegistered', clientId: added.id })
      return added
    }
  }
  throw refuse('service_unavailable', { retry_after: 1 })
}

const taken = (path: 'phone' | 'email') => refuse('validation_failed', { fields: [{ path, rule: 'taken' }] })
