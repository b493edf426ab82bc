// The storefront without a browser, as search engines and visitors without script use it.

import { equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { openShopPlatform } from '../support/storefront.ts'

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

test('a category is filtered by attributes, without script too', async () => {
  const list = async (query: string) =>
    (await fetch(`${platform.url}/shop/ru/c/3/smartphones?${query}`)).text()
  const all = await list('')
  const [, colour] = /name="a\.color" value="([a-z-]+)"/.exec(all)!
  const some = await list(`a.color=${colour}`)
  const countOf = (text: string) => Number(/Товаров: (\d+)/.exec(text)![1])
  ok(countOf(some) > 0 && countOf(some) < countOf(all))
  ok(some.includes(`value="${colour}" checked`))
})

test('signing out deletes what was typed into the checkout', async () => {
  const reply = await fetch(`${platform.url}/shop/ru/sign-out`, { method: 'POST', redirect: 'manual' })
  const [draft] = reply.headers.getSetCookie().filter((it) => /draft=;/.test(it))
  ok(draft?.includes('Max-Age=0'), reply.headers.getSetCookie().join('\n'))
})
