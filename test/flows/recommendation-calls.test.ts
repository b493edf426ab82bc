// What every recommendation call guarantees on each of its paths (SPEC-1 4.2).

import { deepEqual, equal, notDeepEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { groupSize, addGroupInteractions, stockTwoGroups, trainAndServe } from '../support/behaviour.ts'
import { callAt, openPlatform } from '../support/shop.ts'
import { openStock } from '../support/stock.ts'
import { waitUntil } from '../support/wait-until.ts'

const shop = await openPlatform()
const { db, relay } = shop.app.shops.live
const stock = await openStock(shop, 'live')
await stockTwoGroups(stock)
// Some products have a second, more expensive offer of another partner.
const secondOffer = 1_000
for (let id = 1; id <= 2 * groupSize; id += 4)
  await stock.offer({ id: secondOffer + id, productId: id, partnerId: 2 - (id % 2), price: 2_000 * id })
await addGroupInteractions(db)
await trainAndServe(shop, 'live')
// Added after the training, so that a slot for new products is reserved for it.
const onlyModerated = { uuid: '00000000-0000-4000-8000-000000000009', productId: 900 }
await stock.load('product', { id: 900, category_id: 1, slug: 'thing-900', name: { ru: 'Вещь 900' } })
await stock.moderatedOffer({ id: 9, ...onlyModerated, price: 5 })

const layer = { from_layer: 'main_page' }
const app = { from_app: 'WebAndMobile' }
const person = (user_id: string) => ({ user_id, ...layer, ...app })
type Body = (buyer: string) => object

const calls: [path: string, body: Body][] = [
  ['/offers/recommended/v3', person],
  ['/offers/recommended/v2', person],
  ['/offers/recommended', (user_id) => ({ user_id, mobi_user_id: 'm', phone: '+998900000000' })],
  ['/mobile/offers/recommended/v3', person],
  ['/mobile/cf/v1/recommended', person],
  ['/api/gateway/web/offers/recommended-cf', person],
  ['/api/gateway/web/offers/recommended-v2', person],
  ['/mobile/recommended-offers/categories-page', (user_id) => ({ user_id, ...app })],
  ['/api/gateway/categories-page/recommendations', (user_id) => ({ user_id, ...app })],
  ['/api/gateway/catalog/recommended-offers/v3/web', person],
  ['/web/client/offers/recommended-v3', person],
  ['/web/client/miniapp/offers/recommended/v3/', (user_id) => ({ user_id, ...layer })],
]

interface Shown {
  id?: number
  offer_id?: string | number | null
  moderated_offer_id?: string | null
}
/** The offers of a list, ordinary ones by their numbers. */
async function listAt(path: string, body: object): Promise<(number | string)[]> {
  const reply = await callAt(shop.url, 'POST', path, { key: null, body })
  equal(reply.status, 200, reply.text)
  const offers: Shown[] = reply.body.offers ?? reply.body
  equal(offers.length, 30, path)
  return offers.map(({ id, offer_id, moderated_offer_id }) => {
    const name = id ?? offer_id ?? moderated_offer_id!
    return Number.isNaN(Number(name)) ? String(name) : Number(name)
  })
}
const productOf = (offer: number | string) =>
  typeof offer === 'string' ? onlyModerated.productId : offer % secondOffer
const productsAt = async (path: string, body: object) => (await listAt(path, body)).map(productOf)

let newBuyers = 0
/** A buyer without history, with an id that every call accepts. */
const newBuyer = () => `3f8e0d8a-0f1c-4b56-8a1b-${String(++newBuyers).padStart(12, '0')}`
const asLive = (method: string, path: string, body: object) =>
  shop.call(method, path, { key: shop.keys.live, body })
const report = (user_id: string, kind: string, offers: number[]) =>
  asLive('POST', '/v1/interactions', {
    interactions: offers.map((it) => ({ user_id, offer_id: String(it), kind })),
  })
const liked = [60, 63, 66, 69]
/** One of the ten may be a new product. */
const areLikeThem = (products: number[]) =>
  products.slice(0, 10).filter((it) => it > groupSize && it <= 2 * groupSize).length >= 9

for (const [path, bodyOf] of calls) {
  test(`${path}: an interaction changes the next list of the buyer`, async () => {
    const buyer = newBuyer()
    const before = await productsAt(path, bodyOf(buyer))
    await report(buyer, 'click', liked)
    // A busy machine may reply before the history of the buyer is loaded; then the call is repeated.
    await waitUntil(async () => areLikeThem(await productsAt(path, bodyOf(buyer))))
    notDeepEqual(await productsAt(path, bodyOf(buyer)), before)
  })

  test(`${path}: a list contains a product once, with its better offer`, async () => {
    const list = await listAt(path, bodyOf(newBuyer()))
    equal(new Set(list.map(productOf)).size, 30)
    deepEqual(
      list.filter((it) => typeof it === 'number' && it > secondOffer),
      [],
    )
  })

  test(`${path}: products in the cart and purchased products are not recommended`, async () => {
    const buyer = newBuyer()
    await report(buyer, 'click', liked)
    const [carted, bought] = (await listAt(path, bodyOf(buyer))).filter((it) => typeof it === 'number')
    const added = await asLive('POST', '/api/cart/items', { SessionId: buyer, OfferId: carted, Quantity: 1 })
    equal(added.status, 200, added.text)
    await relay.catchUp()
    await report(buyer, 'purchase', [bought!])
    await waitUntil(async () => {
      const shown = await productsAt(path, bodyOf(buyer))
      return !shown.includes(productOf(carted!)) && !shown.includes(productOf(bought!))
    })
  })

  test(`${path}: sold-out and inactive offers are left out from the next call on`, async () => {
    const buyer = newBuyer()
    const [one, two] = (await listAt(path, bodyOf(buyer))).filter((it) => typeof it === 'number')
    const changes: [offer: number, change: object, back: object][] = [
      [one!, { quantity: 0 }, { quantity: 100 }],
      [two!, { is_active: false }, { is_active: true }],
    ]
    for (const [offer, change, back] of changes) {
      equal((await asLive('PATCH', `/v1/catalog/offers/${offer}`, change)).status, 200)
      ok(!(await listAt(path, bodyOf(buyer))).includes(offer))
      await asLive('PATCH', `/v1/catalog/offers/${offer}`, back)
    }
  })
}

test('a product with moderated offers only is shown in their test group and in no other', async () => {
  const inGroup = { test_group_value: 'Mod_Offers' }
  const about = { from_layer: 'offer_page', offer_ids: ['8'] }
  const shows = async (path: string, body: object) => (await listAt(path, body)).includes(onlyModerated.uuid)
  const always = new Set(calls.slice(-3).map(([path]) => path))
  const onRequest = ['/offers/recommended/v3', '/mobile/offers/recommended/v3']
  for (const path of onRequest) ok(await shows(path, { ...person(newBuyer()), ...about, ...inGroup }), path)
  for (const [path, bodyOf] of calls) {
    const page = 'from_layer' in bodyOf('') ? (path.endsWith('/v2') ? { product_ids: [8] } : about) : {}
    equal(await shows(path, { ...bodyOf(newBuyer()), ...page }), always.has(path), path)
    if (!onRequest.includes(path))
      equal(await shows(path, { ...bodyOf(newBuyer()), ...page, ...inGroup }), always.has(path), path)
  }
})
