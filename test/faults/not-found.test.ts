// A 404 names what was not found.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { lastIdOf } from '../../src/http/not-found.ts'
import { assertRefused } from '../support/refused.ts'
import { openPlatform } from '../support/shop.ts'

const { app, call, keys } = await openPlatform()
const key = keys.live

test('every route with an id in its path names the resource and the id that it does not find', async () => {
  const routes = app.routes.filter(
    (it) =>
      (it.method === 'GET' || it.method === 'DELETE') && lastIdOf(it.path) && it.path.startsWith('/v1/'),
  )
  ok(routes.length > 20, 'the check must see the routes')
  let checked = 0
  for (const { method, path } of routes) {
    const reply = await call(method, path.replace(/\{\w+\}/g, '999999999'), { key })
    if (reply.status !== 404) continue
    const { resource, id } = assertRefused('not_found', reply)
    ok(/^[a-z_]+$/.test(resource), `${method} ${path}: ${resource}`)
    equal(id, '999999999', `${method} ${path}`)
    checked++
  }
  // Others answer an unknown id with an empty list, or need a member or a client.
  ok(checked > 30, `${checked} of ${routes.length} routes answered 404`)
})

const find = async (path: string) => assertRefused('not_found', await call('GET', path, { key }))

test('a 404 names the resource whose id is wrong, and a path that no route has', async () => {
  deepEqual(await find('/v1/catalog/brands/77'), { resource: 'brand', id: '77' })
  deepEqual(await find('/v1/catalog/loan-conditions/77'), { resource: 'loan_condition', id: '77' })
  deepEqual(await find('/v1/orders/77'), { resource: 'order', id: '77' })
  deepEqual(await find('/v1/nothing'), { resource: 'path', id: '/v1/nothing' })
  deepEqual(await find('/v1/%3Cscript%3E?q=1'), { resource: 'path', id: null })
  equal(
    (await call('GET', '/v1/nothing', { key, headers: { 'accept-language': 'en' } })).body.error.message,
    'There is no path /v1/nothing.',
  )
})

test('an id that is no id is named, unless it could be taken for something else', async () => {
  deepEqual(await find('/v1/catalog/brands/seventy'), { resource: 'brand', id: 'seventy' })
  deepEqual(await find('/v1/catalog/brands/%3Cscript%3E'), { resource: 'brand', id: null })
})

test('a nested path names the missing one of its resources', async () => {
  const reply = await call('POST', `/v1/orders/77/payments/${randomUUID()}/capture`, { key, body: {} })
  deepEqual(assertRefused('not_found', reply), { resource: 'order', id: '77' })
})

test('an id in a body is named with its position', async () => {
  const added = await call('POST', '/api/cart/items', {
    key,
    body: { SessionId: 'not-found-guest', OfferId: 424_242, Quantity: 1 },
  })
  deepEqual(assertRefused('not_found', added), { resource: 'offer', id: '424242' })
  const created = await call('POST', '/v1/cart', {
    key,
    body: { customer_id: 'not-found-guest', items: [{ product_id: '424242', quantity: 1 }] },
  })
  const details = assertRefused('not_found', created)
  deepEqual([details.resource, details.id, details.path], ['product', '424242', 'items.0.product_id'])
})
