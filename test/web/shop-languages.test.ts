// The languages that the shop has chosen: its storefront shows no other.

import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { browserWith, password } from '../support/client.ts'
import { openShopPlatform } from '../support/storefront.ts'

const platform = await openShopPlatform()
const { call } = platform
const get = (path: string, language: string, cookie = '') =>
  fetch(platform.url + path, { redirect: 'manual', headers: { 'accept-language': language, cookie } })
const moved = async (...request: Parameters<typeof get>) => (await get(...request)).headers.get('location')

test('the storefront offers the languages of the shop and leads from others to one of them', async () => {
  const body = { languages: ['uz', 'en'], default_language: 'uz' }
  equal((await call('PATCH', '/v1/admin/shop', { body })).status, 200)
  equal(await moved('/shop', 'fr'), '/shop/uz')
  equal(await moved('/shop', 'ru, en;q=0.5'), '/shop/en')
  equal(await moved('/shop/ru/catalog?sort=price', 'ru'), '/shop/uz/catalog?sort=price')
  // A language that was chosen before and is offered no longer.
  const kept = (await get('/shop/en', 'en')).headers.getSetCookie().find((it) => it.includes('language='))!
  const earlier = kept.split(';')[0]!.replace(/=en$/, '=ru')
  equal(await moved('/shop', 'fr', earlier), '/shop/uz')

  const page = await (await get('/shop/uz/catalog', 'uz')).text()
  deepEqual(
    [...page.matchAll(/hreflang="([^"]+)"/g)].map(([, it]) => it),
    ['uz-Latn', 'uz-Cyrl', 'en', 'x-default'],
  )
  match(page, /hreflang="x-default"\s+href="[^"]+\/shop\/uz\/catalog"/)
  ok(!page.includes('Русский') && page.includes('Ўзбекча'))
  equal((await get('/shop/uz-cyrl/catalog', 'uz')).status, 200)
  const sitemap = await (await get('/shop/sitemap.xml', 'en')).text()
  ok(sitemap.includes('/shop/uz/') && !sitemap.includes('/shop/ru/'))
})

test('the API answers in every language, whatever the shop offers', async () => {
  const reply = await call('GET', '/v1/catalog/categories?per_page=1', {
    headers: { 'accept-language': 'ru' },
  })
  equal(reply.headers.get('content-language'), 'ru')
})

test('a buyer cannot choose a language that the shop does not offer', async () => {
  const account = { name: 'Aziza', email: 'aziza@mail.uz', password }
  const buyer = browserWith(platform.url, await call('POST', '/v1/auth/register', { body: account }))
  const choose = (language: string) =>
    buyer.call('PATCH', '/v1/auth/subscriptions', {
      body: { language },
      headers: { 'x-csrf-token': buyer.csrfToken, 'accept-language': 'uz' },
    })
  const refused = await choose('ru')
  equal(refused.status, 422, refused.text)
  equal(refused.body.error.details.fields[0].path, 'language')
  equal((await choose('en')).body.data.subscriptions.language, 'en')
})
