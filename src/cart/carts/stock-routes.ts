// Stock on hand, reserved and available of an offer. The routes are here and not in the catalog, because carts own the
// reservations.

import { offerNotFound } from './rules.ts'
import { Type } from 'typebox'
import type { Reader } from '../../base/database.ts'
import * as catalog from '../../catalog/index.ts'
import { get, type RequestContext, type Route } from '../../http/route.ts'
import { id, named } from '../../http/schema.ts'
import { keyOf, type LineKey } from './cart.ts'
import { reservedByOthers } from './store.ts'

const units = (description: string) => Type.Integer({ minimum: 0, description })
const stock = named(
  'Stock',
  Type.Object({
    on_hand: units('Units not sold yet.'),
    reserved: units('Units of them that carts have reserved.'),
    available: units('Units that any buyer may buy.'),
  }),
)

const pathOf = (isModerated: boolean, { path, param }: { path: string; param: string }): Route =>
  get(`/v1/catalog/${path}/{${param}}/stock`, {
    summary: 'Read an offer’s stock',
    description: 'The stock movements list every change.',
    scope: 'catalog:read',
    params: { [param]: id },
    reply: Type.Object({ stock }),
    run: async ({ read, params, ...call }) => ({
      data: { stock: await stockOf(read, { isModerated, offerId: params[param]! }, call) },
    }),
  })

async function stockOf(read: Reader, key: LineKey, call: Pick<RequestContext, 'principal'>) {
  const shown = key.isModerated ? catalog.findModeratedOffers : catalog.findOffers
  const [offers, kept] = await Promise.all([shown(read, [key.offerId]), reservedByOthers(read, [key], [])])
  const offer = offers.get(key.offerId)
  if (!offer || !catalog.mayReadOffer(call, offer)) throw offerNotFound(key)
  const reserved = kept.get(keyOf(key)) ?? 0
  return { on_hand: offer.quantity, reserved, available: Math.max(0, offer.quantity - reserved) }
}

export const stockRoutes: Route[] = [
  pathOf(false, { path: 'offers', param: 'offer_id' }),
  pathOf(true, { path: 'moderated-offers', param: 'moderated_offer_id' }),
]
