// N1-N7, N20: bodies that are not JSON, almost JSON, or unusual JSON.

import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { assertRefused } from '../support/refused.ts'
import { openPlatform } from '../support/shop.ts'

const { call } = await openPlatform()
const path = '/v1/catalog/brands'
const search = '/v1/catalog/products/search'
const send = (raw: string | Uint8Array, headers: Record<string, string> = {}) =>
  call('POST', path, { raw, headers })
const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((it) => (typeof it === 'string' ? Buffer.from(it) : Buffer.from(it))))
const total = async () => (await call('GET', path)).body.data.pagination.total as number

let made = 0
const fresh = () => `made-${++made}`

// The n_ cases of JSONTestSuite: a parser must refuse them.
// oxfmt-ignore
const brokenSyntax = [
  '[1 true]', '["",', '["a" "b"]', '[1,]', '[,1]', '[1,,2]', '[', ']', '[[]', '[]]', '["x"', '["x"]]',
  '{"a":1,}', '{"a":1,,}', '{,}', '{"a" 1}', '{"a":}', '{:1}', '{"a":1 "b":2}', '{a:1}', "{'a':1}",
  '{"a":1', '{"a"', '{"a', '{', '}', '{{}}', '{"a":1}}', '{"a":1}{}', '{"a":1}#', '{"a":1}/**/', '{1:1}',
  '/* c */{}', '// c\n{}', '{"a":/* c */1}', '#{}', '<html>', '&', '*', '\\', '$', '@', ';', ',',
  'tru', 'TRUE', 'True', 'fals', 'nul', 'NULL', 'None', 'undefined', 'NaN', 'Infinity', '-Infinity',
  '+1', '01', '-01', '00', '1.', '.5', '-.5', '1e', '1e+', '1E-', '1.e1', '0x1', '0b1', '1_000', '--1',
  '-', '1 2', '1a', '1e1.5', '-foo', '[-]', '[1.]', '[.1]', '[2.e3]', '[0e]', '[1+2]', '[-NaN]', '1٫5',
  '"', '"a', "'a'", '"a\\', '"\\x41"', '"\\u12"', '"\\u12G4"', '"\\', '"\\a"', '"\\0"', '"\\u{41}"',
  '"a\nb"', '"a\tb"', '"a\u0000b"', '"a\u001fb"', '["a\u0000b"]', '\u0000', '{"a\u0001":1}', '`a`',
  '\u00a0{}', '\u000c{}', '{}\u2028', '{\u00a0"a":1}', '\u200b{}', '[1\u000b]', '…', '“a”',
]

// The y_ and i_ cases: valid JSON that is not a brand. Two refusals are allowed.
// oxfmt-ignore
const strangeButSound = [
  'null', 'true', 'false', '0', '-0', '1', '1e3', '-1.5E-7', '1e309', '-1e309', '1e-400', '""', '"a"',
  '[]', '{}', '[[]]', '[{}]', ' {} ', '\t\r\n{}', '{"a":1}', '{"":0}', '{"a":{"a":{}}}', '[1,2,3]',
  '"\\u0000"', '{"slug":"\\u0000"}', '{"\\u0000":1}', '"\\ud800"', '"\\udc00"', '{"name":"\\ud83d"}',
  '"\\ud800\\ud800"', '"\\udc00\\ud800"', '{"\\ud800":1}', '["\\udfff"]', '"\\uFFFF"', '"\\uFEFF"',
  '123456789012345678901234567890', '0.1e-99999', '1e99999', `[${'1,'.repeat(2_000)}1]`,
  '{"slug":null,"name":null}', '{"slug":[],"name":{}}', '{"slug":1,"name":true}', '{"length":1}',
  `[${'0'.padEnd(1_000, '1').slice(1)}]`,
  `"${'x'.repeat(200_000)}"`,
  `{"${'k'.repeat(200_000)}":1}`,
]

test('a hundred kinds of invalid JSON syntax are 400', async () => {
  ok(brokenSyntax.length >= 100)
  for (const raw of brokenSyntax) {
    const details = assertRefused('invalid_json', await send(raw))
    equal(details.reason, 'syntax', JSON.stringify(raw))
  }
})

test('the reply to invalid JSON says where it is wrong', async () => {
  const at = async (raw: string) => {
    const { line, column } = assertRefused('invalid_json', await send(raw))
    return [line, column]
  }
  deepEqual(await at('{"slug": "a",\n "name" "b"}'), [2, 9])
  deepEqual(await at('{"slug": "a",\n "name": "b"'), [2, 13])
  deepEqual(await at('{"slug": "a'), [1, 12])
  const reply = await send('{"slug": "a"', { 'accept-language': 'uz' })
  equal(reply.body.error.message, 'JSON xato: 1-qator, 13-ustun.')
})

test('valid JSON that is not a brand is refused with the wrong fields', async () => {
  const before = await total()
  for (const raw of strangeButSound) {
    const reply = await send(raw)
    const { fields } = assertRefused('validation_failed', reply)
    ok(fields.length > 0 && fields.length <= 100)
    for (const { limit: _, ...it } of fields) deepEqual(Object.keys(it), ['path', 'rule', 'message'])
    ok(reply.text.length < 40_000, `a reply of ${reply.text.length} characters`)
  }
  equal(await total(), before)
})

test('invalid UTF-8 and a byte order mark are refused before JSON parsing', async () => {
  const inName = (...octets: number[]) => bytes('{"slug":"a","name":"', octets, '"}')
  const broken = [
    inName(0xff),
    inName(0x80),
    inName(0xc0, 0xaf),
    inName(0xe2, 0x82),
    inName(0xf5, 0x80, 0x80, 0x80),
    inName(0xed, 0xa0, 0x80),
    inName(0xf4, 0x90, 0x80, 0x80),
    inName(0xf0, 0x80, 0x80, 0xaf),
    bytes([0xef, 0xbb, 0xbf], '{}'),
    Buffer.from('\uFEFF{}', 'utf16le'),
    Buffer.from('{"slug":"ж"}', 'utf16le').swap16().subarray(0, 5),
    bytes([0xff]),
  ]
  for (const raw of broken) {
    const { reason } = assertRefused('invalid_json', await send(raw))
    ok(['invalid_encoding', 'syntax'].includes(reason), `${raw.toString('hex')} ${reason}`)
  }
  equal(assertRefused('invalid_json', await send(inName(0xff))).reason, 'invalid_encoding')
  equal(assertRefused('invalid_json', await send(bytes([0xef, 0xbb, 0xbf], '{}'))).reason, 'invalid_encoding')
})

test('a character that the database cannot store is refused with its field', async () => {
  for (const escape of ['\\u0000', 'a\\u0000b', '\\ud800', '\\udc00x', '\\ud83d\\ud83d']) {
    const reply = await send(`{"slug":"${fresh()}","name":"${escape}"}`)
    const { fields } = assertRefused('validation_failed', reply)
    deepEqual([fields[0].path, fields[0].rule], ['name', 'characters'], escape)
  }
  equal((await send(`{"slug":"${fresh()}","name":"\\ud83d\\ude00"}`)).body.data.brand.name, '😀')
})

test('an escape in a query that is not UTF-8 is refused with its field', async () => {
  for (const escape of ['%ff', 'tea%E0%A4', '%ed%a0%80', 'tea&page=%c0%b1']) {
    const { fields } = assertRefused('validation_failed', await call('GET', `${search}?q=${escape}`))
    deepEqual(
      [fields[0].path, fields[0].rule],
      [escape.includes('page') ? 'page' : 'q', 'characters'],
      escape,
    )
  }
  assertRefused('validation_failed', await call('GET', `${search}?%ff=1`))
  for (const text of ['%D1%87%D0%B0%D0%B9', '100%', '50%25', 'a+b', '%F0%9F%98%80'])
    equal((await call('GET', `${search}?q=${text}`)).status, 200, text)
})

test('a missing body and an empty one are 400', async () => {
  equal(assertRefused('invalid_json', await call('POST', path)).reason, 'empty')
  equal(assertRefused('invalid_json', await send('')).reason, 'empty')
  equal(assertRefused('invalid_json', await send(' \n')).reason, 'empty')
})

test('the last value of a repeated field is validated and stored', async () => {
  const slug = fresh()
  const reply = await send(`{"slug":"BAD","name":"first","slug":"${slug}","name":"last"}`)
  equal(reply.status, 201)
  equal(reply.body.data.brand.name, 'last')
  equal(reply.body.data.brand.slug, slug)
  assertRefused('validation_failed', await send(`{"slug":"${fresh()}","name":"x","slug":"BAD"}`))
})

test('no field reaches the prototype of objects', async () => {
  const polluted = [
    '{"__proto__":{"slug":"p-1","name":"p"}}',
    '{"slug":"p-2","name":"p","__proto__":{"polluted":1}}',
    '{"slug":"p-3","name":"p","constructor":{"prototype":{"polluted":1}}}',
    '{"slug":"p-4","name":"p","toString":1}',
    '{"slug":"p-5","name":"p","hasOwnProperty":1}',
  ]
  for (const raw of polluted) assertRefused('validation_failed', await send(raw))
  const words = await call('POST', '/v1/catalog/categories', {
    raw: '{"slug":"p-6","name":{"ru":"x","__proto__":{"en":"y"}}}',
  })
  assertRefused('validation_failed', words)
  equal(({} as Record<string, unknown>)['polluted'], undefined)
})

test('nesting deeper than 32 is refused, also a hundred thousand levels', async () => {
  const nested = (depth: number, open: string, close: string) =>
    open.repeat(depth) + '1' + close.repeat(depth)
  assertRefused('validation_failed', await send(nested(32, '[', ']')))
  for (const raw of [nested(33, '[', ']'), nested(100_000, '[', ']'), nested(40_000, '{"a":', '}')]) {
    const details = assertRefused('invalid_json', await send(raw))
    deepEqual(details, { reason: 'too_deep', limit: 32 })
  }
  equal(assertRefused('invalid_json', await send('['.repeat(200_000))).reason, 'syntax')
})

test('a body above 256 KiB is 413, valid or not', async () => {
  const limit = 256 * 1024
  const padded = (length: number) => `{"slug":"${fresh()}","name":"x"}`.padEnd(length, ' ')
  equal((await send(padded(limit))).status, 201)
  assertRefused('payload_too_large', await send(padded(limit + 1)))
  assertRefused('payload_too_large', await send('['.repeat(limit + 1)))
})

test('only uncompressed application/json in UTF-8 is accepted', async () => {
  const raw = `{"slug":"${fresh()}","name":"x"}`
  // oxfmt-ignore
  const types = [
    'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/json',
    'application/jsonp', 'application/json-patch+json', 'application/xml', 'application', 'json', '*/*',
    'application/json; charset=utf-7', 'application/json; charset=utf-16', 'application/json;charset=x',
    'application/json; charset="windows-1251"', 'application/ json', '',
  ]
  for (const type of types) {
    const { expected } = assertRefused('unsupported_media_type', await send(raw, { 'content-type': type }))
    match(expected, /^application\/json/, type)
  }
  for (const encoding of ['gzip', 'br', 'deflate', 'x'])
    assertRefused('unsupported_media_type', await send(raw, { 'content-encoding': encoding }))
  const bomb = gzipSync(Buffer.alloc(50_000_000, 0x20))
  assertRefused('unsupported_media_type', await send(bomb, { 'content-encoding': 'gzip' }))
  for (const type of [
    'application/json',
    'APPLICATION/JSON; Charset="UTF-8"',
    'application/json;charset=utf-8',
  ])
    equal((await send(`{"slug":"${fresh()}","name":"x"}`, { 'content-type': type })).status, 201, type)
})

test('integers are neither rounded nor coerced', async () => {
  // oxfmt-ignore
  const wrong = [
    '1e309', '-1', '0', '-0', '0.1', '1.5', '9007199254740992', '9007199254740993', '"1"', 'true', '[1]',
    'null', '{}', '1e16', '9007199254740990.6', '1.00000000000000000001', '0.99999999999999999999',
    '99999999.99999999999', '12345678901234567890e-19', '1e-400',
  ]
  const conditions = '/v1/catalog/loan-conditions'
  for (const number of wrong) {
    const raw = `{"partner_id":1,"duration":${number}}`
    const { fields } = assertRefused('validation_failed', await call('POST', conditions, { raw }))
    for (const { path: at } of fields) equal(at, 'duration', number)
  }
  for (const [number, id] of Object.entries({ '7001': '7001', '7.002e3': '7002', '7003.0': '7003' })) {
    const reply = await send(`{"id":${number},"slug":"${fresh()}","name":"x"}`)
    equal(reply.body.data?.brand.id, id, number)
  }
})

test('a whole number beyond the exact ones is called too large or too small, not no whole number', async () => {
  const limits = {
    '9007199254740993': 'maximum',
    '1152921504606846999': 'maximum',
    '-9007199254740993': 'minimum',
  }
  for (const [number, rule] of Object.entries(limits)) {
    const raw = `{"partner_id":1,"duration":${number}}`
    const inBody = await call('POST', '/v1/catalog/loan-conditions', { raw })
    const inQuery = await call('GET', `/v1/catalog/products?price_min=${number}`)
    for (const reply of [inBody, inQuery]) {
      const { fields } = assertRefused('validation_failed', reply)
      deepEqual(
        fields.map((it: { rule: string }) => it.rule),
        [rule],
        number,
      )
    }
  }
})

test('an id is an integer or its decimal digits', async () => {
  equal((await send(`{"id":"7004","slug":"${fresh()}","name":"x"}`)).body.data?.brand.id, '7004')
  // oxfmt-ignore
  const wrong = [
    '""', '"0"', '"-1"', '"+1"', '"01"', '" 1"', '"1 "', '"1.0"', '"1e3"', '"0x1"', '"١"', '"9007199254740993"', '0', '-1',
    '1.5', '9007199254740992', 'null', 'true', '[7005]', '{}',
  ]
  for (const given of wrong) {
    const reply = await send(`{"id":${given},"slug":"${fresh()}","name":"x"}`)
    equal(assertRefused('validation_failed', reply).fields[0].path, 'id', given)
  }
})

test('an imported id at the top of the range does not block generated ids', async () => {
  const top = await call('POST', path, { body: { id: Number.MAX_SAFE_INTEGER, slug: fresh(), name: 'x' } })
  equal(top.body.data.brand.id, '9007199254740991')
  equal((await call('GET', `${path}/9007199254740991`)).status, 200)
  for (const target of [path, '/v1/catalog/categories']) {
    const name = target === path ? 'x' : { ru: 'x' }
    await call('POST', target, { body: { id: Number.MAX_SAFE_INTEGER, slug: fresh(), name } })
    equal((await call('POST', target, { body: { slug: fresh(), name } })).status, 201)
  }
})

test('a body for a route without a body is validated as strictly', async () => {
  const { body } = await call('POST', path, { body: { slug: fresh(), name: 'x' } })
  const target = `${path}/${body.data.brand.id}`
  assertRefused('validation_failed', await call('DELETE', target, { body: { force: true } }))
  assertRefused('invalid_json', await call('DELETE', target, { raw: '{' }))
  equal((await call('GET', target)).status, 200)
  equal((await call('DELETE', target, { body: {} })).status, 200)
})

test('names are stored unchanged and their length is counted in code points', async () => {
  const names = [
    'Аrtel',
    'é',
    'e\u0301',
    '👩‍👩‍👧‍👦',
    '\u202Eletra',
    'ﬁ',
    '𝕬𝖗𝖙𝖊𝖑',
    'a\u200Bb',
    "'; drop table x; --",
    '<b>&amp;',
  ]
  for (const name of names) {
    const reply = await call('POST', path, { body: { slug: fresh(), name } })
    equal(reply.body.data.brand.name, name)
    const { brand } = (await call('GET', `${path}/${reply.body.data.brand.id}`)).body.data
    equal(brand.name, name)
  }
  const emoji = (count: number) => ({ slug: fresh(), name: '😀'.repeat(count) })
  equal((await call('POST', path, { body: emoji(200) })).status, 201)
  equal(
    assertRefused('validation_failed', await call('POST', path, { body: emoji(201) })).fields[0].rule,
    'max_length',
  )
})

test('an instant before 1970 or on a nonexistent day is refused in every field', async () => {
  for (const at of ['0000-01-01T00:00:00Z', '1969-12-31T23:59:59Z', '2026-02-31T00:00:00Z'])
    for (const query of [
      'orders?created_from',
      'events?from',
      'marketing/promotions?from',
      'admin/audit-log?from',
    ])
      assertRefused('validation_failed', await call('GET', `/v1/${query}=${at}`))
})
