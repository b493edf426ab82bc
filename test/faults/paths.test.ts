// C14, N4, N10, N11, K8: malformed paths, ids and queries, and methods that a path does not have.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused } from '../support/refused.ts'
import { openPlatform } from '../support/shop.ts'
import { exchange, openRawConnection, requestText } from '../support/wire.ts'

const { app, call, keys, url } = await openPlatform()
const authorization = `Bearer ${keys.test}`
/** A request whose target no client library has normalised. */
const ask = (target: string, method = 'GET') =>
  exchange(url, requestText(`${method} ${target}`, { Authorization: authorization }))

const made = await call('POST', '/v1/catalog/brands', { body: { slug: 'artel', name: 'Artel' } })
const brandPath = `/v1/catalog/brands/${made.body.data.brand.id}`

test('a malformed id in a path is 404', async () => {
  // oxfmt-ignore
  const ids = [
    '0', '-1', '1e3', '01', '+1', '1.0', '1%20', '%201', '1%00', '%00', '1%0a', '0x1', 'NaN', 'null',
    '9007199254740992', '9223372036854775807', '9223372036854775808', '9'.repeat(150), '9'.repeat(300),
    '%D9%A1', '%F0%9F%98%80', "1'--", '1;', '1,2', '*', '%2e%2e', '..', '.', '%2e', '%2f', '%5c', '~',
    '__proto__', 'constructor', 'toString', '%ff', '%c0%af', '%zz', '%', '%2', '1%', '%u0031', '1%23',
  ]
  for (const resource of ['/v1/catalog/brands', '/v1/catalog/categories', '/v1/admin/applications'])
    for (const id of ids) assertRefused('not_found', await ask(`${resource}/${id}`))
})

test('a malformed id in a path is 404 for writes too', async () => {
  for (const id of ['0', '01', '1e3', '9223372036854775808', '1%00'])
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const options = method === 'DELETE' ? {} : { body: { slug: 'x', name: 'x' } }
      assertRefused('not_found', await call(method, `/v1/catalog/brands/${id}`, options))
    }
})

test('text in a path that the database cannot store is 404', async () => {
  const odd = ['%00', 'a%00b', '%ff', '%ed%a0%80', 'x'.repeat(199), 'x'.repeat(5_000), "'", '%']
  for (const it of odd) {
    assertRefused('not_found', await ask(`/v1/admin/dead-letters/1/${it}/retry`, 'POST'))
    assertRefused('not_found', await ask(`/v1/admin/jobs/${it}/run`, 'POST'))
  }
})

test('a trailing slash is accepted; a doubled slash and another letter case are 404', async () => {
  equal((await ask('/v1/catalog/brands/')).status, 200)
  equal((await ask(`${brandPath}/`)).status, 200)
  equal((await ask('/global/v1/catalog/brands/')).status, 200)
  // oxfmt-ignore
  const unknownPaths = [
    '//v1/catalog/brands', '/v1//catalog/brands', '/v1/catalog//brands', '/v1/catalog/brands//', '//',
    '/V1/catalog/brands', '/v1/Catalog/brands', '/v1/catalog/BRANDS', '/GLOBAL/v1/catalog/brands',
    '/v1/catalog/../catalog/brands', '/v1/./catalog/brands', '/v1/catalog/brands/..', '/../v1/catalog',
    '/v1/catalog/%2e%2e/catalog/brands', '/v1%2fcatalog%2fbrands', '/v1\\catalog\\brands', '/v1;/catalog',
    '/v1/catalog/brands;x=1', '/v1/catalog/brands%00', '/v1/catalog/brands%20', '/v1/catalog/brands.json',
    '/global/global/v1/catalog/brands', '/v2/catalog/brands', '/%', '/%zz', '/%00', '/.env', '/.git/config',
  ]
  for (const target of unknownPaths) assertRefused('not_found', await ask(target))
})

test('an absolute URL in the request line is reduced to its path', async () => {
  equal((await ask('http://evil.example/v1/catalog/brands')).status, 200)
  assertRefused('not_found', await ask('http://evil.example/../../etc/passwd'))
})

test('a query parameter out of range is refused with its name', async () => {
  // oxfmt-ignore
  const queries: Record<string, string> = {
    'page=0': 'page', 'page=-1': 'page', 'page=1000000000000000000': 'page', 'page=1e1': 'page',
    'page=': 'page', 'page=1.5': 'page', 'page=01': 'page', 'page=one': 'page', 'page=501': 'page',
    'per_page=0': 'per_page', 'per_page=101': 'per_page', 'per_page=1000000': 'per_page',
    'page=9007199254740991': 'page', 'page=1&page=2': 'page', 'page[]=1': 'page[]', 'page[a]=1': 'page[a]',
    'sort=': 'sort', 'sort=slug': 'sort', 'sort=--name': 'sort', 'sort=name,id': 'sort', 'sort=NAME': 'sort',
    'sort=name;drop': 'sort', 'sort=__proto__': 'sort', 'sort=name&sort=id': 'sort',
    'unknown=1': 'unknown', 'Page=1': 'Page', '__proto__=1': '__proto__', 'constructor=1': 'constructor',
    '=1': '', 'slug=%00': 'slug', 'slug=%zz': 'slug', 'slug=A': 'slug', '%00=1': '\0',
    [`slug=${'x'.repeat(101)}`]: 'slug', 'api_key=x': 'api_key', '_method=DELETE': '_method',
  }
  for (const [query, path] of Object.entries(queries)) {
    const { fields } = assertRefused('validation_failed', await ask(`/v1/catalog/brands?${query}`))
    ok(
      fields.some((it: { path: string }) => it.path === path),
      `${query} ${JSON.stringify(fields)}`,
    )
  }
})

test('a page beyond ten thousand rows is refused with a hint to use the cursor', async () => {
  equal((await call('GET', '/v1/catalog/brands?page=100&per_page=100')).status, 200)
  const reply = await call('GET', '/v1/catalog/brands?page=101&per_page=100', {
    headers: { 'accept-language': 'en' },
  })
  deepEqual(assertRefused('validation_failed', reply).fields, [
    { path: 'page', rule: 'use_cursor', limit: 10_000, message: 'goes beyond row 10000; use cursor instead' },
  ])
})

test('a forged cursor and a cursor of another sort are refused', async () => {
  await call('POST', '/v1/catalog/brands', { body: { slug: 'second', name: 'Second' } })
  const first = await call('GET', '/v1/catalog/brands?per_page=1&sort=id')
  const cursor = first.body.data.pagination.next_cursor as string
  const next = await call('GET', `/v1/catalog/brands?per_page=1&sort=id&cursor=${cursor}`)
  equal(next.body.data.brands[0].slug, 'second')

  const forged = (...place: unknown[]) => Buffer.from(JSON.stringify(place)).toString('base64url')
  // oxfmt-ignore
  const bad = [
    'x', '!!!', '%00', '%ff', 'null', 'e30', 'W10', 'x'.repeat(2_001), cursor.slice(1), `${cursor}x`,
    forged(), forged('id'), forged('id', 1, 2), forged('id', '1'), forged('id', 'a', '1'), forged('id', '1', 'a'),
    forged('id', '1', ''), forged('id', '', ''), forged('id', '1', '9'.repeat(30)), forged('id', '1', '1\0'),
    forged('id', '1.5', '1'), forged('id', "1'; --", '1'), forged('id', null, null), forged(['id'], '1', '1'),
    forged('id', '1\0', '1'), forged('id', '\ud800', '1'), forged('-id', '1', '1'), forged('name', 'a', '1'),
  ]
  for (const it of bad) {
    const reply = await call('GET', `/v1/catalog/brands?sort=id&cursor=${it}`)
    equal(assertRefused('validation_failed', reply).fields[0].path, 'cursor', it)
  }
  const instants = ['x', '', '2026-02-31 00:00:00+00', '99999999-01-01', 'infinityx', '\0']
  for (const it of instants) {
    const reply = await call(
      'GET',
      `/v1/catalog/brands?sort=created_at&cursor=${forged('created_at', it, '1')}`,
    )
    equal(assertRefused('validation_failed', reply).fields[0].path, 'cursor', it)
  }
  const text = await call('GET', `/v1/catalog/brands?sort=name&cursor=${forged('name', 'a\0', '1')}`)
  equal(assertRefused('validation_failed', text).fields[0].path, 'cursor')
})

test('a URL above 8,000 characters is 414 on any path', async () => {
  for (const target of ['/v1/catalog/brands?slug=', '/nowhere/', '/v1/catalog/brands/', '/healthz?'])
    for (const length of [8_001, 30_000, 60_000])
      assertRefused('uri_too_long', await ask(target.padEnd(length, 'a')))
  equal((await ask('/v1/catalog/brands?slug='.padEnd(8_000, 'a'))).status, 422)
})

test('every known path replies to other methods with 405 and its allowed methods', async () => {
  const paths = Map.groupBy(app.routes, (it) => it.path.replaceAll(/\{\w+\}/g, '1'))
  for (const [path, routes] of paths) {
    const known = routes.map((it) => it.method as string)
    const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'].filter((it) => !known.includes(it))
    for (const method of others) {
      const reply = await ask(path, method)
      deepEqual(assertRefused('method_not_allowed', reply).allowed, known, `${method} ${path}`)
      const allow = [...known, ...(known.includes('GET') ? ['HEAD'] : []), 'OPTIONS']
      equal(reply.headers.get('allow'), allow.join(', '))
    }
  }
})

test('an unknown method is 405 on any path, with the methods of a known path', async () => {
  const any = 'GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS'
  for (const method of ['PROPFIND', 'LOCK', 'SEARCH', 'PURGE', 'MKCOL'])
    for (const [path, allow] of [
      ['/v1/catalog/brands', 'GET, POST, HEAD, OPTIONS'],
      ['/nowhere', any],
    ] as const) {
      const reply = await ask(path, method)
      assertRefused('method_not_allowed', reply)
      equal(reply.headers.get('allow'), allow)
    }
})

test('method overrides in headers and fields are ignored', async () => {
  const overrides = ['x-http-method-override', 'x-http-method', 'x-method-override']
  for (const name of overrides) {
    equal((await call('GET', brandPath, { headers: { [name]: 'DELETE' } })).status, 200)
    assertRefused('method_not_allowed', await call('POST', brandPath, { headers: { [name]: 'DELETE' } }))
  }
  const body = { slug: 'override', name: 'x', _method: 'DELETE' }
  assertRefused('validation_failed', await call('PUT', brandPath, { body }))
  assertRefused('validation_failed', await call('GET', `${brandPath}?_method=DELETE`))
  equal((await call('GET', brandPath)).status, 200)
})

test('HEAD replies like GET without the body and needs the same scopes', async () => {
  const full = await call('GET', brandPath)
  const line = await openRawConnection(url)
  await line.send(requestText(`HEAD ${brandPath}`, { Authorization: authorization }))
  const head = await line.receive({ withoutBody: true })
  equal(head.status, 200)
  equal(head.headers.get('etag'), full.headers.get('etag'))
  equal(head.headers.get('content-length'), String(Buffer.byteLength(full.text)))
  await line.send(requestText(`HEAD ${brandPath}`))
  equal((await line.receive({ withoutBody: true })).status, 401)
  await line.send(requestText(`HEAD ${brandPath}/none`, { Authorization: authorization }))
  equal((await line.receive({ withoutBody: true })).status, 404)
  // A body after the headers would be read as the start of the next reply.
  await line.send(requestText('GET /healthz'))
  equal((await line.receive()).status, 200)
  line.socket.destroy()
})

test('OPTIONS is answered for every path, with or without a credential', async () => {
  for (const path of [brandPath, '/v1/catalog/brands', '/healthz', '/nowhere', '/']) {
    const reply = await call('OPTIONS', path, { key: null })
    equal(reply.status, 204)
    equal(reply.headers.get('access-control-allow-origin'), '*')
    ok(reply.headers.get('access-control-allow-methods')?.includes('GET'))
    ok(reply.headers.get('access-control-allow-headers')?.includes('Idempotency-Key'))
  }
  equal((await call('OPTIONS', brandPath)).headers.get('allow'), 'GET, PUT, PATCH, DELETE, HEAD, OPTIONS')
})
