import { deepEqual, equal, match, notEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { openPlatform } from '../../../test/support/shop.ts'

const platform = await openPlatform()
const { call } = platform

test('a brand is created, read, changed and deleted', async () => {
  const created = await call('POST', '/v1/catalog/brands', { body: { slug: 'artel', name: 'Artel' } })
  equal(created.status, 201)
  const { brand } = created.body.data
  deepEqual(Object.keys(brand), ['id', 'name', 'slug', 'created_at', 'updated_at'])
  match(brand.id, /^\d+$/)

  const path = `/v1/catalog/brands/${brand.id}`
  deepEqual((await call('GET', path)).body.data.brand, brand)
  equal((await call('PATCH', path, { body: { name: 'ARTEL' } })).body.data.brand.name, 'ARTEL')
  equal(
    (await call('PUT', path, { body: { slug: 'artel-uz', name: 'Artel' } })).body.data.brand.slug,
    'artel-uz',
  )
  equal((await call('DELETE', path)).status, 200)
  equal((await call('GET', path)).status, 404)
})

test('a slug that is taken is a conflict that names the field', async () => {
  await call('POST', '/v1/catalog/brands', { body: { slug: 'samsung', name: 'Samsung' } })
  const second = await call('POST', '/v1/catalog/brands', { body: { slug: 'samsung', name: 'Other' } })
  equal(second.status, 409)
  deepEqual(second.body.error.details, { field: 'slug', value: 'samsung', reason: 'taken' })
})

test('a chosen id is kept and never assigned again', async () => {
  equal(
    (await call('POST', '/v1/catalog/brands', { body: { id: 500, slug: 'chosen', name: 'Chosen' } })).body
      .data.brand.id,
    '500',
  )
  const next = await call('POST', '/v1/catalog/brands', { body: { slug: 'next', name: 'Next' } })
  equal(next.body.data.brand.id, '501')
  equal(
    (await call('POST', '/v1/catalog/brands', { body: { id: 500, slug: 'again', name: 'Again' } })).status,
    409,
  )
})

test('a stale If-Match is refused and changes nothing', async () => {
  const created = await call('POST', '/v1/catalog/brands', { body: { slug: 'lg', name: 'LG' } })
  const path = `/v1/catalog/brands/${created.body.data.brand.id}`
  const first = created.headers.get('etag')!
  equal((await call('PATCH', path, { body: { name: 'LG 2' }, headers: { 'if-match': first } })).status, 200)
  const stale = await call('PATCH', path, { body: { name: 'LG 3' }, headers: { 'if-match': first } })
  equal(stale.status, 412)
  deepEqual(stale.body.error.details, { current: 2, sent: 1 })
  equal((await call('GET', path)).body.data.brand.name, 'LG 2')
})

test('a change without effect publishes nothing', async () => {
  const created = await call('POST', '/v1/catalog/brands', { body: { slug: 'sony', name: 'Sony' } })
  const path = `/v1/catalog/brands/${created.body.data.brand.id}`
  equal(
    (await call('PATCH', path, { body: { name: 'Sony' } })).headers.get('etag'),
    created.headers.get('etag'),
  )
})

test('a list is answered with 304 until a write changes it', async () => {
  const list = await call('GET', '/v1/catalog/brands')
  const etag = list.headers.get('etag')!
  equal((await call('GET', '/v1/catalog/brands', { headers: { 'if-none-match': etag } })).status, 304)
  await call('POST', '/v1/catalog/brands', { body: { slug: 'vivo', name: 'Vivo' } })
  const after = await call('GET', '/v1/catalog/brands', { headers: { 'if-none-match': etag } })
  equal(after.status, 200)
  notEqual(after.headers.get('etag'), etag)
})
