// X1-X9, I4: one effect per credential and key, and the same bytes for every call.

import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused } from '../support/refused.ts'
import { callAt, openPlatform } from '../support/shop.ts'
import { exchange, requestText } from '../support/wire.ts'

const { app, call, connection, keys, makeKey, url } = await openPlatform()
const path = '/v1/catalog/brands'
const db = app.shops.test.db

let made = 0
const fresh = (prefix = 'brand') => `${prefix}-${++made}`
const send = (key: string, body: unknown, options: { method?: string; path?: string; as?: string } = {}) =>
  call(options.method ?? 'POST', options.path ?? path, {
    body,
    headers: { 'idempotency-key': key },
    ...(options.as && { key: options.as }),
  })
const count = async (slug: string) =>
  (await call('GET', `${path}?slug=${slug}`)).body.data.pagination.total as number
const events = async () =>
  (await db.read().one<{ count: number }>(`select count(*) as count from outbox_events`)).count
const records = async () =>
  (await db.read().one<{ count: number }>(`select count(*) as count from idempotency_records`)).count
const advance = async (duration: string) =>
  equal((await call('POST', '/v1/test/clock', { body: { advance: duration } })).status, 200)

test('twenty concurrent calls with one key create one brand, one event and one reply', async () => {
  const slug = fresh()
  const before = await events()
  const replies = await Promise.all(Array.from({ length: 20 }, () => send('twenty', { slug, name: 'x' })))
  deepEqual([...new Set(replies.map((it) => it.status))], [201])
  equal(new Set(replies.map((it) => it.text)).size, 1)
  equal(new Set(replies.map((it) => it.headers.get('etag'))).size, 1)
  equal(replies.filter((it) => it.headers.get('idempotent-replayed') === 'true').length, 19)
  equal(await count(slug), 1)
  equal(await events(), before + 1)
})

test('concurrent calls with one key on two servers create one brand', async () => {
  const second = await openPlatform({ connection })
  const slug = fresh()
  const raw = JSON.stringify({ slug, name: 'x' })
  const calls = Array.from({ length: 20 }, (_, at) =>
    callAt(at % 2 ? url : second.url, 'POST', path, {
      key: keys.test,
      raw,
      headers: { 'idempotency-key': 'two' },
    }),
  )
  const replies = await Promise.all(calls)
  deepEqual([...new Set(replies.map((it) => it.status))], [201])
  equal(new Set(replies.map((it) => it.text)).size, 1)
  equal(replies.filter((it) => it.headers.get('idempotent-replayed') === 'true').length, 19)
  equal(await count(slug), 1)
})

test('a replay names the language of its bytes, not the one its caller prefers now', async () => {
  const guest = { SessionId: fresh('guest-of-a-language') }
  const merge = (language: string) =>
    call('POST', '/api/wishlist/merge-wishlists', {
      body: { ...guest, ClientId: 4_321 },
      headers: { 'idempotency-key': 'language', 'accept-language': language },
    })
  const [first, replay] = [await merge('uz'), await merge('en')]
  equal(first.status, 200, first.text)
  equal(replay.text, first.text)
  deepEqual(
    [first, replay].map((it) => it.headers.get('content-language')),
    ['uz', 'uz'],
  )
})

test('every kind of write has one effect', async () => {
  const { body } = await send('kinds-post', { slug: fresh(), name: 'x' })
  const target = `${path}/${body.data.brand.id}`
  for (const [method, sent] of [
    ['PATCH', { name: 'y' }],
    ['PUT', { slug: fresh(), name: 'z' }],
    ['DELETE', undefined],
  ] as const) {
    const [first, second] = [
      await send(`kinds-${method}`, sent, { method, path: target }),
      await send(`kinds-${method}`, sent, { method, path: target }),
    ]
    equal(first.status, 200)
    equal(first.headers.get('idempotent-replayed'), null)
    equal(second.headers.get('idempotent-replayed'), 'true')
    equal(second.text, first.text)
    equal(second.headers.get('etag'), first.headers.get('etag'))
  }
  assertRefused('not_found', await call('DELETE', target))
  const [moved, again] = [
    await send('kinds-clock', { advance: 'PT1M' }, { path: '/v1/test/clock' }),
    await send('kinds-clock', { advance: 'PT1M' }, { path: '/v1/test/clock' }),
  ]
  equal(again.text, moved.text)
})

test('the same key with another body, path, method or formatting is refused without effect', async () => {
  const slug = fresh()
  const body = { slug, name: 'x' }
  const first = await send('reused', body)
  const target = `${path}/${first.body.data.brand.id}`
  const raw = (text: string) => call('POST', path, { raw: text, headers: { 'idempotency-key': 'reused' } })
  const others = [
    send('reused', { slug: fresh(), name: 'y' }),
    send('reused', { name: 'x', slug }),
    raw(JSON.stringify(body, null, 1)),
    raw(`${JSON.stringify(body)} `),
    send('reused', body, { path: '/global/v1/catalog/brands' }),
    send('reused', body, { path: `${path}/` }),
    send('reused', { slug: fresh(), name: { ru: 'x' } }, { path: '/v1/catalog/categories' }),
    send('reused', body, { method: 'PUT', path: target }),
    send('reused', undefined, { method: 'DELETE', path: target }),
  ]
  for (const reply of await Promise.all(others))
    deepEqual(assertRefused('idempotency_key_reused', reply), { key: 'reused' })
  equal((await send('reused', body)).text, first.text)
  equal((await call('GET', target)).body.data.brand.name, 'x')
})

test('a key is 1 to 255 visible ASCII characters, with or without quotes', async () => {
  const ask = (value: string | string[]) => {
    const body = JSON.stringify({ slug: fresh(), name: 'x' })
    const headers = {
      Authorization: `Bearer ${keys.test}`,
      'Content-Type': 'application/json',
      'Content-Length': String(body.length),
      'Idempotency-Key': value,
    }
    return exchange(url, Buffer.from(requestText(`POST ${path}`, headers, body), 'latin1'))
  }
  for (const bad of ['', '""', ' ', 'a b', 'x'.repeat(256), 'é', 'a\tb', ['one', 'two'], '"a b"'])
    assertRefused('invalid_idempotency_key', await ask(bad))
  for (const good of [
    'x',
    '!',
    '~',
    'x'.repeat(255),
    `"${'y'.repeat(255)}"`,
    '8e03978e-40d5-43dd-bc93-6894a57f9324',
    "';--",
  ])
    equal((await ask(good)).status, 201, good)
  const injected = await ask('a\r\nX-Injected: 1')
  equal(injected.headers.has('x-injected'), false)
  const slug = fresh()
  const quoted = await send('"same"', { slug, name: 'x' })
  equal((await send('same', { slug, name: 'x' })).text, quoted.text)
})

test('a refusal is not stored: the corrected call with the same key succeeds', async () => {
  const slug = fresh()
  const before = await records()
  const raw = (text: string, headers = {}) =>
    call('POST', path, { raw: text, headers: { 'idempotency-key': 'corrected', ...headers } })
  assertRefused('invalid_json', await raw('{'))
  assertRefused('unsupported_media_type', await raw('{}', { 'content-type': 'text/plain' }))
  assertRefused('validation_failed', await send('corrected', { slug }))
  assertRefused('invalid_header', await raw('{}', { 'x-currency': '??' }))
  const taken = (await send('taken', { slug: fresh(), name: 'x' })).body.data.brand.slug
  assertRefused('conflict', await send('corrected', { slug: taken, name: 'x' }))
  assertRefused(
    'not_found',
    await send('corrected', { name: 'y' }, { method: 'PATCH', path: `${path}/999999` }),
  )
  equal(await records(), before + 1)
  const done = await send('corrected', { slug, name: 'x' })
  equal(done.status, 201)
  equal(done.headers.get('idempotent-replayed'), null)
})

test('a call refused by the rate limit or its credential succeeds when it is repeated', async () => {
  const key = await makeKey({ rateLimit: '1/1s' })
  const slug = fresh()
  equal((await call('GET', path, { key })).status, 200)
  const held = await send('held', { slug, name: 'x' }, { as: key })
  assertRefused('rate_limit_exceeded', held)
  await new Promise((done) => setTimeout(done, Number(held.headers.get('retry-after')) * 1000))
  equal((await send('held', { slug, name: 'x' }, { as: key })).status, 201)
  const reader = await makeKey({ scopes: ['catalog:read'] })
  assertRefused('insufficient_permissions', await send('held', { slug: fresh(), name: 'x' }, { as: reader }))
})

test('concurrent refused calls with one key all get the refusal, and the key stays unused', async () => {
  const taken = fresh()
  await send('busy-first', { slug: taken, name: 'x' })
  const replies = await Promise.all(
    Array.from({ length: 10 }, () => send('busy', { slug: taken, name: 'y' })),
  )
  for (const reply of replies) assertRefused('conflict', reply)
  equal((await send('busy', { slug: fresh(), name: 'y' })).status, 201)
})

test('two credentials can use the same key independently', async () => {
  const [one, two] = [await makeKey(), await makeKey()]
  const first = await send('principal', { slug: fresh(), name: 'one' }, { as: one })
  const second = await send('principal', { slug: fresh(), name: 'two' }, { as: two })
  equal(first.body.data.brand.name, 'one')
  equal(second.body.data.brand.name, 'two')
  equal(second.headers.get('idempotent-replayed'), null)
})

test('a read ignores the key, even an invalid one', async () => {
  const before = await records()
  for (const key of ['read', 'x'.repeat(300)])
    for (let turn = 0; turn < 2; turn++) {
      const reply = await call('GET', path, { headers: { 'idempotency-key': key } })
      equal(reply.status, 200)
      equal(reply.headers.get('idempotent-replayed'), null)
    }
  equal(await records(), before)
})

test('a stored reply has null in place of a secret, and no table contains the secret', async () => {
  const body = { name: 'secret', type: 'server', scopes: ['catalog:read'] }
  const first = await send('secret', body, { path: '/v1/admin/applications' })
  const again = await send('secret', body, { path: '/v1/admin/applications' })
  const { api_key, client_secret, ...rest } = first.body.data
  match(api_key, /^ak_test_/)
  deepEqual(again.body.data, { ...rest, api_key: null, client_secret: null })
  equal(again.status, 201)
  equal(again.headers.get('idempotent-replayed'), 'true')
  const keyPath = `/v1/admin/applications/${rest.application.client_id}/keys`
  const key = await send('secret-key', { name: 'x' }, { path: keyPath })
  equal((await send('secret-key', { name: 'x' }, { path: keyPath })).body.data.api_key, null)
  const rotated = await send('secret-rotate', {}, { path: `${keyPath}/${rest.key.id}/rotate` })
  equal(
    (await send('secret-rotate', {}, { path: `${keyPath}/${rest.key.id}/rotate` })).body.data.api_key,
    null,
  )
  const kept = await db
    .read()
    .all<{ row: string }>(`select to_jsonb(r)::text as row from idempotency_records r`)
  for (const secret of [api_key, client_secret, key.body.data.api_key, rotated.body.data.api_key]) {
    ok(secret.length > 40)
    ok(kept.every(({ row }) => !row.includes(secret)))
  }
})

test('a key expires after a day and not earlier', async () => {
  const slug = fresh()
  const first = await send('day', { slug, name: 'x' })
  await advance('PT23H59M')
  equal((await send('day', { slug, name: 'x' })).text, first.text)
  await advance('PT2M')
  // The key counts as new: the slug is taken by the brand of the day before.
  assertRefused('conflict', await send('day', { slug, name: 'x' }))
  equal((await send('day', { slug: fresh(), name: 'x' })).status, 201)
})

test('the purge of stored replies deletes thousands in batches and keeps those of today', async () => {
  await db.transaction((tx) =>
    tx.all(
      `insert into idempotency_records (principal, key, fingerprint, created_at, status, headers, body)
       select 'old', n::text, '\\x00', $1::timestamptz - interval '25 hours', 200, '{}', '{}' from generate_series(1, 2500) n`,
      [tx.now],
    ),
  )
  const young = await send('young', { slug: fresh(), name: 'x' })
  equal((await call('POST', '/v1/admin/jobs/purge-replies/run')).status, 200)
  const { jobs } = (await call('GET', '/v1/admin/jobs')).body.data
  const { last_run } = jobs.find((it: { name: string }) => it.name === 'purge-replies')
  equal(last_run.outcome, 'done')
  ok(Number(/deleted (\d+)/.exec(last_run.note)?.[1]) >= 2_500)
  equal(
    (
      await db
        .read()
        .one<{ n: number }>(`select count(*) as n from idempotency_records where principal = 'old'`)
    ).n,
    0,
  )
  ok(young.status === 201 && (await records()) > 0)
})

test('a dry run replies as usual and writes no row, no event and no audit entry', async () => {
  const slug = fresh()
  const before = [await events(), await records()]
  const dry = (method: string, target: string, body?: unknown) =>
    call(method, target, { body, headers: { prefer: 'dry-run', 'idempotency-key': 'dry' } })
  const reply = await dry('POST', path, { slug, name: 'x' })
  equal(reply.status, 201)
  equal(reply.headers.get('preference-applied'), 'dry-run')
  equal(reply.body.data.brand.slug, slug)
  equal(await count(slug), 0)
  assertRefused('validation_failed', await dry('POST', path, { slug: 'BAD' }))
  deepEqual([await events(), await records()], before)
  const real = await send('dry', { slug, name: 'x' })
  equal(real.headers.get('idempotent-replayed'), null)
  equal(real.headers.get('preference-applied'), null)
  const target = `${path}/${real.body.data.brand.id}`
  equal((await dry('DELETE', target)).status, 200)
  equal((await call('GET', target)).status, 200)
  assertRefused('conflict', await dry('POST', path, { slug, name: 'x' }))
  const registered = await dry('POST', '/v1/admin/applications', {
    name: 'x',
    type: 'server',
    scopes: ['catalog:read'],
  })
  equal(
    assertRefused('unauthorized', await call('GET', path, { key: registered.body.data.api_key })).reason,
    'unknown',
  )
  const { now } = (await call('GET', '/v1/test/clock')).body.data.clock
  await dry('POST', '/v1/test/clock', { advance: 'P30D' })
  ok(Date.parse((await call('GET', '/v1/test/clock')).body.data.clock.now) - Date.parse(now) < 86_400_000)
})

test('the same key on a shared credential does not give a guest the session of another', async () => {
  const headers = { 'idempotency-key': 'shared-guest' }
  const first = await call('POST', '/v1/auth/guest-session', { headers })
  const second = await call('POST', '/v1/auth/guest-session', { headers })
  equal(typeof first.body.data.session_id, 'string')
  equal(second.headers.get('idempotent-replayed'), 'true')
  equal(second.body.data.session_id, null)
})

test('a repeated registration returns the stored reply and not "taken"', async () => {
  const headers = { 'idempotency-key': 'register-once' }
  const body = { phone: '+998901112233', password: 'four plums in a basket', name: 'Anna' }
  const first = await call('POST', '/v1/auth/register', { headers, body })
  equal(first.status, 201, first.text)
  const second = await call('POST', '/v1/auth/register', { headers, body })
  equal(second.headers.get('idempotent-replayed'), 'true', second.text)
  equal(second.status, 201)
})

test('a number that does not fit its column is a validation error', async () => {
  const reply = await call('GET', '/v1/orders?payment_method_id=2147483648')
  equal(reply.status, 422, reply.text)
})
