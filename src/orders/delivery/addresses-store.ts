// Saved addresses of clients.

import type { Reader, Tx } from '../../base/database.ts'
import type { Address } from './address.ts'

export interface SavedAddress {
  id: string
  title: string | null
  address: Address
  createdAt: Date
  updatedAt: Date
}

const columns = `id, title, address, created_at as "createdAt", updated_at as "updatedAt"`

/** The newest first. */
export const listAddresses = (read: Reader, clientId: number): Promise<SavedAddress[]> =>
  read.all(`select ${columns} from orders_addresses where client_id = $1 order by id desc`, [clientId])

export const findAddress = (read: Reader, clientId: number, id: string): Promise<SavedAddress | undefined> =>
  read.maybe(`select ${columns} from orders_addresses where client_id = $1 and id = $2`, [clientId, id])

/** Adds an address unless the client has as many already as allowed. */
export const insertAddress = (
  tx: Tx,
  {
    clientId,
    id,
    title,
    address,
    max,
  }: Pick<SavedAddress, 'id' | 'title' | 'address'> & { clientId: number; max: number },
): Promise<SavedAddress | undefined> =>
  tx.maybe(
    `insert into orders_addresses (id, client_id, title, address, created_at, updated_at)
     select $1, $2, $3, $4, $5, $5 where (select count(*) from orders_addresses where client_id = $2) < $6
     returning ${columns}`,
    [id, clientId, title, JSON.stringify(address), tx.now, max],
  )

export const updateAddress = (
  tx: Tx,
  { clientId, id, title, address }: Pick<SavedAddress, 'id' | 'title' | 'address'> & { clientId: number },
): Promise<SavedAddress | undefined> =>
  tx.maybe(
    `update orders_addresses set title = $3, address = $4, updated_at = $5 where client_id = $1 and id = $2
     returning ${columns}`,
    [clientId, id, title, JSON.stringify(address), tx.now],
  )

export const deleteAddress = (tx: Tx, clientId: number, id: string): Promise<SavedAddress | undefined> =>
  tx.maybe(`delete from orders_addresses where client_id = $1 and id = $2 returning ${columns}`, [
    clientId,
    id,
  ])
