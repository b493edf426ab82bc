// Faults 2.7: bodies of the eight recommendation calls and the required replies.

import { deepEqual, equal, notEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { recordKinds } from '../../src/catalog/index.ts'
import { assertRefused } from '../support/refused.ts'
import { callAt, openPlatform, type Reply } from '../support/shop.ts'
import { openRawConnection } from '../support/wire.ts'

const shop = await openPlatform({ env: { R3_SUNSET: '2027-06-30' } })
const count = 60

await shop.app.shops.live.db.transaction(async (tx) => {
  const load = async (name: string, records: object[]) =>
    deepEqual(await recordKinds.find((it) => it.name === name)!.load(tx, records), [])
  await load('category', [
    { id: 1, slug: 'all', name: { ru: 'Всё' } },
    { id: 2, slug: 'some', parent_id: 1, name: { ru: 'Часть' } },
  ])
  await load('partner', [{ id: 1, slug: 'p', name: 'P', rating: 4 }])
  const ids = Array.from({ length: count }, (_, at) => at + 1)
  await load(
    'product',
    ids.map((id) => ({ id, category_id: id % 2 ? 1 : 2, slug: `p-${id}`, name: { ru: `Товар ${id}` } })),
  )
  await load(
    'offer',
    ids.map((id) => ({
      id: 1000 + id,
      product_id: id,
      partner_id: 1,
      price_tiyin: 10_000_050,
      quantity: id === 7 ? 0 : 3,
    })),
  )
})

const post = (path: string, body: unknown): Promise<Reply> =>
  callAt(shop.url, 'POST', path, { key: null, body })
const main = { user_id: '1', from_layer: 'main_page', from_app: 'app' }
const uuid = '3f8e0d8a-0f1c-4b56-8a1b-6b1d7f0c2a11'

const calls: [path: string, body: object][] = [
  ['/offers/recommended/v3', main],
  ['/offers/recommended/v2', main],
  ['/offers/recommended', { mobi_user_id: 'm', phone: '+998901234567' }],
  ['/mobile/offers/recommended/v3', main],
  ['/mobile/cf/v1/recommended', { from_layer: 'main_page', from_app: 'app' }],
  ['/mobile/recommended-offers/categories-page', { from_app: 'app' }],
  ['/web/client/offers/recommended-v3', { from_layer: 'main_page', from_app: 'WebAndMobile' }],
  ['/web/client/miniapp/offers/recommended/v3/', { user_id: uuid, from_layer: 'main_page' }],
  ['/api/gateway/web/offers/recommended-v2', { from_layer: 'main_page', from_app: 'app' }],
  ['/api/gateway/web/offers/recommended-cf', { from_layer: 'main_page', from_app: 'app' }],
  ['/api/gateway/categories-page/recommendations', { from_app: 'app' }],
  ['/api/gateway/catalog/recommended-offers/v3/web', { from_layer: 'main_page', from_app: 'WebAndMobile' }],
]
const offersOf = (reply: Reply): { id?: number; offer_id?: number | string }[] =>
  reply.body.offers ?? reply.body

for (const [path, body] of calls)
  test(`${path} returns thirty offers without a credential, with and without a trailing slash`, async () => {
    for (const form of [path.replace(/\/$/, ''), `${path.replace(/\/$/, '')}/`]) {
      const reply = await post(form, body)
      equal(reply.status, 200, reply.text)
      equal(offersOf(reply).length, 30)
      equal(reply.headers.get('x-recommendation-id')?.length, 36)
    }
  })

test('V1: a layer that is missing, unknown, of another letter case or not a text is refused', async () => {
  for (const [path, body] of calls.filter(([, it]) => 'from_layer' in it))
    for (const layer of [undefined, 'basket', 'Main_page', ['main_page'], null])
      assertRefused('validation_failed', await post(path, { ...body, from_layer: layer }))
})

test('V2: too many or misplaced offer_ids are rejected, null means none', async () => {
  const path = '/offers/recommended/v3'
  const cart = { ...main, from_layer: 'cart_page' }
  for (const body of [
    { ...main, offer_ids: ['1001'] },
    { ...main, from_layer: 'offer_page', offer_ids: ['1001', '1002'] },
    { ...cart, offer_ids: Array.from({ length: 201 }, (_, at) => String(at)) },
    { ...cart, offer_ids: [1001] },
  ])
    assertRefused('validation_failed', await post(path, body))
  equal((await post(path, { ...main, offer_ids: null })).status, 200)
})

test('V2: offer_ids of a cart may mix numbers and UUIDs; duplicate and unknown ones are ignored', async () => {
  const reply = await post('/offers/recommended/v3', {
    ...main,
    from_layer: 'cart_page',
    offer_ids: ['1001', '1001', uuid, '999999', 'nonsense', '1002'],
  })
  equal(reply.status, 200)
  equal(offersOf(reply).length, 30)
  const names = offersOf(reply).map((it) => it.offer_id)
  equal(names.includes('1001') || names.includes('1002'), false)
})

test('V3: an unknown group is the default, a number is refused', async () => {
  for (const path of ['/offers/recommended/v3', '/offers/recommended/v2', '/mobile/offers/recommended/v3']) {
    for (const value of ['PrOd', 'unknown', null, ''])
      equal((await post(path, { ...main, test_group_value: value })).status, 200, `${path} ${value}`)
    assertRefused('validation_failed', await post(path, { ...main, test_group_value: 5 }))
  }
})

test('V4: the mini-app needs a UUID; the web accepts a guest', async () => {
  const mini = '/web/client/miniapp/offers/recommended/v3/'
  assertRefused('validation_failed', await post(mini, { user_id: '1', from_layer: 'main_page' }))
  assertRefused('validation_failed', await post(mini, { from_layer: 'main_page' }))
  const web = { from_layer: 'main_page', from_app: 'WebAndMobile' }
  equal((await post('/web/client/offers/recommended-v3', web)).status, 200)
  assertRefused(
    'validation_failed',
    await post('/web/client/offers/recommended-v3', { ...web, user_id: '17' }),
  )
})

test('V5: fields that the server sets and unknown fields are ignored', async () => {
  const body = {
    user_id: uuid,
    from_layer: 'main_page',
    from_app: 7,
    test_group_value: 9,
    extra: { deep: true },
  }
  equal((await post('/web/client/miniapp/offers/recommended/v3/', body)).status, 200)
})

test('V6: the categories page returns a bare array of offers below its category', async () => {
  const reply = await post('/mobile/recommended-offers/categories-page', {
    from_app: 'a',
    category_id: 1,
    sub_category_id: 2,
  })
  equal(Array.isArray(reply.body), true)
  equal(
    reply.body.every((it: { product: { id: number } }) => it.product.id % 2 === 0),
    true,
  )
})

test('a categories page with an unknown subcategory shows the deepest category that exists, not an empty list', async () => {
  const at = async (sent: object) =>
    (await post('/mobile/recommended-offers/categories-page', { from_app: 'a', ...sent })).body.map(
      (it: { id: number }) => it.id,
    )
  const unknown = 999_999
  const wide = await at({ category_id: 1 })
  notEqual(wide.length, 0)
  deepEqual(await at({ category_id: 1, sub_category_id: unknown }), wide)
  deepEqual(await at({ category_id: 1, third_category_id: unknown }), wide)
  deepEqual(
    await at({ category_id: 1, sub_category_id: 2, third_category_id: unknown }),
    await at({ category_id: 1, sub_category_id: 2 }),
  )
  deepEqual(await at({ category_id: unknown }), [])
  deepEqual(await at({ category_id: unknown, sub_category_id: unknown + 1 }), [])
})

test('V8: a refused body does not repeat a phone', async () => {
  const reply = await post('/offers/recommended', { mobi_user_id: 5, phone: '+998901112233' })
  assertRefused('validation_failed', reply)
  equal(reply.text.includes('901112233'), false)
})

test('V10: a request cannot choose the backend', async () => {
  const path = '/mobile/cf/v1/recommended'
  const usual = (await post(path, main)).body
  const body = JSON.stringify(main)
  const line = await openRawConnection(shop.url)
  const cases: [target: string, host: string, status: number][] = [
    [path, 'evil.example', 200],
    [`http://evil.example${path}`, 'evil.example', 200],
    [`${path}?backend=http://evil.example`, 'x', 422],
    ['/mobile/cf/v1/../../../api/gateway/web/offers/recommended-v2', 'x', 404],
    ['/mobile/cf/v1/%2e%2e/recommended', 'x', 404],
    [`${path}%2f..`, 'x', 404],
  ]
  for (const [target, host, status] of cases) {
    await line.send(
      `POST ${target} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    const answer = await line.receive()
    equal(answer.status, status, target)
    const ids = (it: { offers: { id: number }[] }) => it.offers.map((offer) => offer.id)
    if (status === 200) deepEqual(ids(answer.body), ids(usual))
  }
})

test('V12: the maximum price has exact digits in every unit', async () => {
  const cap = 10_000_000_000_000
  const everywhere = () =>
    Promise.all([
      post('/offers/recommended/v3', main),
      post('/web/client/offers/recommended-v3', { from_layer: 'main_page', from_app: 'x' }),
    ])
  const [first] = offersOf((await everywhere())[0])
  const priced = (price_tiyin: number) =>
    shop.app.shops.live.db.transaction(async (tx) => {
      const id = Number(first!.offer_id)
      const offer = { id, product_id: id - 1000, partner_id: 1, price_tiyin, quantity: 3 }
      deepEqual(await recordKinds.find((it) => it.name === 'offer')!.load(tx, [offer]), [])
    })
  await priced(cap)
  const prices = (await everywhere()).map(
    ({ body }) =>
      body.offers.find((it: { offer_id: unknown }) => String(it.offer_id) === first!.offer_id)?.price,
  )
  await priced(10_000_050)
  deepEqual(prices, [cap / 100, cap])
})

test('V13: a path in another letter case or with a doubled slash is 404', async () => {
  for (const path of ['/Offers/recommended/v3', '//offers/recommended/v3', '/offers//recommended/v3'])
    assertRefused('not_found', await post(path, main))
})

test('V14: the price for the web is a hundred times the price for the app, up to rounding', async () => {
  const [app, web] = await Promise.all([
    post('/offers/recommended/v3', main),
    post('/web/client/offers/recommended-v3', { from_layer: 'main_page', from_app: 'x' }),
  ])
  deepEqual([app.body.offers[0].price, web.body.offers[0].price], [100_001, 10_000_050])
})

test('sold-out, hidden and inactive offers are left out from the next call on', async () => {
  const listed = async () => offersOf(await post('/offers/recommended/v3', main)).map((it) => it.offer_id)
  equal((await listed()).includes('1007'), false)
  const [first] = await listed()
  await shop.call('PATCH', `/v1/catalog/offers/${first}`, { key: shop.keys.live, body: { is_active: false } })
  equal((await listed()).includes(first), false)
})

test('the deprecated call has deprecation headers', async () => {
  const { headers } = await post('/offers/recommended', { mobi_user_id: 'm', phone: '1' })
  equal(headers.get('deprecation')?.startsWith('@'), true)
  equal(headers.get('sunset'), 'Wed, 30 Jun 2027 00:00:00 GMT')
  equal(headers.get('link'), '</offers/recommended/v3>; rel="successor-version"')
})

test('a wrong credential is refused although none is needed', async () => {
  const reply = await callAt(shop.url, 'POST', '/offers/recommended/v3', { key: 'ak_live_wrong', body: main })
  assertRefused('unauthorized', reply)
})
