// A list that was shown is built again as it was then.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { addGroupInteractions, stockTwoGroups, trainAndServe } from '../../../test/support/behaviour.ts'
import { openPlatform } from '../../../test/support/shop.ts'
import { openStock } from '../../../test/support/stock.ts'
import { waitFor, waitUntil } from '../../../test/support/wait-until.ts'
import { systemClock } from '../../base/clock.ts'
import { silentLog } from '../../base/log.ts'
import { instantOfUuid } from '../../base/random.ts'
import { TaskQueue } from '../../base/task-queue.ts'
import { openCatalog } from '../../catalog/index.ts'
import { findList } from '../experiments/list-store.ts'
import { offerRefOf, type ShownList } from '../experiments/shown-list.ts'
import { shuffled } from '../experiments/shuffle.ts'
import { ActiveModel, type ServingModel } from '../models/active-model.ts'
import { assumedFrom, rebuildList, shownOffers } from './rebuild-list.ts'

const shop = await openPlatform()
const { db } = shop.app.shops.test
const stock = await openStock(shop)
await stockTwoGroups(stock)
await addGroupInteractions(db)
await trainAndServe(shop)
const catalog = openCatalog(shop.app.shops, {
  log: silentLog(),
  dataDir: './data',
  picturesS3: undefined,
  searchEngine: { kind: 'memory' },
  taskQueue: new TaskQueue(),
  clock: systemClock(),
})
const models = new ActiveModel(shop.app.shops.test, silentLog())
await models.reload()
const path = '/v1/recommendations/experiments'
const buyers = Array.from({ length: 20 }, (_, at) => `first-${at * 2}`)
const explorationShare = 0.5

/** New products in the categories of all buyers, which no training has seen. */
async function stockNewProducts(): Promise<void> {
  for (let id = 500; id < 540; id++) {
    const name = { ru: `Новинка ${id}` }
    await stock.load('product', { id, category_id: 1 + (id % 2), slug: `new-${id}`, name })
    await stock.offer({ id, productId: id, partnerId: 1 + (id % 2), price: 5 })
  }
}

/** Half of the places are for new products, several of the first ones too, and half of the lists are shuffled. */
async function startExperiment(): Promise<string> {
  const body = {
    slug: 'many-new',
    name: 'Many new products',
    layers: ['main_page'],
    groups: [
      {
        name: 'control',
        share: 1,
        method: 'ranker',
        exploration_share: explorationShare,
        shuffled_share: 0.5,
      },
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

const shownList = async (id: string) => (await findList(db.read(), id, instantOfUuid(id)!))!

async function rebuilt(list: ShownList, serving: ServingModel) {
  await catalog.loaded!()
  const assumedForSale = assumedFrom(list, await shownOffers(db.read(), [list]))
  const deps = { catalog, environment: 'test', serving, explorationShare, assumedForSale } as const
  return rebuildList(db.read(), list, deps)
}

test('a list that was shuffled is built again in the order before that', async () => {
  const shown = await Promise.all(lists.map(({ id }) => shownList(id)))
  ok(shown.some(({ request }) => request.shuffle!.order.some((from, place) => from !== place)))
  for (const list of shown) {
    const { offers } = await rebuilt(list, models.serving!)
    deepEqual(
      shuffled(offers, list.request.shuffle!).map(offerRefOf),
      list.offers.map((it) => it.ref),
    )
  }
})

/** The product index does not know, so lists are built with the offer and lose it when offers are read. */
async function setUnnoticed(offerId: number, newQuantity: number): Promise<void> {
  await db.transaction((tx) =>
    tx.all(`update catalog_offers set quantity = $2 where id = $1`, [offerId, newQuantity]),
  )
  db.cache!.invalidate({ type: 'OfferQuantityChanged', offerId, newQuantity })
}

test('new products stay where they were when one of them was sold out as the list was shown', async () => {
  for (const [at, buyer] of buyers.entries()) {
    const { offers } = await shownList(lists[at]!.id)
    const newProducts = offers.filter((it) => it.origin === 'exploration')
    const soldOut = Number(newProducts[at % newProducts.length]!.ref)
    await setUnnoticed(soldOut, 0)
    const { id, offers: shown } = await ask(buyer)
    ok(!shown.includes(String(soldOut)))
    const what = 'the list in the log'
    const list = await waitFor(() => findList(db.read(), id, instantOfUuid(id)!), { what })
    deepEqual(
      shuffled((await rebuilt(list, models.serving!)).offers, list.request.shuffle!).map(offerRefOf),
      list.offers.map((it) => it.ref),
    )
    await setUnnoticed(soldOut, 100)
  }
})

test('nothing is kept of what a list is built again from', async () => {
  const serving = models.serving!
  const asked: (boolean | undefined)[] = []
  const propose: ServingModel['propose'] = (query, wanted) => {
    asked.push(wanted.isLasting)
    return serving.propose(query, wanted)
  }
  await rebuilt(await shownList(lists[0]!.id), { ...serving, propose })
  deepEqual(asked, [false])
})

test('new products that the other model knows have no places for new products', async () => {
  const list = await shownList(lists[0]!.id)
  const serving = models.serving!
  const { exploration } = (await rebuilt(list, serving)).ranking
  ok(exploration.length > 2)
  const rowOf = { ...serving.rowOf, has: (id: number) => id === exploration[0] || serving.rowOf.has(id) }
  deepEqual((await rebuilt(list, { ...serving, rowOf })).ranking.exploration, exploration.slice(1))
})

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

test('new products that have been sold out since then were for sale when the lists were shown', async () => {
  await sellOut(shownFirst.filter(isNew).slice(0, 5))
  equal((await supportOf()).support, 1)
})
