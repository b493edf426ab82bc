// Wishlists and shared carts as whole journeys over HTTP.

import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { queryOf } from '../support/carts.ts'
import { browserWith, password } from '../support/client.ts'
import { callAt, openPlatform } from '../support/shop.ts'
import { linesOf } from '../support/shared-carts.ts'
import { openStock } from '../support/stock.ts'

const shop = await openPlatform()
const stock = await openStock(shop)
const { call, url } = shop

/** A shop page in a browser: its key is public and serves only guests. */
const pageKey = await shop.makeKey({ type: 'web', scopes: ['catalog:read', 'cart:read', 'cart:write'] })
const page = (method: string, path: string, body?: object) =>
  callAt(url, method, path, { key: pageKey, ...(body && { body }) })

const signUp = async (name: string, phone: string) => {
  const body = { name, phone, password }
  const reply = await call('POST', '/v1/auth/register', { body, headers: { origin: url } })
  const browser = browserWith(url, reply)
  return { ...browser, id: Number(browser.client.id) }
}

test('a guest fills a wishlist, signs up, keeps the wishlist, and buys the offer that became cheaper', async () => {
  const [kettle, phone] = [await stock.offer({ price: 300_000 }), await stock.offer({ price: 2_000_000 })]
  const carpet = await stock.moderatedOffer({ status: 'pending', price: 900_000 })
  const guest = { SessionId: (await page('POST', '/v1/auth/guest-session', {})).body.data.session_id }
  for (const item of [{ OfferId: kettle }, { OfferId: phone }, { ModeratedOfferId: carpet }])
    equal((await page('POST', '/api/wishlist/offers', { ...guest, ...item })).status, 200)
  equal((await page('GET', `/api/wishlist?${queryOf(guest)}`)).body.data.Offers.length, 2)

  // The browser merges the wishlist of the guest after sign-up, twice because of a network failure.
  const aziz = await signUp('Aziz', '+998901112233')
  for (const added of [3, 0]) {
    const merged = await aziz.call('POST', '/api/wishlist/merge-wishlists', { body: guest })
    equal(merged.body.data.Merge.Added, added, merged.text)
  }
  equal((await page('GET', `/api/wishlist?${queryOf(guest)}`)).body.data.WishlistId, null)

  // The price falls: the wishlist shows it, and the buyer moves the phone from the wishlist to the cart.
  await call('PATCH', `/v1/catalog/offers/${phone}`, { body: { price_tiyin: 180_000_000 } })
  const list = (await aziz.call('GET', '/api/wishlist')).body.data
  const cheaper = list.Offers.find((it: { OfferId: number }) => it.OfferId === phone)
  deepEqual([cheaper.Price, cheaper.PriceAtAdd], [1_800_000, 2_000_000])
  equal(cheaper.PurchaseRestrictions.Messages[0].Code, 'price_lowered')
  equal(list.ModeratedOffers[0].PurchaseRestrictions.Messages[0].Code, 'moderation_pending')
  const cart = await aziz.call('POST', '/api/cart/items', { body: { OfferId: phone, Quantity: 1 } })
  equal(cart.body.data.TotalAmount, 1_800_000)
  const left = (await aziz.call('DELETE', `/api/wishlist/offers/${phone}`)).body.data
  deepEqual(
    left.Offers.map((it: { OfferId: number }) => it.OfferId),
    [kettle],
  )
})

test('three buyers fill a shared cart, and one of them takes it', async () => {
  const rice = await stock.offer({ price: 20_000 })
  const [carrots, tea, plates] = [
    await stock.offer(),
    await stock.offer(),
    await stock.offer({ quantity: 6 }),
  ]
  const nodira = await signUp('Nodira', '+998901112244')
  const bek = await signUp('Bek', '+998901112255')

  // Nodira starts with the items of the own cart, adds Bek, and sends the link to a friend without an account.
  await nodira.call('POST', '/api/cart/items', { body: { OfferId: rice, Quantity: 3 } })
  const made = await nodira.call('POST', '/api/shared-carts', {
    body: { Title: 'Navruz', ParticipantIds: [bek.id], ExpiresInHours: 24 },
  })
  const { Id, JoinToken } = made.body.data
  const base = `/api/shared-carts/${Id}`
  const guest = { SessionId: (await page('POST', '/v1/auth/guest-session', {})).body.data.session_id }
  equal((await page('GET', `${base}?${queryOf(guest)}`)).status, 404)
  equal((await page('POST', `${base}/participants`, { ...guest, Token: JoinToken })).status, 200)

  // All of them add items. Bek requests more plates than are in stock, then the remaining ones.
  await page('POST', `${base}/items`, { ...guest, OfferId: tea, Quantity: 2 })
  await page('POST', `${base}/items`, { ...guest, OfferId: plates, Quantity: 2 })
  await bek.call('POST', `${base}/items`, { body: { OfferId: carrots, Quantity: 5 } })
  const refused = await bek.call('POST', `${base}/items`, { body: { OfferId: plates, Quantity: 6 } })
  const { quantity } = refused.body.error.details.violations[0].remedy
  await bek.call('POST', `${base}/items`, { body: { OfferId: plates, Quantity: quantity } })
  deepEqual(linesOf((await nodira.call('GET', base)).body.data), [
    [rice, 3, nodira.id],
    [tea, 2, 'guest-2'],
    [plates, 2, 'guest-2'],
    [carrots, 5, bek.id],
    [plates, 4, bek.id],
  ])
  equal((await bek.call('GET', '/api/shared-carts/count')).body.data.Count, 1)

  // Bek takes the shared cart into the own cart. The others see who took it.
  const taken = (await bek.call('POST', `${base}/to-cart`, { body: {} })).body.data
  deepEqual(
    taken.Items.map((it: { OfferId: number; Quantity: number }) => [it.OfferId, it.Quantity]),
    [
      [rice, 3],
      [carrots, 5],
      [tea, 2],
      [plates, 6],
    ],
  )
  const late = await page('POST', `${base}/items`, { ...guest, OfferId: tea, Quantity: 1 })
  equal(late.body.error.code, 'shared_cart_closed')
  deepEqual((await page('GET', `${base}?${queryOf(guest)}`)).body.data.TakenBy, bek.id)
  equal((await bek.call('GET', '/api/shared-carts/count')).body.data.Count, 0)
  equal((await nodira.call('GET', '/api/cart/items')).body.data.TotalItemsCount, 3)
})

test('the id of a cart and of a shared cart is a UUID in upper or lower case', async () => {
  const guest = { SessionId: (await page('POST', '/v1/auth/guest-session', {})).body.data.session_id }
  const customer = { customer_id: guest.SessionId }
  const cart = (await page('POST', '/v1/cart', customer)).body.data.cart
  const viewed = await page('GET', `/v1/cart/${cart.id.toUpperCase()}`)
  equal(viewed.body.data?.cart.id, cart.id, viewed.text)

  const offer = await stock.offer()
  const { Id } = (await page('POST', '/api/shared-carts', { ...guest, Items: [] })).body.data
  const base = `/api/shared-carts/${Id.toUpperCase()}`
  const added = await page('POST', `${base}/items`, { ...guest, OfferId: offer, Quantity: 1 })
  equal(added.body.data?.Id, Id, added.text)
  const shown = (await page('GET', `${base}?${queryOf(guest)}`)).body.data
  deepEqual([shown.Id, shown.TotalItemsCount], [Id, 1])
  const taken = await page('POST', `${base}/to-cart`, guest)
  equal(taken.body.data?.TotalItemsCount, 1, taken.text)
})
