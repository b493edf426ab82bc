// Which origins may call from a browser, and with which credentials.

import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { browserWith, password } from '../support/client.ts'
import { assertRefused } from '../support/refused.ts'
import { openPlatform } from '../support/shop.ts'
import { waitUntil } from '../support/wait-until.ts'

const { call, url, app, keys } = await openPlatform({ env: { PUBLIC_URL: 'https://shop.example' } })

const allowance = async (
  origin: string,
  { path = '/v1/catalog/brands', key = keys.test as string | null, method = 'GET' } = {},
) => {
  const { headers } = await call(method, path, { key, headers: { origin } })
  return [headers.get('access-control-allow-origin'), headers.get('access-control-allow-credentials')]
}
const registerApp = async (redirect_urls: string[], type = 'web', key = keys.test) =>
  (
    await call('POST', '/v1/admin/applications', {
      key,
      body: { name: 'Shop window', type, scopes: ['catalog:read'], redirect_urls },
    })
  ).body.data.application.client_id as string

test('a page of any origin may call with a key or without, and never with cookies', async () => {
  for (const origin of ['https://anybody.example', 'null', 'https://shop.example.evil.example'])
    deepEqual(await allowance(origin), ['*', null])
})

test('our own origin and registered web applications may send cookies, until they are deleted', async () => {
  deepEqual(await allowance('https://shop.example'), ['https://shop.example', 'true'])
  const origin = 'https://window.example:8443'
  const id = await registerApp([`${origin}/signed-in?x=1`])
  await waitUntil(async () => (await allowance(origin))[1] === 'true')
  deepEqual(await allowance(origin), [origin, 'true'])
  deepEqual(await allowance('https://window.example'), ['*', null])
  await call('DELETE', `/v1/admin/applications/${id}`)
  await waitUntil(async () => (await allowance(origin))[1] === null)
})

test('origins of test applications are not accepted in live, nor those of live in test', async () => {
  const origin = 'https://only-test.example'
  await registerApp([`${origin}/back`])
  await waitUntil(async () => (await allowance(origin))[1] === 'true')
  deepEqual(await allowance(origin, { key: keys.live }), ['*', null])
  deepEqual(await allowance(origin, { key: null }), ['*', null])
  const login = { path: '/v1/auth/login', method: 'POST' }
  deepEqual(await allowance(origin, { ...login, key: null }), ['*', null])
  const liveOrigin = 'https://only-live.example'
  await registerApp([`${liveOrigin}/back`], 'web', keys.live)
  await waitUntil(async () => (await allowance(liveOrigin, { key: null }))[1] === 'true')
  deepEqual(await allowance(liveOrigin), ['*', null])
})

test('origins of web applications are not accepted on admin paths or with a member cookie', async () => {
  const origin = 'https://storefront.example'
  await registerApp([`${origin}/back`], 'web', keys.live)
  await waitUntil(async () => (await allowance(origin, { key: null }))[1] === 'true')
  for (const path of ['/v1/admin/me', '/v1/admin/sessions', '/global/v1/admin/me'])
    for (const method of ['GET', 'POST', 'OPTIONS'])
      deepEqual(await allowance(origin, { path, method, key: null }), ['*', null], `${method} ${path}`)
  const { headers } = await call('GET', '/v1/catalog/brands', {
    key: null,
    headers: { origin, cookie: '__Host-bozor_member=ms_live_x' },
  })
  equal(headers.get('access-control-allow-credentials'), null)
  deepEqual(await allowance('https://shop.example', { path: '/v1/admin/me' }), [
    'https://shop.example',
    'true',
  ])
})

test('server and mobile applications register no origin', async () => {
  await registerApp(['https://phone.example/back'], 'mobile')
  const marker = 'https://marker.example'
  await registerApp([`${marker}/back`])
  await waitUntil(async () => (await allowance(marker))[1] === 'true')
  deepEqual(await allowance('https://phone.example'), ['*', null])
})

test('a server that starts later loads the origins', async () => {
  const { call: other } = await openPlatform({ connection: (await shared()).connection })
  const reply = await other('GET', '/v1/catalog/brands', { headers: { origin: 'https://later.example' } })
  equal(reply.headers.get('access-control-allow-credentials'), 'true')
})

async function shared() {
  const first = await openPlatform()
  await first.call('POST', '/v1/admin/applications', {
    body: {
      name: 'Later',
      type: 'web',
      scopes: ['catalog:read'],
      redirect_urls: ['https://later.example/back'],
    },
  })
  return first
}

test('preflight requests are answered on every path', async () => {
  const routes = app.routes
    .filter((it) => it.path.startsWith('/v1/'))
    .map((it) => it.path.replace(/\{\w+\}/g, '1'))
  for (const path of [...new Set(routes), '/v1/nowhere', '/sign-in', '/nowhere']) {
    const reply = await call('OPTIONS', path, {
      key: null,
      headers: { origin: 'https://shop.example', 'access-control-request-method': 'POST' },
    })
    equal(reply.status, 204, path)
    equal(reply.headers.get('access-control-allow-origin'), 'https://shop.example')
    equal(reply.headers.get('access-control-allow-credentials'), 'true')
    match(reply.headers.get('access-control-allow-headers')!, /X-CSRF-Token/)
    match(reply.headers.get('vary')!, /Origin/)
  }
})

test('a page of any origin may send every header that the API reads', async () => {
  const document = (await call('GET', '/openapi.json', { key: null })).body
  const documented = Object.values(
    document.components.parameters as Record<string, { in: string; name: string }>,
  )
    .filter((it) => it.in === 'header')
    .map((it) => it.name)
  const { headers } = await call('OPTIONS', '/v1/events/stream', {
    key: null,
    headers: { origin: 'https://anybody.example', 'access-control-request-method': 'GET' },
  })
  const allowed = headers.get('access-control-allow-headers')!.toLowerCase().split(', ')
  for (const name of [
    ...documented,
    'Authorization',
    'Content-Type',
    'Accept',
    'Last-Event-ID',
    'MCP-Protocol-Version',
  ])
    ok(allowed.includes(name.toLowerCase()), name)
  const stream = document.paths['/v1/events/stream'].get.parameters as { $ref?: string }[]
  ok(stream.some((it) => it.$ref === '#/components/parameters/LastEventId'))
})

test('a registered page with the cookie still needs the CSRF token to write', async () => {
  const origin = 'https://spa.example'
  await registerApp([`${origin}/back`])
  const reply = await call('POST', '/v1/auth/register', {
    body: { name: 'Aziza', email: 'aziza@mail.uz', password },
    headers: { origin },
  })
  const browser = browserWith(url, reply)
  const change = (headers: Record<string, string>) =>
    call('POST', '/v1/auth/logout', { key: null, headers: { cookie: browser.cookie, origin, ...headers } })
  assertRefused('origin_mismatch', await change({}))
  equal((await change({ 'x-csrf-token': browser.csrfToken })).status, 200)
})
