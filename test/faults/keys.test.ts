// K1, K4, K5, K7: the format, the scopes and the end of a key.

import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { scopesOf } from '../../src/http/route.ts'
import { type Scope, scopes } from '../../src/http/scopes.ts'
import { newKey } from '../../src/identity/applications/credentials.ts'
import { assertRefused } from '../support/refused.ts'
import { callAt, openPlatform } from '../support/shop.ts'
import { exchange, requestText } from '../support/wire.ts'
import { waitFor } from '../support/wait-until.ts'

const platform = await openPlatform()
const { app, call, keys, makeKey, url } = platform
const path = '/v1/catalog/brands'
const admin = '/v1/admin/applications'

/** An application of the test environment, created over HTTP. */
async function register(body: Record<string, unknown> = {}) {
  const reply = await call('POST', admin, {
    body: { name: 'shop', type: 'server', scopes: ['catalog:read'], ...body },
  })
  equal(reply.status, 201, reply.text)
  const { application, key, api_key, client_secret } = reply.body.data
  const base = `${admin}/${application.client_id}`
  return { base, keyPath: `${base}/keys/${key.id}`, apiKey: api_key as string, secret: client_secret, key }
}
const read = (key: string | null) => call('GET', path, { key })
const withHeader = (authorization: string) => call('GET', path, { key: null, headers: { authorization } })

test('a credential is missing, malformed or unknown, and the reply says which', async () => {
  const missing = await read(null)
  deepEqual(assertRefused('unauthorized', missing), { reason: 'missing' })
  equal(missing.headers.get('www-authenticate'), 'Bearer')
  const key = keys.test
  // oxfmt-ignore
  const malformed = [
    'Bearer', 'Bearer ', `Bearer:${key}`, `Bearer ${key} x`, `Bearer "${key}"`,
    `Bearer ${key.slice(0, -1)}`, `Bearer ${key}x`, `Bearer ${key.toUpperCase()}`, `Bearer ak_test_`, 'Bearer null',
    `Bearer ${'x'.repeat(20_000)}`, `Bearer ${key},Bearer ${key}`, 'Bearer ak_test_' + '\u00e9'.repeat(38),
    `Bearer ${key.slice(0, 12)}${key[12] === 'a' ? 'b' : 'a'}${key.slice(13)}`,
  ]
  for (const it of ['', key, `Basic ${key}`, `Token ${key}`, `Bearers ${key}`, 'Digest a="b"'])
    deepEqual(assertRefused('unauthorized', await withHeader(it)), { reason: 'scheme' }, it)
  for (const it of malformed)
    deepEqual(assertRefused('unauthorized', await withHeader(it)), { reason: 'malformed' }, it)
  deepEqual(assertRefused('unauthorized', await read(newKey('test').key)), { reason: 'unknown' })
  deepEqual(assertRefused('unauthorized', await read(newKey('live').key)), { reason: 'unknown' })
})

test('the challenge of a reply says what is wrong with the credential (RFC 6750)', async () => {
  const challenge = async (reply: Promise<{ headers: Headers }>) =>
    (await reply).headers.get('www-authenticate')
  equal(await challenge(read(null)), 'Bearer')
  equal(await challenge(withHeader('Basic eDp5')), 'Bearer')
  equal(
    await challenge(read(newKey('test').key)),
    'Bearer error="invalid_token", error_description="unknown"',
  )
  equal(
    await challenge(withHeader('Bearer wrong')),
    'Bearer error="invalid_token", error_description="malformed"',
  )
  const reader = await makeKey({ scopes: ['cart:read'] })
  equal(await challenge(read(reader)), 'Bearer scope="catalog:read", error="insufficient_scope"')
  const signIn = call('POST', '/v1/auth/login', { body: { login: 'nobody@mail.uz', password: 'wrong' } })
  equal(await challenge(signIn), 'Bearer')
})

test('the Bearer scheme is case-insensitive and allows several spaces', async () => {
  for (const scheme of ['bearer ', 'BEARER ', 'BeArEr ', 'Bearer  '])
    equal((await withHeader(`${scheme}${keys.test}`)).status, 200, scheme)
})

test('two credentials are 400, even when both are valid', async () => {
  const both = [`Bearer ${keys.test}`, `Bearer ${keys.test}`]
  const reply = await exchange(url, requestText(`GET ${path}`, { Authorization: both }))
  equal(assertRefused('invalid_header', reply).header, 'Authorization')
})

test('a key in the query, a cookie or another header is ignored', async () => {
  const names = ['api_key', 'key', 'access_token', 'token', 'authorization', 'Authorization', 'apikey']
  for (const name of names) {
    const reply = await callAt(url, 'GET', `${path}?${name}=${keys.test}`, { key: null })
    deepEqual(assertRefused('unauthorized', reply), { reason: 'missing' })
  }
  for (const name of [
    'x-api-key',
    'api-key',
    'cookie',
    'proxy-authorization',
    'x-authorization',
    'x-forwarded-user',
  ]) {
    const headers = { [name]: name === 'cookie' ? `api_key=${keys.test}` : `Bearer ${keys.test}` }
    deepEqual(assertRefused('unauthorized', await call('GET', path, { key: null, headers })), {
      reason: 'missing',
    })
  }
})

test('a key with an edited prefix is malformed, in both directions', async () => {
  const edited = [
    keys.test.replace('test', 'live'),
    keys.live.replace('live', 'test'),
    keys.test.replace('ak_', 'sk_'),
  ]
  for (const key of edited) deepEqual(assertRefused('unauthorized', await read(key)), { reason: 'malformed' })
})

test('a client id, client secret or key id is not accepted as a key', async () => {
  const { key, secret, base } = await register()
  for (const it of [key.id, secret, base.split('/').at(-1)!, key.hint.replace('…', '')])
    deepEqual(assertRefused('unauthorized', await read(it)).reason, 'malformed')
})

test('every route refuses a key that has all scopes except the required one', async () => {
  const lacking = new Map<Scope, string>()
  for (const scope of scopes)
    lacking.set(scope, await makeKey({ scopes: scopes.filter((it) => it !== scope) }))
  const bound = app.routes.filter((it) => it.declared.scope !== null)
  ok(bound.length >= 25)
  const needed = bound.flatMap((it) => scopesOf(it.declared).map((scope) => ({ ...it, scope })))
  for (const { method, path: declared, scope, declared: terms } of needed) {
    const current = scopes.filter((it) => it !== scope)
    for (const root of ['', '/global']) {
      if (root && !declared.startsWith('/v1/')) continue
      const target = root + declared.replaceAll(/\{\w+\}/g, '1')
      const refused = await call(method, target, { key: lacking.get(scope)! })
      const details = assertRefused('insufficient_permissions', refused)
      const { needs: _needs, ...scopesOnly } = details
      deepEqual(
        scopesOnly,
        { required_scopes: scopesOf(terms), current_scopes: current },
        `${method} ${target}`,
      )
      deepEqual(assertRefused('unauthorized', await call(method, target, { key: null })), {
        reason: 'missing',
      })
    }
  }
})

test('read and write scopes do not include each other', async () => {
  const reader = await makeKey({ scopes: ['catalog:read'] })
  const writer = await makeKey({ scopes: ['catalog:write'] })
  const body = { slug: 'by-scope', name: 'x' }
  assertRefused('insufficient_permissions', await call('POST', path, { key: reader, body }))
  equal((await call('POST', path, { key: writer, body })).status, 201)
  assertRefused('insufficient_permissions', await read(writer))
})

test('a caller cannot grant scopes it lacks by creating, changing or adding keys', async () => {
  const low = await makeKey({ scopes: ['admin:write', 'admin:read', 'catalog:read'] })
  const wide = await register({ scopes: ['catalog:read', 'orders:write'] })
  const narrow = await register({ scopes: ['catalog:read'] })
  const attempts: [string, string, Record<string, unknown>][] = [
    ['POST', admin, { name: 'x', type: 'server', scopes: ['catalog:read', 'orders:write'] }],
    ['PATCH', narrow.base, { scopes: ['catalog:read', 'orders:write'] }],
    ['POST', `${wide.base}/keys`, { name: 'x', scopes: ['orders:write'] }],
    ['POST', `${wide.base}/keys`, { name: 'x' }],
    ['POST', `${wide.keyPath}/rotate`, {}],
  ]
  for (const [method, target, body] of attempts) {
    const details = assertRefused('insufficient_permissions', await call(method, target, { key: low, body }))
    deepEqual(details.required_scopes, ['orders:write'], `${method} ${target}`)
    deepEqual(details.current_scopes.toSorted(), ['admin:read', 'admin:write', 'catalog:read'])
  }
  equal((await read(wide.apiKey)).status, 200)
  const { body } = await call('GET', narrow.base)
  deepEqual(body.data.application.scopes, ['catalog:read'])
})

test('a key has at most the scopes of its application, and only known scopes', async () => {
  const { base } = await register({ scopes: ['catalog:read'] })
  const reply = await call('POST', `${base}/keys`, {
    body: { name: 'x', scopes: ['catalog:read', 'cart:read'] },
  })
  equal(assertRefused('validation_failed', reply).fields[0].path, 'scopes.1')
  const strange = [
    ['admin:*'],
    ['cart:*'],
    ['*'],
    ['all'],
    [''],
    [],
    ['catalog:read', 'catalog:read'],
    'catalog:read',
  ]
  for (const wanted of strange) {
    assertRefused(
      'validation_failed',
      await call('POST', `${base}/keys`, { body: { name: 'x', scopes: wanted } }),
    )
    assertRefused('validation_failed', await call('PATCH', base, { body: { scopes: wanted } }))
    assertRefused(
      'validation_failed',
      await call('POST', admin, { body: { name: 'x', type: 'web', scopes: wanted } }),
    )
  }
})

test('during a rotation both keys work and no request fails; after it only the new one works', async () => {
  const { apiKey, keyPath, key } = await register()
  let rotating = true
  const failed: number[] = []
  const traffic = Array.from({ length: 5 }, async () => {
    while (rotating) {
      const { status } = await read(apiKey)
      if (status !== 200) failed.push(status)
    }
  })
  const { body, status } = await call('POST', `${keyPath}/rotate`, { body: { overlap_seconds: 3_600 } })
  const served = await Promise.all(
    Array.from({ length: 5 }, () => [apiKey, body.data?.api_key].map((it) => read(it))).flat(),
  )
  rotating = false
  await Promise.all(traffic)
  equal(status, 201)
  for (const it of served) equal(it.status, 200)
  deepEqual(failed, [])
  notEqual(body.data.api_key, apiKey)
  deepEqual(body.data.key.scopes, key.scopes)
  equal(body.data.key.replaces, key.id)

  await call('POST', '/v1/test/clock', { body: { advance: 'PT59M' } })
  equal((await read(apiKey)).status, 200)
  await call('POST', '/v1/test/clock', { body: { advance: 'PT2M' } })
  const details = assertRefused('unauthorized', await read(apiKey))
  deepEqual(details, { reason: 'token_expired', expires_at: body.data.replaced.expires_at })
  equal((await read(body.data.api_key)).status, 200)
  equal(
    assertRefused('invalid_transition', await call('POST', `${keyPath}/rotate`, { body: {} })).state,
    'expired',
  )
})

test('a key expires to the second, and the reply says when', async () => {
  const { base } = await register()
  const now = Date.parse((await call('GET', '/v1/test/clock')).body.data.clock.now)
  const expires_at = new Date(now + 600_000).toISOString()
  const made = await call('POST', `${base}/keys`, { body: { name: 'short', expires_at } })
  const key = made.body.data.api_key as string
  await call('POST', '/v1/test/clock', { body: { advance: 'PT9M' } })
  equal((await read(key)).status, 200)
  await call('POST', '/v1/test/clock', { body: { advance: 'PT61S' } })
  deepEqual(assertRefused('unauthorized', await read(key)), { reason: 'token_expired', expires_at })
  const past = await call('POST', `${base}/keys`, { body: { name: 'late', expires_at } })
  equal(assertRefused('validation_failed', past).fields[0].path, 'expires_at')
  for (const strange of [
    'tomorrow',
    '2026-02-31T00:00:00Z',
    '2030-01-01',
    '2030-01-01T00:00:00+05:00',
    1_900_000_000,
  ])
    assertRefused(
      'validation_failed',
      await call('POST', `${base}/keys`, { body: { name: 'x', expires_at: strange } }),
    )
})

test('revoked keys and keys of deleted applications get the reason revoked', async () => {
  const { apiKey, keyPath } = await register()
  equal((await read(apiKey)).status, 200)
  const first = await call('POST', `${keyPath}/revoke`)
  deepEqual(assertRefused('unauthorized', await read(apiKey)), { reason: 'revoked' })
  const again = await call('POST', `${keyPath}/revoke`)
  // The last use may be stored at any moment.
  const withoutUse = (it: typeof first) => ({ ...it.body.data.key, last_used_at: null })
  deepEqual(withoutUse(again), withoutUse(first))
  equal(
    assertRefused('invalid_transition', await call('POST', `${keyPath}/rotate`, { body: {} })).state,
    'revoked',
  )

  const other = await register()
  equal((await read(other.apiKey)).status, 200)
  equal((await call('DELETE', other.base)).status, 200)
  deepEqual(assertRefused('unauthorized', await read(other.apiKey)), { reason: 'revoked' })
  assertRefused('not_found', await call('GET', other.base))
  assertRefused('not_found', await call('POST', `${other.base}/keys`, { body: { name: 'x' } }))
})

test('secrets are shown once; no later reply and no table contains them', async () => {
  const { apiKey, secret, base, key } = await register()
  match(apiKey, /^ak_test_[0-9A-Za-z]{38}$/)
  for (const target of [base, admin]) {
    const { text } = await call('GET', target)
    ok(!text.includes(apiKey) && !text.includes(secret))
  }
  equal(key.hint, `ak_test_…${apiKey.slice(-4)}`)
  const tables = await app.shops.test.db.read().all<{ row: string }>(
    `select to_jsonb(t)::text as row from platform.identity_keys t
     union all select to_jsonb(t)::text from platform.identity_applications t
     union all select to_jsonb(t)::text from test.outbox_events t`,
  )
  ok(tables.length > 10)
  for (const { row } of tables) ok(!row.includes(apiKey) && !row.includes(secret))
})

test('saves the last use of a key', async () => {
  const { apiKey, base } = await register()
  equal((await call('GET', base)).body.data.keys[0].last_used_at, null)
  await read(apiKey)
  const lastUse = async () => (await call('GET', base)).body.data.keys[0].last_used_at ?? undefined
  match(await waitFor<string>(lastUse, { what: 'the last use is stored', pollMs: 100 }), /Z$/)
})

test('an address that tries many wrong keys is limited, and a valid key still works', async () => {
  const fresh = await openPlatform()
  const tries = Array.from({ length: 150 }, () => fresh.call('GET', path, { key: newKey('live').key }))
  const replies = await Promise.all(tries)
  equal(replies.filter((it) => it.status === 401).length, 100)
  const held = replies.filter((it) => it.status === 429)
  equal(held.length, 50)
  equal(assertRefused('rate_limit_exceeded', held[0]!).limit, 100)
  ok(Number(held[0]!.headers.get('retry-after')) >= 1)
  equal((await fresh.call('GET', path)).status, 200)
})
