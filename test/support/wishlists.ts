// Wishlists over HTTP.

import { equal } from 'node:assert/strict'
import { type BuyerName, queryOf } from './carts.ts'
import type { Reply, TestPlatform } from './shop.ts'

export const wishlist = '/api/wishlist'

export function openWishlists(shop: Pick<TestPlatform, 'call' | 'app'>) {
  const { call } = shop
  const addToWishlist = (buyer: object, OfferId: number): Promise<Reply> =>
    call('POST', `${wishlist}/offers`, { body: { ...buyer, OfferId } })
  const view = async (buyer: BuyerName) => {
    const reply = await call('GET', `${wishlist}?${queryOf(buyer)}`)
    equal(reply.status, 200, reply.text)
    return reply.body.data
  }
  return {
    addToWishlist,
    view,
    addModeratedToWishlist: (buyer: object, ModeratedOfferId: number | string) =>
      call('POST', `${wishlist}/offers`, { body: { ...buyer, ModeratedOfferId } }),
    removeFromWishlist: (buyer: BuyerName, offerId: number | string) =>
      call('DELETE', `${wishlist}/offers/${offerId}?${queryOf(buyer)}`),
    merge: (SessionId: string, ClientId: number) =>
      call('POST', `${wishlist}/merge-wishlists`, { body: { SessionId, ClientId } }),
    /** Ids of the offers in a wishlist, in order; moderated offers are excluded. */
    wishlistOfferIds: async (buyer: BuyerName): Promise<number[]> =>
      (await view(buyer)).Offers.map((it: { OfferId: number }) => it.OfferId),
    eventsOf: (wishlistId: string): Promise<{ type: string; fields: Record<string, unknown> }[]> =>
      shop.app.shops.test.db
        .read()
        .all(`select type, fields from outbox_events where subject = $1 order by sequence`, [
          `wishlist/${wishlistId}`,
        ]),
  }
}

export const ascending = (ids: readonly number[]): number[] => ids.toSorted((a, b) => a - b)
