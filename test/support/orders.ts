// Orders over HTTP, and queries about them.

import { equal } from 'node:assert/strict'
import { openCarts } from './carts.ts'
import type { CallOptions, Reply, TestPlatform } from './shop.ts'
import { openStock } from './stock.ts'

export const card = 1
export const installment = 2
export const cash = 3
export const dailyPayment = 4
export const address = 'Toshkent, Amir Temur 1'

export const cardNumbers = (number: string) => ({
  number,
  expiry_month: 12,
  expiry_year: 2030,
  cvc: '123',
})

export const contact = { Name: 'Aziza', Phone: '+998901234567' }

/** The body of an order; guests give a contact. */
const orderBody = (buyer: object, more: object) => ({
  ...buyer,
  PaymentMethodId: cash,
  DeliveryAddress: address,
  ...('SessionId' in buyer && { Contact: contact }),
  ...more,
})

export async function openOrdering(shop: TestPlatform, firstClient = 1_000) {
  const carts = openCarts(shop, firstClient)
  const stock = await openStock(shop)
  const { call } = shop
  const read = () => shop.app.shops.test.db.read()
  const post = (path: string, body: object, options: CallOptions = {}): Promise<Reply> =>
    call('POST', path, { body, ...options })
  const order = (buyer: object, more: object = {}, options: CallOptions = {}) =>
    post('/api/cart/orders', orderBody(buyer, more), options)
  const get = async (id: number | string) => {
    const reply = await call('GET', `/v1/orders/${id}`)
    equal(reply.status, 200, reply.text)
    return reply.body.data.order
  }
  return {
    ...carts,
    stock,
    read,
    post,
    order,
    orderSome: (buyer: object, OfferIds: number[], more: object = {}, options: CallOptions = {}) =>
      post('/api/cart/orders-v2', { OfferIds, ...orderBody(buyer, more) }, options),
    /** Places an order for the cart, expects success and returns the order ids. */
    ordered: async (buyer: object, more: object = {}): Promise<number[]> => {
      const reply = await order(buyer, more)
      equal(reply.status, 201, reply.text)
      return reply.body.data.OrderIds
    },
    get,
    /** Runs an action on an order, expects success and returns the reply data. */
    act: async (id: number | string, what: string, body: object = {}) => {
      const reply = await post(`/v1/orders/${id}/${what}`, body)
      equal(Math.floor(reply.status / 100), 2, reply.text)
      return reply.body.data
    },
    pay: (id: number | string, number: string, more: object = {}) =>
      post(`/v1/orders/${id}/payments`, { kind: 'card', card: cardNumbers(number), ...more }),
    onHand: async (offerId: number): Promise<number> =>
      (await read().one<{ quantity: number }>(`select quantity from catalog_offers where id = $1`, [offerId]))
        .quantity,
    allowance: async (clientId: number) => {
      const reply = await call('GET', `/v1/orders/allowance?customer_id=${clientId}`)
      equal(reply.status, 200, reply.text)
      return reply.body.data.allowance
    },
    advance: async (duration: string) => {
      const reply = await post('/v1/test/clock', { advance: duration })
      equal(reply.status, 200, reply.text)
    },
    events: (type: string): Promise<{ subject: string; fields: Record<string, unknown> }[]> =>
      read().all(`select subject, fields from outbox_events where type = $1 order by sequence`, [type]),
  }
}
