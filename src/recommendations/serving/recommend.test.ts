import { deepEqual, equal, notDeepEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { groupSize, addGroupInteractions, stockTwoGroups, train } from '../../../test/support/behaviour.ts'
import { callAt, openPlatform } from '../../../test/support/shop.ts'
import { openStock } from '../../../test/support/stock.ts'
import { waitFor, waitUntil } from '../../../test/support/wait-until.ts'
import { savePopularity } from '../../catalog/index.ts'

const shop = await openPlatform()
const { db } = shop.app.shops.test
const stock = await openStock(shop)
await stockTwoGroups(stock)
await addGroupInteractions(db)

interface Shown {
  offer_id: string
}

const ask = async (body: object, path = '/offers/recommended/v3') => {
  const reply = await shop.call('POST', path, {
    body: { from_layer: 'main_page', from_app: 'ios', ...body },
  })
  equal(reply.status, 200, reply.text)
  return reply.body as { offers: Shown[]; source: string }
}
/** A busy machine may reply before the buyer is loaded, with a note; then the request is repeated. */
const askKnown = (body: object) =>
  waitFor(
    async () => {
      const reply = await ask(body)
      return reply.source === 'recommendation_service' ? undefined : reply
    },
    { what: 'a list for the loaded buyer' },
  )
const idsOf = ({ offers }: { offers: Shown[] }) => offers.map((it) => Number(it.offer_id))
const isFirst = (id: number) => id <= groupSize

test('before the first training, lists contain popular offers and name that source', async () => {
  await db.transaction((tx) => savePopularity(tx, [{ offer: '7', score: 5 }]))
  const answered = await ask({ user_id: 'first-0' })
  equal(answered.offers.length, 30)
  equal(answered.source, 'recommendation_service')
})

test('a buyer gets products that similar buyers like', async () => {
  equal((await train(db)).outcome, 'activated')
  const first = await askKnown({ user_id: 'first-0' })
  const second = await askKnown({ user_id: 'second-1' })
  equal(first.offers.length, 30)
  ok(idsOf(first).filter(isFirst).length >= 27, String(idsOf(first)))
  ok(idsOf(second).filter(isFirst).length <= 3, String(idsOf(second)))
})

test('the group cf is served by collaborative filtering alone, and each channel names it in its own way', async () => {
  await waitUntil(
    async () =>
      (await ask({ user_id: 'first-0', test_group_value: 'cf' }, '/offers/recommended/v2')).source === 'cf',
  )
})

test('an unknown buyer on a page without context gets no personal source', async () => {
  equal((await ask({ user_id: 'nobody' })).source, 'recommendation_service')
  ok(
    (await ask({ user_id: 'nobody', from_layer: 'offer_page', offer_ids: ['3'] })).source !==
      'recommendation_service',
  )
})

test('the page of an offer shows related products without the offer itself', async () => {
  const shown = idsOf(await ask({ user_id: 'nobody', from_layer: 'offer_page', offer_ids: ['50'] }))
  ok(!shown.includes(50))
  ok(
    shown.slice(0, 10).every((id) => !isFirst(id)),
    String(shown),
  )
})

test('the page of an offer outside the buyer’s history shows related products, as after a reported view', async () => {
  for (const user_id of ['first-0', 'first-10', 'first-20']) {
    const onPage = async () => idsOf(await ask({ user_id, from_layer: 'offer_page', offer_ids: ['50'] }))
    // A busy machine may reply before the buyer is loaded; the source of a page with an offer does not show it.
    const before = await waitFor(async () => {
      const [one, other] = [await onPage(), await onPage()]
      return isDeepStrictEqual(one, other) ? one : undefined
    })
    ok(before.slice(0, 10).filter((id) => !isFirst(id)).length >= 7, `${user_id} ${before}`)
    const seen = { user_id, offer_id: '50', kind: 'view' }
    await shop.call('POST', '/v1/interactions', { body: { interactions: [seen] } })
    await waitUntil(async () => isDeepStrictEqual(await onPage(), before))
  }
})

test('a view of a new buyer changes the next list', async () => {
  const before = idsOf(await ask({ user_id: 'newcomer' }))
  await shop.call('POST', '/v1/interactions', {
    body: {
      interactions: [60, 63, 66].map((id) => ({ user_id: 'newcomer', offer_id: String(id), kind: 'click' })),
    },
  })
  const after = await askKnown({ user_id: 'newcomer' })
  notDeepEqual(idsOf(after), before)
  ok(
    idsOf(after)
      .slice(0, 10)
      .every((id) => !isFirst(id)),
    String(idsOf(after)),
  )
})

test('adding to the cart in the shop changes the next list', async () => {
  const guest = 'guest-of-the-second-circle'
  const before = idsOf(await ask({ user_id: guest }))
  for (const OfferId of [61, 64, 67])
    await shop.call('POST', '/api/cart/items', { body: { SessionId: guest, OfferId, Quantity: 1 } })
  await shop.app.shops.test.relay.catchUp()
  const after = idsOf(await askKnown({ user_id: guest }))
  notDeepEqual(after, before)
  ok(
    after.slice(0, 10).every((id) => !isFirst(id) && ![61, 64, 67].includes(id)),
    String(after),
  )
})

test('an offer that is sold out, hidden or in the cart is in no list', async () => {
  const [one, two, three] = idsOf(await askKnown({ user_id: 'first-2' }))
  await stock.offer({
    id: one!,
    productId: one!,
    partnerId: 1 + (one! % 2),
    price: 1_000 * one!,
    quantity: 0,
  })
  await stock.offer({
    id: two!,
    productId: two!,
    partnerId: 1 + (two! % 2),
    price: 1_000 * two!,
    is_active: false,
  })
  await shop.call('POST', '/api/cart/items', {
    body: { SessionId: 'first-2-session', OfferId: three, Quantity: 1 },
  })
  await shop.call('POST', '/v1/interactions', {
    body: { interactions: [{ user_id: 'first-2-session', offer_id: '5', kind: 'view' }] },
  })
  const shown = idsOf(await askKnown({ user_id: 'first-2' }))
  ok(!shown.includes(one!) && !shown.includes(two!))
  const inSession = idsOf(await askKnown({ user_id: 'first-2-session' }))
  ok(![one, two, three].some((it) => inSession.includes(it!)), String(inSession))
  await shop.call('DELETE', `/api/cart/items/${three}?SessionId=first-2-session`)
})

test('a bought product is not shown to its buyer again', async () => {
  const [wanted] = idsOf(await askKnown({ user_id: 'first-4' }))
  await shop.call('POST', '/v1/interactions', {
    body: { interactions: [{ user_id: 'first-4', offer_id: String(wanted), kind: 'purchase' }] },
  })
  ok(!idsOf(await askKnown({ user_id: 'first-4' })).includes(wanted!))
})

test('a moderated offer appears only in the group of moderated offers, and only when approved', async () => {
  const uuids = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'] as const
  const cheap = { price: 1, quantity: 9 }
  await stock.moderatedOffer({ id: 1, uuid: uuids[0], productId: 10, ...cheap })
  await stock.moderatedOffer({ id: 2, uuid: uuids[1], productId: 12, status: 'pending', ...cheap })
  const context = { user_id: 'first-6', from_layer: 'offer_page', offer_ids: ['8'] }
  const all = async (group: string) =>
    (await ask({ ...context, test_group_value: group })).offers.map((it) => it.offer_id)
  const inGroup = await all('mod_offers')
  ok(!inGroup.includes(uuids[1]))
  const inProd = await all('prod')
  ok(!inProd.some((id) => uuids.includes(id as never)))
  const names = JSON.stringify(
    await shop.call('POST', '/web/client/offers/recommended-v3', {
      body: { from_layer: 'main_page', from_app: 'web' },
    }),
  )
  ok(!names.includes(uuids[1]))
})

test('products with moderated offers only appear in that group until they are sold out', async () => {
  const uuid = '00000000-0000-4000-8000-000000000003'
  await stock.load('product', {
    id: 900,
    category_id: 1,
    slug: 'thing-900',
    name: { ru: 'Вещь 900', en: 'Thing 900' },
  })
  const sentIn = { id: 3, uuid, productId: 900, price: 5_000 }
  const context = { user_id: 'first-8', from_layer: 'offer_page', offer_ids: ['8'] }
  const isShown = async (group: string) =>
    (await ask({ ...context, test_group_value: group })).offers.some((it) => it.offer_id === uuid)
  await stock.moderatedOffer({ ...sentIn, status: 'pending', quantity: 5 })
  equal(await isShown('mod_offers'), false)
  await shop.call('POST', `/v1/catalog/moderated-offers/3/approve`)
  await waitUntil(() => isShown('mod_offers'))
  equal(await isShown('prod'), false)
  await shop.call('POST', `/v1/catalog/moderated-offers/3/reject`, { body: { reason: 'No more' } })
  equal(await isShown('mod_offers'), false)
})

test('an offer that another node sold out or took down a second ago is in no list', async () => {
  const beside = await openPlatform({ connection: shop.connection })
  const key = await beside.makeKey()
  const there = async () => {
    const reply = await callAt(beside.url, 'POST', '/offers/recommended/v3', {
      key,
      body: { user_id: 'second-11', from_layer: 'main_page', from_app: 'ios' },
    })
    return idsOf(reply.body as { offers: Shown[] })
  }
  const before = await there()
  equal(before.length, 30)
  const [one, two] = before
  await shop.call('PATCH', `/v1/catalog/offers/${one}`, { body: { quantity: 0 } })
  await shop.call('PATCH', `/v1/catalog/offers/${two}`, { body: { is_active: false } })
  await waitUntil(async () => {
    const shown = await there()
    return shown.length === 30 && !shown.includes(one!) && !shown.includes(two!)
  })
})

test('every list has thirty different products that can be bought', async () => {
  for (let buyer = 0; buyer < 40; buyer++) {
    const context =
      buyer % 3 === 0 ? {} : { from_layer: 'cart_page', offer_ids: [String(1 + buyer), String(41 + buyer)] }
    const { offers } = await ask({
      user_id: buyer % 2 === 0 ? `first-${buyer}` : `second-${buyer}`,
      ...context,
    })
    equal(offers.length, 30)
    equal(new Set(idsOf({ offers })).size, 30)
    const rows = await db
      .read()
      .all<{ id: number }>(
        `select id from catalog_offers where id = any($1) and quantity > 0 and is_active and is_visible and 'home' = any(regions)`,
        [idsOf({ offers })],
      )
    equal(rows.length, 30)
    const about = 'offer_ids' in context ? context.offer_ids : []
    ok(!idsOf({ offers }).some((id) => about.includes(String(id))))
  }
})

test('a category page shows only that category', async () => {
  const reply = await shop.call('POST', '/mobile/recommended-offers/categories-page', {
    body: { from_app: 'ios', user_id: 'first-0', category_id: 2 },
  })
  const rows = await db
    .read()
    .all<{ category: number }>(
      `select distinct product.category_id as category from catalog_offers offer join catalog_products product on product.id = offer.product_id where offer.id = any($1)`,
      [(reply.body as { id: number }[]).map((it) => it.id)],
    )
  deepEqual(rows, [{ category: 2 }])
})
