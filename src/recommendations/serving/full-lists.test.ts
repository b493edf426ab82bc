// A list is as full as the stock allows and contains only offers that can be bought.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { addGroupInteractions, nameOf, stockTwoGroups, train } from '../../../test/support/behaviour.ts'
import { openPlatform } from '../../../test/support/shop.ts'
import { openStock } from '../../../test/support/stock.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { seededRandom } from '../../ml/random.ts'

const shop = await openPlatform()
const { db } = shop.app.shops.test
const stock = await openStock(shop)
await stockTwoGroups(stock)
await addGroupInteractions(db)
await train(db)

const products = 80
const listLength = 30
const random = seededRandom(4)
const below = (count: number) => Math.floor(random() * count)

/** Sets new stock: some shops have plenty, some almost nothing. */
async function restock(share: number): Promise<void> {
  for (let id = 1; id <= products; id++) {
    const offer = { productId: id, partnerId: 1 + below(2), price: 1_000 + below(50) }
    const regions = [['home'], ['global'], ['home', 'global']][below(3)]
    const quantity = random() < share ? 3 : 0
    await stock.offer({ id, ...offer, regions, quantity, is_visible: random() > 0.1 })
    if (id % 10 === 0)
      await stock.moderatedOffer({
        id,
        uuid: `00000000-0000-4000-8000-0000000000${id}`,
        ...offer,
        regions,
        quantity: random() < share ? 2 : 0,
        status: random() < 0.7 ? 'approved' : 'pending',
      })
  }
}

/** The products that can be bought there. */
async function buyable(region: string, categoryId: number | null, withModerated: boolean): Promise<number[]> {
  const rows = await db.read().all<{ id: number }>(
    `select distinct product.id from catalog_products product join (
       select product_id, quantity, is_visible, is_active, regions from catalog_offers
       union all select product_id, quantity, is_visible, is_active, regions from catalog_moderated_offers
       where $3 and status = 'approved') offer on offer.product_id = product.id
     where quantity > 0 and is_visible and is_active and $1 = any(regions) and ($2::int8 is null or category_id = $2)`,
    [region, categoryId, withModerated],
  )
  return rows.map((it) => it.id)
}

interface Shown {
  offer_id: number | null
  moderated_offer_id: string | null
  product_id: number
}

test('lists of random shops are as full as the shop allows', async () => {
  for (const share of [1, 0.6, 0.3, 0.1, 0.02, 0.8]) {
    await restock(share)
    for (let time = 0; time < 12; time++) {
      const region = random() < 0.6 ? 'home' : 'global'
      const page = [String(1 + below(products)), String(1 + below(products))]
      const asked = {
        from_app: 'web',
        ...(random() < 0.5 ? { from_layer: 'main_page' } : { from_layer: 'cart_page', offer_ids: page }),
      }
      const about = 'offer_ids' in asked ? page.map(Number) : []
      const reply = await shop.call('POST', '/web/client/offers/recommended-v3', {
        body: asked,
        headers: { 'x-service-region': region },
      })
      equal(reply.status, 200, reply.text)
      const shown = (reply.body.offers as Shown[]).map((it) => it.product_id)
      const possible = (await buyable(region, null, true)).filter((id) => !about.includes(id))
      equal(shown.length, Math.min(listLength, possible.length), `${share} ${JSON.stringify(asked)}`)
      equal(new Set(shown).size, shown.length)
      deepEqual(
        shown.filter((id) => !possible.includes(id)),
        [],
      )
    }
  }
})

test('products that a buyer bought or has in the cart are in no list, also when the shop has few products', async () => {
  await restock(0.4)
  const [bought, carted] = await buyable('home', null, false)
  const buyer = nameOf(0)
  await shop.call('POST', '/v1/interactions', {
    body: { interactions: [{ user_id: buyer, offer_id: String(bought), kind: 'purchase' }] },
  })
  await shop.call('POST', '/api/cart/items', {
    body: { SessionId: `${buyer}-session`, OfferId: carted, Quantity: 1 },
  })
  const listOf = async (user: string): Promise<number[]> => {
    const reply = await shop.call('POST', '/offers/recommended/v3', {
      body: { user_id: user, from_layer: 'main_page', from_app: 'ios' },
    })
    return reply.body.offers.map((it: { offer_id: string }) => Number(it.offer_id))
  }
  // A busy machine may reply before the buyer is loaded.
  await waitUntil(async () => !(await listOf(buyer)).includes(bought!))
  await waitUntil(async () => !(await listOf(`${buyer}-session`)).includes(carted!))
  ok((await listOf('somebody')).includes(bought!))
})
