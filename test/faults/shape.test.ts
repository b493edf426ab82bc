// I10: every refusal in the standard format with the documented code. Also checks docs/faults.md.

import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type RefusalCode, refusals } from '../../src/http/refusals.ts'
import { assertRefused } from '../support/refused.ts'
import { type CallOptions, openPlatform } from '../support/shop.ts'

const { app, call, keys, makeKey } = await openPlatform()
const path = '/v1/catalog/brands'

/** The documented status and type of every code. */
// oxfmt-ignore
const promised: [number, string, string[]][] = [
  [400, 'invalid_request_error', ['invalid_json', 'invalid_header', 'invalid_idempotency_key', 'buyer_required']],
  [401, 'authentication_error', ['unauthorized']],
  [403, 'authorization_error', ['insufficient_permissions', 'buyer_mismatch', 'origin_mismatch', 'https_required']],
  [404, 'not_found_error', ['not_found']],
  [405, 'invalid_request_error', ['method_not_allowed']],
  [406, 'invalid_request_error', ['not_acceptable']],
  [408, 'invalid_request_error', ['request_timeout']],
  [409, 'conflict_error', ['idempotency_in_progress', 'conflict', 'invalid_transition', 'price_changed']],
  [412, 'conflict_error', ['version_mismatch']],
  [413, 'invalid_request_error', ['payload_too_large']],
  [414, 'invalid_request_error', ['uri_too_long']],
  [415, 'invalid_request_error', ['unsupported_media_type']],
  [422, 'validation_error', ['validation_failed']],
  [422, 'idempotency_error', ['idempotency_key_reused']],
  [422, 'business_rule_violation', [
    'stock_exceeded', 'purchase_limit_exceeded', 'product_limit_exceeded', 'credit_limit_exceeded', 'guest_limit_exceeded',
    'authorization_required', 'loan_condition_required', 'loan_condition_unavailable', 'partner_credit_inactive',
    'payment_method_not_allowed', 'offer_unavailable', 'moderation_pending', 'amount_too_large', 'cart_empty', 'nothing_orderable', 'cart_full',
    'wishlist_full', 'shared_cart_closed',
  ]],
  [429, 'rate_limit_error', ['rate_limit_exceeded']],
  [431, 'invalid_request_error', ['headers_too_large']],
  [503, 'service_error', ['service_unavailable', 'storage_unavailable']],
]

const made = await call('POST', path, { body: { slug: 'artel', name: 'Artel' } })
const brand = `${path}/${made.body.data.brand.id}`
const registered = await call('POST', '/v1/admin/applications', {
  body: { name: 'x', type: 'server', scopes: ['catalog:read'] },
})
const { application, key } = registered.body.data
const keyPath = `/v1/admin/applications/${application.client_id}/keys/${key.id}`
await call('POST', `${keyPath}/revoke`)
await call('POST', path, { body: { slug: 'keyed', name: 'x' }, headers: { 'idempotency-key': 'used' } })
const poor = await makeKey({ scopes: ['orders:read'] })
const limited = await makeKey({ rateLimit: '1/60s' })
await call('GET', path, { key: limited })

/** One call for every refusal of the transport and the first modules. */
const provoked: [RefusalCode, string, string, CallOptions][] = [
  ['invalid_json', 'POST', path, { raw: '{' }],
  ['invalid_header', 'GET', path, { headers: { 'x-currency': 'none' } }],
  ['invalid_idempotency_key', 'POST', path, { body: {}, headers: { 'idempotency-key': 'a b' } }],
  ['unauthorized', 'GET', path, { key: null }],
  ['insufficient_permissions', 'GET', path, { key: poor }],
  ['not_found', 'GET', `${path}/999999`, {}],
  ['not_found', 'GET', '/nowhere', {}],
  ['method_not_allowed', 'POST', brand, {}],
  ['not_acceptable', 'GET', path, { headers: { accept: 'text/html' } }],
  ['conflict', 'POST', path, { body: { slug: 'artel', name: 'x' } }],
  ['invalid_transition', 'POST', `${keyPath}/rotate`, { body: {} }],
  ['version_mismatch', 'PATCH', brand, { body: { name: 'x' }, headers: { 'if-match': '"99"' } }],
  ['payload_too_large', 'POST', path, { raw: ' '.repeat(256 * 1024 + 1) }],
  ['uri_too_long', 'GET', path.padEnd(8_001, 'x'), {}],
  ['unsupported_media_type', 'POST', path, { raw: '{}', headers: { 'content-type': 'text/plain' } }],
  ['validation_failed', 'POST', path, { body: {} }],
  [
    'idempotency_key_reused',
    'POST',
    path,
    { body: { slug: 'x', name: 'x' }, headers: { 'idempotency-key': 'used' } },
  ],
  ['rate_limit_exceeded', 'GET', path, { key: limited }],
]

test('every documented code has its status, type and message in three languages', () => {
  for (const [status, type, codes] of promised)
    for (const code of codes) {
      const row = refusals[code as RefusalCode]
      deepEqual([row?.status, row?.type], [status, type], code)
      equal(new Set([row.ru, row.uz, row.en]).size, 3, code)
      match(row.ru, /[а-я]/i)
      match(row.en, /^[\x20-\x7e]+$/)
    }
})

test('every refusal has the standard format, in three languages and under both roots', async () => {
  for (const [code, method, target, options] of provoked)
    for (const language of ['ru', 'uz', 'en'] as const)
      for (const root of ['', '/global']) {
        if (root && code === 'idempotency_key_reused') continue
        const headers = { ...options.headers, 'accept-language': language }
        const reply = await call(method, root + target, { key: keys.test, ...options, headers })
        assertRefused(code, reply)
        equal(reply.headers.get('content-language'), language)
      }
})

test('a validation refusal lists all fields with rule and message', async () => {
  const reply = await call('POST', path, {
    body: { id: 0, slug: 'NOT A SLUG', extra: 1 },
    headers: { 'accept-language': 'en' },
  })
  const { fields } = assertRefused('validation_failed', reply)
  deepEqual(fields.map((it: { path: string; rule: string }) => [it.path, it.rule]).toSorted(), [
    ['extra', 'unknown_field'],
    ['id', 'minimum'],
    ['name', 'required'],
    ['slug', 'format'],
  ])
  for (const it of fields) match(it.message, /^(is|must|has) /)
})

test('every success has the envelope of SPEC-1 2.1', async () => {
  const reads = app.routes.filter(
    ({ kind, path: target, declared }) =>
      kind === 'read' && !target.includes('{') && declared.needs === undefined && !declared.platform,
  )
  for (const { path: target } of reads) {
    const { status, body, headers } = await call('GET', target)
    if (status === 422 || status === 400 || !target.startsWith('/v1/')) continue
    deepEqual(Object.keys(body), ['success', 'data', 'meta'], target)
    equal(body.success, true)
    deepEqual(Object.keys(body.meta), ['request_id', 'timestamp', 'api_version'])
    equal(headers.get('content-type'), 'application/json; charset=utf-8')
    match(body.meta.timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  }
})

test('an overloaded server replies 503 with Retry-After, and serves the call later', async () => {
  const { loadShedder } = app.server
  for (let at = 0; at < 1_001; at++) loadShedder.enter()
  try {
    const reply = await call('GET', path)
    deepEqual(assertRefused('service_unavailable', reply), { retry_after: 1 })
    equal(reply.headers.get('retry-after'), '1')
    equal((await call('PATCH', brand, { body: { name: 'Artel' } })).status, 200)
    for (const probe of ['/healthz', '/readyz']) equal((await call('GET', probe)).status, 200)
  } finally {
    for (let at = 0; at < 1_001; at++) loadShedder.leave()
  }
  equal((await call('GET', path)).status, 200)
})

test('every row of docs/faults.md names tests that exist', () => {
  const files = globSync(['test/**/*.test.ts', 'src/**/*.test.ts', 'bin/**/*.test.ts'])
  const sources = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))
  const rows = readFileSync('docs/faults.md', 'utf8')
    .split('\n')
    .filter((it) => /^\| [A-Z]+\d+\b[^|]*\|/.test(it))
  ok(rows.length >= 300)
  const faults = rows.map((it) => it.split(' | ')[1])
  deepEqual(
    faults.filter((it, at) => faults.indexOf(it) < at),
    [],
    'a fault has one row',
  )
  for (const row of rows) {
    const [, id = '', , , proof = ''] = row.split(/ ?\| ?/)
    const named = [...proof.matchAll(/`([^`]+)`: (.+?)(?=<br>|$)/g)]
    ok(named.length > 0, `${id} names no test`)
    for (const [, file = '', name = ''] of named) {
      const source = sources.get(file)?.replace(/(\[|test\()\s+'/g, "$1'")
      ok(source, `${id}: there is no ${file}`)
      // A test, or a row of a table of tests.
      const title = name.trim()
      const isThere =
        [`test('${title}'`, `test("${title}"`, `['${title}'`].some((it) => source.includes(it)) ||
        templatesIn(source).some((it) => it.test(title))
      ok(isThere, `${id}: ${file} has no test "${name.trim()}"`)
    }
  }
})

/** Names of tests in template literals, with any text in place of a value. */
const templatesIn = (source: string): RegExp[] =>
  [...source.matchAll(/test\(`([^`]+)`/g)].map(
    ([, title = '']) =>
      new RegExp(
        `^${title
          .split(/\$\{[^}]*\}/)
          .map((it) => it.replace(/[.*+?^$()[\]\\|{}]/g, '\\$&'))
          .join('.+')}$`,
      ),
  )
