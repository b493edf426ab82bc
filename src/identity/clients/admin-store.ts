// SQL of the administration of clients: search, merge, erase.

import type { Reader, Tx } from '../../base/database.ts'
import { type ListPage, type ListRequest, loadPage } from '../../base/listing.ts'
import { type Client, contactOf } from './client.ts'

export interface AdminClient extends Client {
  hasPassword: boolean
  mergedInto: number | null
  erasedAt: Date | null
}

const columns = `id, name, phone, email, external_ids as "externalIds", version, created_at as "createdAt",
  updated_at as "updatedAt", password_hash is not null as "hasPassword", merged_into as "mergedInto",
  erased_at as "erasedAt"`

export const clientSorts = ['created_at', 'id', 'name'] as const

/** Clients whose id, phone, e-mail or external id equals the text, or whose name or e-mail begins with it. */
export function searchClients(
  read: Reader,
  q: string | undefined,
  listing: ListRequest,
): Promise<ListPage<AdminClient>> {
  const text = q?.trim() ?? ''
  const contact = contactOf(text)
  const prefix = `${text.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const id = /^[0-9]{1,15}$/.test(text) ? Number(text) : null
  return loadPage<AdminClient>(
    read,
    {
      columns,
      from: 'identity_clients',
      where: text
        ? [
            `(id = $1 or phone = $2 or lower(name) like $3 or email like $3 or external_ids @> array[$4::text]
               or lower(name) like '% ' || $3)`,
          ]
        : [],
      values: text ? [id, contact?.kind === 'phone' ? contact.phone : null, prefix, text] : [],
      sorts: {
        created_at: { by: 'created_at', type: 'timestamptz' },
        id: { by: 'id', type: 'int8' },
        name: { by: 'name', type: 'text' },
      },
      key: { by: 'id', type: 'int8' },
    },
    listing,
  )
}

export const findAdminClient = (read: Reader, id: number): Promise<AdminClient | undefined> =>
  read.maybe<AdminClient>(`select ${columns} from identity_clients where id = $1`, [id])

/** Locks clients in id order, to prevent deadlocks. */
export const lockAdminClients = (tx: Tx, ids: readonly number[]): Promise<AdminClient[]> =>
  tx.all<AdminClient>(
    `select ${columns} from identity_clients where id = any($1) order by id for no key update`,
    [ids],
  )

/** Empties an account that was merged into another one; contacts must be free before the other takes them. */
export const markMerged = (tx: Tx, id: number, into: number): Promise<AdminClient> =>
  tx.one<AdminClient>(
    `update identity_clients set phone = null, email = null, external_ids = '{}', password_hash = null,
       merged_into = $2, updated_at = $3, version = version + 1 where id = $1 returning ${columns}`,
    [id, into, tx.now],
  )

export const setContacts = (
  tx: Tx,
  id: number,
  it: Pick<Client, 'phone' | 'email' | 'externalIds'>,
): Promise<AdminClient> =>
  tx.one<AdminClient>(
    `update identity_clients set phone = $2, email = $3, external_ids = $4, updated_at = $5, version = version + 1
     where id = $1 returning ${columns}`,
    [id, it.phone, it.email, it.externalIds, tx.now],
  )

/** Clients that were erased after an instant, in the order of their ids. */
export const erasedSince = async (
  read: Reader,
  { since, after, limit }: { since: Date; after: number; limit: number },
): Promise<number[]> =>
  (
    await read.all<{ id: number }>(
      `select id from identity_clients where erased_at > $1 and id > $2 order by id limit $3`,
      [since, after, limit],
    )
  ).map((it) => it.id)

/** Removes everything personal of a client; the row stays, because orders refer to its id. */
export const markErased = (tx: Tx, id: number): Promise<AdminClient> =>
  tx.one<AdminClient>(
    `update identity_clients set name = '', phone = null, email = null, external_ids = '{}', password_hash = null,
       erased_at = $2, updated_at = $2, version = version + 1 where id = $1 returning ${columns}`,
    [id, tx.now],
  )

/** Deletes sessions and reset requests, which hold networks and user agents. */
export async function deleteTraces(tx: Tx, id: number): Promise<void> {
  await tx.all(`delete from identity_sessions where client_id = $1`, [id])
  await tx.all(`delete from identity_password_resets where client_id = $1`, [id])
}
