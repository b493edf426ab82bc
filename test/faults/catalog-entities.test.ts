import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type { Tx } from '../../src/base/database.ts'
import { lockTree } from '../../src/catalog/categories/store.ts'
import { recordKinds } from '../../src/catalog/index.ts'
import { statuses, times } from '../support/carts.ts'
import { assertRefused } from '../support/refused.ts'
import { openPlatform, type Reply } from '../support/shop.ts'
import { openStock } from '../support/stock.ts'
import { waitUntil } from '../support/wait-until.ts'

/** Whether a transaction of this database waits for a lock. */
const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

const shop = await openPlatform()
const { call } = shop
const stock = await openStock(shop)

const at = (path: string) => `/v1/catalog/${path}`
const detail = async (productId: number): Promise<Reply['body']> =>
  (await call('GET', at(`products/${productId}`))).body.data.product
const offersOf = async (productId: number): Promise<string[]> =>
  (await detail(productId)).offers.map((it: { id: string }) => it.id)

test('of parallel requests that choose one id for a brand, one succeeds and the others get a conflict', async () => {
  const replies = await Promise.all(
    times(12, (it) => call('POST', at('brands'), { body: { id: 4_000, slug: `racer-${it}`, name: 'x' } })),
  )
  deepEqual(statuses(replies), { 201: 1, 409: 11 })
  for (const it of replies.filter(({ status }) => status === 409))
    equal(assertRefused('conflict', it).field, 'id')
})

test('of parallel requests with one slug, one succeeds and the others get a conflict that names the field', async () => {
  for (const path of ['brands', 'categories']) {
    const name = path === 'brands' ? 'x' : { ru: 'x' }
    const replies = await Promise.all(
      times(12, () => call('POST', at(path), { body: { slug: 'wanted-by-all', name } })),
    )
    deepEqual(statuses(replies), { 201: 1, 409: 11 }, path)
    for (const it of replies.filter(({ status }) => status === 409))
      deepEqual(assertRefused('conflict', it), { field: 'slug', value: 'wanted-by-all', reason: 'taken' })
  }
})

test('two parallel imports of one new record leave the later one', async () => {
  const { db } = shop.app.shops.test
  const kind = recordKinds.find((it) => it.name === 'brand')!
  const load = (name: string) => (tx: Tx) => kind.load(tx, [{ id: 4_100, slug: 'twice', name }])
  let second: Promise<unknown> | undefined
  await db.transaction(async (tx) => {
    await load('first')(tx)
    second = db.transaction(load('second'))
    // The import has started and waits for the id.
    await waitUntil(async () => (await tx.all(waiting)).length > 0)
  })
  deepEqual(await second, [])
  equal((await call('GET', at('brands/4100'))).body.data.brand.name, 'second')
})

test('an id outside the safe integers is refused wherever an id is accepted', async () => {
  const tooLarge = '9999999999999999'
  for (const body of [
    { id: tooLarge, slug: 'too-large', name: 'x' },
    { id: '9007199254740992', slug: 'too-large', name: 'x' },
  ])
    equal(
      assertRefused('validation_failed', await call('POST', at('brands'), { body })).fields[0].path,
      'id',
      body.id,
    )
  equal((await call('GET', at('brands'))).status, 200)
  assertRefused(
    'validation_failed',
    await call('POST', at('products'), { body: { category_id: tooLarge, slug: 'p', name: { ru: 'x' } } }),
  )
  for (const path of [
    `offers?product_id=${tooLarge}`,
    `products?category_id=${tooLarge}`,
    `categories?parent_id=${tooLarge}`,
  ])
    ok([200, 422].includes((await call('GET', at(path))).status), path)
})

test('products are filtered by minimum rating', async () => {
  const productId = await stock.product(4_900)
  await stock.offer({ productId, rating: 4.5 })
  const found = async (rating: string) => await call('GET', at(`products?rating_min=${rating}&per_page=100`))
  const ids = (reply: Reply) => reply.body.data.products.map((it: { id: string }) => it.id)
  ok(ids(await found('4.5')).includes(String(productId)))
  ok(!ids(await found('4.6')).includes(String(productId)))
  for (const wrong of ['-1', '6', 'x', '1e400', 'NaN', ''])
    equal(assertRefused('validation_failed', await found(wrong)).fields[0].path, 'rating_min', wrong)
})

test('an offer that moves to another product is shown only there', async () => {
  const [from, to] = [await stock.product(5_000), await stock.product(5_001)]
  const offerId = await stock.offer({ productId: from })
  deepEqual([await offersOf(from), await offersOf(to)], [[String(offerId)], []])
  equal((await call('PATCH', at(`offers/${offerId}`), { body: { product_id: to } })).status, 200)
  deepEqual([await offersOf(from), await offersOf(to)], [[], [String(offerId)]])
  const shown = (await call('GET', at('products?sort=-id&per_page=100'))).body.data.products
  const inStock = (id: number) => shown.find((it: { id: string }) => it.id === String(id)).in_stock
  deepEqual([inStock(from), inStock(to)], [false, true])
  const { total } = (await call('GET', at('products?in_stock=true'))).body.data.pagination
  await call('DELETE', at(`offers/${offerId}`))
  equal((await call('GET', at('products?in_stock=true'))).body.data.pagination.total, total - 1)
})

test('a variant and a loan condition that offers reference keep their product and partner', async () => {
  const productId = await stock.product(5_100)
  await stock.load('variant', { id: 5_100, product_id: productId, name: { ru: 'x' } })
  await stock.offer({ id: 5_100, productId, variant_id: 5_100, loan_condition_ids: [3] })
  const other = await stock.product(5_101)
  assertRefused('conflict', await call('PATCH', at('variants/5100'), { body: { product_id: other } }))
  assertRefused('conflict', await call('PATCH', at('loan-conditions/3'), { body: { partner_id: 2 } }))
  assertRefused('conflict', await call('DELETE', at('loan-conditions/3')))
  assertRefused('conflict', await call('DELETE', at('variants/5100')))
  equal((await call('PATCH', at('loan-conditions/3'), { body: { duration: 11 } })).status, 200)
  equal((await call('DELETE', at('offers/5100'))).status, 200)
  equal((await call('PATCH', at('variants/5100'), { body: { product_id: other } })).status, 200)
})

test('offers that are deleted while they are listed are left out without an error', async () => {
  const productId = await stock.product(5_200)
  let done = false
  const churn = async () => {
    try {
      for (let it = 0; it < 40; it++) {
        const id = await stock.offer({ id: 5_200 + it, productId })
        equal((await call('DELETE', at(`offers/${id}`))).status, 200)
      }
    } finally {
      done = true
    }
  }
  const look = async () => {
    while (!done) {
      const replies = await Promise.all([
        call('GET', at(`offers?product_id=${productId}`)),
        call('GET', at('offers?sort=-id&per_page=5')),
      ])
      for (const it of replies) equal(it.status, 200, it.text)
    }
  }
  await Promise.all([churn(), look(), look()])
})

test('renaming a partner changes the ETag of its offers', async () => {
  const offerId = await stock.offer()
  const before = await call('GET', at(`offers/${offerId}`))
  await call('PATCH', at('partners/1'), { body: { name: 'Renamed' } })
  const after = await call('GET', at(`offers/${offerId}`), {
    headers: { 'if-none-match': before.headers.get('etag')! },
  })
  equal(after.status, 200)
  equal(after.body.data.offer.partner.name, 'Renamed')
  equal((await call('PUT', '/v1/admin/exchange-rates/USD', { body: { tiyin: 1_265_000 } })).status, 201)
  const inDollars = await call('GET', at(`offers/${offerId}`), {
    headers: { 'x-currency': 'USD', 'if-none-match': after.headers.get('etag')! },
  })
  equal(inDollars.status, 200)
  const change = await call('PATCH', at(`offers/${offerId}`), {
    body: { quantity: 3 },
    headers: { 'if-match': after.headers.get('etag')! },
  })
  equal(change.status, 200)
})

test('the ETag of a product is accepted as If-Match', async () => {
  const productId = await stock.product(5_300)
  const etag = (await call('GET', at(`products/${productId}`))).headers.get('etag')!
  const change = (slug: string) =>
    call('PATCH', at(`products/${productId}`), { body: { slug }, headers: { 'if-match': etag } })
  const first = await change('renamed-once')
  equal(first.status, 200, first.text)
  notEqual(first.headers.get('etag'), etag)
  assertRefused('version_mismatch', await change('renamed-twice'))
})

test('If-Match is a list of tags: one of them must be current, and those of others never are', async () => {
  const { body, headers: created } = await call('POST', at('brands'), {
    body: { slug: 'listed', name: 'Listed' },
  })
  const path = at(`brands/${body.data.brand.id}`)
  const etag = created.get('etag')!
  const change = (ifMatch: string) =>
    call('PATCH', path, { body: { name: 'Listed' }, headers: { 'if-match': ifMatch } })
  for (const it of [etag, `W/${etag}`, `"98", ${etag}`, `"a,b",${etag}`, '*'])
    equal((await change(it)).status, 200, it)
  for (const it of ['"98", "99"', '"x"', '""', '"-1"', '"99999999999999999999"'])
    equal(assertRefused('version_mismatch', await change(it)).sent, it)
  equal(assertRefused('version_mismatch', await change('"98"')).sent, 98)
})

test('If-Match on what does not exist yet refuses to create it', async () => {
  for (const it of ['"1"', '*'])
    assertRefused(
      'version_mismatch',
      await call('PUT', '/v1/admin/exchange-rates/CHF', { body: { tiyin: 1 }, headers: { 'if-match': it } }),
    )
})

test('the ETag of the synonyms and of the learned searches is accepted as If-Match', async () => {
  const change = async (path: string, method: string, body: object) => {
    const etag = (await call('GET', path)).headers.get('etag')!
    const send = () => call(method, path, { body, headers: { 'if-match': etag } })
    const first = await send()
    equal(first.status, 200, first.text)
    assertRefused('version_mismatch', await send())
  }
  await change('/v1/admin/search/synonyms', 'PUT', { text: 'listed, named' })
  await change('/v1/admin/search/learning', 'PATCH', { synonyms_enabled: false })
})

test('a new product is found at once by its author while others write', async () => {
  const letters = (it: number) => [...String(it)].map((digit) => 'bdfglmnprt'[Number(digit)]).join('a')
  const missed: string[] = []
  const addAndSeek = async (it: number) => {
    const word = `w${letters(it)}`
    const body = { category_id: 1, slug: word, name: { en: `Thing ${word}` } }
    equal((await call('POST', at('products'), { body })).status, 201)
    const found = await call('GET', at(`products/search?q=${word}`))
    if (found.body.data.products[0]?.slug !== word) missed.push(word)
  }
  for (let round = 0; round < 10; round++)
    await Promise.all(times(16, (it) => addAndSeek(10_000 + round * 16 + it)))
  deepEqual(missed, [])
})

test('stock that is sold out and refilled at once is in stock', async () => {
  const productId = await stock.product(5_400)
  const offerId = await stock.offer({ productId, quantity: 5 })
  const set = (quantity: number) => call('PATCH', at(`offers/${offerId}`), { body: { quantity } })
  const wanted = `products?in_stock=true&sort=-id&per_page=100`
  for (let it = 0; it < 30; it++) {
    await Promise.all([set(0), set(5)])
    await set(it % 2)
    const shown = (await call('GET', at(wanted))).body.data.products
    equal(
      shown.some((one: { id: string }) => one.id === String(productId)),
      it % 2 === 1,
    )
  }
})

test('more units than the maximum are refused and no movement is written', async () => {
  const offerId = await stock.offer({ quantity: 2_000_000_000 })
  const reply = await call('POST', at(`offers/${offerId}/stock-adjustments`), {
    body: { change: 2_000_000_000, reason: 'counted twice' },
  })
  equal(assertRefused('validation_failed', reply).fields[0].path, 'change')
  equal((await call('GET', at(`offers/${offerId}`))).body.data.offer.quantity, 2_000_000_000)
})

test('a price change neither approves a moderated offer nor withdraws the approval', async () => {
  const terms = { product_id: await stock.product(5_500), partner_id: 1, price_tiyin: 500, quantity: 1 }
  const path = at('moderated-offers')
  const made = (await call('POST', path, { body: terms })).body.data.moderated_offer
  equal(made.status, 'draft')
  const leap = await call('PATCH', `${path}/${made.id}`, { body: { status: 'approved' } })
  deepEqual(assertRefused('invalid_transition', leap), {
    status: 'draft',
    requested: 'approved',
    allowed: ['submit'],
  })
  for (const step of ['submit', 'approve']) await call('POST', `${path}/${made.id}/${step}`, { body: {} })
  const cheaper = await call('PUT', `${path}/${made.id}`, { body: { ...terms, price_tiyin: 400 } })
  equal(cheaper.body.data.moderated_offer.status, 'approved')
  await stock.load('moderated_offer', { id: Number(made.id), ...terms, price_tiyin: 300 })
  const shown = (await call('GET', `${path}/${made.id}`)).body.data.moderated_offer
  deepEqual([shown.status, shown.price.amount], ['approved', 300])
  const same = await call('PATCH', `${path}/${made.id}`, { body: { status: 'approved', quantity: 2 } })
  equal(same.status, 200)
  equal((await call('GET', `${path}/${made.id}/history`)).body.data.history.length, 2)
})

test('products are added to root categories while the tree is being changed', async () => {
  const { db } = shop.app.shops.test
  const top = await call('POST', at('categories'), { body: { slug: 'top', name: { ru: 'x' } } })
  const category_id = top.body.data.category.id
  await db.transaction(async (tx) => {
    await lockTree(tx)
    const made = await call('POST', at('products'), {
      body: { category_id, slug: 'meanwhile', name: { ru: 'x' } },
    })
    equal(made.status, 201, made.text)
  })
})
