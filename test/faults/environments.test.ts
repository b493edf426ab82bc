// K2, I6, X2: test and live share a platform and no data.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type { Environment } from '../../src/base/database.ts'
import { assertRefused } from '../support/refused.ts'
import { openPlatform } from '../support/shop.ts'

const { app, call, keys } = await openPlatform()
const other = (environment: Environment): Environment => (environment === 'live' ? 'test' : 'live')
const both: Environment[] = ['live', 'test']

/** Creates one record of every kind in an environment, marked with its name. */
async function furnish(environment: Environment) {
  const key = keys[environment]
  const brand = await call('POST', '/v1/catalog/brands', {
    key,
    body: {
      id: environment === 'live' ? 111 : 222,
      slug: `only-${environment}`,
      name: `only-${environment}`,
    },
  })
  const category = await call('POST', '/v1/catalog/categories', {
    key,
    body: {
      id: environment === 'live' ? 333 : 444,
      slug: `only-${environment}`,
      name: { ru: `only-${environment}` },
    },
  })
  const application = await call('POST', '/v1/admin/applications', {
    key,
    body: { name: `only-${environment}`, type: 'server', scopes: ['catalog:read'] },
  })
  const clientId = application.body.data.application.client_id as string
  const [secret] = (await call('GET', `/v1/admin/applications/${clientId}`, { key })).body.data.secrets
  return {
    values: {
      brand_id: brand.body.data.brand.id as string,
      category_id: category.body.data.category.id as string,
      client_id: clientId,
      key_id: application.body.data.key.id as string,
      secret_id: secret.id as string,
      session_id: `ses_${(environment === 'live' ? 'L' : 'T').repeat(20)}`,
    } as Record<string, string>,
  }
}
const things = { live: await furnish('live'), test: await furnish('test') }

const bodies: Record<string, unknown> = {
  'PUT /v1/catalog/brands/{brand_id}': { slug: 'taken-over', name: 'x' },
  'PATCH /v1/catalog/brands/{brand_id}': { name: 'x' },
  'PUT /v1/catalog/categories/{category_id}': { slug: 'taken-over', name: { ru: 'x' } },
  'PATCH /v1/catalog/categories/{category_id}': { name: { ru: 'x' } },
  'PATCH /v1/admin/applications/{client_id}': { name: 'x' },
  'POST /v1/admin/applications/{client_id}/keys': { name: 'x' },
  'POST /v1/admin/applications/{client_id}/keys/{key_id}/rotate': {},
}

test('X-Environment that is not the environment of the key is refused, and nothing is written', async () => {
  for (const environment of both) {
    const body = { slug: `named-${environment}`, name: 'x' }
    for (const named of [other(environment), 'staging']) {
      const options = { key: keys[environment], body, headers: { 'x-environment': named } }
      const refused = await call('POST', '/v1/catalog/brands', options)
      deepEqual(assertRefused('invalid_header', refused), { header: 'X-Environment', allowed: [environment] })
    }
    const headers = { 'x-environment': environment }
    equal((await call('POST', '/v1/catalog/brands', { key: keys[environment], body, headers })).status, 201)
  }
  assertRefused(
    'invalid_header',
    await call('GET', '/v1/catalog/brands', { key: null, headers: { 'x-environment': 'staging' } }),
  )
})

test('no list of one environment shows records of the other', async () => {
  const lists = app.routes.filter(
    (it) =>
      it.method === 'GET' &&
      /^\/v1\/(catalog|admin)\//.test(it.path) &&
      !it.path.includes('{') &&
      it.declared.needs === undefined,
  )
  ok(lists.length >= 5)
  for (const { path, declared } of lists)
    for (const environment of both) {
      const { required = [] } = (declared.query ?? {}) as { required?: string[] }
      const query = required.map((it) => `${it}=only-${other(environment)}`).join('&')
      const { status, text } = await call('GET', `${path}?${query}`, { key: keys[environment] })
      // Platform data is live data: a test key does not reach it (K15).
      equal(status, declared.platform && environment === 'test' ? 403 : 200, path)
      ok(!text.includes(`only-${other(environment)}`), `${path} in ${environment}`)
    }
  for (const environment of both)
    for (const path of ['/v1/catalog/brands', '/v1/catalog/categories', '/v1/admin/applications'])
      ok((await call('GET', path, { key: keys[environment] })).text.includes(`only-${environment}`))
})

test('an id of the other environment gets the same 404 as an unknown id on every route', async () => {
  const calls = app.routes.filter(
    (it) => it.declared.needs === undefined && /\{(brand_id|category_id|client_id|key_id)\}/.test(it.path),
  )
  ok(calls.length >= 14)
  for (const { method, path } of calls)
    for (const environment of both) {
      const { values } = things[other(environment)]
      const target = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => values[name]!)
      const body = bodies[`${method} ${path}`]
      const reply = await call(method, target, {
        key: keys[environment],
        ...(body !== undefined && { body }),
      })
      const { resource: _, id, ...more } = assertRefused('not_found', reply)
      ok(Object.values(values).includes(id), `${method} ${path}: ${id}`)
      deepEqual(more, {}, `${method} ${path}`)
    }
  for (const environment of both) {
    const { values } = things[environment]
    const brand = await call('GET', `/v1/catalog/brands/${values['brand_id']}`, { key: keys[environment] })
    equal(brand.body.data.brand.name, `only-${environment}`)
  }
})

test('a category of the other environment is refused as parent', async () => {
  const body = { slug: 'child', name: { ru: 'x' }, parent_id: Number(things.live.values['category_id']) }
  const reply = await call('POST', '/v1/catalog/categories', { body })
  equal(assertRefused('validation_failed', reply).fields[0].rule, 'exists')
})

test('both environments can use the same slug and the same id', async () => {
  for (const environment of both) {
    const body = { id: 900, slug: 'shared', name: environment }
    equal((await call('POST', '/v1/catalog/brands', { key: keys[environment], body })).status, 201)
  }
  for (const environment of both) {
    const { body } = await call('GET', '/v1/catalog/brands/900', { key: keys[environment] })
    equal(body.data.brand.name, environment)
  }
})

test('one Idempotency-Key in two environments counts as two keys', async () => {
  const headers = { 'idempotency-key': 'both' }
  for (const environment of both) {
    const body = { slug: 'keyed', name: `only-${environment}` }
    const reply = await call('POST', '/v1/catalog/brands', { key: keys[environment], body, headers })
    equal(reply.status, 201)
    equal(reply.body.data.brand.name, `only-${environment}`)
  }
})

test('a cached reply of one environment is never returned in the other', async () => {
  const path = '/v1/catalog/brands?slug=kept'
  for (const environment of both)
    equal((await call('GET', path, { key: keys[environment] })).body.data.pagination.total, 0)
  await call('POST', '/v1/catalog/brands', { key: keys.live, body: { slug: 'kept', name: 'only-live' } })
  equal((await call('GET', path, { key: keys.live })).body.data.pagination.total, 1)
  equal((await call('GET', path, { key: keys.test })).body.data.pagination.total, 0)
  const live = await call('GET', path, { key: keys.live })
  const cross = await call('GET', path, {
    key: keys.test,
    headers: { 'if-none-match': live.headers.get('etag')! },
  })
  equal(cross.status, 200)
})

test('the test clock does not exist in live and moves nothing there', async () => {
  for (const [method, body] of [['GET'], ['POST', { advance: 'P1D' }], ['DELETE']] as const)
    assertRefused(
      'not_found',
      await call(method, '/v1/test/clock', { key: keys.live, ...(body && { body }) }),
    )
  await call('POST', '/v1/test/clock', { body: { advance: 'P3650D' } })
  const [live, moved] = [
    await call('GET', '/v1/catalog/brands', { key: keys.live }),
    await call('GET', '/v1/catalog/brands'),
  ]
  const apart = Date.parse(moved.body.meta.timestamp) - Date.parse(live.body.meta.timestamp)
  ok(apart > 3649 * 86_400_000)
  // Ten years later, after 2038, instants are still complete and in UTC.
  await call('POST', '/v1/test/clock', { body: { advance: 'P1500D' } })
  const late = await call('POST', '/v1/catalog/brands', { body: { slug: 'late', name: 'x' } })
  ok(Date.parse(late.body.data.brand.created_at) > 2 ** 31 * 1000)
  deepEqual((await call('GET', `/v1/catalog/brands/${late.body.data.brand.id}`)).body.data, late.body.data)
  await call('DELETE', '/v1/test/clock')
})

test('a job run in test does not affect live', async () => {
  equal((await call('POST', '/v1/admin/jobs/housekeeping/run')).status, 200)
  const lastRun = async (key: string) => {
    const { jobs } = (await call('GET', '/v1/admin/jobs', { key })).body.data
    return jobs.find((it: { name: string }) => it.name === 'housekeeping').last_run
  }
  equal((await lastRun(keys.test)).outcome, 'done')
  equal(await lastRun(keys.live), null)
})
