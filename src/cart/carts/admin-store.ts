// Carts of all buyers, for members.

import { hourMs } from '../../base/clock.ts'
import type { Reader } from '../../base/database.ts'
import { type ListPage, type ListRequest, loadPage } from '../../base/listing.ts'

export interface CartRow {
  id: string
  clientId: number | null
  sessionId: string | null
  lines: number
  units: number
  valueTiyin: number
  createdAt: Date
  updatedAt: Date
}

/** The value is that of the moment when the lines were added; empty carts are left out. */
export function listCarts(
  read: Reader,
  {
    buyer,
    unchangedHours: hours,
  }: { buyer: 'client' | 'guest' | undefined; unchangedHours: number | undefined },
  listing: ListRequest,
): Promise<ListPage<CartRow>> {
  const since = hours === undefined ? read.now : new Date(read.now.getTime() - hours * hourMs)
  const lines = (sum: string) => `(select ${sum} from cart_items line where line.cart_id = cart.id)::int8`
  return loadPage<CartRow>(
    read,
    {
      columns: `cart.id, client_id as "clientId", session_id as "sessionId", ${lines('count(*)')} as lines,
        ${lines('sum(quantity)')} as units, ${lines('sum(quantity * price_at_add_tiyin)')} as "valueTiyin",
        created_at as "createdAt", updated_at as "updatedAt"`,
      from: 'cart_carts cart',
      where: [
        'updated_at <= $1',
        'exists (select 1 from cart_items line where line.cart_id = cart.id)',
        ...(buyer ? [`client_id is ${buyer === 'client' ? 'not ' : ''}null`] : []),
      ],
      values: [since],
      sorts: {
        created_at: { by: 'created_at', type: 'timestamptz' },
        updated_at: { by: 'updated_at', type: 'timestamptz' },
      },
      key: { by: 'cart.id::text', type: 'text' },
    },
    listing,
  )
}
