import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { openCarts } from '../../../test/support/carts.ts'
import { mainPageRequest } from '../../../test/support/recommendation-request.ts'
import { openPlatform } from '../../../test/support/shop.ts'
import { openStock } from '../../../test/support/stock.ts'
import { linkGuests } from '../interactions/aliases.ts'
import { loadBuyerContext } from './buyer-context.ts'

const shop = await openPlatform()
const { db, relay } = shop.app.shops.test
const stock = await openStock(shop)
const { put, newClient } = openCarts(shop, 5_000)
const offers = [await stock.offer(), await stock.offer(), await stock.offer()] as const
const productOf = new Map(
  (
    await db
      .read()
      .all<{ id: number; productId: number }>(
        `select id, product_id as "productId" from catalog_offers where id = any($1)`,
        [offers],
      )
  ).map((it) => [it.id, it.productId]),
)

/** The offers whose products are in the carts and in the history of the buyer; `known` are in the product index. */
async function contextOf(identifiers: string[], known: readonly number[] = offers) {
  await relay.catchUp()
  db.cache!.clear()
  const index = { productOf: (offer: number) => (known.includes(offer) ? productOf.get(offer) : undefined) }
  const request = mainPageRequest(identifiers)
  const { cartProductIds, interactions } = await loadBuyerContext(db.read(), request, index as never)
  const offersOf = (products: Iterable<number | null>) =>
    offers.filter((it) => new Set(products).has(productOf.get(it)!))
  return { inCart: offersOf(cartProductIds), touched: offersOf(interactions.map((it) => it.productId)) }
}

test('the carts of a session, of a client and of the client behind a session are read', async () => {
  const { ClientId } = newClient()
  const SessionId = 'session-with-a-cart'
  await put({ SessionId }, offers[0])
  await put({ ClientId }, offers[1])
  deepEqual((await contextOf([SessionId])).inCart, [offers[0]])
  deepEqual((await contextOf([String(ClientId)])).inCart, [offers[1]])
  await db.transaction((tx) => linkGuests(tx, [{ identifier: SessionId, clientId: ClientId }]))
  deepEqual((await contextOf([SessionId])).inCart, [offers[0], offers[1]])
  deepEqual((await contextOf([String(ClientId)])).inCart, [offers[1]])
  deepEqual((await contextOf([SessionId, 'unknown-guest', String(ClientId)])).inCart, [offers[0], offers[1]])
})

test('products of a history are found whether the product index has their offers or not', async () => {
  await shop.call('POST', '/v1/interactions', {
    body: { interactions: offers.map((it) => ({ user_id: 'c', offer_id: String(it), kind: 'view' })) },
  })
  for (const known of [offers, offers.slice(1), []])
    deepEqual((await contextOf(['c'], known)).touched, [...offers])
})
