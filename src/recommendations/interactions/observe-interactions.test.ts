import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { newGuest } from '../../../test/support/carts.ts'
import { openOrdering } from '../../../test/support/orders.ts'
import { openPlatform } from '../../../test/support/shop.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { openWishlists } from '../../../test/support/wishlists.ts'
import { publishAll } from '../../base/outbox.ts'
import { loadHistory } from './history.ts'

const shop = await openPlatform()
const { db, relay } = shop.app.shops.test
const ordering = await openOrdering(shop)
const wishlists = openWishlists(shop)
const { stock, newClient, put } = ordering
const uuid = '00000000-0000-4000-8000-00000000000'

const report = async (...interactions: object[]) =>
  (await shop.call('POST', '/v1/interactions', { body: { interactions } })).body.data
const nameOf = (buyer: { ClientId: number } | { SessionId: string }) =>
  'ClientId' in buyer ? String(buyer.ClientId) : buyer.SessionId
/** The history of a buyer after all published events have been handled. */
const historyOf = async (buyer: { ClientId: number } | { SessionId: string }) => {
  await relay.catchUp()
  const history = await loadHistory(db.read(), [nameOf(buyer)])
  return (history?.interactions ?? []).map((it) => `${it.kind} ${it.offer}`)
}
const ago = (minutes: number) => new Date(db.clock.now().getTime() - minutes * 60_000).toISOString()

test('cart, wishlist and order items of a client are in the history, each once', async () => {
  const client = newClient()
  const [one, two] = [await stock.offer(), await stock.offer()]
  await put(client, one)
  await put(client, two, 2)
  await wishlists.addToWishlist(client, two)
  await ordering.ordered(client)
  deepEqual((await historyOf(client)).toSorted(), [
    `cart ${one}`,
    `cart ${two}`,
    `purchase ${one}`,
    `purchase ${two}`,
    `wishlist ${two}`,
  ])
  const bought = await db
    .read()
    .all(
      `select offer, units, amount_tiyin as amount, origin from recommendations_interactions where buyer = $1 and kind = 'purchase' order by offer`,
      [String(client.ClientId)],
    )
  deepEqual(bought, [
    { offer: String(one), units: 1, amount: 1_000_000, origin: 'shop' },
    { offer: String(two), units: 2, amount: 2_000_000, origin: 'shop' },
  ])
})

test('a cancelled order is not a purchase, and another order of the same offer still is', async () => {
  const [client, guest] = [newClient(), newGuest()]
  const offer = await stock.offer({ quantity: 20 })
  const orders: number[] = []
  for (const buyer of [client, client, guest]) {
    await put(buyer, offer)
    orders.push(...(await ordering.ordered(buyer)))
  }
  await relay.catchUp()
  const [first, , ofGuest] = orders
  await report({ user_id: guest.SessionId, kind: 'purchase', offer_id: String(offer) })
  for (const id of [first, ofGuest]) await ordering.act(id!, 'cancel')
  const bought = (history: string[]) => history.filter((it) => it.startsWith('purchase'))
  deepEqual(bought(await historyOf(client)), [`purchase ${offer}`])
  deepEqual(await historyOf(guest), [`cart ${offer}`])
})

test('a purchase that was reported before its order is removed when the order is cancelled', async () => {
  const client = newClient()
  const offer = await stock.offer()
  await report({ user_id: nameOf(client), kind: 'purchase', offer_id: String(offer), at: ago(2) })
  await put(client, offer)
  const [id] = await ordering.ordered(client)
  deepEqual((await historyOf(client)).toSorted(), [`cart ${offer}`, `purchase ${offer}`])
  await ordering.act(id!, 'cancel')
  deepEqual(await historyOf(client), [`cart ${offer}`])
})

test('a moderated offer is stored under the id that applications use', async () => {
  const guest = newGuest()
  const offer = await stock.moderatedOffer({ uuid: `${uuid}1` })
  await ordering.addModerated(guest, offer)
  await wishlists.addModeratedToWishlist(guest, offer)
  deepEqual((await historyOf(guest)).toSorted(), [`cart ${uuid}1`, `wishlist ${uuid}1`])
})

test('interactions of a guest are stored although the cart is removed before the event is handled', async () => {
  const [guest, client] = [newGuest(), newClient()]
  const offer = await stock.offer()
  await put(guest, offer)
  await shop.call('POST', '/api/cart/merge-carts', { body: { ...guest, ...client } })
  deepEqual(await historyOf(client), [`cart ${offer}`])
  deepEqual(await historyOf(guest), [`cart ${offer}`])
})

test('a report of an observed interaction is not stored again, in any order and under any alias', async () => {
  const client = newClient()
  const [one, two] = [await stock.offer(), await stock.offer()]
  const said = { user_id: nameOf(client), kind: 'cart' }
  await put(client, one)
  await relay.catchUp()
  deepEqual(await report({ ...said, offer_id: String(one), at: ago(3) }), { accepted: 1, new: 0 })
  deepEqual(await report({ ...said, offer_id: String(two), at: ago(3) }), { accepted: 1, new: 1 })
  await put(client, two)
  deepEqual((await historyOf(client)).toSorted(), [`cart ${one}`, `cart ${two}`])

  const guest = newGuest()
  await put(guest, one)
  await relay.catchUp()
  await report({ ...said, user_id: guest.SessionId, offer_id: String(one) })
  deepEqual(await historyOf(guest), [`cart ${one}`])
})

test('two interactions that are reported twice stay two, and one of another hour is separate', async () => {
  const client = newClient()
  const offer = await stock.offer()
  const said = { user_id: nameOf(client), kind: 'cart', offer_id: String(offer) }
  await report({ ...said, at: ago(2) }, { ...said, at: ago(1) }, { ...said, at: ago(60) })
  await put(client, offer)
  await put(client, offer)
  equal((await historyOf(client)).length, 3)
})

test('interactions of one batch match one report each, under any alias, and duplicates are stored once', async () => {
  const [guest, client] = [newGuest(), newClient()]
  const [offer, other] = [await stock.offer(), await stock.offer()]
  await put(guest, other)
  await shop.call('POST', '/api/cart/merge-carts', { body: { ...guest, ...client } })
  await relay.catchUp()
  const said = { kind: 'cart', offer_id: String(offer) }
  await report(
    { ...said, user_id: nameOf(client), at: ago(5) },
    { ...said, user_id: guest.SessionId, at: ago(4) },
    { ...said, user_id: nameOf(client), at: ago(60) },
  )
  const cartId = (await shop.call('GET', `/api/cart/items?ClientId=${client.ClientId}`)).body.data.CartId
  const added = (offerId: number, minutes: number) => ({
    type: 'ItemAddedToCart' as const,
    cartId,
    offerId,
    quantity: 1,
    occurredOn: ago(minutes),
  })
  const thrice = [added(offer, 1), added(offer, 2), added(offer, 3)]
  await db.transaction(async (tx) => publishAll(tx, [...thrice, thrice[2]!, added(other, 30)]))
  await relay.catchUp()
  const rows = await db
    .read()
    .all<{ offer: string; origin: string; count: number }>(
      `select offer, origin, count(*) as count from recommendations_interactions where offer = any($1) group by 1, 2 order by 1, 2`,
      [[String(offer), String(other)]],
    )
  deepEqual(
    rows.map((it) => `${it.offer === String(offer) ? 'it' : 'other'} ${it.origin} ${it.count}`).toSorted(),
    ['it app 1', 'it shop 3', 'other shop 2'],
  )
})

test('a report adds the list that led to an observed interaction', async () => {
  const client = newClient()
  const offer = await stock.offer()
  const list = '019a8f4e-0b6e-7c1d-9a55-3f1f7a0c2d11'
  await put(client, offer)
  await relay.catchUp()
  await report({ user_id: nameOf(client), kind: 'cart', offer_id: String(offer), request_id: list })
  deepEqual(
    await db
      .read()
      .all(`select request_id as list, via, origin from recommendations_interactions where buyer = $1`, [
        nameOf(client),
      ]),
    [{ list, via: 'reported', origin: 'shop' }],
  )
})

test('sales of an external order system are in the history of the client', async () => {
  const client = newClient()
  const offer = await stock.offer()
  const reply = await shop.call('POST', '/v1/integration-events', {
    body: {
      specversion: '1.0',
      id: 'order-1',
      source: '/orders',
      type: 'OrdersCreated',
      time: ago(1),
      data: { OrderIds: [1], ClientId: client.ClientId, ProcessedOfferIds: [offer] },
    },
  })
  equal(reply.status < 300, true, reply.text)
  deepEqual(await historyOf(client), [`purchase ${offer}`])
})

test('units that a merge moves are in the history once', async () => {
  const [guest, client] = [newGuest(), newClient()]
  const offer = await stock.offer()
  await put(guest, offer, 2)
  await relay.catchUp()
  const merged = await shop.call('POST', '/api/cart/merge-carts', { body: { ...guest, ...client } })
  equal(merged.status, 200, merged.text)
  await relay.catchUp()
  const { count } = await db
    .read()
    .one<{ count: number }>(
      `select count(*) as count from recommendations_interactions where offer = $1 and kind = 'cart'`,
      [String(offer)],
    )
  equal(count, 1)
})

test('CartCreated is the only event that contains the session id of a guest', async () => {
  const guest = newGuest()
  const offer = await stock.offer()
  await put(guest, offer)
  await report({ user_id: guest.SessionId, kind: 'view', offer_id: String(offer) })
  await shop.call('POST', '/api/cart/merge-carts', { body: { ...guest, ...newClient() } })
  await relay.catchUp()
  const published = await db
    .read()
    .all(`select type from outbox_events where fields::text like $1`, [`%${guest.SessionId}%`])
  // SPEC-2 2.1: the buyer of a guest's cart is the session. Only callers with `admin:read` see it.
  deepEqual(published, [{ type: 'CartCreated' }])
})

test('an interaction on one node is used by the next call on another', async () => {
  const other = await openPlatform({ connection: shop.connection })
  const read = () => other.app.shops.test.db.read()
  const client = newClient()
  const offer = await stock.offer()
  deepEqual((await loadHistory(read(), [nameOf(client)]))?.interactions, [])
  await put(client, offer)
  await waitUntil(async () => (await loadHistory(read(), [nameOf(client)]))!.interactions.length === 1)
})
