// Whole files over HTTP: in any order, too long, too slow, cut off, several at once, and with too little right.

import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { databaseWithRecords, ndjson, testKinds } from '../support/records.ts'
import { refusedWith } from '../support/refused.ts'
import { openPlatform } from '../support/shop.ts'
import { until } from '../support/until.ts'
import { exchange, type Line, openLine, requestText } from '../support/wire.ts'

const connection = await databaseWithRecords()
const { app, call, keys, url, makeKey } = await openPlatform({ connection, recordKinds: testKinds })
const path = '/v1/catalog/import'
const numbers = (to: number) => Array.from({ length: to }, (_, at) => at + 1)
const shelf = (id: number, name = `Shelf ${id}`) => ({ record: 'shelf', id, parent_id: null, name })
const type = { 'content-type': 'application/x-ndjson' }
const bring = (
  raw: string,
  options: { key?: string; headers?: Record<string, string>; query?: string } = {},
) =>
  call('POST', `${path}${options.query ?? ''}`, {
    raw,
    ...(options.key && { key: options.key }),
    headers: { ...type, ...options.headers },
  })
const take = (query = '', key = keys.test) => call('GET', `/v1/catalog/export${query}`, { key })
const bearer = { Authorization: `Bearer ${keys.test}` }
const head = (headers: Record<string, string>) =>
  requestText(`POST ${path}`, { ...bearer, 'Content-Type': 'application/x-ndjson', ...headers })
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
const countIn = async (key: string) => (await take('?records=shelf', key)).text.split('\n').length - 1

test('a file is brought in and taken out again, the same; refused lines are told in the caller’s language', async () => {
  const file = ndjson([
    shelf(2),
    { record: 'box', id: 1, shelf_id: 1, weight: 3 },
    '{"record":"box","id":2,"shelf_id":9,"weight":0}',
    shelf(1),
  ])
  const said = async (language: string) => {
    const { status, body } = await bring(file, { headers: { 'accept-language': language } })
    equal(status, 200)
    const { refusals, ...counts } = body.data
    deepEqual(counts, { read: 4, stored: 3, refused: 1 })
    return refusals
  }
  deepEqual(await said('en'), [
    {
      line: 3,
      record: 'box',
      id: 2,
      fields: [{ path: 'weight', rule: 'minimum', message: 'must be at least 1' }],
    },
  ])
  match((await said('ru'))[0].fields[0].message, /[а-я]/)
  const out = await take()
  equal(out.headers.get('content-type'), 'application/x-ndjson')
  deepEqual(
    out.text
      .split('\n')
      .filter(Boolean)
      .map((it) => JSON.parse(it))
      .filter((it) => it.record !== 'limits'),
    [shelf(1), shelf(2), { record: 'box', id: 1, shelf_id: 1, weight: 3 }],
  )
  equal((await bring(out.text)).body.data.refused, 0)
  equal((await take()).text, out.text)
  equal((await take('?records=shelf,box', keys.live)).text, '')
})

test('only some kinds are taken out, and only kinds that exist', async () => {
  deepEqual((await take('?records=box')).text.match(/"record":"\w+"/g), ['"record":"box"'])
  const { fields } = refusedWith('validation_failed', await take('?records=car'))
  equal(fields[0].path, 'records.0')
  equal((await call('HEAD', '/v1/catalog/export')).text, '')
})

test('records of another area need its scope, to come in and to go out', async () => {
  const label = { record: 'label', code: 'A', text: 'Fragile' }
  const poor = await makeKey({ scopes: ['catalog:read', 'catalog:write'] })
  const { body } = await bring(ndjson([label, shelf(1)]), { key: poor, headers: { 'accept-language': 'en' } })
  deepEqual(
    [body.data.stored, body.data.refusals[0].fields],
    [1, [{ path: 'record', rule: 'scope', message: 'needs the scope admin:write' }]],
  )
  equal((await bring(ndjson([label]))).body.data.stored, 1)
  ok(!(await take('', poor)).text.includes('label'))
  ok((await take()).text.includes('label'))
  deepEqual(refusedWith('insufficient_permissions', await take('?records=label', poor)).required_scopes, [
    'admin:read',
  ])
  const reader = await makeKey({ scopes: ['catalog:read'] })
  refusedWith('insufficient_permissions', await bring(ndjson([shelf(1)]), { key: reader }))
})

test('a strict import with one bad line changes nothing and says which line it was', async () => {
  const before = (await take()).text
  const reply = await bring(ndjson([shelf(100), '{"record":"shelf","id":0,"name":"x"}']), {
    query: '?strict=true',
  })
  const { read, stored, refused, refusals, fields } = refusedWith('validation_failed', reply)
  deepEqual([read, stored, refused, refusals[0].line], [2, 0, 1, 2])
  deepEqual([fields[0].path, fields[0].rule], ['lines.2.id', 'minimum'])
  equal((await take()).text, before)
  equal((await bring(ndjson([shelf(100)]), { query: '?strict=true' })).body.data.stored, 1)
})

test('only NDJSON in UTF-8 and without compression is taken, and NDJSON nowhere else', async () => {
  for (const it of [
    'application/json',
    'text/plain',
    'application/x-ndjson; charset=utf-16',
    'multipart/form-data',
  ])
    refusedWith(
      'unsupported_media_type',
      await bring(ndjson([shelf(1)]), { headers: { 'content-type': it } }),
    )
  refusedWith(
    'unsupported_media_type',
    await bring(ndjson([shelf(1)]), { headers: { 'content-encoding': 'gzip' } }),
  )
  refusedWith(
    'unsupported_media_type',
    await call('POST', '/v1/catalog/brands', { raw: '{}', headers: type }),
  )
  refusedWith('invalid_json', await call('POST', path))
  for (const it of ['application/jsonl', 'application/x-ndjson; charset=UTF-8'])
    equal((await bring(ndjson([shelf(1)]), { headers: { 'content-type': it } })).status, 200)
  equal((await bring('')).body.data.read, 0)
})

test('an import takes no dry run, and no notice of a key', async () => {
  deepEqual(
    refusedWith('invalid_header', await bring(ndjson([shelf(300)]), { headers: { prefer: 'dry-run' } }))
      .header,
    'Prefer',
  )
  ok(!(await take()).text.includes('"id":300'))
  const headers = { 'idempotency-key': 'the same' }
  for (const id of [301, 302]) {
    const reply = await bring(ndjson([shelf(id)]), { headers })
    deepEqual([reply.status, reply.headers.get('idempotent-replayed')], [200, null])
  }
  ok((await take()).text.includes('"id":302'))
})

test('a body far above the limit of other calls is taken, in chunks of any size', async () => {
  const file = ndjson(numbers(20_000).map((id) => shelf(id, 'x'.repeat(50))))
  ok(file.length > 1_500_000)
  equal((await bring(file, { key: keys.live })).body.data.stored, 20_000)
  equal(await countIn(keys.live), 20_000)

  const line = await openLine(url)
  await line.say(head({ 'Transfer-Encoding': 'chunked' }))
  const text = ndjson([shelf(1, 'Ў'), shelf(2, 'in bytes')])
  for (const byte of Buffer.from(text))
    await line.say(Buffer.concat([Buffer.from('1\r\n'), Buffer.from([byte]), Buffer.from('\r\n')]))
  await line.say('0\r\n\r\n')
  equal((await line.hear()).body.data.stored, 2)
  // The line is good for the next call.
  await line.say(requestText('GET /v1/catalog/export?records=box', bearer))
  equal((await line.hear({ withoutBody: true })).status, 200)
  line.socket.destroy()
})

test('a sender who hangs up in the middle leaves whole batches and no place taken', async () => {
  const before = app.server.gate.underWay
  const line = await openLine(url)
  await line.say(head({ 'Transfer-Encoding': 'chunked' }))
  await line.say(chunk(ndjson(numbers(2_500).map((id) => shelf(id, 'cut off')))))
  await until(async () =>
    (await take('?records=shelf')).text.includes('"id":2000,"parent_id":null,"name":"cut off"'),
  )
  line.socket.destroy()
  await until(() => app.server.gate.underWay === before)
  const kept = (await take('?records=shelf')).text.split('\n').filter((it) => it.includes('cut off'))
  equal(kept.length, 2_000)
  const again = ndjson(numbers(2_500).map((id) => shelf(id, 'cut off')))
  equal((await bring(again)).body.data.stored, 2_500)
})

test('a sender may be slow but not silent', async () => {
  const hasty = await openPlatform({
    connection,
    recordKinds: testKinds,
    patience: { headersMs: 500, requestMs: 700, checkEveryMs: 100 },
  })
  const slow = await openLine(hasty.url)
  await slow.say(head({ 'Transfer-Encoding': 'chunked' }))
  for (let at = 0; at < 8; at++) {
    await slow.say(chunk(`${JSON.stringify(shelf(400 + at))}\n`))
    await new Promise((done) => setTimeout(done, 250))
  }
  await slow.say('0\r\n\r\n')
  equal((await slow.hear()).body.data.stored, 8)
  slow.socket.destroy()

  const silent = await openLine(hasty.url)
  await silent.say(head({ 'Transfer-Encoding': 'chunked' }))
  await silent.say(chunk(ndjson([shelf(500, 'silence')])))
  refusedWith('request_timeout', await silent.hear())
  await silent.hungUp()
  equal((await take('?records=shelf')).text.includes('silence'), false)
})

test('above three imports at once others are asked to wait, and served afterwards', async () => {
  const lines: Line[] = []
  for (let at = 0; at < 3; at++) {
    const line = await openLine(url)
    await line.say(head({ 'Transfer-Encoding': 'chunked' }))
    await line.say(chunk(ndjson(numbers(1_000).map((id) => shelf(id, `by ${at}`)))))
    lines.push(line)
    await until(async () => (await take('?records=shelf')).text.includes(`by ${at}`))
  }
  equal(refusedWith('service_unavailable', await bring(ndjson([shelf(1)]))).retry_after, 10)
  equal((await bring(ndjson([shelf(1)]), { key: keys.live })).status, 200)
  for (const line of lines) await line.say('0\r\n\r\n')
  for (const line of lines) equal((await line.hear()).body.data.stored, 1_000)
  for (const line of lines) line.socket.destroy()
  equal((await bring(ndjson([shelf(1)]))).status, 200)
})

test('while a file comes in, a server that stops answers with what it kept and waits for nobody', async () => {
  const other = await openPlatform({ connection, recordKinds: testKinds })
  const line = await openLine(other.url)
  await line.say(head({ 'Transfer-Encoding': 'chunked' }))
  await line.say(chunk(ndjson(numbers(1_000).map((id) => shelf(id, 'before the stop')))))
  await until(async () => (await take('?records=shelf')).text.includes('before the stop'))
  const [reply] = await Promise.all([line.hear(), other.app.server.close()])
  const { read, stored } = refusedWith('service_unavailable', reply)
  deepEqual([read, stored], [1_000, 1_000])
})

test('what is refused at the door is refused before the file is read', async () => {
  const reply = await exchange(
    url,
    requestText(`POST ${path}`, { 'Content-Type': 'application/x-ndjson', 'Content-Length': '1000000000' }),
  )
  refusedWith('unauthorized', reply)
})

test('a reader who stops reading an export keeps nothing busy', async () => {
  const line = await openLine(url)
  await line.say(requestText('GET /v1/catalog/export', { Authorization: `Bearer ${keys.live}` }))
  await until(() => line.socket.bytesRead > 0)
  line.socket.destroy()
  await until(
    () => app.shops.live.db.load.waiting === 0 && app.shops.live.db.load.open === app.shops.live.db.load.idle,
  )
  equal(await countIn(keys.live), 20_000)
})
