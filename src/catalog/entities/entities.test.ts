import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { openPlatform, type Reply } from '../../../test/support/shop.ts'
import { assertRefused } from '../../../test/support/refused.ts'

const shop = await openPlatform()
const ids: Record<string, number> = {}

const made = async (path: string, body: object): Promise<Record<string, never>> => {
  const reply = await shop.call('POST', `/v1/catalog/${path}`, { body })
  equal(reply.status, 201, reply.text)
  return Object.values(reply.body.data)[0] as Record<string, never>
}

/** The events published since a position in the outbox. */
const eventsAfter = async (sequence: number): Promise<{ type: string; fields: Record<string, unknown> }[]> =>
  shop.app.shops.test.db
    .read()
    .all(`select type, fields from outbox_events where sequence > $1 order by sequence`, [sequence])

const lastSequence = async (): Promise<number> =>
  (
    await shop.app.shops.test.db
      .read()
      .one<{ last: number }>(`select coalesce(max(sequence), 0) as last from outbox_events`)
  ).last

const product = (reply: Reply) => reply.body.data.product

ids['category'] = Number(
  (await made('categories', { slug: 'phones', name: { ru: 'Телефоны', en: 'Phones' } }))['id'],
)
ids['brand'] = Number((await made('brands', { slug: 'artel', name: 'Artel' }))['id'])
ids['partner'] = Number(
  (await made('partners', { slug: 'texnomart', name: 'Texnomart', rating: 4.8, credit_active: true }))['id'],
)
ids['condition'] = Number(
  (await made('loan-conditions', { partner_id: ids['partner'], duration: 12, commission: 24 }))['id'],
)
const phone = await made('products', {
  category_id: ids['category'],
  brand_id: String(ids['brand']),
  slug: 'artel-nova',
  name: { ru: 'Смартфон Artel Nova', uz: 'Artel Nova smartfoni', en: 'Artel Nova smartphone' },
})
const productId: string = phone['id']!
const black = await made('variants', {
  product_id: Number(productId),
  name: { ru: 'чёрный', en: 'black' },
  attributes: { color: 'black' },
})
ids['variant'] = Number(black['id'])
const offer = await made('offers', {
  product_id: Number(productId),
  variant_id: ids['variant'],
  partner_id: ids['partner'],
  price_tiyin: 129_900_000,
  old_price_tiyin: 149_900_000,
  quantity: 5,
  loan_condition_ids: [ids['condition']],
})
const offerId: string = offer['id']!

test('a product shows its variants, its offers and the best of them', async () => {
  const reply = await shop.call('GET', `/v1/catalog/products/${productId}`, {
    headers: { 'accept-language': 'en' },
  })
  const it = product(reply)
  equal(it.name, 'Artel Nova smartphone')
  deepEqual(it.price, { amount: 129_900_000, currency: 'UZS' })
  deepEqual(it.old_price, { amount: 149_900_000, currency: 'UZS' })
  equal(it.discount, -13)
  equal(it.variants[0].attributes.color, 'black')
  equal(it.best_offer.id, offerId)
  equal(it.best_offer.name, 'Artel Nova smartphone, black')
  equal(it.best_offer.path, `/phones/artel-nova-${offerId}`)
  equal(it.best_offer.partner.name, 'Texnomart')
  // 129 900 000 × 1.24 / 12, rounded up to a tiyin.
  equal(it.best_offer.loan_conditions[0].monthly_repayment.amount, 13_423_000)
})

test('list and search find a product that was just added', async () => {
  const listed = await shop.call('GET', '/v1/catalog/products?brand=artel&in_stock=true')
  deepEqual(
    listed.body.data.products.map((it: { id: string }) => it.id),
    [productId],
  )
  equal(listed.body.data.pagination.total, 1)
  const found = await shop.call(
    'GET',
    `/v1/catalog/products/search?q=${encodeURIComponent('смартфон')}&category=phones`,
  )
  deepEqual(
    found.body.data.products.map((it: { id: string }) => it.id),
    [productId],
  )
  deepEqual(found.body.data.facets.brands, [
    { id: String(ids['brand']), name: 'Artel', slug: 'artel', count: 1 },
  ])
})

test('a new price is in detail, list and search at once and is published once', async () => {
  const since = await lastSequence()
  const changed = await shop.call('PATCH', `/v1/catalog/offers/${offerId}`, {
    body: { price_tiyin: 119_900_000 },
  })
  equal(changed.body.data.offer.price.amount, 119_900_000)
  deepEqual(await eventsAfter(since), [
    {
      type: 'OfferPriceChanged',
      fields: { offerId: Number(offerId), oldPrice: 1_299_000, newPrice: 1_199_000 },
    },
  ])
  for (const path of ['products', 'products/search?q=artel'])
    equal((await shop.call('GET', `/v1/catalog/${path}`)).body.data.products[0].price.amount, 119_900_000)
  equal(product(await shop.call('GET', `/v1/catalog/products/${productId}`)).price.amount, 119_900_000)
})

test('a text is changed in one language and stays in the others', async () => {
  const nameIn = async (language: string) =>
    product(
      await shop.call('GET', `/v1/catalog/products/${productId}`, {
        headers: { 'accept-language': language },
      }),
    ).name
  const rename = (name: object) => shop.call('PATCH', `/v1/catalog/products/${productId}`, { body: { name } })
  equal((await rename({ en: 'Artel Nova phone' })).status, 200)
  deepEqual(
    [await nameIn('en'), await nameIn('ru'), await nameIn('uz')],
    ['Artel Nova phone', 'Смартфон Artel Nova', 'Artel Nova smartfoni'],
  )
  await rename({ en: 'Artel Nova smartphone' })
})

test('a change without effect keeps the version and publishes nothing', async () => {
  const before = await shop.call('GET', `/v1/catalog/offers/${offerId}`)
  const since = await lastSequence()
  const after = await shop.call('PATCH', `/v1/catalog/offers/${offerId}`, {
    body: { quantity: 5, is_visible: true },
  })
  equal(after.headers.get('etag'), before.headers.get('etag'))
  deepEqual(await eventsAfter(since), [])
})

test('hiding an offer deactivates it, showing it activates it again', async () => {
  const since = await lastSequence()
  await shop.call('PATCH', `/v1/catalog/offers/${offerId}`, { body: { is_visible: false } })
  const hidden = product(await shop.call('GET', `/v1/catalog/products/${productId}`))
  deepEqual([hidden.price, hidden.offers.length, hidden.in_stock], [null, 0, false])
  await shop.call('PATCH', `/v1/catalog/offers/${offerId}`, { body: { is_visible: true, quantity: 7 } })
  equal(product(await shop.call('GET', `/v1/catalog/products/${productId}`)).best_offer.quantity, 7)
  deepEqual(
    (await eventsAfter(since)).map((it) => it.type),
    ['OfferDeactivated', 'OfferQuantityChanged', 'OfferActivated'],
  )
})

test('a stale version is refused and nothing is written', async () => {
  const reply = await shop.call('PATCH', `/v1/catalog/offers/${offerId}`, {
    body: { quantity: 1 },
    headers: { 'if-match': '"1"' },
  })
  assertRefused('version_mismatch', reply)
})

test('an offer references an existing product, its variants, and loan conditions of its partner', async () => {
  const other = await made('partners', { slug: 'asaxiy', name: 'Asaxiy' })
  const reply = await shop.call('POST', '/v1/catalog/offers', {
    body: {
      product_id: 999_999,
      variant_id: ids['variant'],
      partner_id: Number(other['id']),
      price_tiyin: 1,
      quantity: 0,
      loan_condition_ids: [ids['condition']],
    },
  })
  assertRefused('validation_failed', reply)
  deepEqual(
    reply.body.error.details.fields.map((it: { path: string; rule: string }) => [it.path, it.rule]),
    [
      ['product_id', 'exists'],
      ['variant_id', 'of_product_id'],
      ['loan_condition_ids', 'of_partner_id'],
    ],
  )
})

test('an entity that others reference cannot be deleted', async () => {
  assertRefused('conflict', await shop.call('DELETE', `/v1/catalog/products/${productId}`))
  assertRefused('conflict', await shop.call('DELETE', `/v1/catalog/partners/${ids['partner']}`))
  assertRefused('conflict', await shop.call('DELETE', `/v1/catalog/categories/${ids['category']}`))
})

test('a price above the maximum, a negative quantity and an unknown field are refused together', async () => {
  const reply = await shop.call('POST', '/v1/catalog/offers', {
    body: { product_id: 1, partner_id: 1, price_tiyin: 10_000_000_000_001, quantity: -1, colour: 'red' },
  })
  assertRefused('validation_failed', reply)
  deepEqual(reply.body.error.details.fields.map((it: { path: string }) => it.path).toSorted(), [
    'colour',
    'price_tiyin',
    'quantity',
  ])
})

test('a moderated offer is submitted, approved and rejected, and every step is recorded', async () => {
  const offer = await made('moderated-offers', {
    product_id: Number(productId),
    partner_id: ids['partner'],
    price_tiyin: 99_000_000,
    quantity: 2,
  })
  const path = `/v1/catalog/moderated-offers/${offer['id']}`
  equal(offer['status'], 'draft')
  assertRefused('invalid_transition', await shop.call('POST', `${path}/approve`))
  await shop.call('POST', `${path}/submit`)
  const rejected = await shop.call('POST', `${path}/reject`, { body: { reason: 'blurred picture' } })
  deepEqual(
    [rejected.body.data.moderated_offer.status, rejected.body.data.moderated_offer.reason],
    ['rejected', 'blurred picture'],
  )
  await shop.call('POST', `${path}/submit`)
  const since = await lastSequence()
  await shop.call('POST', `${path}/approve`)
  deepEqual(
    (await eventsAfter(since)).map((it) => [it.type, it.fields['status']]),
    [['ModerationDecided', 'approved']],
  )
  const { history } = (await shop.call('GET', `${path}/history`)).body.data
  deepEqual(
    history.map((it: { status_after: string }) => it.status_after),
    ['pending', 'rejected', 'pending', 'approved'],
  )
})

test('twenty approvals at once approve once', async () => {
  const { id } = await made('moderated-offers', {
    product_id: Number(productId),
    partner_id: ids['partner'],
    price_tiyin: 1_000,
    quantity: 1,
    status: 'pending',
  })
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => shop.call('POST', `/v1/catalog/moderated-offers/${id}/approve`)),
  )
  deepEqual(
    [replies.filter((it) => it.status === 200).length, replies.filter((it) => it.status === 409).length],
    [1, 19],
  )
})

test('prices are shown in a currency as soon as it has a rate', async () => {
  const inDollars = () =>
    shop.call('GET', `/v1/catalog/products/${productId}`, { headers: { 'x-currency': 'USD' } })
  assertRefused('invalid_header', await inDollars())
  equal((await shop.call('PUT', '/v1/admin/exchange-rates/USD', { body: { tiyin: 1_265_000 } })).status, 201)
  await shop.app.shops.test.relay.catchUp()
  // 119 900 000 tiyin at 12 650 sums a dollar.
  deepEqual(product(await inDollars()).price, { amount: 9_478, currency: 'USD' })
  const unknown = await shop.call('PUT', '/v1/admin/exchange-rates/XXQ', { body: { tiyin: 1 } })
  assertRefused('validation_failed', unknown)
})

test('twenty parallel changes of one offer make twenty versions and lose nothing', async () => {
  const { id } = await made('offers', {
    product_id: Number(productId),
    partner_id: ids['partner'],
    price_tiyin: 5_000,
    quantity: 0,
  })
  await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      shop.call('PATCH', `/v1/catalog/offers/${id}`, { body: { quantity: at + 1 } }),
    ),
  )
  const reply = await shop.call('GET', `/v1/catalog/offers/${id}`)
  ok(/"21/.test(reply.headers.get('etag')!), reply.headers.get('etag')!)
})

test('a product is found by its slug, and by earlier ones after it was renamed', async () => {
  const bySlug = (slug: string) => shop.call('GET', `/v1/catalog/products/by-slug/${slug}`)
  const made = async (slug: string) =>
    product(
      await shop.call('POST', '/v1/catalog/products', {
        body: { category_id: ids['category'], slug, name: { ru: 'Товар' } },
      }),
    )
  const rename = async (id: string, slug: string) =>
    equal((await shop.call('PATCH', `/v1/catalog/products/${id}`, { body: { slug } })).status, 200)
  const first = await made('first-name')
  deepEqual((await bySlug('first-name')).body.data.moved_from, null)
  await rename(first.id, 'second-name')
  await rename(first.id, 'third-name')
  for (const earlier of ['first-name', 'second-name']) {
    const { data } = (await bySlug(earlier)).body
    deepEqual([data.product.id, data.product.slug, data.moved_from], [first.id, 'third-name', earlier])
  }
  // A product that has the slug now comes before one that had it.
  const second = await made('first-name')
  deepEqual((await bySlug('first-name')).body.data.product.id, second.id)
  await rename(second.id, 'fourth-name')
  deepEqual((await bySlug('first-name')).body.data.product.slug, 'fourth-name')
  const missing = assertRefused('not_found', await bySlug('never-named'))
  deepEqual([missing.resource, missing.id], ['product', 'never-named'])
  equal((await shop.call('DELETE', `/v1/catalog/products/${first.id}`)).status, 200)
  assertRefused('not_found', await bySlug('second-name'))
})

test('what is changed or removed publishes its event', async () => {
  const patched = async (path: string, body: object) =>
    equal((await shop.call('PATCH', `/v1/catalog/${path}`, { body })).status, 200)
  const removed = async (path: string) => {
    const reply = await shop.call('DELETE', path)
    equal(reply.status, 200, reply.text)
  }
  const method = await made('delivery-methods', {
    partner_id: ids['partner'],
    kind: 'courier',
    name: { ru: 'Курьер', uz: 'Kuryer', en: 'Courier' },
    price_tiyin: 0,
  })
  const variant = await made('variants', { product_id: Number(productId), name: { ru: 'белый' } })
  const name = { ru: 'Длина', uz: 'Uzunligi', en: 'Length' }
  const attribute = await made('attributes', { code: 'length', kind: 'number', name })
  equal((await shop.call('PUT', '/v1/admin/exchange-rates/EUR', { body: { tiyin: 1_400_000 } })).status, 201)
  const before = await lastSequence()
  await patched(`delivery-methods/${method['id']}`, { price_tiyin: 100 })
  await removed(`/v1/catalog/variants/${variant['id']}`)
  await removed(`/v1/catalog/attributes/${attribute['id']}`)
  await removed('/v1/admin/exchange-rates/EUR')
  deepEqual(await eventsAfter(before), [
    {
      type: 'DeliveryMethodChanged',
      fields: { deliveryMethodId: Number(method['id']), partnerId: ids['partner'] },
    },
    { type: 'VariantDeleted', fields: { variantId: Number(variant['id']), productId: Number(productId) } },
    { type: 'AttributeDeleted', fields: { attributeId: Number(attribute['id']), code: 'length' } },
    { type: 'ExchangeRateDeleted', fields: { currency: 'EUR' } },
  ])
})
