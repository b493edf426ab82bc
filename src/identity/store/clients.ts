// Clients in the database.

import { brokenUnique, type Reader, type Tx } from '../../base/db.ts'
import type { Client, ClientWithHash, Contact } from '../client.ts'

const columns = `id, name, phone, email, external_ids as "externalIds", version, created_at as "createdAt",
  updated_at as "updatedAt"`
const withHash = `${columns}, password_hash as "passwordHash"`

export const findClient = (read: Reader, id: number): Promise<ClientWithHash | undefined> =>
  read.maybe<ClientWithHash>(`select ${withHash} from identity_clients where id = $1`, [id])

/** The client, held for this transaction. Others may still refer to him. */
export const lockClient = (tx: Tx, id: number): Promise<ClientWithHash | undefined> =>
  tx.maybe<ClientWithHash>(`select ${withHash} from identity_clients where id = $1 for no key update`, [id])

export const findClientByContact = (read: Reader, contact: Contact): Promise<ClientWithHash | undefined> =>
  contact.kind === 'phone'
    ? read.maybe<ClientWithHash>(`select ${withHash} from identity_clients where phone = $1`, [contact.phone])
    : read.maybe<ClientWithHash>(`select ${withHash} from identity_clients where email = $1`, [contact.email])

/** The first so many ids that no client has had from the counter. */
export const nextClientIds = async (tx: Tx, count: number): Promise<number[]> =>
  (
    await tx.all<{ id: number }>(
      `select nextval(pg_get_serial_sequence('identity_clients', 'id')) as id from generate_series(1, $1) order by id`,
      [count],
    )
  ).map((it) => it.id)

export type Taken = 'id' | 'phone' | 'email'

/** Adds a client, or says what of him another one has. */
export const insertClient = (
  tx: Tx,
  it: Pick<ClientWithHash, 'id' | 'name' | 'phone' | 'email' | 'passwordHash'>,
): Promise<Client | Taken> =>
  unlessTaken(tx, () =>
    tx.one<Client>(
      `insert into identity_clients (id, name, phone, email, password_hash, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $6) returning ${columns}`,
      [it.id, it.name, it.phone, it.email, it.passwordHash, tx.now],
    ),
  )

async function unlessTaken<T>(tx: Tx, write: () => Promise<T>): Promise<T | Taken> {
  try {
    return await tx.attempt(write)
  } catch (error) {
    // Another table's constraint, such as that of a claimed Idempotency-Key, is not ours to explain.
    const [, field] = /^identity_clients_(pkey|phone|email)$/.exec(brokenUnique(error) ?? '') ?? []
    if (!field) throw error
    return field === 'pkey' ? 'id' : (field as Taken)
  }
}

export const setPasswordHash = (tx: Tx, id: number, hash: string): Promise<Client> =>
  tx.one<Client>(
    `update identity_clients set password_hash = $2, updated_at = $3, version = version + 1
     where id = $1 returning ${columns}`,
    [id, hash, tx.now],
  )

export const addExternalIds = (tx: Tx, id: number, externalIds: readonly string[]): Promise<Client> =>
  tx.one<Client>(
    `update identity_clients set external_ids = external_ids || $2::text[], updated_at = $3, version = version + 1
     where id = $1 returning ${columns}`,
    [id, externalIds, tx.now],
  )

/** Clients by their ids, held for this transaction, in the order of their ids so that nobody waits in a circle. */
export const lockClients = (tx: Tx, ids: readonly number[]): Promise<ClientWithHash[]> =>
  tx.all<ClientWithHash>(
    `select ${withHash} from identity_clients where id = any($1) order by id for no key update`,
    [ids],
  )

/** How clients are called and reached; those who have no account are missing. */
export const contactsOfClients = (
  read: Reader,
  ids: readonly number[],
): Promise<Pick<Client, 'id' | 'name' | 'phone' | 'email'>[]> =>
  read.all(`select id, name, phone, email from identity_clients where id = any($1::int8[])`, [ids])

/** Who has one of these numbers or addresses. */
export const holdersOf = (
  read: Reader,
  phones: readonly string[],
  emails: readonly string[],
): Promise<Pick<Client, 'id' | 'phone' | 'email'>[]> =>
  read.all(
    `select id, phone, email from identity_clients where phone = any($1::text[])
     union select id, phone, email from identity_clients where email = any($2::text[])`,
    [phones, emails],
  )

export type ClientRow = Pick<
  ClientWithHash,
  'id' | 'name' | 'phone' | 'email' | 'externalIds' | 'passwordHash'
>

/** Writes clients as given, new ones and known ones, or says what one of them shares with another client. */
export const upsertRows = (tx: Tx, rows: readonly ClientRow[]): Promise<true | Taken> =>
  unlessTaken(tx, async () => {
    await tx.all(
      `insert into identity_clients as client
         (id, name, phone, email, external_ids, password_hash, created_at, updated_at)
       select id, name, phone, email, "externalIds", "passwordHash", $2, $2
       from json_to_recordset($1) as row (id int8, name text, phone text, email text, "externalIds" text[],
         "passwordHash" text)
       order by id
       on conflict (id) do update set name = excluded.name, phone = excluded.phone, email = excluded.email,
         external_ids = excluded.external_ids, password_hash = excluded.password_hash,
         updated_at = excluded.updated_at, version = client.version + 1`,
      [JSON.stringify(rows), tx.now],
    )
    return true as const
  })

/** The counter follows chosen ids up to here only: one that follows the largest of all has nowhere left to go. */
const highestCountedId = 10 ** 12

/** Moves the counter past ids that the shop chose itself. */
export async function keepIdsBehind(tx: Tx, ids: readonly number[]): Promise<void> {
  const highest = Math.max(0, ...ids.filter((it) => it <= highestCountedId))
  const counter = `pg_get_serial_sequence('identity_clients', 'id')`
  if (highest > 0) await tx.all(`select setval(${counter}, $1) where nextval(${counter}) < $1`, [highest])
}

export const clientsAfter = (read: Reader, after: number, limit: number): Promise<ClientWithHash[]> =>
  read.all<ClientWithHash>(`select ${withHash} from identity_clients where id > $1 order by id limit $2`, [
    after,
    limit,
  ])

/** Clients by their ids, with the names that other systems have for them. */
export const findClients = (read: Reader, ids: readonly number[]): Promise<Client[]> =>
  read.all<Client>(`select ${columns} from identity_clients where id = any($1) order by id`, [ids])

/** Clients who are known outside by one of these names, the lowest number first. */
export const clientsClaiming = (read: Reader, externalIds: readonly string[]): Promise<Client[]> =>
  read.all<Client>(
    `select ${columns} from identity_clients where external_ids && $1::text[] order by id limit 1000`,
    [externalIds],
  )
