// The first steps of an integrator as one journey over HTTP.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { openPlatform } from '../support/shop.ts'

test('an integrator gets a key, fills the catalog, makes mistakes and revokes the key', async () => {
  const { call, app } = await openPlatform()

  // The integrator registers an application and continues with its key only.
  const made = await call('POST', '/v1/admin/applications', {
    body: { name: 'Warehouse', type: 'server', scopes: ['catalog:read', 'catalog:write'] },
  })
  const { api_key: key, application } = made.body.data
  equal((await call('GET', '/v1/admin/applications', { key })).status, 403)

  // A tree with two levels, read in Uzbek and, from the global root, in English.
  const name = { ru: 'Телефоны', uz: 'Telefonlar', en: 'Phones' }
  const phones = await call('POST', '/v1/catalog/categories', { key, body: { slug: 'phones', name } })
  const parent_id = Number(phones.body.data.category.id)
  const below = {
    slug: 'smartphones',
    parent_id,
    name: { ru: 'Смартфоны', uz: 'Smartfonlar', en: 'Smartphones' },
  }
  equal((await call('POST', '/v1/catalog/categories', { key, body: below })).body.data.category.level, 1)
  const namesAt = async (path: string, headers = {}) =>
    (await call('GET', path, { key, headers })).body.data.categories.map((it: { name: string }) => it.name)
  deepEqual(await namesAt('/v1/catalog/categories', { 'accept-language': 'uz' }), [
    'Telefonlar',
    'Smartfonlar',
  ])
  deepEqual(await namesAt('/global/v1/catalog/categories'), ['Phones', 'Smartphones'])

  // The network fails after a write; the retry gets the same bytes, and there is one brand.
  const write = { key, body: { slug: 'artel', name: 'Artel' }, headers: { 'idempotency-key': 'artel-1' } }
  const first = await call('POST', '/v1/catalog/brands', write)
  equal((await call('POST', '/v1/catalog/brands', write)).text, first.text)
  equal((await call('GET', '/v1/catalog/brands', { key })).body.data.pagination.total, 1)

  // A dry run changes nothing, and a refusal lists all errors at once.
  const dryRun = { key, body: { slug: 'lg', name: 'LG' }, headers: { prefer: 'dry-run' } }
  equal((await call('POST', '/v1/catalog/brands', dryRun)).status, 201)
  equal((await call('GET', '/v1/catalog/brands?slug=lg', { key })).body.data.pagination.total, 0)
  const wrong = await call('POST', '/v1/catalog/brands', { key, body: { slug: 'Not A Slug', nam: 'x' } })
  deepEqual(
    wrong.body.error.details.fields
      .map((it: { path: string; rule: string }) => `${it.path} ${it.rule}`)
      .toSorted(),
    ['name required', 'nam unknown_field', 'slug format'].toSorted(),
  )

  // Every event of the journey is published once.
  await app.shops.test.relay.catchUp()
  const published = await app.shops.test.db
    .read()
    .all<{ type: string }>(
      `select type from outbox_events where type like 'Brand%' or type like 'Category%' order by position`,
    )
  deepEqual(
    published.map((it) => it.type),
    ['CategoryCreated', 'CategoryCreated', 'BrandCreated'],
  )

  // After the application is deleted its key stops working at once.
  equal((await call('DELETE', `/v1/admin/applications/${application.client_id}`)).status, 200)
  const after = await call('GET', '/v1/catalog/brands', { key })
  deepEqual([after.status, after.body.error.details.reason], [401, 'revoked'])
  ok((await call('GET', '/v1/catalog/brands')).status === 200)
})
