// Carts of all buyers for members: which were left, and what is in them.

import { type Static, Type } from 'typebox'
import { guestPublicId } from '../../base/buyer.ts'
import { hourMs } from '../../base/clock.ts'
import type { Reader } from '../../base/database.ts'
import { type ListPage, type ListRequest, loadPage } from '../../base/listing.ts'
import { listingOf, listQuery, pagination, paginationView } from '../../http/listing.ts'
import { get, type Route } from '../../http/route.ts'
import { idText, instant, integer, list, nullable, oneOf } from '../../http/schema.ts'

const sorts = ['created_at', 'updated_at'] as const
const query = listQuery(
  sorts,
  {
    buyer: Type.Optional(oneOf(['client', 'guest'])),
    unchanged_hours: Type.Optional(
      integer(1, 8_760, { description: 'Only carts that have not changed for so many hours.' }),
    ),
  },
  '-updated_at',
)

interface CartRow {
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
function listCarts(
  read: Reader,
  { buyer, unchanged_hours: hours }: Static<typeof query>,
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

export const cartAdminRoutes: Route[] = [
  get('/v1/admin/carts', {
    summary: 'List carts with what they hold',
    description:
      'Carts of clients and guests that are not empty. The value is that of the moment when the lines were added.',
    scope: 'admin:read',
    query,
    reply: Type.Object({
      carts: list(
        Type.Object({
          id: Type.String({ examples: ['019a8a52-7c00-7f3e-8a7e-2f1c9a7be03d'] }),
          client_id: nullable(idText),
          guest: nullable(Type.String({ description: 'Names the guest without the session id.' })),
          lines: integer(1, 10_000),
          units: integer(1, Number.MAX_SAFE_INTEGER),
          value: Type.Object({
            amount: integer(0, Number.MAX_SAFE_INTEGER, { description: 'In tiyin.' }),
            currency: Type.String({ examples: ['UZS'] }),
          }),
          created_at: instant,
          updated_at: instant,
        }),
        100,
      ),
      pagination,
    }),
    run: async ({ read, query: asked }) => {
      const listing = listingOf(asked, '-updated_at')
      const slice = await listCarts(read, asked, listing)
      return { data: { carts: slice.rows.map(view), pagination: paginationView(listing, slice) } }
    },
  }),
]

const view = (it: CartRow) => ({
  id: it.id,
  client_id: it.clientId === null ? null : String(it.clientId),
  guest: it.sessionId === null ? null : guestPublicId(it.sessionId),
  lines: it.lines,
  units: it.units,
  value: { amount: it.valueTiyin, currency: 'UZS' },
  created_at: it.createdAt.toISOString(),
  updated_at: it.updatedAt.toISOString(),
})
