// A list that was shown is built again as it was then.

import { equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { addGroupInteractions, stockTwoGroups, trainAndServe } from '../../../test/support/behaviour.ts'
import { openPlatform } from '../../../test/support/shop.ts'
import { openStock } from '../../../test/support/stock.ts'
import { waitFor, waitUntil } from '../../../test/support/wait-until.ts'

const shop = await openPlatform()
const { db } = shop.app.shops.test
const stock = await openStock(shop)
await stockTwoGroups(stock)
await addGroupInteractions(db)
await trainAndServe(shop)
const path = '/v1/recommendations/experiments'
const buyers = Array.from({ length: 20 }, (_, at) => `first-${at * 2}`)

/** New products in the categories of all buyers, which no training has seen. */
async function stockNewProducts(): Promise<void> {
  for (let id = 500; id < 540; id++) {
    const name = { ru: `Новинка ${id}` }
    await stock.load('product', { id, category_id: 1 + (id % 2), slug: `new-${id}`, name })
    await stock.offer({ id, productId: id, partnerId: 1 + (id % 2), price: 5 })
  }
}

/** A fifth of the places is for new products, and half of the lists are shuffled. */
async function startExperiment(): Promise<string> {
  const body = {
    slug: 'many-new',
    name: 'Many new products',
    layers: ['main_page'],
    groups: [
      { name: 'control', share: 1, method: 'ranker', exploration_share: 0.2, shuffled_share: 0.5 },
      { name: 'other', share: 0, method: 'cf' },
    ],
  }
  const { id } = (await shop.call('POST', path, { body })).body.data.experiment
  await shop.call('POST', `${path}/${id}/start`)
  return id
}

interface Shown {
  id: string
  offers: string[]
}

const ask = async (user_id: string): Promise<Shown> => {
  const reply = await shop.call('POST', '/offers/recommended/v3', {
    body: { user_id, from_layer: 'main_page', from_app: 'ios' },
  })
  const offers = reply.body.offers.map((it: { offer_id: string }) => it.offer_id)
  return { id: reply.headers.get('x-recommendation-id')!, offers }
}
const isNew = (offer: string) => Number(offer) >= 500

await stockNewProducts()
const experiment = await startExperiment()
await waitUntil(async () => (await ask(buyers[0]!)).offers.filter(isNew).length > 2)
const lists: Shown[] = []
for (const buyer of buyers) lists.push(await ask(buyer))

const supportOf = async () => {
  const reply = await shop.call('GET', `${path}/${experiment}/off-policy?group=control&lists=${lists.length}`)
  equal(reply.status, 200, reply.text)
  return reply.body.data as { lists: number; support: number }
}

test('the model that built the lists shows the same first places again, new products among them', async () => {
  const found = await waitFor(
    async () => {
      const support = await supportOf()
      return support.lists >= lists.length ? support : undefined
    },
    { what: 'all lists in the log' },
  )
  ok(lists.some((it) => it.offers.slice(0, 6).some(isNew)))
  equal(found.support, 1)
})

const shownFirst = [...new Set(lists.flatMap((it) => it.offers.slice(0, 6)))]
const presentOffers = async () => {
  const reply = await shop.call('POST', '/v1/recommendations/explain', { body: { user_id: buyers[0] } })
  return (reply.body.data.offers as { offer_id: string }[]).map((it) => it.offer_id)
}

async function sellOut(offers: string[]): Promise<void> {
  for (const id of offers.map(Number))
    await stock.offer({ id, productId: id, partnerId: 1 + (id % 2), price: 1_000 * id, quantity: 0 })
  await waitUntil(async () => !(await presentOffers()).some((it) => offers.includes(it)))
}

test('what has been sold out since then was for sale when the lists were shown', async () => {
  await sellOut(shownFirst.filter((it) => !isNew(it)).slice(0, 5))
  equal((await supportOf()).support, 1)
})

test('a product that has a better offer since then had the one that was shown', async () => {
  for (const id of shownFirst.filter((it) => !isNew(it)).map(Number))
    await stock.offer({ id: 9_000 + id, productId: id, partnerId: 1 + (id % 2), price: 1 })
  await waitUntil(async () => (await presentOffers()).some((it) => Number(it) > 9_000))
  equal((await supportOf()).support, 1)
})
