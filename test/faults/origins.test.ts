// Pages of other origins: which of them a browser lets call us, and with what.

import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { browserWith, password } from '../support/client.ts'
import { refusedWith } from '../support/refused.ts'
import { openPlatform } from '../support/shop.ts'
import { until } from '../support/until.ts'

const { call, url, app } = await openPlatform({ env: { PUBLIC_URL: 'https://shop.example' } })

const allowance = async (origin: string, path = '/v1/catalog/brands') => {
  const { headers } = await call('GET', path, { key: null, headers: { origin } })
  return [headers.get('access-control-allow-origin'), headers.get('access-control-allow-credentials')]
}
const registerApp = async (redirect_urls: string[], type = 'web') =>
  (
    await call('POST', '/v1/admin/applications', {
      body: { name: 'Shop window', type, scopes: ['catalog:read'], redirect_urls },
    })
  ).body.data.application.client_id as string

test('a page of any origin may call with a key or without, and never with cookies', async () => {
  for (const origin of ['https://anybody.example', 'null', 'https://shop.example.evil.example'])
    deepEqual(await allowance(origin), ['*', null])
})

test('our own address and the pages of web applications may bring cookies, from when they are registered to when they end', async () => {
  deepEqual(await allowance('https://shop.example'), ['https://shop.example', 'true'])
  const origin = 'https://window.example:8443'
  const id = await registerApp([`${origin}/signed-in?x=1`])
  await until(async () => (await allowance(origin))[1] === 'true')
  deepEqual(await allowance(origin), [origin, 'true'])
  deepEqual(await allowance('https://window.example'), ['*', null])
  await call('DELETE', `/v1/admin/applications/${id}`)
  await until(async () => (await allowance(origin))[1] === null)
})

test('applications of servers and phones register no origin', async () => {
  await registerApp(['https://phone.example/back'], 'mobile')
  const marker = 'https://marker.example'
  await registerApp([`${marker}/back`])
  await until(async () => (await allowance(marker))[1] === 'true')
  deepEqual(await allowance('https://phone.example'), ['*', null])
})

test('a server that starts later knows the origins', async () => {
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

test('a browser that asks first is answered on every path, known or not', async () => {
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

test('a registered page that brings the cookie still needs the token to write', async () => {
  const origin = 'https://spa.example'
  await registerApp([`${origin}/back`])
  const reply = await call('POST', '/v1/auth/register', {
    body: { name: 'Aziza', email: 'aziza@mail.uz', password },
    headers: { origin },
  })
  const browser = browserWith(url, reply)
  const change = (headers: Record<string, string>) =>
    call('POST', '/v1/auth/logout', { key: null, headers: { cookie: browser.cookie, origin, ...headers } })
  refusedWith('origin_mismatch', await change({}))
  equal((await change({ 'x-csrf-token': browser.csrfToken })).status, 200)
})
