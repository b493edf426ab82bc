// N5, N12, N13, O13: requests that arrive in pieces, too slowly or incompletely.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { assertRefused } from '../support/refused.ts'
import { openPlatform } from '../support/shop.ts'
import { waitUntil } from '../support/wait-until.ts'
import { exchange, type RawConnection, openRawConnection, requestText } from '../support/wire.ts'

const { app, call, keys, url } = await openPlatform()
const hasty = await openPlatform({ timeouts: { headersMs: 1_000, requestMs: 1_500, checkEveryMs: 100 } })
const bearer = { Authorization: `Bearer ${keys.test}` }
const json = { ...bearer, 'Content-Type': 'application/json' }
const path = '/v1/catalog/brands'
const brand = (slug: string) => JSON.stringify({ slug, name: 'x' })
const exists = async (slug: string) =>
  (await call('GET', `${path}?slug=${slug}`)).body.data.pagination.total === 1
const post = (headers: Record<string, string | string[]>, body: string) =>
  requestText(`POST ${path}`, { ...json, ...headers }, body)

test('a chunked body is read as one body, whatever the chunks', async () => {
  const text = brand('chunked')
  const connection = await openRawConnection(url)
  await connection.send(post({ 'Transfer-Encoding': 'chunked' }, ''))
  for (const it of text) await connection.send(`1;x=y\r\n${it}\r\n`)
  await connection.send('0\r\n\r\n')
  equal((await connection.receive()).status, 201)
  connection.socket.destroy()
})

test('endless chunks are cut off at the limit, and the connection is closed', async () => {
  const connection = await openRawConnection(url)
  await connection.send(post({ 'Transfer-Encoding': 'chunked' }, ''))
  const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`
  for (let sent = 0; sent < 6; sent++) await connection.send(chunk)
  const reply = await connection.receive()
  assertRefused('payload_too_large', reply)
  equal(reply.headers.get('connection'), 'close')
  await connection.closed()
})

test('a Content-Length above the limit is refused before the body is sent', async () => {
  const connection = await openRawConnection(url)
  await connection.send(post({ 'Content-Length': '1073741824' }, ''))
  assertRefused('payload_too_large', await connection.receive())
  await connection.closed()
})

test('conflicting, repeated and malformed lengths are 400 and close the connection', async () => {
  const text = brand('smuggled')
  const size = String(text.length)
  const smuggled = [
    post({ 'Content-Length': size, 'Transfer-Encoding': 'chunked' }, `0\r\n\r\n${text}`),
    post({ 'Transfer-Encoding': 'chunked', 'Content-Length': size }, text),
    post({ 'Content-Length': [size, String(text.length + 1)] }, text),
    post({ 'Content-Length': `${size}, ${size}` }, text),
    post({ 'Content-Length': `+${size}` }, text),
    post({ 'Content-Length': `0x${text.length.toString(16)}` }, text),
    post({ 'Content-Length': '-1' }, text),
    post({ 'Transfer-Encoding': 'xchunked' }, text),
    post({ 'Transfer-Encoding': 'chunked, identity' }, text),
    post({ 'Transfer-Encoding ': 'chunked' }, text),
    post({ 'Transfer-Encoding': 'chunked' }, `zz\r\n${text}\r\n0\r\n\r\n`),
    post({ 'Transfer-Encoding': 'chunked' }, `-1\r\n${text}\r\n0\r\n\r\n`),
    post({ 'Transfer-Encoding': 'chunked' }, `ffffffffffffffffff\r\n${text}\r\n0\r\n\r\n`),
  ]
  for (const bytes of smuggled) {
    const connection = await openRawConnection(url)
    await connection.send(bytes)
    const reply = await connection.receive()
    equal(reply.status, 400, bytes)
    ok(['invalid_header', 'invalid_json'].includes(reply.body.error.code))
    await connection.closed()
  }
  equal(await exists('smuggled'), false)
})

test('bytes after the Content-Length are refused and close the connection', async () => {
  const text = brand('too-long')
  const connection = await openRawConnection(url)
  await connection.send(post({ 'Content-Length': String(text.length) }, text))
  equal((await connection.receive()).status, 201)
  await connection.send('"left": "over"}')
  assertRefused('invalid_header', await connection.receive())
  await connection.closed()
})

test('requests that are not HTTP get a refusal in the standard format', async () => {
  // oxfmt-ignore
  const garbage = [
    '\r\n\r\nhello\r\n\r\n', 'GET\r\n\r\n', 'GET / HTTP/9.9\r\n\r\n', 'get / HTTP/1.1\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a\r\nBad Header: x\r\n\r\n', 'GET / HTTP/1.1\r\nHost: a\r\n: x\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a\r\nX: \x00\r\n\r\n', 'GET / HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a\r\n folded: x\r\n\r\n', 'GET /\x00 HTTP/1.1\r\nHost: a\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '{"json":1}\r\n\r\n',
    'BREW /pot HTTP/1.1\r\nHost: a\r\n\r\n',
  ]
  for (const bytes of garbage) {
    const connection = await openRawConnection(url)
    await connection.send(Buffer.from(bytes, 'latin1'))
    const reply = await connection.receive()
    equal(reply.status, 400, JSON.stringify(bytes))
    assertRefused('invalid_header', reply)
    await connection.closed()
  }
})

test('a request without Host is refused, except in HTTP/1.0', async () => {
  const reply = await exchange(url, 'GET /metrics HTTP/1.1\r\n\r\n')
  equal(assertRefused('invalid_header', reply).header, 'Host')
  equal((await exchange(url, 'GET /metrics HTTP/1.0\r\n\r\n')).status, 200)
})

test('an unknown Expect header is ignored, and 100-continue is answered', async () => {
  equal((await exchange(url, requestText('GET /healthz', { Expect: 'miracles' }))).status, 200)
  const connection = await openRawConnection(url)
  const text = brand('expected')
  await connection.send(post({ 'Content-Length': String(text.length), Expect: '100-continue' }, ''))
  equal((await connection.receive()).status, 100)
  await connection.send(text)
  equal((await connection.receive()).status, 201)
  connection.socket.destroy()
})

test('headers above 32 KiB are 431, and the connection is closed', async () => {
  for (const headers of [
    { 'X-Large': 'x'.repeat(40_000) },
    Object.fromEntries(Array.from({ length: 1_900 }, (_, at) => [`X-Many-${at}`, 'x'.repeat(10)])),
  ]) {
    const connection = await openRawConnection(url)
    await connection.send(requestText('GET /healthz', headers))
    assertRefused('headers_too_large', await connection.receive())
    await connection.closed()
  }
  equal((await exchange(url, requestText('GET /healthz', { 'X-Large': 'x'.repeat(30_000) }))).status, 200)
})

test('pipelined requests are all answered in order', async () => {
  const connection = await openRawConnection(url)
  const ids = Array.from({ length: 50 }, (_, at) => `pipe-${at}`)
  await connection.send(
    ids
      .map((it, at) => requestText(`GET ${at % 2 ? path : '/none'}`, { ...bearer, 'X-Request-ID': it }))
      .join(''),
  )
  const received: string[] = []
  for (const [at] of ids.entries()) {
    const reply = await connection.receive()
    equal(reply.status, at % 2 ? 200 : 404)
    received.push(reply.body.meta.request_id)
  }
  deepEqual(received, ids)
  connection.socket.destroy()
})

test('a caller that disconnects before the reply has one write and holds no slot', async () => {
  const { loadShedder } = app.server
  const lines = Array.from({ length: 40 }, async (_, at) => {
    const text = brand(`gone-${at}`)
    const connection = await openRawConnection(url)
    await connection.send(
      post({ 'Content-Length': String(text.length), 'Idempotency-Key': `gone-${at}` }, text),
    )
    await waitUntil(() => at % 2 === 0 || loadShedder.inProgress > 0)
    connection.socket.destroy()
  })
  await Promise.all(lines)
  for (let at = 0; at < 40; at++) {
    const reply = await call('POST', path, {
      raw: brand(`gone-${at}`),
      headers: { 'idempotency-key': `gone-${at}` },
    })
    equal(reply.status, 201)
    equal(await exists(`gone-${at}`), true)
  }
  await waitUntil(() => loadShedder.inProgress === 0)
})

test('a caller that disconnects during the body has no write and holds no slot', async () => {
  const { loadShedder } = app.server
  for (let at = 0; at < 20; at++) {
    const connection = await openRawConnection(url)
    await connection.send(post({ 'Content-Length': '100' }, '{"slug":"half"'))
    await waitUntil(() => loadShedder.inProgress > 0)
    connection.socket.destroy()
    await waitUntil(() => loadShedder.inProgress === 0)
  }
  equal(await exists('half'), false)
})

test('slow headers and slow bodies are cut off with 408 while others are served', async () => {
  const { server } = hasty.app
  const slowBody = post({ Authorization: `Bearer ${hasty.keys.test}`, 'Content-Length': '100' }, '{')
  const drip = (first: string) =>
    openRawConnection(hasty.url).then(async (connection) => {
      await connection.send(first)
      return connection
    })
  const slow: RawConnection[] = await Promise.all(
    Array.from({ length: 200 }, (_, at) =>
      drip(at % 2 ? 'GET /healthz HTTP/1.1\r\nHost: a\r\nX-Slow: ' : slowBody),
    ),
  )
  const served = await hasty.call('GET', path)
  equal(served.status, 200)
  for (const connection of slow) {
    assertRefused('request_timeout', await connection.receive())
    await connection.closed()
  }
  // The slow clients keep their side open; the server must close the connections anyway.
  await waitUntil(async () => (await connectionsOf(server.fastify.server)) <= 1)
  await waitUntil(() => server.loadShedder.inProgress === 0)
})

test('two thousand idle connections do not delay a new caller', async () => {
  const { hostname, port } = new URL(url)
  const idle = await Promise.all(
    Array.from(
      { length: 2_000 },
      () =>
        new Promise<ReturnType<typeof connect>>((done, failed) => {
          const socket = connect(Number(port), hostname)
          socket.once('connect', () => done(socket)).once('error', failed)
        }),
    ),
  )
  equal((await exchange(url, requestText(`GET ${path}`, bearer))).status, 200)
  for (const socket of idle) socket.destroy()
})

function connectionsOf(server: { getConnections(done: (error: Error | null, count: number) => void): void }) {
  return new Promise<number>((done) => server.getConnections((_error, count) => done(count)))
}
