// K1, K4, K5, K7: what a key may be, what it may do, and how it ends.

import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { scopesOf } from '../../src/http/route.ts'
import { type Scope, scopes } from '../../src/http/scopes.ts'
import { newKey } from '../../src/identity/key.ts'
import { refusedWith } from '../support/refused.ts'
import { callAt, openPlatform } from '../support/shop.ts'
import { exchange, requestText } from '../support/wire.ts'

const platform = await openPlatform()
const { app, call, keys, makeKey, url } = platform
const path = '/v1/catalog/brands'
const admin = '/v1/admin/applications'

/** An application of the test environment, made over HTTP. */
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
  deepEqual(refusedWith('unauthorized', missing), { reason: 'missing' })
  equal(missing.headers.get('www-authenticate'), 'Bearer')
  const key = keys.test
  // oxfmt-ignore
  const malformed = [
    '', 'Bearer', 'Bearer ', `Basic ${key}`, key, `Bearer:${key}`, `Bearer ${key} x`, `Bearer "${key}"`, `Token ${key}`,
    `Bearer ${key.slice(0, -1)}`, `Bearer ${key}x`, `Bearer ${key.toUpperCase()}`, `Bearer ak_test_`, 'Bearer null',
    `Bearer ${'x'.repeat(20_000)}`, `Bearer ${key},Bearer ${key}`, 'Bearer ak_test_' + '\u00e9'.repeat(38), 'Digest a="b"',
    `Bearer ${key.slice(0, 12)}${key[12] === 'a' ? 'b' : 'a'}${key.slice(13)}`,
  ]
  for (const it of malformed)
    deepEqual(refusedWith('unauthorized', await withHeader(it)), { reason: 'malformed' }, it)
  deepEqual(refusedWith('unauthorized', await read(newKey('test').key)), { reason: 'unknown' })
  deepEqual(refusedWith('unauthorized', await read(newKey('live').key)), { reason: 'unknown' })
})

test('the scheme is read in any case and after any number of blanks', async () => {
  for (const scheme of ['bearer ', 'BEARER ', 'BeArEr ', 'Bearer  '])
    equal((await withHeader(`${scheme}${keys.test}`)).status, 200, scheme)
})

test('two credentials are 400, even when both are good', async () => {
  const both = [`Bearer ${keys.test}`, `Bearer ${keys.test}`]
  const reply = await exchange(url, requestText(`GET ${path}`, { Authorization: both }))
  equal(refusedWith('invalid_header', reply).header, 'Authorization')
})

test('a key in the query, in a cookie or in another header is no credential', async () => {
  const names = ['api_key', 'key', 'access_token', 'token', 'authorization', 'Authorization', 'apikey']
  for (const name of names) {
    const reply = await callAt(url, 'GET', `${path}?${name}=${keys.test}`, { key: null })
    deepEqual(refusedWith('unauthorized', reply), { reason: 'missing' })
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
    deepEqual(refusedWith('unauthorized', await call('GET', path, { key: null, headers })), {
      reason: 'missing',
    })
  }
})

test('a key whose prefix was edited is no key, in either direction', async () => {
  const edited = [
    keys.test.replace('test', 'live'),
    keys.live.replace('live', 'test'),
    keys.test.replace('ak_', 'sk_'),
  ]
  for (const key of edited) deepEqual(refusedWith('unauthorized', await read(key)), { reason: 'malformed' })
})

test('a client id, a client secret and a key id are no keys', async () => {
  const { key, secret, base } = await register()
  for (const it of [key.id, secret, base.split('/').at(-1)!, key.hint.replace('…', '')])
    deepEqual(refusedWith('unauthorized', await read(it)).reason, 'malformed')
})

test('every call is refused to a key that has every scope but the one it needs', async () => {
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
      const details = refusedWith('insufficient_permissions', refused)
      const { needs: _needs, ...scopesOnly } = details
      deepEqual(
        scopesOnly,
        { required_scopes: scopesOf(terms), current_scopes: current },
        `${method} ${target}`,
      )
      deepEqual(refusedWith('unauthorized', await call(method, target, { key: null })), { reason: 'missing' })
    }
  }
})

test('a key that reads cannot write, and a key that writes cannot read', async () => {
  const reader = await makeKey({ scopes: ['catalog:read'] })
  const writer = await makeKey({ scopes: ['catalog:write'] })
  const body = { slug: 'by-scope', name: 'x' }
  refusedWith('insufficient_permissions', await call('POST', path, { key: reader, body }))
  equal((await call('POST', path, { key: writer, body })).status, 201)
  refusedWith('insufficient_permissions', await read(writer))
})

test('nobody gives away a scope that he does not hold: not at creation, nor by a change, nor by a key', async () => {
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
    const details = refusedWith('insufficient_permissions', await call(method, target, { key: low, body }))
    deepEqual(details.required_scopes, ['orders:write'], `${method} ${target}`)
    deepEqual(details.current_scopes.toSorted(), ['admin:read', 'admin:write', 'catalog:read'])
  }
  equal((await read(wide.apiKey)).status, 200)
  const { body } = await call('GET', narrow.base)
  deepEqual(body.data.application.scopes, ['catalog:read'])
})

test('a key has at most the scopes of its application, and only scopes that exist', async () => {
  const { base } = await register({ scopes: ['catalog:read'] })
  const reply = await call('POST', `${base}/keys`, {
    body: { name: 'x', scopes: ['catalog:read', 'cart:read'] },
  })
  equal(refusedWith('validation_failed', reply).fields[0].path, 'scopes.1')
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
    refusedWith(
      'validation_failed',
      await call('POST', `${base}/keys`, { body: { name: 'x', scopes: wanted } }),
    )
    refusedWith('validation_failed', await call('PATCH', base, { body: { scopes: wanted } }))
    refusedWith(
      'validation_failed',
      await call('POST', admin, { body: { name: 'x', type: 'web', scopes: wanted } }),
    )
  }
})

test('during a rotation both keys work and no call fails; after it only the new one does', async () => {
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
  equal(status, 201)
  for (let at = 0; at < 5; at++)
    for (const it of [apiKey, body.data.api_key]) equal((await read(it)).status, 200)
  rotating = false
  await Promise.all(traffic)
  deepEqual(failed, [])
  notEqual(body.data.api_key, apiKey)
  deepEqual(body.data.key.scopes, key.scopes)
  equal(body.data.key.replaces, key.id)

  await call('POST', '/v1/test/clock', { body: { advance: 'PT59M' } })
  equal((await read(apiKey)).status, 200)
  await call('POST', '/v1/test/clock', { body: { advance: 'PT2M' } })
  const details = refusedWith('unauthorized', await read(apiKey))
  deepEqual(details, { reason: 'token_expired', expires_at: body.data.replaced.expires_at })
  equal((await read(body.data.api_key)).status, 200)
  equal(
    refusedWith('invalid_transition', await call('POST', `${keyPath}/rotate`, { body: {} })).state,
    'expired',
  )
})

test('a key ends at its hour, to the second, and says when that was', async () => {
  const { base } = await register()
  const now = Date.parse((await call('GET', '/v1/test/clock')).body.data.clock.now)
  const expires_at = new Date(now + 600_000).toISOString()
  const made = await call('POST', `${base}/keys`, { body: { name: 'short', expires_at } })
  const key = made.body.data.api_key as string
  await call('POST', '/v1/test/clock', { body: { advance: 'PT9M' } })
  equal((await read(key)).status, 200)
  await call('POST', '/v1/test/clock', { body: { advance: 'PT61S' } })
  deepEqual(refusedWith('unauthorized', await read(key)), { reason: 'token_expired', expires_at })
  const past = await call('POST', `${base}/keys`, { body: { name: 'late', expires_at } })
  equal(refusedWith('validation_failed', past).fields[0].path, 'expires_at')
  for (const strange of [
    'tomorrow',
    '2026-02-31T00:00:00Z',
    '2030-01-01',
    '2030-01-01T00:00:00+05:00',
    1_900_000_000,
  ])
    refusedWith(
      'validation_failed',
      await call('POST', `${base}/keys`, { body: { name: 'x', expires_at: strange } }),
    )
})

test('a revoked key and the keys of an ended application are told that they were revoked', async () => {
  const { apiKey, keyPath } = await register()
  equal((await read(apiKey)).status, 200)
  const first = await call('POST', `${keyPath}/revoke`)
  deepEqual(refusedWith('unauthorized', await read(apiKey)), { reason: 'revoked' })
  const again = await call('POST', `${keyPath}/revoke`)
  // Its last use may be noted at any moment.
  const withoutUse = (it: typeof first) => ({ ...it.body.data.key, last_used_at: null })
  deepEqual(withoutUse(again), withoutUse(first))
  equal(
    refusedWith('invalid_transition', await call('POST', `${keyPath}/rotate`, { body: {} })).state,
    'revoked',
  )

  const other = await register()
  equal((await read(other.apiKey)).status, 200)
  equal((await call('DELETE', other.base)).status, 200)
  deepEqual(refusedWith('unauthorized', await read(other.apiKey)), { reason: 'revoked' })
  refusedWith('not_found', await call('GET', other.base))
  refusedWith('not_found', await call('POST', `${other.base}/keys`, { body: { name: 'x' } }))
})

test('secrets are shown once: no later reply and no table holds them', async () => {
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

test('the last use of a key is noted', async () => {
  const { apiKey, base } = await register()
  equal((await call('GET', base)).body.data.keys[0].last_used_at, null)
  await read(apiKey)
  for (;;) {
    const { last_used_at } = (await call('GET', base)).body.data.keys[0]
    if (last_used_at) return match(last_used_at, /Z$/)
    await new Promise((done) => setTimeout(done, 100))
  }
})

test('an address that tries one wrong key after another is held off, and a right one still works', async () => {
  const fresh = await openPlatform()
  const tries = Array.from({ length: 150 }, () => fresh.call('GET', path, { key: newKey('live').key }))
  const replies = await Promise.all(tries)
  equal(replies.filter((it) => it.status === 401).length, 100)
  const held = replies.filter((it) => it.status === 429)
  equal(held.length, 50)
  equal(refusedWith('rate_limit_exceeded', held[0]!).limit, 100)
  ok(Number(held[0]!.headers.get('retry-after')) >= 1)
  equal((await fresh.call('GET', path)).status, 200)
})
