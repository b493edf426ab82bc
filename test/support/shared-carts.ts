// Shared carts over HTTP.

import { equal } from 'node:assert/strict'
import { type BuyerName, queryOf } from './carts.ts'
import type { TestPlatform } from './shop.ts'

export const sharedCarts = '/api/shared-carts'

export function openSharedCarts(shop: Pick<TestPlatform, 'call' | 'app'>) {
  const { call } = shop
  return {
    /** Creates a shared cart, empty by default, and expects success. */
    create: async (buyer: object, more: object = { Items: [] }) => {
      const reply = await call('POST', sharedCarts, { body: { ...buyer, ...more } })
      equal(reply.status, 201, reply.text)
      return reply.body.data
    },
    look: (buyer: BuyerName, id: string) => call('GET', `${sharedCarts}/${id}?${queryOf(buyer)}`),
    join: (buyer: object, id: string, Token?: string) =>
      call('POST', `${sharedCarts}/${id}/participants`, { body: { ...buyer, ...(Token && { Token }) } }),
    add: (buyer: object, id: string, item: object) =>
      call('POST', `${sharedCarts}/${id}/items`, { body: { ...buyer, Quantity: 1, ...item } }),
    change: (buyer: object, id: string, item: object) =>
      call('PATCH', `${sharedCarts}/${id}/items/quantity`, { body: { ...buyer, ...item } }),
    remove: (buyer: BuyerName, id: string, offerId: number | string, more = '') =>
      call('DELETE', `${sharedCarts}/${id}/items/${offerId}?${queryOf(buyer)}${more}`),
    take: (buyer: object, id: string) => call('POST', `${sharedCarts}/${id}/to-cart`, { body: buyer }),
    close: (buyer: BuyerName, id: string) => call('DELETE', `${sharedCarts}/${id}?${queryOf(buyer)}`),
    count: async (buyer: BuyerName): Promise<number> => {
      const reply = await call('GET', `${sharedCarts}/count?${queryOf(buyer)}`)
      equal(reply.status, 200, reply.text)
      return reply.body.data.Count
    },
    eventsOf: async (id: string): Promise<string[]> =>
      (
        await shop.app.shops.test.db
          .read()
          .all<{ type: string }>(`select type from outbox_events where subject = $1 order by sequence`, [
            `shared-cart/${id}`,
          ])
      ).map((it) => it.type),
  }
}

interface Item {
  OfferId: number
  Quantity: number
  AddedBy: number | string
}

/** Lines as `[offer id, quantity, buyer who added it]`. */
export const linesOf = ({ Items }: { Items: Item[] }): [number, number, number | string][] =>
  Items.map((it) => [it.OfferId, it.Quantity, it.AddedBy])
