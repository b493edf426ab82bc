// SQL of clients and their sessions.

import { violatedUnique, type Reader, type Tx } from '../../base/database.ts'
import type { CacheKind } from '../../base/cache.ts'
import type { Client, ClientWithHash, Contact } from './client.ts'
import type { Session } from './session.ts'

const columns = `id, name, phone, email, external_ids as "externalIds", version, created_at as "createdAt",
  updated_at as "updatedAt"`
const withHash = `${columns}, password_hash as "passwordHash"`

export const findClient = (read: Reader, id: number): Promise<ClientWithHash | undefined> =>
  read.maybe<ClientWithHash>(`select ${withHash} from identity_clients where id = $1`, [id])

/** Locks the client for this transaction; foreign keys may still refer to the row. */
export const lockClient = (tx: Tx, id: number): Promise<ClientWithHash | undefined> =>
  tx.maybe<ClientWithHash>(`select ${withHash} from identity_clients where id = $1 for no key update`, [id])

export const findClientByContact = (read: Reader, contact: Contact): Promise<ClientWithHash | undefined> =>
  contact.kind === 'phone'
    ? read.maybe<ClientWithHash>(`select ${withHash} from identity_clients where phone = $1`, [contact.phone])
    : read.maybe<ClientWithHash>(`select ${withHash} from identity_clients where email = $1`, [contact.email])

/** The next ids of the sequence. */
export const nextClientIds = async (tx: Tx, count: number): Promise<number[]> =>
  (
    await tx.all<{ id: number }>(
      `select nextval(pg_get_serial_sequence('identity_clients', 'id')) as id from generate_series(1, $1) order by id`,
      [count],
    )
  ).map((it) => it.id)

export type Taken = 'id' | 'phone' | 'email'

/** Adds a client, or returns the field that another client already has. */
export const insertClient = (
  tx: Tx,
  it: Pick<ClientWithHash, 'id' | 'name' | 'phone' | 'email' | 'passwordHash'>,
): Promise<Client | Taken> =>
  catchTaken(tx, () =>
    tx.one<Client>(
      `insert into identity_clients (id, name, phone, email, password_hash, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $6) returning ${columns}`,
      [it.id, it.name, it.phone, it.email, it.passwordHash, tx.now],
    ),
  )

async function catchTaken<T>(tx: Tx, write: () => Promise<T>): Promise<T | Taken> {
  try {
    return await tx.attempt(write)
  } catch (error) {
    // Unique violations of other tables, such as idempotency keys, are rethrown.
    const [, field] = /^identity_clients_(pkey|phone|email)$/.exec(violatedUnique(error) ?? '') ?? []
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

/** Changes name and contacts, or returns the field that another client already has. */
export const updateClient = (
  tx: Tx,
  it: Pick<Client, 'id' | 'name' | 'phone' | 'email'>,
): Promise<Client | Taken> =>
  catchTaken(tx, () =>
    tx.one<Client>(
      `update identity_clients set name = $2, phone = $3, email = $4, updated_at = $5, version = version + 1
       where id = $1 returning ${columns}`,
      [it.id, it.name, it.phone, it.email, tx.now],
    ),
  )

export const addExternalIds = (tx: Tx, id: number, externalIds: readonly string[]): Promise<Client> =>
  tx.one<Client>(
    `update identity_clients set external_ids = external_ids || $2::text[], updated_at = $3, version = version + 1
     where id = $1 returning ${columns}`,
    [id, externalIds, tx.now],
  )

/** Locks clients in id order, to prevent deadlocks. */
export const lockClients = (tx: Tx, ids: readonly number[]): Promise<ClientWithHash[]> =>
  tx.all<ClientWithHash>(
    `select ${withHash} from identity_clients where id = any($1) order by id for no key update`,
    [ids],
  )

/** Names and contacts of clients; unknown ids are missing. */
export const contactsOfClients = (
  read: Reader,
  ids: readonly number[],
): Promise<Pick<Client, 'id' | 'name' | 'phone' | 'email'>[]> =>
  read.all(`select id, name, phone, email from identity_clients where id = any($1::int8[])`, [ids])

/** Clients that have one of these phones or e-mails. */
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

/** Inserts or updates clients, or returns the field that another client already has. */
export const upsertRows = (tx: Tx, rows: readonly ClientRow[]): Promise<true | Taken> =>
  catchTaken(tx, async () => {
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

/** The sequence follows imported ids only up to here, so that a huge id cannot exhaust it. */
const highestCountedId = 10 ** 12

/** Moves the sequence past imported ids. */
export async function advanceIdSequence(tx: Tx, ids: readonly number[]): Promise<void> {
  const highest = Math.max(0, ...ids.filter((it) => it <= highestCountedId))
  const counter = `pg_get_serial_sequence('identity_clients', 'id')`
  if (highest > 0) await tx.all(`select setval(${counter}, $1) where nextval(${counter}) < $1`, [highest])
}

/** For exports: without erased and merged clients, which keep only their id. */
export const clientsAfter = (read: Reader, after: number, limit: number): Promise<ClientWithHash[]> =>
  read.all<ClientWithHash>(
    `select ${withHash} from identity_clients
     where id > $1 and erased_at is null and merged_into is null order by id limit $2`,
    [after, limit],
  )

export const findClients = (read: Reader, ids: readonly number[]): Promise<Client[]> =>
  read.all<Client>(`select ${columns} from identity_clients where id = any($1) order by id`, [ids])

/** Clients that have one of these external ids, lowest id first. */
export const clientsClaiming = (read: Reader, externalIds: readonly string[]): Promise<Client[]> =>
  read.all<Client>(
    `select ${columns} from identity_clients where external_ids && $1::text[] order by id limit 1000`,
    [externalIds],
  )

const sessionColumns = `id, client_id as "clientId", user_agent as "userAgent", network, created_at as "createdAt",
  last_used_at as "lastUsedAt", ended_at as "endedAt"`

export const findSessionByHash = (
  read: Reader,
  hash: Buffer,
): Promise<(Session & { hash: Buffer }) | undefined> =>
  read.maybe(`select ${sessionColumns}, hash from identity_sessions where hash = $1`, [hash])

export const insertSession = (
  tx: Tx,
  it: Pick<Session, 'id' | 'clientId' | 'userAgent' | 'network'>,
  hash: Buffer,
): Promise<Session> =>
  tx.one<Session>(
    `insert into identity_sessions (id, hash, client_id, user_agent, network, created_at, last_used_at)
     values ($1, $2, $3, $4, $5, $6, $6) returning ${sessionColumns}`,
    [it.id, hash, it.clientId, it.userAgent, it.network, tx.now],
  )

/** Open sessions of a client, newest first. */
export const listSessions = (
  read: Reader,
  clientId: number,
  since: { createdAfter: Date; usedAfter: Date },
): Promise<Session[]> =>
  read.all<Session>(
    `select ${sessionColumns} from identity_sessions
     where client_id = $1 and ended_at is null and created_at > $2 and last_used_at > $3
     order by created_at desc, id limit 100`,
    [clientId, since.createdAfter, since.usedAfter],
  )

/** Ends one session; undefined when it is not open. */
export const endSession = (tx: Tx, clientId: number, sessionId: string): Promise<Session | undefined> =>
  tx.maybe<Session>(
    `update identity_sessions set ended_at = $3 where id = $1 and client_id = $2 and ended_at is null
     returning ${sessionColumns}`,
    [sessionId, clientId, tx.now],
  )

/** Ends all sessions of clients except one, and returns them. */
export const endSessionsOf = (
  tx: Tx,
  clientIds: readonly number[],
  except: string | null = null,
): Promise<{ id: string; clientId: number }[]> =>
  tx.all(
    `update identity_sessions set ended_at = $2
     where client_id = any($1) and ended_at is null and id is distinct from $3
     returning id, client_id as "clientId"`,
    [clientIds, tx.now, except],
  )

/** Ends the oldest sessions of a client beyond `keep`. */
export const endOldestSessions = (
  tx: Tx,
  clientId: number,
  keep: number,
): Promise<{ id: string; clientId: number }[]> =>
  tx.all(
    `update identity_sessions set ended_at = $2 where id in (
       select id from identity_sessions where client_id = $1 and ended_at is null
       order by created_at desc, id offset $3)
     returning id, client_id as "clientId"`,
    [clientId, tx.now, keep],
  )

/** Precision of ten minutes is enough, so recent rows are not written again. */
export async function recordUse(tx: Tx, uses: ReadonlyMap<string, Date>): Promise<void> {
  await tx.all(
    `update identity_sessions set last_used_at = used.at from unnest($1::text[], $2::timestamptz[]) as used (id, at)
     where identity_sessions.id = used.id and last_used_at < used.at - interval '10 minutes'`,
    [[...uses.keys()], [...uses.values()]],
  )
}

/** Expired and ended sessions, for the purge job. */
export const agedSessionsPurge = {
  days: 91,
  sql: `delete from identity_sessions where id in (
          select id from identity_sessions where created_at < $1 order by created_at limit $2) returning 1`,
}
export const endedSessionsPurge = {
  days: 7,
  sql: `delete from identity_sessions where id in (
          select id from identity_sessions where ended_at < $1 order by ended_at limit $2) returning 1`,
}

/** Which of these clients have used a session since an instant. */
export const clientsSeenSince = async (
  read: Reader,
  clientIds: readonly number[],
  since: Date,
): Promise<number[]> =>
  (
    await read.all<{ clientId: number }>(
      `select distinct client_id as "clientId" from identity_sessions where client_id = any($1) and last_used_at > $2`,
      [clientIds, since],
    )
  ).map((it) => it.clientId)

interface Holder {
  clientId: number
}

const holderMemory: CacheKind<Holder> = {
  max: 20_000,
  subjects: ({ clientId }) => [`client/${clientId}`],
}

/** Client ids by normalized phone number; unknown numbers are missing. */
export async function clientsByPhone(read: Reader, phones: readonly string[]): Promise<Map<string, number>> {
  const holders = await read.cached(holderMemory, phones, async (missing) => {
    const found = await holdersOf(read, missing, [])
    return new Map(found.map((it): [string, Holder] => [it.phone!, { clientId: it.id }]))
  })
  return new Map([...holders].map(([phone, { clientId }]) => [phone, clientId]))
}
