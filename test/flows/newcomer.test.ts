// The first half hour of an integrator, as one journey over HTTP.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { openPlatform } from '../support/shop.ts'

test('an integrator gets a key of his own, fills the shelves, makes mistakes, and hands the key back', async () => {
  const { call, app } = await openPlatform()

  // He registers an application and goes on with its key alone.
  const made = await call('POST', '/v1/admin/applications', {
    body: { name: 'Warehouse', type: 'server', scopes: ['catalog:read', 'catalog:write'] },
  })
  const { api_key: key, application } = made.body.data
  equal((await call('GET', '/v1/admin/applications', { key })).status, 403)

  // A tree of two levels, read back in Uzbek and from the global root in English.
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

  // His network fails after a write; the retry gets the same bytes and there is one brand.
  const write = { key, body: { slug: 'artel', name: 'Artel' }, headers: { 'idempotency-key': 'artel-1' } }
  const first = await call('POST', '/v1/catalog/brands', write)
  equal((await call('POST', '/v1/catalog/brands', write)).text, first.text)
  equal((await call('GET', '/v1/catalog/brands', { key })).body.data.pagination.total, 1)

  // He tries before he does, and is told all that is wrong at once.
  const rehearsal = { key, body: { slug: 'lg', name: 'LG' }, headers: { prefer: 'dry-run' } }
  equal((await call('POST', '/v1/catalog/brands', rehearsal)).status, 201)
  equal((await call('GET', '/v1/catalog/brands?slug=lg', { key })).body.data.pagination.total, 0)
  const wrong = await call('POST', '/v1/catalog/brands', { key, body: { slug: 'Not A Slug', nam: 'x' } })
  deepEqual(
    wrong.body.error.details.fields
      .map((it: { path: string; rule: string }) => `${it.path} ${it.rule}`)
      .toSorted(),
    ['name required', 'nam unknown_field', 'slug format'].toSorted(),
  )

  // Every fact of the journey was told once.
  await app.shops.test.relay.settle()
  const told = await app.shops.test.db
    .read()
    .all<{ type: string }>(
      `select type from outbox_events where type like 'Brand%' or type like 'Category%' order by position`,
    )
  deepEqual(
    told.map((it) => it.type),
    ['CategoryCreated', 'CategoryCreated', 'BrandCreated'],
  )

  // The key goes back, and is worth nothing at once.
  equal((await call('DELETE', `/v1/admin/applications/${application.client_id}`)).status, 200)
  const after = await call('GET', '/v1/catalog/brands', { key })
  deepEqual([after.status, after.body.error.details.reason], [401, 'revoked'])
  ok((await call('GET', '/v1/catalog/brands')).status === 200)
})
