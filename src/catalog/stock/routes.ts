// Stock movements and adjustments.

import { Type } from 'typebox'
import { refuse } from '../../base/refusal.ts'
import { listingOf, listQuery, pagination, paginationView } from '../../http/listing.ts'
import { get, post, type Route } from '../../http/route.ts'
import {
  id,
  idText,
  instant,
  integer,
  list,
  name,
  named,
  nullable,
  oneOf,
  strict,
} from '../../http/schema.ts'
import { adjustStock } from './move-stock.ts'
import { maxUnits, type OfferKind } from './stock.ts'
import { listMovements, type Movement } from './store.ts'
import { findMany } from '../entities/store.ts'
import * as tables from '../entities/tables.ts'
import { mayRead } from '../entities/restrictions.ts'
import { readsOfferRecords, moderatedOfferRestrictions, offerRestrictions } from '../offers/restrictions.ts'

const causes = ['stocked', 'adjusted', 'ordered', 'cancelled', 'returned', 'removed'] as const

const movement = named(
  'StockMovement',
  Type.Object({
    id: idText,
    change: integer(-maxUnits, maxUnits),
    on_hand: integer(0, maxUnits, { description: 'After the movement.' }),
    cause: oneOf(causes),
    reference: nullable(
      Type.String({
        description: 'The order id, or the given reason. Null without `catalog:write` and `admin:read`.',
      }),
    ),
    at: instant,
  }),
)
const movementView = (it: Movement) => ({
  id: String(it.id),
  change: it.change,
  on_hand: it.onHand,
  cause: it.cause,
  reference: it.reference,
  at: it.at.toISOString(),
})

const pathsOf = (kind: OfferKind, { path, param }: { path: string; param: string }): Route[] => {
  const table = kind === 'offer' ? tables.offers : tables.moderatedOffers
  const restrictions = kind === 'offer' ? offerRestrictions : moderatedOfferRestrictions
  return [
    get(`/v1/catalog/${path}/{${param}}/stock-movements`, {
      summary: 'List stock movements of an offer',
      scope: 'catalog:read',
      params: { [param]: id },
      query: listQuery(['id'], {}, '-id'),
      reply: Type.Object({ movements: list(movement, 100), pagination }),
      run: async ({ read, params, query, ...call }) => {
        const offerId = params[param]!
        const listing = listingOf(query, '-id')
        const isEditor = readsOfferRecords(call)
        const [[offer], slice] = await Promise.all([
          findMany(read, table as typeof tables.moderatedOffers, [offerId]),
          listMovements(read, listing, { kind, offerId }),
        ])
        // Movements of a deleted offer are kept.
        if (offer ? !mayRead(restrictions, call, offer) : !isEditor || slice.total === 0)
          throw refuse('not_found')
        const movements = slice.rows.map((it) => movementView(isEditor ? it : { ...it, reference: null }))
        return { data: { movements, pagination: paginationView(listing, slice) } }
      },
    }),
    post(`/v1/catalog/${path}/{${param}}/stock-adjustments`, {
      summary: 'Adjust the stock of an offer',
      scope: 'catalog:write',
      params: { [param]: id },
      body: strict({ change: integer(-maxUnits, maxUnits), reason: name(200, 'Recounted') }),
      reply: Type.Object({ on_hand: integer(0, maxUnits) }),
      refusals: ['stock_exceeded'],
      run: async ({ tx, params, body }) => {
        const offerId = params[param]!
        if ((await findMany(tx, table as typeof tables.offers, [offerId])).length === 0)
          throw refuse('not_found')
        await adjustStock(tx, { kind, offerId, change: body.change }, body.reason)
        const [after] = await findMany(tx, table as typeof tables.offers, [offerId])
        return { data: { on_hand: after!.quantity }, version: after!.version }
      },
    }),
  ]
}

export const stockRoutes: Route[] = [
  ...pathsOf('offer', { path: 'offers', param: 'offer_id' }),
  ...pathsOf('moderated', { path: 'moderated-offers', param: 'moderated_offer_id' }),
]
