import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { newGuest } from '../../../test/support/carts.ts'
import { openOrdering } from '../../../test/support/orders.ts'
import { openPlatform } from '../../../test/support/shop.ts'
import { until } from '../../../test/support/until.ts'
import { openWishlists } from '../../../test/support/wishlists.ts'
import { publishAll } from '../../base/outbox.ts'
import { historyOf } from './history.ts'

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
/** What is known of a buyer once everything told so far has been heard. */
const deedsOf = async (buyer: { ClientId: number } | { SessionId: string }) => {
  await relay.settle()
  const history = await historyOf(db.read(), [nameOf(buyer)])
  return (history?.deeds ?? []).map((it) => `${it.kind} ${it.offer}`)
}
const ago = (minutes: number) => new Date(db.clock.now().getTime() - minutes * 60_000).toISOString()

test('what a client puts into his cart, wishes for and orders is in his history, each line once', async () => {
  const client = newClient()
  const [one, two] = [await stock.offer(), await stock.offer()]
  await put(client, one)
  await put(client, two, 2)
  await wishlists.wish(client, two)
  await ordering.ordered(client)
  deepEqual((await deedsOf(client)).toSorted(), [
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

test('an order that was called off was no purchase, and another one of the same goods still is', async () => {
  const [client, guest] = [newClient(), newGuest()]
  const offer = await stock.offer({ quantity: 20 })
  const orders: number[] = []
  for (const buyer of [client, client, guest]) {
    await put(buyer, offer)
    orders.push(...(await ordering.ordered(buyer)))
  }
  await relay.settle()
  const [first, , ofGuest] = orders
  await report({ user_id: guest.SessionId, kind: 'purchase', offer_id: String(offer) })
  for (const id of [first, ofGuest]) await ordering.act(id!, 'cancel')
  const bought = (deeds: string[]) => deeds.filter((it) => it.startsWith('purchase'))
  deepEqual(bought(await deedsOf(client)), [`purchase ${offer}`])
  deepEqual(await deedsOf(guest), [`cart ${offer}`])
})

test('a purchase that was reported before the shop saw it is taken back with its order', async () => {
  const client = newClient()
  const offer = await stock.offer()
  await report({ user_id: nameOf(client), kind: 'purchase', offer_id: String(offer), at: ago(2) })
  await put(client, offer)
  const [id] = await ordering.ordered(client)
  deepEqual((await deedsOf(client)).toSorted(), [`cart ${offer}`, `purchase ${offer}`])
  await ordering.act(id!, 'cancel')
  deepEqual(await deedsOf(client), [`cart ${offer}`])
})

test('a moderated offer is known by the name that applications have for it', async () => {
  const guest = newGuest()
  const offer = await stock.moderatedOffer({ uuid: `${uuid}1` })
  await ordering.addModerated(guest, offer)
  await wishlists.wishModerated(guest, offer)
  deepEqual((await deedsOf(guest)).toSorted(), [`cart ${uuid}1`, `wishlist ${uuid}1`])
})

test('what a guest did stays his when his cart is gone before anybody heard of it', async () => {
  const [guest, client] = [newGuest(), newClient()]
  const offer = await stock.offer()
  await put(guest, offer)
  await shop.call('POST', '/api/cart/merge-carts', { body: { ...guest, ...client } })
  deepEqual(await deedsOf(client), [`cart ${offer}`])
  deepEqual(await deedsOf(guest), [`cart ${offer}`])
})

test('a report of what the shop has seen is no second deed, whichever came first and whatever the buyer is called', async () => {
  const client = newClient()
  const [one, two] = [await stock.offer(), await stock.offer()]
  const said = { user_id: nameOf(client), kind: 'cart' }
  await put(client, one)
  await relay.settle()
  deepEqual(await report({ ...said, offer_id: String(one), at: ago(3) }), { accepted: 1, new: 0 })
  deepEqual(await report({ ...said, offer_id: String(two), at: ago(3) }), { accepted: 1, new: 1 })
  await put(client, two)
  deepEqual((await deedsOf(client)).toSorted(), [`cart ${one}`, `cart ${two}`])

  const guest = newGuest()
  await put(guest, one)
  await relay.settle()
  await report({ ...said, user_id: guest.SessionId, offer_id: String(one) })
  deepEqual(await deedsOf(guest), [`cart ${one}`])
})

test('two deeds that are reported twice stay two, and one of another hour is another', async () => {
  const client = newClient()
  const offer = await stock.offer()
  const said = { user_id: nameOf(client), kind: 'cart', offer_id: String(offer) }
  await report({ ...said, at: ago(2) }, { ...said, at: ago(1) }, { ...said, at: ago(60) })
  await put(client, offer)
  await put(client, offer)
  equal((await deedsOf(client)).length, 3)
})

test('of deeds that are heard of together, each takes a report of its own, under any name, and the same one is one', async () => {
  const [guest, client] = [newGuest(), newClient()]
  const [offer, other] = [await stock.offer(), await stock.offer()]
  await put(guest, other)
  await shop.call('POST', '/api/cart/merge-carts', { body: { ...guest, ...client } })
  await relay.settle()
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
  await db.transaction((tx) => publishAll(tx, [...thrice, thrice[2]!, added(other, 30)]))
  await relay.settle()
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

test('a report adds to what the shop has seen which list led there', async () => {
  const client = newClient()
  const offer = await stock.offer()
  const list = '019a8f4e-0b6e-7c1d-9a55-3f1f7a0c2d11'
  await put(client, offer)
  await relay.settle()
  await report({ user_id: nameOf(client), kind: 'cart', offer_id: String(offer), request_id: list })
  deepEqual(
    await db
      .read()
      .all(`select request_id as list, via, origin from recommendations_interactions where buyer = $1`, [
        nameOf(client),
      ]),
    [{ list, via: 'said', origin: 'shop' }],
  )
})

test('what an order system outside has sold to a client is in his history', async () => {
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
  deepEqual(await deedsOf(client), [`purchase ${offer}`])
})

test('a guest’s session is told to nobody', async () => {
  const guest = newGuest()
  const offer = await stock.offer()
  await put(guest, offer)
  await report({ user_id: guest.SessionId, kind: 'view', offer_id: String(offer) })
  await shop.call('POST', '/api/cart/merge-carts', { body: { ...guest, ...newClient() } })
  await relay.settle()
  const told = await db
    .read()
    .all(`select type from outbox_events where fields::text like $1`, [`%${guest.SessionId}%`])
  deepEqual(told, [])
})

test('what was done on one node is used by the next call on another', async () => {
  const other = await openPlatform({ connection: shop.connection })
  const read = () => other.app.shops.test.db.read()
  const client = newClient()
  const offer = await stock.offer()
  deepEqual((await historyOf(read(), [nameOf(client)]))?.deeds, [])
  await put(client, offer)
  await until(async () => (await historyOf(read(), [nameOf(client)]))!.deeds.length === 1)
})
