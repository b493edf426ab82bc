// `client` records of import and export.

import { Type } from 'typebox'
import type { Reader, Tx } from '../../base/database.ts'
import { publishAll } from '../../base/outbox.ts'
import type { LoadCounts, RecordKind, RecordPage, RejectedRecord } from '../../base/records/record-kind.ts'
import type { Event } from '../../events.ts'
import { id, list, name, nullable, strict, text } from '../../http/schema.ts'
import { isPasswordHash, maxPasswordLength, Passwords } from '../passwords.ts'
import { type Client, type ClientWithHash, contactsOf, type Fault } from './client.ts'
import { maxExternalIds, signOutEverywhere } from './sign-in.ts'
import * as store from './store.ts'

const shape = strict({
  id,
  name: name(200, 'Aziza'),
  phone: Type.Optional(nullable(text({ max: 40 }))),
  email: Type.Optional(nullable(text({ max: 254 }))),
  external_ids: Type.Optional(list(text({ max: 200 }), maxExternalIds)),
  password: Type.Optional(nullable(text({ max: maxPasswordLength }))),
  password_hash: Type.Optional(nullable(text({ max: 300 }))),
})

export type ClientRecord = Type.Static<typeof shape>

/** They contain password hashes, so they need an admin scope. */
export const clientRecords: RecordKind = {
  name: 'client',
  shape,
  area: 'admin',
  load: (tx, records, counts) => upsertClients(tx, records as ClientRecord[], counts),
  page: (read, after, limit) => exportClients(read, Number(after ?? 0), limit),
}

/**
 * Creates or updates clients by id; omitted fields keep their values. A record whose phone or e-mail belongs to another
 * client is rejected alone. Hashing a password takes about ten milliseconds.
 */
export async function upsertClients(
  tx: Tx,
  records: readonly ClientRecord[],
  counts: LoadCounts = { unchanged: 0 },
): Promise<RejectedRecord[]> {
  const known = new Map((await store.lockClients(tx, idsOf(records))).map((it) => [it.id, it]))
  const { wanted, refused } = await withoutTaken(tx, records, known)
  const hashed = await withHashes(tx, wanted, known)
  const changed = hashed.filter(({ row }) => differs(row, known.get(row.id)))
  counts.unchanged += hashed.length - changed.length

  const stored = await storeRows(tx, changed)
  await store.advanceIdSequence(
    tx,
    stored.done.map((it) => it.id),
  )
  await publishChanges(tx, stored.done, known)
  return [...refused, ...stored.refused].toSorted((a, b) => a.at - b.at)
}

export async function exportClients(read: Reader, after: number, limit: number): Promise<RecordPage> {
  const clients = await store.clientsAfter(read, after, limit)
  const records = clients.map((it) => ({
    id: it.id,
    name: it.name,
    phone: it.phone,
    email: it.email,
    external_ids: it.externalIds,
    password_hash: it.passwordHash,
  }))
  return { records, last: clients.length < limit ? null : String(clients.at(-1)!.id) }
}

interface Placed {
  at: number
  record: ClientRecord
  row: store.ClientRow
}

const idsOf = (records: readonly ClientRecord[]) => records.map((it) => it.id)
const unloaded = (at: number, faults: Fault[], isMissingReference = false): RejectedRecord => ({
  at,
  faults,
  isMissingReference,
})

/** Splits records into valid rows and rejected ones (invalid or taken contacts). */
async function withoutTaken(
  tx: Tx,
  records: readonly ClientRecord[],
  known: ReadonlyMap<number, ClientWithHash>,
): Promise<{ wanted: Placed[]; refused: RejectedRecord[] }> {
  const read = records.map((record, at) => ({ at, record, ...contactsOf(record) }))
  const texts = (field: 'phone' | 'email') => read.map((it) => it[field]).filter((it) => it !== null)
  const holders = new Map<string, number>()
  const hold = (it: Pick<Client, 'id' | 'phone' | 'email'>) => {
    for (const contact of [it.phone, it.email]) if (contact !== null) holders.set(contact, it.id)
  }
  for (const it of await store.holdersOf(tx, texts('phone'), texts('email'))) hold(it)

  const wanted: Placed[] = []
  const refused: RejectedRecord[] = []
  for (const { at, record, phone, email, faults } of read) {
    const row = rowOf(record, { phone, email }, known.get(record.id))
    const isTaken = (contact: string | null) =>
      contact !== null && (holders.get(contact) ?? row.id) !== row.id
    const taken = (['phone', 'email'] as const).filter((field) => isTaken(row[field]))
    const badHash = record.password_hash != null && !isPasswordHash(record.password_hash)
    const wrong = [
      ...faults,
      ...(badHash ? [{ path: 'password_hash', rule: 'format', limit: '$argon2id$…' }] : []),
    ]
    if (wrong.length > 0) refused.push(unloaded(at, wrong))
    // Tried again: a later line of the file may take the phone or e-mail from the client who has it.
    else if (taken.length > 0)
      refused.push(
        unloaded(
          at,
          taken.map((path) => ({ path, rule: 'taken' })),
          true,
        ),
      )
    else {
      hold(row)
      wanted.push({ at, record, row })
    }
  }
  return { wanted, refused }
}

const rowOf = (
  record: ClientRecord,
  { phone, email }: { phone: string | null; email: string | null },
  before: ClientWithHash | undefined,
): store.ClientRow => ({
  id: record.id,
  name: record.name,
  phone: record.phone === undefined ? (before?.phone ?? null) : phone,
  email: record.email === undefined ? (before?.email ?? null) : email,
  externalIds: record.external_ids ?? before?.externalIds ?? [],
  passwordHash: record.password_hash === undefined ? (before?.passwordHash ?? null) : record.password_hash,
})

const hashedBetweenSignsOfLife = 200

/** An unchanged password keeps its hash, so that importing a file again changes nothing. */
async function withHashes(
  tx: Tx,
  placed: readonly Placed[],
  known: ReadonlyMap<number, ClientWithHash>,
): Promise<Placed[]> {
  const passwords = new Passwords()
  const hashed: Placed[] = []
  for (let from = 0; from < placed.length; from += hashedBetweenSignsOfLife) {
    const some = placed.slice(from, from + hashedBetweenSignsOfLife)
    hashed.push(
      ...(await Promise.all(
        some.map(async (it) => {
          const { password } = it.record
          if (password == null) return it
          const before = known.get(it.row.id)?.passwordHash
          const isSame = before != null && (await passwords.matches(password, before))
          return { ...it, row: { ...it.row, passwordHash: isSame ? before : await passwords.hash(password) } }
        }),
      )),
    )
    // Keeps the transaction alive: the database ends it after 30 idle seconds.
    if (some.some((it) => it.record.password != null)) await tx.all('select 1')
  }
  return hashed
}

const differs = (row: store.ClientRow, before: ClientWithHash | undefined): boolean =>
  before === undefined ||
  (['name', 'phone', 'email', 'passwordHash'] as const).some((it) => row[it] !== before[it]) ||
  row.externalIds.join('\n') !== before.externalIds.join('\n')

/** Writes all rows at once; one by one only when a contact was taken by a concurrent registration. */
async function storeRows(
  tx: Tx,
  placed: readonly Placed[],
): Promise<{ done: store.ClientRow[]; refused: RejectedRecord[] }> {
  if (placed.length === 0) return { done: [], refused: [] }
  const rows = placed.map((it) => it.row)
  if ((await store.upsertRows(tx, rows)) === true) return { done: rows, refused: [] }
  const done: store.ClientRow[] = []
  const refused: RejectedRecord[] = []
  for (const { at, row } of placed) {
    const outcome = await store.upsertRows(tx, [row])
    if (outcome === true) done.push(row)
    else refused.push(unloaded(at, [{ path: outcome, rule: 'taken' }], true))
  }
  return { done, refused }
}

async function publishChanges(
  tx: Tx,
  rows: readonly store.ClientRow[],
  known: ReadonlyMap<number, ClientWithHash>,
): Promise<void> {
  const isReset = (row: store.ClientRow) =>
    known.has(row.id) && known.get(row.id)!.passwordHash !== row.passwordHash
  const reset = rows.filter(isReset).map((it) => it.id)
  if (reset.length > 0) await signOutEverywhere(tx, reset)
  publishAll(
    tx,
    rows.flatMap((row): Event[] => [
      { type: known.has(row.id) ? 'ClientChanged' : 'ClientRegistered', clientId: row.id },
      ...(isReset(row) ? [{ type: 'PasswordChanged', clientId: row.id } as const] : []),
    ]),
  )
}
