// N8, N9, N22: headers of requests, and headers that every reply has.

import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { messageOf } from '../../src/http/messages.ts'
import { leaks, assertRefused } from '../support/refused.ts'
import { openPlatform } from '../support/shop.ts'
import { exchange, requestText } from '../support/wire.ts'

const { app, call, keys, url } = await openPlatform()
const path = '/v1/catalog/brands'
const authorization = `Bearer ${keys.test}`
const ask = (headers: Record<string, string | string[]>, target = path) =>
  exchange(
    url,
    Buffer.from(requestText(`GET ${target}`, { Authorization: authorization, ...headers }), 'latin1'),
  )
const sql = "' or 1=1; drop table catalog_brands; --"

test('a refusal uses the preferred supported language and names it', async () => {
  // oxfmt-ignore
  const preferences: Record<string, 'ru' | 'uz' | 'en'> = {
    'ru': 'ru', 'uz': 'uz', 'en': 'en', 'EN': 'en', 'en-US': 'en', 'uz-Latn-UZ': 'uz', 'ru-RU,ru;q=0.9,en;q=0.8': 'ru',
    'de, en;q=0.1': 'en', 'en;q=0.1, uz;q=0.2': 'uz', 'en;q=0, uz;q=0.001': 'uz', 'fr;q=1, ru;q=0.5, en;q=0.7': 'en',
    'en;q=0.5, *': 'ru', 'ru;q=0, en;q=0, *;q=0.1': 'uz', 'en;q=0, *': 'ru', 'ru;q=0, *;q=0': 'ru', 'en;q=0.5, uz;q=0.5': 'en',
    'de': 'ru', '*': 'ru', ['x'.repeat(7_000)]: 'ru', [sql]: 'ru', 'en;q=2': 'ru', 'en;q=1.5': 'ru', 'en;q=1.000': 'en', 'en;q=': 'ru', ';;;,,,': 'ru', 'eng': 'ru', '': 'ru',
  }
  for (const [preference, language] of Object.entries(preferences)) {
    const reply = await ask({ 'Accept-Language': preference }, '/v1/catalog/brands/999')
    assertRefused('not_found', reply)
    equal(reply.headers.get('content-language'), language, preference)
    equal(reply.body.error.message, messageOf('not_found', { resource: 'brand', id: '999' }, language))
  }
  equal((await ask({}, '/v1/catalog/brands/999')).headers.get('content-language'), 'ru')
  equal((await ask({}, '/global/v1/catalog/brands/999')).headers.get('content-language'), 'en')
  equal((await ask({ 'X-Service-Region': 'global' })).headers.get('content-language'), 'en')
  const { fields } = assertRefused(
    'validation_failed',
    await ask({ 'Accept-Language': 'uz' }, `${path}?page=0`),
  )
  equal(fields[0].message, 'kamida 1 bo‘lishi kerak')
})

test('an invalid header is refused by name before the handler runs', async () => {
  const wrong: [string, string[]][] = [
    ['X-API-Version', ['v2', 'V1', '1', '', 'v1,v1', sql]],
    ['X-Service-Region', ['mars', 'HOME', '', 'home,global', sql]],
    ['X-Currency', ['usd', 'EUR', 'XXX', 'UZSS', '', sql, 'U'.repeat(8_000)]],
    [
      'X-Timezone',
      ['Mars/Phobos', 'Asia/Nowhere', '+05:00', 'UTC+5', '', '../../etc/passwd', sql, 'A'.repeat(8_000)],
    ],
    ['If-Match', ['1', 'x', '"1', '"1" "2"', '*, "1"', ',', '', sql]],
  ]
  for (const [name, values] of wrong)
    for (const value of values) {
      const { header, allowed, examples } = assertRefused('invalid_header', await ask({ [name]: value }))
      equal(header, name, `${name}: ${value}`)
      const [given] = allowed ?? examples
      equal((await ask({ [name]: given })).status, 200, `${name}: ${given}`)
    }
  for (const name of ['X-Client-Name', 'X-Client-Version'])
    equal(assertRefused('invalid_header', await ask({ [name]: 'x'.repeat(201) })).header, name)
  // oxfmt-ignore
  const right: [string, string][] = [
    ['X-API-Version', 'v1'], ['X-Service-Region', 'home'], ['X-Service-Region', 'global'], ['X-Currency', 'UZS'],
    ['X-Timezone', 'Asia/Tashkent'], ['X-Timezone', 'Pacific/Apia'], ['X-Timezone', 'UTC'], ['X-Client-Name', sql],
    ['X-Client-Version', '1.0 \xff'], ['User-Agent', sql], ['Referer', sql], ['Cookie', sql], ['Origin', 'null'],
  ]
  for (const [name, value] of right) equal((await ask({ [name]: value })).status, 200, `${name}: ${value}`)
  for (const twice of ['X-Currency', 'X-Timezone', 'X-API-Version'])
    assertRefused('invalid_header', await ask({ [twice]: ['UZS', 'UZS'] }))
})

test('a version in If-Match is compared or refused, and never ignored', async () => {
  const unversioned = app.routes.filter(
    (it) =>
      it.declared.needs === undefined &&
      (it.kind === 'upload' || (it.kind === 'write' && !it.declared.versioned)),
  )
  ok(unversioned.length > 50)
  for (const { method, path: target } of unversioned) {
    const headers = { 'if-match': '"1"', 'content-type': 'application/json' }
    const reply = await call(method, target.replaceAll(/\{\w+\}/g, '1'), { raw: '{}', headers })
    // A type that the path does not accept is refused before.
    if (reply.status === 415) continue
    deepEqual(
      assertRefused('invalid_header', reply),
      { header: 'If-Match', allowed: ['*'] },
      `${method} ${target}`,
    )
  }
  const body = { slug: 'if-match', name: 'If-Match' }
  const created = (ifMatch: string) => call('POST', path, { body, headers: { 'if-match': ifMatch } })
  assertRefused('invalid_header', await created('"1"'))
  equal((await created('*')).status, 201)
})

test('a header cannot inject a line break', async () => {
  const names = ['X-Request-ID', 'Accept-Language', 'X-Currency', 'Idempotency-Key', 'X-Client-Name']
  for (const name of names) {
    for (const value of ['a\rSet-Cookie: x=1', 'a\nSet-Cookie: x=1', 'a\0b']) {
      const reply = await ask({ [name]: value })
      equal(reply.headers.has('set-cookie'), false)
      ok([200, 400].includes(reply.status))
    }
    const encoded = await ask({ [name]: 'a%0d%0aSet-Cookie: x=1' })
    equal(encoded.headers.has('set-cookie'), false)
  }
})

test('a well-formed request id is echoed in header and body, any other is replaced', async () => {
  for (const id of [
    'a',
    'A.b_c-9',
    'x'.repeat(128),
    '8e03978e-40d5-43dd-bc93-6894a57f9324',
    '..',
    '__proto__',
  ]) {
    for (const target of [path, '/none']) {
      const reply = await ask({ 'X-Request-ID': id }, target)
      equal(reply.headers.get('x-request-id'), id)
      equal(reply.body.meta.request_id, id)
    }
  }
  const made = new Set<string>()
  for (const id of [
    '',
    'x'.repeat(129),
    'x'.repeat(10_000),
    'a b',
    'a"b',
    '<script>',
    '\xe9',
    'a,b',
    sql,
    'a/b',
  ]) {
    const reply = await ask({ 'X-Request-ID': id })
    match(reply.body.meta.request_id, /^[0-9a-f-]{36}$/)
    equal(reply.headers.get('x-request-id'), reply.body.meta.request_id)
    made.add(reply.body.meta.request_id)
  }
  equal(made.size, 10)
  notEqual((await ask({ 'X-Request-ID': ['one', 'two'] })).body.meta.request_id, 'one')
})

test('a reply is JSON, or 406 when the caller does not accept JSON', async () => {
  const good = ['*/*', 'application/json', 'APPLICATION/JSON', 'application/*', 'text/html, */*;q=0.1']
  for (const accept of [...good, 'application/json;q=0.5', 'application/json; charset=utf-8', ''])
    equal((await ask({ Accept: accept })).status, 200, accept)
  equal((await ask({})).status, 200)
  for (const accept of [
    'text/html',
    'application/xml',
    'application/json;q=0',
    '*/*;q=0',
    'image/*',
    'x',
    'json',
  ])
    deepEqual(assertRefused('not_acceptable', await ask({ Accept: accept })), {
      available: ['application/json'],
    })
})

test('browsers of any origin may call and read the exposed headers, also of refusals', async () => {
  for (const target of [path, '/none', `${path}?page=0`, '/healthz']) {
    const { headers } = await ask({ Origin: 'https://evil.example' }, target)
    equal(headers.get('access-control-allow-origin'), '*')
    equal(headers.has('access-control-allow-credentials'), false)
    for (const name of ['X-Request-ID', 'RateLimit', 'Retry-After', 'ETag', 'Idempotent-Replayed'])
      ok(headers.get('access-control-expose-headers')?.includes(name))
    equal(headers.get('x-content-type-options'), 'nosniff')
  }
})

test('no reply reveals the server software', async () => {
  const odd = ['/healthz', '/readyz', '/none', '/%zz', `${path}?page=0`, `${path}?cursor=x`]
  const targets = app.routes.map((it) => it.path.replaceAll(/\{\w+\}/g, '1')).concat(odd)
  for (const target of new Set(targets))
    for (const method of ['GET', 'POST', 'DELETE']) {
      const { headers, text, status } = await call(method, target)
      for (const name of ['server', 'x-powered-by', 'via', 'x-aspnet-version']) equal(headers.get(name), null)
      // The health of the platform names versions, for staff.
      if (target !== '/v1/admin/health')
        equal(leaks.test(text), false, `${method} ${target} ${text.slice(0, 200)}`)
      ok(status < 500, `${method} ${target}`)
    }
})

test('links in a reply use the address that its caller used', async () => {
  const made = await call('POST', '/v1/catalog/categories', { body: { slug: 'linked', name: { ru: 'x' } } })
  const target = `/v1/catalog/categories/${made.body.data.category.id}`
  for (const host of ['shop.example', 'other.example:8443', 'shop.example']) {
    const { body } = await ask(
      { Host: host, 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'gopher' },
      target,
    )
    equal(body.data.category.image_url, `http://${host}/pictures/categories/linked.svg`)
  }
})

test('a malformed or repeated Host header is refused and never appears in a link', async () => {
  const strange = [
    'shop.example/x?',
    'a b',
    '"><b>',
    'a@b',
    'ü.example',
    'a:port',
    'a:1:2',
    '[::1',
    '',
    'a,b',
  ]
  for (const host of strange)
    deepEqual(assertRefused('invalid_header', await ask({ Host: host })), {
      header: 'Host',
      examples: ['shop.example', 'localhost:8080'],
    })
  const twice = await ask({ Host: ['shop.example', 'evil.example'] })
  deepEqual(assertRefused('invalid_header', twice), {
    header: 'Host',
    examples: ['shop.example', 'localhost:8080'],
    reason: 'sent twice',
  })
  for (const host of ['shop.example', 'localhost:8080', '127.0.0.1', '[::1]:8080', 'a_b.internal'])
    equal((await ask({ Host: host })).status, 200, host)
})
