import type { Database, Tx } from '../base/db.ts'
import { publish } from '../base/outbox.ts'
import { refuse } from '../base/refusal.ts'
import { spend } from './attempts.ts'
import { type Client, contactsOf, type Fault } from './client.ts'
import { passwordFaults, type Passwords } from './password.ts'
import * as store from './store/clients.ts'

/**
 * Says which of these clients own something already. A shop may keep its clients elsewhere and only name their ids
 * to us, so an id without a record may have a cart; a newcomer must not be handed it.
 */
export type Owners = (tx: Tx, clientIds: readonly number[]) => Promise<readonly number[]>

export const noOwners: Owners = async () => []

export interface Newcomer {
  name: string
  phone?: string | null | undefined
  email?: string | null | undefined
  password: string
}

/** A newcomer whose fields are good and whose password is hashed. */
export type CheckedNewcomer = Pick<Client, 'name' | 'phone' | 'email'> & { passwordHash: string }

/** Looks at a newcomer before any transaction waits for the hash. Who asks too often which accounts exist is held off. */
export async function checkNewcomer(
  { db, passwords }: { db: Database; passwords: Passwords },
  newcomer: Newcomer,
  network: string | null,
): Promise<CheckedNewcomer> {
  const { phone, email, faults } = contactsOf(newcomer)
  const name = newcomer.name.trim()
  const fields = [
    ...nameFaults(name),
    ...faults,
    ...(newcomer.phone == null && newcomer.email == null ? [{ path: 'phone', rule: 'required' }] : []),
    ...passwordFaults(newcomer.password, { phone, email, name }, 'password'),
  ]
  if (fields.length > 0) throw refuse('validation_failed', { fields })
  const holders = await store.holdersOf(db.read(), phone ? [phone] : [], email ? [email] : [])
  if (holders.length > 0) {
    if (network !== null) await spend(db, [{ budget: 'takenNetwork', who: network }])
    throw taken(holders.some((it) => it.phone === phone && phone !== null) ? 'phone' : 'email')
  }
  return { name, phone, email, passwordHash: await passwords.hash(newcomer.password) }
}

const longestName = 200

const nameFaults = (name: string): Fault[] => {
  if (name === '') return [{ path: 'name', rule: 'required' }]
  return [...name].length > longestName ? [{ path: 'name', rule: 'max_length', limit: longestName }] : []
}

const triesAtOnce = [1, 10, 100, 1_000]

/** Adds a client under an id that owns nothing. */
export async function registerClient(tx: Tx, it: CheckedNewcomer, owners: Owners): Promise<Client> {
  for (const count of triesAtOnce) {
    const ids = await store.nextClientIds(tx, count)
    const owning = new Set(await owners(tx, ids))
    for (const id of ids.filter((one) => !owning.has(one))) {
      const added = await store.insertClient(tx, { ...it, id })
      if (added === 'id') continue
      if (typeof added === 'string') throw taken(added)
      await publish(tx, { type: 'ClientRegistered', clientId: added.id })
      return added
    }
  }
  throw refuse('service_unavailable', { retry_after: 1 })
}

const taken = (path: 'phone' | 'email') => refuse('validation_failed', { fields: [{ path, rule: 'taken' }] })
