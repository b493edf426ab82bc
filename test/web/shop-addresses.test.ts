// The storefront without a browser, as search engines and visitors without script use it.

import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { openShopPlatform } from '../support/storefront.ts'
import { waitUntil } from '../support/wait-until.ts'
import { pageSizes } from './page-size.ts'

const platform = await openShopPlatform()
const { call } = platform

test('a renamed product keeps its old address', async () => {
  const listed = await call('GET', '/v1/catalog/products?in_stock=true&per_page=1')
  const [{ id: product, slug }] = listed.body.data.products
  const at = (path: string) => fetch(`${platform.url}/shop/ru/p/${path}`, { redirect: 'manual' })
  equal((await at(slug)).status, 200)
  const renamed = await call('PATCH', `/v1/catalog/products/${product}`, { body: { slug: `${slug}-new` } })
  equal(renamed.status, 200, renamed.text)
  for (const path of [slug, `${product}/anything`]) {
    const moved = await at(path)
    equal(moved.status, 301)
    equal(moved.headers.get('location'), `/shop/ru/p/${slug}-new`)
  }
  ok((await (await at(`${slug}-new`)).text()).includes(`/shop/en/p/${slug}-new`))
})

test('a renamed category keeps its old address', async () => {
  const at = (path: string) => fetch(`${platform.url}/shop/ru/c/${path}`, { redirect: 'manual' })
  equal((await at('laptops')).status, 200)
  const [{ id }] = (await call('GET', '/v1/catalog/categories?slug=laptops')).body.data.categories
  const renamed = await call('PATCH', `/v1/catalog/categories/${id}`, { body: { slug: 'notebooks' } })
  equal(renamed.status, 200, renamed.text)
  for (const path of ['laptops', `${id}/laptops`, `${id}/-`]) {
    const moved = await at(`${path}?sort=price`)
    deepEqual([moved.status, moved.headers.get('location')], [301, '/shop/ru/c/notebooks?sort=price'])
  }
  equal((await at('notebooks')).status, 200, 'at once, not when what all visitors share is read again')
})

test('an address without a language leads to the language of the visitor', async () => {
  const at = (path: string, headers: Record<string, string> = {}) =>
    fetch(platform.url + path, { redirect: 'manual', headers: { 'accept-language': 'en', ...headers } })
  for (const path of [
    '/shop/search?q=phone',
    '/shop/cart',
    '/shop/c/3/smartphones',
    '/shop/p/1/-',
    '/shop/mini',
  ])
    equal((await at(path)).headers.get('location'), path.replace('/shop', '/shop/en'))
  const chosen = await at('/shop/orders/find?number=5', { cookie: 'shop_language=uz-cyrl' })
  equal(chosen.headers.get('location'), '/shop/uz-cyrl/orders/find?number=5')
  for (const path of ['/shop/ru/no/such/page', '/shop/ru/nothing', '/shop/assets/shop-000.js']) {
    const missing = await at(path)
    equal(missing.status, 404, path)
    ok((await missing.text()).includes('<h1>'), 'a page, not JSON')
  }
})

test('a search says what it corrected and left out, and can be repeated with the words as typed', async () => {
  const at = async (query: Record<string, string>) =>
    (await fetch(`${platform.url}/shop/en/search?${new URLSearchParams(query)}`)).text()
  const corrected = await at({ q: 'наушнки' })
  match(corrected, /<h1>Results for “наушники”<\/h1>/)
  match(corrected, /Your query was corrected/)
  match(corrected, /search\?q=[^"]*&amp;exact=true"\s*>Search for “наушнки” instead/)
  match(await at({ q: 'наушнки', exact: 'true' }), /Nothing found for “наушнки”/)
  match(await at({ q: 'сломался чайник' }), /Showing results without: сломался/)
  const usual = await at({ q: 'чайник' })
  ok(!/Showing results|was corrected/.test(usual))
})

test('a search that finds nothing offers categories of the things in it, not of words such as for', async () => {
  const categoriesFor = async (q: string) =>
    (
      await call('GET', `/v1/catalog/products/search?${new URLSearchParams({ q })}`)
    ).body.data.alternatives.categories.map((it: { slug: string }) => it.slug)
  const largest = await categoriesFor('zzzzzzzz')
  deepEqual(await categoriesFor('корм для кошек'), largest)
  ok((await categoriesFor('корм samsung')).includes('smartphones'))
  const limited = await call(
    'GET',
    `/v1/catalog/products/search?${new URLSearchParams({ q: 'смартфон', price_max: '1' })}`,
  )
  deepEqual(
    limited.body.data.alternatives.categories.map((it: { slug: string }) => it.slug),
    ['smartphones'],
  )
  const shown = await (await fetch(`${platform.url}/shop/en/search?q=zzzzzzzz`)).text()
  for (const slug of largest) ok(shown.includes(`href="/shop/en/c/${slug}"`), slug)
})

test('a category shows what can be bought first', async () => {
  const { products } = (
    await call('GET', '/v1/catalog/products?category=smartphones&sort=-popularity&per_page=100')
  ).body.data
  const stock: boolean[] = products.map((it: { in_stock: boolean }) => it.in_stock)
  ok(stock.includes(true))
  deepEqual(
    stock,
    stock.toSorted((a, b) => Number(b) - Number(a)),
  )
})

test('a category is filtered by attributes, without script too', async () => {
  const list = async (query: string) =>
    (await fetch(`${platform.url}/shop/ru/c/3/smartphones?${query}`)).text()
  const all = await list('')
  const [, colour] = /name="a\.color"\s+value="([a-z-]+)"/.exec(all)!
  const some = await list(`a.color=${colour}`)
  const countOf = (text: string) => Number(/Товаров: (\d+)/.exec(text)![1])
  ok(countOf(some) > 0 && countOf(some) < countOf(all))
  match(some, new RegExp(`value="${colour}"\\s+checked`))
})

test('the home page is small', async () => {
  const { page, script } = await pageSizes(`${platform.url}/shop/ru`)
  ok(page <= 60_000, `${page} bytes of HTML, gzipped`)
  ok(script > 0 && script <= 90_000, `${script} bytes of script, gzipped`)
})

test('signing out deletes what was typed into the checkout', async () => {
  const reply = await fetch(`${platform.url}/shop/ru/sign-out`, { method: 'POST', redirect: 'manual' })
  const [draft] = reply.headers.getSetCookie().filter((it) => /draft=;/.test(it))
  ok(draft?.includes('Max-Age=0'), reply.headers.getSetCookie().join('\n'))
})

test('without script a refused action leads back to the page that has the form', async () => {
  const [{ id }] = (await call('GET', '/v1/catalog/offers?per_page=1')).body.data.offers
  const page = `${platform.url}/shop/ru/c/smartphones`
  const refused = await fetch(`${platform.url}/shop/ru/cart/add`, {
    method: 'POST',
    headers: { referer: page, origin: platform.url },
    body: new URLSearchParams({ offer: id, quantity: '99999999' }),
  })
  equal(refused.status, 422)
  const text = await refused.text()
  match(text, /запрошено 9\s999/)
  match(text, /href="\/shop\/ru\/c\/smartphones">Повторить/)
})

test('a product with many reviews shows ten, and more on request', async () => {
  const [{ id, slug }] = (await call('GET', '/v1/catalog/products?in_stock=true&per_page=1')).body.data
    .products
  await platform.app.shops.test.db.transaction((tx) =>
    tx.all(
      `insert into orders_reviews (product_id, client_id, author, stars, text, is_verified, status, created_at, updated_at)
       select $1, n, 'Buyer ' || n, 5, 'Good', true, 'approved', $2, $2 from generate_series(1, 23) n`,
      [id, tx.now],
    ),
  )
  const shown = async (query: string) => {
    const text = await (await fetch(`${platform.url}/shop/ru/p/${slug}${query}`)).text()
    return [text.match(/Buyer \d/g)?.length, /href="([^"]*#reviews)">Показать ещё/.exec(text)?.[1]]
  }
  deepEqual(await shown(''), [10, '?reviews=2#reviews'])
  deepEqual(await shown('?reviews=2'), [20, '?reviews=3#reviews'])
  deepEqual(await shown('?reviews=3'), [23, undefined])
  deepEqual(await shown('?reviews=zzz'), [10, '?reviews=2#reviews'])
})

/** Ends the connections to the platform's database and refuses new ones, or allows them again. */
async function allowConnections(isAllowed: boolean): Promise<void> {
  const { database } = new pg.Client(platform.connection)
  const owner = new pg.Client({ ...platform.connection, database: 'postgres' })
  await owner.connect()
  await owner.query(`alter database "${database}" allow_connections ${isAllowed}`)
  if (!isAllowed)
    await owner.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [database])
  await owner.end()
}

test('without the database a visitor sees a page and not JSON, and the shop comes back by itself', async () => {
  const at = (headers: Record<string, string>) =>
    fetch(`${platform.url}/shop/uz/cart`, { headers: { accept: 'text/html', ...headers } })
  await allowConnections(false)
  try {
    const page = await at({})
    equal(page.status, 503)
    match(page.headers.get('content-type')!, /^text\/html/)
    const text = await page.text()
    match(text, /Bajarilmadi/)
    match(text, /http-equiv="refresh"/)
    match(text, /href="\/shop\/uz\/cart">Qayta urinish/)
    const script = await at({ accept: 'application/json' })
    equal(script.status, 503)
    deepEqual(Object.keys((await script.json()) as object), ['problem'])
  } finally {
    await allowConnections(true)
  }
  await waitUntil(async () => (await at({})).status === 200, { what: 'the cart is shown again' })
})
