// What is on hand of an offer, what of it is kept for buyers who have it in their carts, and what is left. Only carts
// know what they keep, so the paths are theirs, though they read as the catalog's.

import { Type } from 'typebox'
import type { Reader } from '../../base/db.ts'
import { refuse } from '../../base/refusal.ts'
import * as catalog from '../../catalog/index.ts'
import { get, type Route } from '../../http/route.ts'
import { id, named } from '../../http/schema.ts'
import { keyOf } from '../cart.ts'
import { reservedByOthers } from '../store/items.ts'

const units = (description: string) => Type.Integer({ minimum: 0, description })
const stock = named(
  'Stock',
  Type.Object({
    on_hand: units('Not sold yet.'),
    reserved: units('Of them, kept for buyers who have it in their carts.'),
    available: units('What anybody may buy.'),
  }),
)

const pathOf = (isModerated: boolean, { path, param }: { path: string; param: string }): Route =>
  get(`/v1/catalog/${path}/{${param}}/stock`, {
    summary: 'Read an offer’s stock',
    description: 'Every movement that led to it is in the stock movements.',
    scope: 'catalog:read',
    params: { [param]: id },
    reply: Type.Object({ stock }),
    run: async ({ read, params }) => ({
      data: { stock: await stockOf(read, { isModerated, offerId: params[param]! }) },
    }),
  })

async function stockOf(read: Reader, key: { isModerated: boolean; offerId: number }) {
  const shown = key.isModerated ? catalog.moderatedOffersShown : catalog.offersShown
  const [offers, kept] = await Promise.all([shown(read, [key.offerId]), reservedByOthers(read, [key], [])])
  const offer = offers.get(key.offerId)
  if (!offer) throw refuse('not_found')
  const reserved = kept.get(keyOf(key)) ?? 0
  return { on_hand: offer.quantity, reserved, available: Math.max(0, offer.quantity - reserved) }
}

export const stockRoutes: Route[] = [
  pathOf(false, { path: 'offers', param: 'offer_id' }),
  pathOf(true, { path: 'moderated-offers', param: 'moderated_offer_id' }),
]
