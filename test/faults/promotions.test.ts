import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '../../src/base/database.ts'
import { openOrdering } from '../support/orders.ts'
import { openPromotions, promotionsPath } from '../support/promotions.ts'
import { assertRefused } from '../support/refused.ts'
import { callAt, openPlatform } from '../support/shop.ts'
import { openStock } from '../support/stock.ts'
import { waitFor, waitUntil } from '../support/wait-until.ts'

const shop = await openPlatform()
const { call } = shop
const { db, clock, jobs } = shop.app.shops.test
const { stock, put, add, view, order, get, newClient, remove: removeLine } = await openOrdering(shop)
const { inSeconds, planned, pass, publishedEvents, end, remove } = openPromotions(shop)

const tiyin = (sums: number) => sums * 100
const data = async (path: string) => (await call('GET', path)).body.data
const priceOf = async (offer: number) => (await data(`/v1/catalog/offers/${offer}`)).offer.price.amount
const eventsOf = async (offer: number): Promise<string[]> =>
  (await data(`/v1/catalog/offers/${offer}`)).offer.events.map((it: { slug: string }) => it.slug)

const minute = 60_000
const hour = 60 * minute

test('a promotion has the right stage just before, at and after its start and at its end', async () => {
  const offer = await stock.offer({ price: 1_000 })
  const list = `/v1/catalog/products?price_max=${tiyin(900)}`
  const listed = async () => (await data(list)).products.length
  const startsAt = new Date(clock.now().getTime() + 1_000_000)
  await planned({
    offer_ids: [offer],
    discount_percent: 10,
    starts_at: startsAt.toISOString(),
    // Long, so that a slow reply does not reach the end: the schedule then drops the promotion.
    ends_at: new Date(startsAt.getTime() + hour).toISOString(),
  })
  const standAt = (ms: number) => (clock.offsetMs += startsAt.getTime() + ms - clock.now().getTime())
  /** The clock keeps running during a request; its value before and after shows whether the reply was in time. */
  const seenBetween = async (from: number, to: number, expected: number) => {
    const seen = await waitFor(
      async () => {
        standAt(from)
        const replies = [await priceOf(offer), await listed()]
        return clock.now().getTime() - startsAt.getTime() < to ? replies : undefined
      },
      { what: `replies between ${from} and ${to} ms` },
    )
    deepEqual(seen, [expected, expected === tiyin(1_000) ? 0 : 1], `${from} to ${to}`)
  }
  const before = clock.offsetMs
  await seenBetween(-1_000, -1, tiyin(1_000))
  await seenBetween(0, minute, tiyin(900))
  await seenBetween(hour - minute, hour, tiyin(900))
  await seenBetween(hour, hour + minute, tiyin(1_000))
  clock.offsetMs = before
  equal(await priceOf(offer), tiyin(1_000))
})

test('of overlapping promotions the lowest price counts at every instant', async () => {
  const offer = await stock.offer({ price: 1_000 })
  const [first, second, third] = [
    { slug: 'overlap-a', discount_percent: 10, starts_at: inSeconds(100), ends_at: inSeconds(500) },
    { slug: 'overlap-b', price_tiyin: tiyin(700), starts_at: inSeconds(200), ends_at: inSeconds(300) },
    { slug: 'overlap-c', discount_percent: 10, starts_at: inSeconds(250), ends_at: inSeconds(600) },
  ]
  for (const it of [first, second, third]) await planned({ ...it, offer_ids: [offer] })
  const story: [price: number, events: string[]][] = []
  for (let step = 0; step < 7; step++) {
    story.push([(await priceOf(offer)) / 100, await eventsOf(offer)])
    await pass(step === 1 ? 160 : 100)
  }
  deepEqual(story, [
    [1_000, []],
    [900, ['overlap-a']],
    [700, ['overlap-b', 'overlap-c', 'overlap-a']],
    [900, ['overlap-c', 'overlap-a']],
    [900, ['overlap-c', 'overlap-a']],
    [900, ['overlap-c']],
    [1_000, []],
  ])
})

test('limits use the current price, in the cart and in the order', async () => {
  const guest = { SessionId: 'guest-of-promotions-1' }
  const offer = await stock.offer({ price: 6_000_000 })
  assertRefused('guest_limit_exceeded', await add(guest, offer))
  const { id } = await planned({ offer_ids: [offer], price_tiyin: tiyin(1_900_000) })
  await put(guest, offer, 2)
  assertRefused('guest_limit_exceeded', await add(guest, offer))
  assertRefused('authorization_required', await order(guest))
  await call('PATCH', '/api/cart/items/quantity', { body: { ...guest, OfferId: offer, NewQuantity: 1 } })
  await end(id)
  // The line stays in the cart, but a guest cannot buy it at the current price.
  equal((await view(guest)).TotalAmount, 6_000_000)
  assertRefused('guest_limit_exceeded', await order(guest))
  await planned({ offer_ids: [offer], price_tiyin: tiyin(1_900_000) })
  equal((await order(guest)).status, 201)
})

test('deleting a promotion leaves its offers in carts at the usual price', async () => {
  const buyer = newClient()
  const offer = await stock.offer({ price: 1_000 })
  const { id } = await planned({ offer_ids: [offer], discount_percent: 50 })
  const [line] = (await put(buyer, offer, 2)).Items
  deepEqual([line.Price, line.OldPrice, line.PriceAtAdd], [500, 1_000, 500])
  await remove(id)
  const after = await view(buyer)
  deepEqual(
    [after.Items[0].Price, after.Items[0].OldPrice, after.Items[0].PriceAtAdd, after.TotalAmount],
    [1_000, null, 500, 2_000],
  )
  deepEqual(
    after.Items[0].PurchaseRestrictions.Messages.map((it: { Code: string }) => it.Code),
    ['price_changed'],
  )
  const [placed] = (await order(buyer)).body.data.OrderIds
  equal((await get(placed)).total.amount, tiyin(2_000))
})

test('a promotion that ends between the cart view and the order does not apply to the order', async () => {
  const buyer = newClient()
  const offer = await stock.offer({ price: 1_000 })
  await planned({ offer_ids: [offer], discount_percent: 10, ends_at: inSeconds(60) })
  await put(buyer, offer)
  equal((await view(buyer)).TotalAmount, 900)
  await pass(60)
  const [placed] = (await order(buyer)).body.data.OrderIds
  equal((await get(placed)).total.amount, tiyin(1_000))
})

test('all lines of an order are priced at one instant while promotions start and end', async () => {
  const offers = [await stock.offer({ price: 1_000 }), await stock.offer({ price: 1_000 })]
  const buyers = Array.from({ length: 12 }, newClient)
  for (const buyer of buyers) for (const offer of offers) await put(buyer, offer)
  const coming = async () => {
    for (let turn = 0; turn < 6; turn++) {
      const { id } = await planned({ offer_ids: offers, discount_percent: 50 })
      await remove(id)
    }
  }
  const [, ...replies] = await Promise.all([coming(), ...buyers.map((it) => order(it))])
  for (const reply of replies) {
    equal(reply.status, 201, reply.text)
    const [placed] = reply.body.data.Orders
    const prices = placed.Items.map((it: { Price: number }) => it.Price)
    ok(prices.every((it: number) => it === prices[0]) && [500, 1_000].includes(prices[0]), String(prices))
    equal(placed.Amount, prices[0] * 2)
  }
})

test('moved and new categories follow the promotion of their parent at once', async () => {
  await stock.load('category', { id: 30, slug: 'sale', name: { ru: 'Скидки' } })
  await stock.load('category', { id: 31, slug: 'usual', name: { ru: 'Обычное' } })
  await stock.load('product', { id: 30, category_id: 31, slug: 'wanderer', name: { ru: 'Странник' } })
  const offer = await stock.offer({ id: 30, productId: 30, price: 1_000 })
  const { id } = await planned({ category_ids: [30], discount_percent: 25 })
  const buyer = newClient()
  const seen = async () => {
    const [line] = (await put(buyer, offer)).Items
    await removeLine(buyer, offer)
    const { products } = await data(`/v1/catalog/products?category=usual&price_max=${tiyin(800)}`)
    return [(await priceOf(offer)) / 100, line.Price, products.length]
  }
  deepEqual(await seen(), [1_000, 1_000, 0])
  await call('PATCH', '/v1/catalog/categories/31', { body: { parent_id: 30 } })
  deepEqual(await seen(), [750, 750, 1])
  await call('PATCH', '/v1/catalog/categories/31', { body: { parent_id: null } })
  deepEqual(await seen(), [1_000, 1_000, 0])
  await stock.load('category', { id: 32, parent_id: 30, slug: 'newest', name: { ru: 'Новое' } })
  await call('PATCH', '/v1/catalog/products/30', { body: { category_id: 32 } })
  deepEqual((await seen()).slice(0, 2), [750, 750])
  await remove(id)
})

test('a moderated offer is promoted by its own id, not by an equal id of an ordinary offer', async () => {
  const ordinary = await stock.offer({ id: 71, price: 1_000 })
  const sentIn = await stock.moderatedOffer({ id: 71, productId: 71, price: 900 })
  const { id } = await planned({ moderated_offer_ids: [sentIn], discount_percent: 10 })
  equal(await priceOf(ordinary), tiyin(1_000))
  const read = async () => (await data(`/v1/catalog/moderated-offers/${sentIn}`)).moderated_offer
  deepEqual([(await read()).price.amount, (await read()).usual_price.amount], [tiyin(810), tiyin(900)])
  const buyer = newClient()
  await call('POST', '/api/cart/moderated-items', {
    body: { ...buyer, ModeratedOfferId: sentIn, Quantity: 1 },
  })
  const [placed] = (await order(buyer)).body.data.OrderIds
  equal((await get(placed)).total.amount, tiyin(810))
  await remove(id)
})

test('a price changed while a promotion runs is the one that is lowered', async () => {
  const offer = await stock.offer({ price: 1_000 })
  const { id } = await planned({ offer_ids: [offer], discount_percent: 10 })
  await call('PATCH', `/v1/catalog/offers/${offer}`, { body: { price_tiyin: tiyin(2_000) } })
  equal(await priceOf(offer), tiyin(1_800))
  // An external catalog that sends the usual price does not count as a mismatch.
  const outside = await call('POST', '/v1/integration-events', {
    body: {
      specversion: '1.0',
      id: 'outside-1',
      source: 'erp',
      type: 'OfferPriceChanged',
      time: inSeconds(0),
      data: { OfferId: offer, OldPrice: 2_000, NewPrice: 3_000 },
    },
  })
  equal(Math.floor(outside.status / 100), 2, outside.text)
  await waitUntil(async () => (await priceOf(offer)) === tiyin(2_700))
  const { count } = await db
    .read()
    .one<{ count: number }>(
      `select count(*) as count from outbox_events where type = 'ExternalPriceMismatched' and subject = $1`,
      [`offer/${offer}`],
    )
  equal(count, 0)
  await remove(id)
})

test('a promotion has no effect in the other environment', async () => {
  const live = await openStockOfLive()
  await planned({
    partner_ids: [1],
    discount_percent: 90,
    starts_at: inSeconds(-10),
    ends_at: inSeconds(3_600),
  })
  const reply = await call('GET', `/v1/catalog/offers/${live}`, { key: shop.keys.live })
  deepEqual([reply.body.data.offer.price.amount, reply.body.data.offer.events], [tiyin(1_000), []])
  await pass(3_600)
})

test('setting the clock back restores ended promotions in details, lists and sales', async () => {
  const offer = await stock.offer({ price: 1_000 })
  await pass(100_000)
  const real = (seconds: number) => new Date(clock.now().getTime() - clock.offsetMs + seconds * 1_000)
  await planned({
    offer_ids: [offer],
    discount_percent: 40,
    starts_at: real(-50).toISOString(),
    ends_at: real(5_000).toISOString(),
  })
  const cheap = `/v1/catalog/products?price_max=${tiyin(600)}&price_min=${tiyin(600)}`
  deepEqual([await priceOf(offer), (await data(cheap)).products.length], [tiyin(1_000), 0])
  equal((await call('DELETE', '/v1/test/clock')).status, 200)
  deepEqual([await priceOf(offer), (await data(cheap)).products.length], [tiyin(600), 1])
  equal((await put(newClient(), offer)).TotalAmount, 600)
})

test('two processes start a promotion at the same instant and publish it once', async () => {
  const offer = await stock.offer({ price: 1_000 })
  const aside = await openPlatform({ connection: shop.connection })
  const both = async () => {
    const path = `/v1/catalog/offers/${offer}`
    const replies = await Promise.all([
      call('GET', path),
      callAt(aside.url, 'GET', path, { key: shop.keys.test }),
    ])
    return replies.map((it) => it.body.data.offer.price.amount)
  }
  const { id } = await planned({ offer_ids: [offer], discount_percent: 10, starts_at: inSeconds(1.5) })
  await waitUntil(
    async () =>
      (await callAt(aside.url, 'GET', `${promotionsPath}/${id}`, { key: shop.keys.test })).status === 200,
  )
  deepEqual(await both(), [tiyin(1_000), tiyin(1_000)])
  await waitUntil(async () => (await publishedEvents(id)).length >= 2)
  deepEqual(await both(), [tiyin(900), tiyin(900)])
  await Promise.all([jobs.runNow('promotions'), aside.app.shops.test.jobs.runNow('promotions')])
  deepEqual(
    (await publishedEvents(id)).map((it) => it.type),
    ['PromotionCreated', 'PromotionStarted'],
  )
  await remove(id)
})

test('a promotion of a hundred thousand offers starts and ends without writing to them', async () => {
  // Without jobs, so that the publisher of the events does not depend on timing.
  const large = await openPlatform({ jobs: [] })
  const own = large.app.shops.test.db
  await stockMany(own, { products: 5_000, offersEach: 20 })
  const aside = await openPlatform({ connection: large.connection })
  await aside.app.loaded()
  const {
    planned: plannedThere,
    pass: passThere,
    publishedEvents: eventsThere,
    inSeconds: inSecondsThere,
  } = openPromotions(aside)
  const { id } = await plannedThere({
    category_ids: [1],
    discount_percent: 50,
    starts_at: inSecondsThere(1_000),
    ends_at: inSecondsThere(2_000),
  })
  /** The rows of all offers with their physical position and last writing transaction. */
  const rows = () =>
    own
      .read()
      .one<{ count: number; print: string }>(
        `select count(*) as count, md5(string_agg(id::text || ctid::text || xmin::text, ',' order by id)) as print from catalog_offers`,
      )
  /** Not those of jobs, which depend on the time of day. */
  const events = () =>
    own
      .read()
      .all<{ type: string }>(
        `select distinct type from outbox_events where type ~ '^(Offer|ModeratedOffer|Product|Variant|Category)'`,
      )
  const cheapest = async () => {
    const path = '/v1/catalog/products?sort=price&per_page=1&price_max=50000'
    const { products, pagination } = (await aside.call('GET', path)).body.data
    return [pagination.total, products[0]?.price.amount ?? null]
  }
  const before = await rows()
  equal(before.count, 100_000)
  deepEqual(await cheapest(), [0, null])
  await passThere(1_000)
  deepEqual(await cheapest(), [4, 50_000])
  await passThere(1_000)
  deepEqual(await cheapest(), [0, null])
  deepEqual(await rows(), before)
  deepEqual(await events(), [])
  deepEqual(
    (await eventsThere(id)).map((it) => it.type),
    ['PromotionCreated', 'PromotionStarted', 'PromotionFinished'],
  )
})

test('a process that has not received a change yet does not sell by its cache', async () => {
  const offer = await stock.offer({ price: 1_000 })
  const { id } = await planned({ offer_ids: [offer], discount_percent: 50 })
  const [early, late] = [newClient(), newClient()]
  await put(late, offer)
  equal((await view(late)).TotalAmount, 500)
  // Like another process: this one receives events through the outbox, which is not read here.
  const aside = await openPlatform({ connection: shop.connection, jobs: [] })
  const elsewhere = (method: string, path: string, body?: object) =>
    callAt(aside.url, method, path, { key: shop.keys.test, ...(body && { body }) })
  await shop.app.shops.test.relay.close()
  equal((await elsewhere('DELETE', `${promotionsPath}/${id}`)).status, 200)
  // Displayed prices may lag for a moment; decisions and sales may not.
  const [placed] = (await order(late)).body.data.OrderIds
  equal((await get(placed)).total.amount, tiyin(1_000))
  equal((await put(early, offer)).Items[0].Price, 1_000)
})

async function openStockOfLive(): Promise<number> {
  const live = await openStock(shop, 'live')
  return live.offer({ price: 1_000 })
}

/** Products in one category with prices from a thousand sums on, and a number of offers for each. */
async function stockMany(
  to: Database,
  { products, offersEach }: { products: number; offersEach: number },
): Promise<void> {
  await to.transaction(async (tx) => {
    await tx.all(`insert into catalog_categories (id, parent_id, level, slug, name, description, created_at, updated_at)
      values (1, null, 0, 'all', '{"ru":"Всё"}', '{}', now(), now())`)
    await tx.all(`insert into catalog_partners (id, slug, name, rating, is_recommended, credit_active, created_at, updated_at)
      values (1, 'one', 'One', 4, false, false, now(), now())`)
    await tx.all(
      `insert into catalog_products (id, category_id, slug, name, description, images, created_at, updated_at)
       select n, 1, 'p-' || n, json_build_object('ru', 'Товар ' || n), '{}', '[]', now(), now() from generate_series(1, $1::int4) n`,
      [products],
    )
    await tx.all(
      `insert into catalog_offers (product_id, partner_id, price_tiyin, quantity, is_visible, is_active, regions,
         loan_condition_ids, has_daily_payment, created_at, updated_at)
       select n, 1, 100000 + 1000 * (n / 5), 1, true, true, '{home,global}', '{}', false, now(), now()
       from generate_series(1, $1::int4) n, generate_series(1, $2::int4)`,
      [products, offersEach],
    )
  })
}
