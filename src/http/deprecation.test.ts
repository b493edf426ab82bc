import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { openPlatform } from '../../test/support/shop.ts'
import { openApi } from './openapi.ts'
import { get } from './route.ts'

const old = get('/v1/catalog/shelves', {
  summary: 'List shelves',
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

test('a call that has had its day says so, until when it lives, and what comes after it', async () => {
  const { status, headers } = await call('GET', '/v1/catalog/shelves')
  equal(status, 200)
  deepEqual(
    [headers.get('deprecation'), headers.get('sunset'), headers.get('link')],
    ['@1767225600', 'Thu, 31 Dec 2026 00:00:00 GMT', '</v1/catalog/categories>; rel="successor-version"'],
  )
  const document = openApi([old], { version: '1', origin: 'http://localhost' })
  equal(document.paths['/v1/catalog/shelves']!['get']!['deprecated'], true)
})

test('a call in its prime says nothing of the kind', async () => {
  equal((await call('GET', '/v1/catalog/brands')).headers.get('deprecation'), null)
})
