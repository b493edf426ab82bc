import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { openPlatform } from '../../test/support/shop.ts'
import { referenceDocument } from '../reference/pages.ts'
import { get } from './route.ts'

const old = get('/v1/catalog/collections', {
  summary: 'List collections',
  scope: 'catalog:read',
  reply: Type.Object({}),
  deprecated: {
    since: new Date('2026-01-01T00:00:00Z'),
    sunset: new Date('2026-12-31T00:00:00Z'),
    successor: '/v1/catalog/categories',
  },
  run: async () => ({ data: {} }),
})
const { call } = await openPlatform({ routes: [old] })

test('a deprecated route sends Deprecation, Sunset and a link to the successor', async () => {
  const { status, headers } = await call('GET', '/v1/catalog/collections')
  equal(status, 200)
  deepEqual(
    [headers.get('deprecation'), headers.get('sunset'), headers.get('link')],
    ['@1767225600', 'Thu, 31 Dec 2026 00:00:00 GMT', '</v1/catalog/categories>; rel="successor-version"'],
  )
  const document = referenceDocument([old], { version: '1', origin: 'http://localhost' })
  equal(document.paths['/v1/catalog/collections']!['get']!['deprecated'], true)
})

test('other routes send no deprecation headers', async () => {
  equal((await call('GET', '/v1/catalog/brands')).headers.get('deprecation'), null)
})
