// What a credential can access beyond its own data: consents, redirect URLs, members.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { Browser, codeFor, exchangeCode, newApplication, newBuyer } from '../support/oauth.ts'
import { memberAt } from '../support/member.ts'
import { assertRefused } from '../support/refused.ts'
import { openPlatform } from '../support/shop.ts'

const platform = await openPlatform()
const { call, url, keys, makeKey } = platform

const userToken = async (scope: string, application: Awaited<ReturnType<typeof newApplication>>) => {
  const buyer = await newBuyer(url, keys.test)
  const code = await codeFor(new Browser(url), application, { phone: buyer.phone, scope })
  return (await exchangeCode(url, application, code)).body.access_token as string
}

const profileCalls: [method: string, path: string, body?: object][] = [
  ['GET', '/v1/auth/me'],
  ['GET', '/v1/auth/devices'],
  ['POST', '/v1/auth/devices', { token: 'abcdefgh', platform: 'android' }],
  ['GET', '/v1/auth/subscriptions'],
  ['PATCH', '/v1/auth/subscriptions', { email: true }],
  ['GET', '/v1/auth/consents'],
]

test('a user token without a profile scope reaches no profile, device, subscription or consent', async () => {
  const application = await newApplication(platform, {
    scopes: ['catalog:read', 'profile:read', 'profile:write'],
  })
  const catalogOnly = await userToken('catalog:read', application)
  for (const [method, path, body] of profileCalls)
    assertRefused('insufficient_permissions', await call(method, path, { key: catalogOnly, body }))
  assertRefused(
    'insufficient_permissions',
    await call('DELETE', `/v1/auth/consents/${application.id}`, { key: catalogOnly }),
  )
  const reader = await userToken('profile:read', application)
  for (const [method, path, body] of profileCalls) {
    const reply = await call(method, path, { key: reader, body })
    equal(reply.status, method === 'GET' ? 200 : 403, `${method} ${path} ${reply.text}`)
  }
  const writer = await userToken('profile:read profile:write', application)
  for (const [method, path, body] of profileCalls)
    ok((await call(method, path, { key: writer, body })).status < 300, `${method} ${path}`)
})

test('the consent page names the profile scopes', async () => {
  const application = await newApplication(platform, { scopes: ['profile:read', 'profile:write'] })
  const buyer = await newBuyer(url, keys.test)
  const browser = new Browser(url)
  const signIn = await browser.follow(
    `/oauth/authorize?${new URLSearchParams({ response_type: 'code', client_id: application.id, redirect_uri: application.redirect })}`,
  )
  const action = /<form method="post" action="([^"]+)"/.exec(signIn.text)![1]!
  const page = await browser.follow(`${action}?lang=en`, {
    login: buyer.phone,
    password: 'seven blue melons',
    lang: 'en',
  })
  ok(page.text.includes('see your name, phone, e-mail'), page.text)
  ok(page.text.includes('change your name, addresses, reviews, devices'), page.text)
})

test('redirect URLs of an application change only by callers with all its scopes', async () => {
  const rich = await newApplication(platform, { scopes: ['catalog:read', 'orders:write'] })
  const path = `/v1/admin/applications/${rich.id}`
  const poor = await makeKey({ scopes: ['admin:write', 'catalog:read'] })
  const body = { redirect_urls: ['https://evil.example/back'] }
  const details = assertRefused('insufficient_permissions', await call('PATCH', path, { key: poor, body }))
  deepEqual(details.required_scopes, ['orders:write'])
  equal((await call('PATCH', path, { key: poor, body: { name: 'Renamed' } })).status, 200)
  equal((await call('PATCH', path, { body })).status, 200)
})

test('a test key does not read members, invitations or their names', async () => {
  const owner = await memberAt(platform, 'owner', 'owner@access.uz')
  await owner.call('POST', '/v1/catalog/brands', { body: { slug: 'by-owner', name: 'x' } })
  for (const path of ['/v1/admin/members', `/v1/admin/members/${owner.id}`, '/v1/admin/members/invitations'])
    assertRefused('insufficient_permissions', await call('GET', path))
  equal((await call('GET', '/v1/admin/members', { key: keys.live })).status, 200)
  const log = await call('GET', '/v1/admin/audit-log?path=/v1/catalog/brands')
  deepEqual(
    log.body.data.records.map((it: { actor: { kind: string; name: string | null } }) => it.actor.name),
    [null],
  )
  const seen = await owner.call('GET', '/v1/admin/audit-log?path=/v1/catalog/brands')
  equal(seen.body.data.records[0].actor.name, 'owner@access.uz')
})

test('the names of application types in SPEC-1 are accepted', async () => {
  for (const [given, type] of [
    ['Web', 'web'],
    ['Mobile', 'mobile'],
    ['Server-to-Server', 'server'],
    ['server', 'server'],
  ]) {
    const body = { name: 'x', type: given, scopes: ['catalog:read'] }
    const reply = await call('POST', '/v1/admin/applications', { body })
    equal(reply.body.data.application.type, type, reply.text)
  }
})

test('a wrong password is not reported as a missing key', async () => {
  const body = { login: '+998901234567', password: 'not the password' }
  const reply = await call('POST', '/v1/auth/login', { body, headers: { 'accept-language': 'en' } })
  equal(reply.status, 401)
  equal(reply.body.error.code, 'invalid_credentials')
  equal(reply.body.error.message, 'The login or the password is wrong.')
})

test('common passwords are refused in any letter case', async () => {
  for (const password of [
    'password',
    'Baseball',
    'QWERTYUIOP',
    '1qaz2wsx',
    'iloveyou',
    'jennifer',
    'Toshkent',
  ]) {
    const body = { name: 'Aziza', email: 'common@mail.uz', password }
    const { fields } = assertRefused('validation_failed', await call('POST', '/v1/auth/register', { body }))
    deepEqual([fields[0].path, fields[0].rule], ['password', 'guessable'], password)
  }
})

test('a repeated Idempotency-Key does not hand out the session of another guest', async () => {
  const key = await makeKey({ type: 'web', scopes: ['cart:write'] })
  const open = () =>
    call('POST', '/v1/auth/guest-session', { key, headers: { 'idempotency-key': 'shared-by-two-pages' } })
  const first = await open()
  ok(first.body.data.session_id.startsWith('gs_test_'), first.text)
  const second = await open()
  equal(second.status, 201)
  equal(second.body.data.session_id, null)
})
