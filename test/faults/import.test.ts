// Imports over HTTP: any order, too long, too slow, cut off, concurrent, and without permission.

import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { databaseWithRecords, ndjson, testKinds } from '../support/records.ts'
import { assertRefused } from '../support/refused.ts'
import { openPlatform } from '../support/shop.ts'
import { waitUntil } from '../support/wait-until.ts'
import { exchange, type RawConnection, openRawConnection, requestText } from '../support/wire.ts'

const connection = await databaseWithRecords()
const { app, call, keys, url, makeKey } = await openPlatform({ connection, recordKinds: testKinds })
const path = '/v1/catalog/import'
const numbers = (to: number) => Array.from({ length: to }, (_, at) => at + 1)
const room = (id: number, name = `Room ${id}`) => ({ record: 'room', id, parent_id: null, name })
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
const countIn = async (key: string) => (await take('?records=room', key)).text.split('\n').length - 1

test('an imported file is exported unchanged; refused lines are reported in the caller’s language', async () => {
  const file = ndjson([
    room(2),
    { record: 'box', id: 1, room_id: 1, weight: 3 },
    '{"record":"box","id":2,"room_id":9,"weight":0}',
    room(1),
  ])
  const said = async (language: string) => {
    const { status, body } = await bring(file, { headers: { 'accept-language': language } })
    equal(status, 200)
    const { refusals, ...counts } = body.data
    deepEqual(counts, { read: 4, stored: 3, unchanged: 0, refused: 1 })
    return refusals
  }
  deepEqual(await said('en'), [
    {
      line: 3,
      record: 'box',
      id: 2,
      fields: [{ path: 'weight', rule: 'minimum', limit: 1, message: 'must be at least 1' }],
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
    [room(1), room(2), { record: 'box', id: 1, room_id: 1, weight: 3 }],
  )
  equal((await bring(out.text)).body.data.refused, 0)
  equal((await take()).text, out.text)
  equal((await take('?records=room,box', keys.live)).text, '')
})

test('an export is limited to the requested record kinds, which must exist', async () => {
  deepEqual((await take('?records=box')).text.match(/"record":"\w+"/g), ['"record":"box"'])
  const { fields } = assertRefused('validation_failed', await take('?records=car'))
  equal(fields[0].path, 'records.0')
  equal((await call('HEAD', '/v1/catalog/export')).text, '')
})

test('records of another area need its scope for import and export', async () => {
  const label = { record: 'label', code: 'A', text: 'Fragile' }
  const poor = await makeKey({ scopes: ['catalog:read', 'catalog:write'] })
  const { body } = await bring(ndjson([label, room(1)]), { key: poor, headers: { 'accept-language': 'en' } })
  deepEqual(
    [body.data.stored, body.data.refusals[0].fields],
    [1, [{ path: 'record', rule: 'scope', limit: 'admin:write', message: 'needs the scope admin:write' }]],
  )
  equal((await bring(ndjson([label]))).body.data.stored, 1)
  ok(!(await take('', poor)).text.includes('label'))
  ok((await take()).text.includes('label'))
  deepEqual(assertRefused('insufficient_permissions', await take('?records=label', poor)).required_scopes, [
    'admin:read',
  ])
  const reader = await makeKey({ scopes: ['catalog:read'] })
  assertRefused('insufficient_permissions', await bring(ndjson([room(1)]), { key: reader }))
})

test('a strict import with one bad line changes nothing and reports the line', async () => {
  const before = (await take()).text
  const reply = await bring(ndjson([room(100), '{"record":"room","id":0,"name":"x"}']), {
    query: '?strict=true',
  })
  const { read, stored, refused, refusals, fields } = assertRefused('validation_failed', reply)
  deepEqual([read, stored, refused, refusals[0].line], [2, 0, 1, 2])
  deepEqual([fields[0].path, fields[0].rule], ['lines.2.id', 'minimum'])
  equal((await take()).text, before)
  equal((await bring(ndjson([room(100)]), { query: '?strict=true' })).body.data.stored, 1)
})

test('a strict import reports refused lines as any other import does, with the ids that were sent', async () => {
  const file = ndjson([
    '{"record":"box","id":7,"room_id":9,"weight":0}',
    '{"record":"room","id":"8","name":5}',
  ])
  const { refusals } = (await bring(file, { query: '?dry_run=true' })).body.data
  deepEqual(
    refusals.map((it: { id: unknown }) => it.id),
    [7, '8'],
  )
  const strict = assertRefused('validation_failed', await bring(file, { query: '?strict=true' }))
  deepEqual(strict.refusals, refusals)
})

test('the reference documents every field of a refused line', async () => {
  const { body: document } = await call('GET', '/openapi.json', { key: null })
  const reply = document.paths['/v1/catalog/import'].post.responses['200']
  const { refusals } = reply.content['application/json'].schema.properties.data.properties
  const [refused] = (await bring(ndjson(['{"record":"box","id":2,"room_id":1,"weight":0}']))).body.data
    .refusals
  const undocumented = (sent: object, { properties }: { properties: object }) =>
    Object.keys(sent).filter((it) => !Object.hasOwn(properties, it))
  deepEqual(undocumented(refused, refusals.items), [])
  deepEqual(undocumented(refused.fields[0], refusals.items.properties.fields.items), [])
})

test('only uncompressed NDJSON in UTF-8 is accepted, and NDJSON nowhere else', async () => {
  for (const it of [
    'application/json',
    'text/plain',
    'application/x-ndjson; charset=utf-16',
    'multipart/form-data',
  ])
    assertRefused(
      'unsupported_media_type',
      await bring(ndjson([room(1)]), { headers: { 'content-type': it } }),
    )
  assertRefused(
    'unsupported_media_type',
    await bring(ndjson([room(1)]), { headers: { 'content-encoding': 'gzip' } }),
  )
  assertRefused(
    'unsupported_media_type',
    await call('POST', '/v1/catalog/brands', { raw: '{}', headers: type }),
  )
  assertRefused('invalid_json', await call('POST', path))
  for (const it of ['application/jsonl', 'application/x-ndjson; charset=UTF-8'])
    equal((await bring(ndjson([room(1)]), { headers: { 'content-type': it } })).status, 200)
  equal((await bring('')).body.data.read, 0)
})

test('an import refuses a dry run and ignores an Idempotency-Key', async () => {
  deepEqual(
    assertRefused('invalid_header', await bring(ndjson([room(300)]), { headers: { prefer: 'dry-run' } }))
      .header,
    'Prefer',
  )
  ok(!(await take()).text.includes('"id":300'))
  const headers = { 'idempotency-key': 'the same' }
  for (const id of [301, 302]) {
    const reply = await bring(ndjson([room(id)]), { headers })
    deepEqual([reply.status, reply.headers.get('idempotent-replayed')], [200, null])
  }
  ok((await take()).text.includes('"id":302'))
})

test('an import accepts bodies far above the usual limit, in chunks of any size', async () => {
  const file = ndjson(numbers(20_000).map((id) => room(id, 'x'.repeat(50))))
  ok(file.length > 1_500_000)
  equal((await bring(file, { key: keys.live })).body.data.stored, 20_000)
  equal(await countIn(keys.live), 20_000)

  const line = await openRawConnection(url)
  await line.send(head({ 'Transfer-Encoding': 'chunked' }))
  const text = ndjson([room(1, 'Ў'), room(2, 'in bytes')])
  for (const byte of Buffer.from(text))
    await line.send(Buffer.concat([Buffer.from('1\r\n'), Buffer.from([byte]), Buffer.from('\r\n')]))
  await line.send('0\r\n\r\n')
  equal((await line.receive()).body.data.stored, 2)
  // The connection can be used for the next call.
  await line.send(requestText('GET /v1/catalog/export?records=box', bearer))
  equal((await line.receive({ withoutBody: true })).status, 200)
  line.socket.destroy()
})

test('a sender that disconnects leaves whole batches and frees its slot', async () => {
  const before = app.server.loadShedder.inProgress
  const line = await openRawConnection(url)
  await line.send(head({ 'Transfer-Encoding': 'chunked' }))
  await line.send(chunk(ndjson(numbers(2_500).map((id) => room(id, 'cut off')))))
  await waitUntil(async () =>
    (await take('?records=room')).text.includes('"id":2000,"parent_id":null,"name":"cut off"'),
  )
  line.socket.destroy()
  await waitUntil(() => app.server.loadShedder.inProgress === before)
  const kept = (await take('?records=room')).text.split('\n').filter((it) => it.includes('cut off'))
  equal(kept.length, 2_000)
  const again = ndjson(numbers(2_500).map((id) => room(id, 'cut off')))
  equal((await bring(again)).body.data.stored, 2_500)
})

test('a slow sender is served, a silent one is cut off', async () => {
  const hasty = await openPlatform({
    connection,
    recordKinds: testKinds,
    timeouts: { headersMs: 500, requestMs: 700, checkEveryMs: 100 },
  })
  const slow = await openRawConnection(hasty.url)
  await slow.send(head({ 'Transfer-Encoding': 'chunked' }))
  for (let at = 0; at < 8; at++) {
    await slow.send(chunk(`${JSON.stringify(room(400 + at))}\n`))
    await new Promise((done) => setTimeout(done, 250))
  }
  await slow.send('0\r\n\r\n')
  equal((await slow.receive()).body.data.stored, 8)
  slow.socket.destroy()

  const silent = await openRawConnection(hasty.url)
  await silent.send(head({ 'Transfer-Encoding': 'chunked' }))
  await silent.send(chunk(ndjson([room(500, 'silence')])))
  assertRefused('request_timeout', await silent.receive())
  await silent.closed()
  equal((await take('?records=room')).text.includes('silence'), false)
})

test('a fourth parallel import gets 503 and succeeds later', async () => {
  const lines: RawConnection[] = []
  for (let at = 0; at < 3; at++) {
    const line = await openRawConnection(url)
    await line.send(head({ 'Transfer-Encoding': 'chunked' }))
    await line.send(chunk(ndjson(numbers(1_000).map((id) => room(id, `by ${at}`)))))
    lines.push(line)
    await waitUntil(async () => (await take('?records=room')).text.includes(`by ${at}`))
  }
  equal(assertRefused('service_unavailable', await bring(ndjson([room(1)]))).retry_after, 10)
  equal((await bring(ndjson([room(1)]), { key: keys.live })).status, 200)
  for (const line of lines) await line.send('0\r\n\r\n')
  for (const line of lines) equal((await line.receive()).body.data.stored, 1_000)
  for (const line of lines) line.socket.destroy()
  equal((await bring(ndjson([room(1)]))).status, 200)
})

test('a server that stops during an import replies with what is stored and does not wait', async () => {
  const other = await openPlatform({ connection, recordKinds: testKinds })
  const line = await openRawConnection(other.url)
  await line.send(head({ 'Transfer-Encoding': 'chunked' }))
  await line.send(chunk(ndjson(numbers(1_000).map((id) => room(id, 'before the stop')))))
  await waitUntil(async () => (await take('?records=room')).text.includes('before the stop'))
  const [reply] = await Promise.all([line.receive(), other.app.server.close()])
  const { read, stored } = assertRefused('service_unavailable', reply)
  deepEqual([read, stored], [1_000, 1_000])
})

test('a request without permission is refused before the file is read', async () => {
  const reply = await exchange(
    url,
    requestText(`POST ${path}`, { 'Content-Type': 'application/x-ndjson', 'Content-Length': '1000000000' }),
  )
  assertRefused('unauthorized', reply)
})

test('a reader that stops reading an export holds no resources', async () => {
  const line = await openRawConnection(url)
  await line.send(requestText('GET /v1/catalog/export', { Authorization: `Bearer ${keys.live}` }))
  await waitUntil(() => line.socket.bytesRead > 0)
  line.socket.destroy()
  await waitUntil(
    () => app.shops.live.db.load.waiting === 0 && app.shops.live.db.load.open === app.shops.live.db.load.idle,
  )
  equal(await countIn(keys.live), 20_000)
})

test('a fifth parallel export of one key gets 503, and other keys are served', async () => {
  const key = await makeKey({ environment: 'live' })
  const target = requestText('GET /v1/catalog/export?records=room', { Authorization: `Bearer ${key}` })
  const lines: RawConnection[] = []
  for (let at = 0; at < 4; at++) {
    const line = await openRawConnection(url)
    await line.send(target)
    // A client that does not read on.
    await waitUntil(() => line.socket.bytesRead > 0)
    line.socket.pause()
    lines.push(line)
  }
  equal(assertRefused('service_unavailable', await take('?records=room', key)).retry_after, 10)
  equal((await take('?records=room', keys.live)).status, 200)
  lines[0]!.socket.destroy()
  await waitUntil(async () => (await take('?records=room', key)).status === 200)
  for (const line of lines) line.socket.destroy()
})

test('a dry run over HTTP reports what would be stored and stores nothing', async () => {
  const before = (await take()).text
  const { data } = (await bring(ndjson([room(90_001), '{']), { query: '?dry_run=true' })).body
  deepEqual([data.read, data.stored, data.refused], [2, 1, 1])
  equal((await take()).text, before)
})
