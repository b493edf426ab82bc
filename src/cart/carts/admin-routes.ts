// Carts of all buyers for members: which were left, and what is in them.

import { Type } from 'typebox'
import { guestPublicId } from '../../base/buyer.ts'
import { listingOf, listQuery, pagination, paginationView } from '../../http/listing.ts'
import { get, type Route } from '../../http/route.ts'
import { idText, instant, integer, list, nullable, oneOf } from '../../http/schema.ts'
import { type CartRow, listCarts } from './admin-store.ts'

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

export const cartAdminRoutes: Route[] = [
  get('/v1/admin/carts', {
    summary: 'List carts with what they hold',
    description:
      'Carts of clients and guests that are not empty. The value is that of the moment when the lines were added.',
    scope: 'admin:read',
    mayLag: true,
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
      const slice = await listCarts(
        read,
        { buyer: asked.buyer, unchangedHours: asked.unchanged_hours },
        listing,
      )
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
