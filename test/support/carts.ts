// Carts over HTTP.

import { equal } from 'node:assert/strict'
import { secretText } from '../../src/base/random.ts'
import type { Reply, TestPlatform } from './shop.ts'

export type BuyerName = { ClientId: number } | { SessionId: string }

export const items = '/api/cart/items'
export const moderatedItems = '/api/cart/moderated-items'

export const queryOf = (buyer: BuyerName): string =>
  new URLSearchParams(
    Object.entries(buyer).map(([name, it]) => [name, String(it)] as [string, string]),
  ).toString()

export const newGuest = (): { SessionId: string } => ({ SessionId: `guest-${secretText(24)}` })

export function openCarts(shop: Pick<TestPlatform, 'call' | 'app'>, firstClient = 1_000) {
  let lastClient = firstClient
  const { call } = shop
  const add = (buyer: object, OfferId: number, Quantity = 1, more: object = {}): Promise<Reply> =>
    call('POST', items, { body: { ...buyer, OfferId, Quantity, ...more } })
  return {
    newClient: () => ({ ClientId: ++lastClient }),
    add,
    /** Adds an item and expects success. */
    put: async (buyer: object, OfferId: number, Quantity = 1, more: object = {}) => {
      const reply = await add(buyer, OfferId, Quantity, more)
      equal(reply.status, 200, reply.text)
      return reply.body.data
    },
    addModerated: (buyer: object, ModeratedOfferId: number | string, Quantity = 1, more: object = {}) =>
      call('POST', moderatedItems, { body: { ...buyer, ModeratedOfferId, Quantity, ...more } }),
    setQuantity: (buyer: object, OfferId: number, NewQuantity: number) =>
      call('PATCH', `${items}/quantity`, { body: { ...buyer, OfferId, NewQuantity } }),
    setCondition: (buyer: object, OfferId: number, LoanConditionId: number | null) =>
      call('PATCH', `${items}/condition`, { body: { ...buyer, OfferId, LoanConditionId } }),
    remove: (buyer: BuyerName, offerId: number | string) =>
      call('DELETE', `${items}/${offerId}?${queryOf(buyer)}`),
    merge: (SessionId: string, ClientId: number, Strategy?: string) =>
      call('POST', '/api/cart/merge-carts', { body: { SessionId, ClientId, ...(Strategy && { Strategy }) } }),
    view: async (buyer: BuyerName) => {
      const reply = await call('GET', `${items}?${queryOf(buyer)}`)
      equal(reply.status, 200, reply.text)
      return reply.body.data
    },
    /** Units in the cart, by offer id. */
    unitsOf: async (buyer: BuyerName): Promise<Record<string, number>> => {
      const reply = await call('GET', `${items}?${queryOf(buyer)}`)
      return Object.fromEntries(
        reply.body.data.Items.map((it: { OfferId: number; Quantity: number }) => [it.OfferId, it.Quantity]),
      )
    },
    eventsOf: (cartId: string): Promise<{ type: string; fields: Record<string, unknown> }[]> =>
      shop.app.shops.test.db
        .read()
        .all(`select type, fields from outbox_events where subject = $1 order by sequence`, [
          `cart/${cartId}`,
        ]),
  }
}

/** The number of replies by status. */
export const statuses = (replies: readonly Reply[]): Record<number, number> =>
  Object.fromEntries(
    [...Map.groupBy(replies, (it) => it.status)].map(([status, them]) => [status, them.length]),
  )

export const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at))
