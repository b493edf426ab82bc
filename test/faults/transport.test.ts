// N5, N12, N13, O13: what comes over the wire in pieces, too slowly, or never whole.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { refusedWith } from '../support/refused.ts'
import { openPlatform } from '../support/shop.ts'
import { until } from '../support/until.ts'
import { exchange, type Line, openLine, requestText } from '../support/wire.ts'

const { app, call, keys, url } = await openPlatform()
const hasty = await openPlatform({ patience: { headersMs: 1_000, requestMs: 1_500, checkEveryMs: 100 } })
const bearer = { Authorization: `Bearer ${keys.test}` }
const json = { ...bearer, 'Content-Type': 'application/json' }
const path = '/v1/catalog/brands'
const brand = (slug: string) => JSON.stringify({ slug, name: 'x' })
const exists = async (slug: string) =>
  (await call('GET', `${path}?slug=${slug}`)).body.data.pagination.total === 1
const post = (headers: Record<string, string | string[]>, body: string) =>
  requestText(`POST ${path}`, { ...json, ...headers }, body)

test('a chunked body is one body, however it is cut', async () => {
  const text = brand('chunked')
  const line = await openLine(url)
  await line.say(post({ 'Transfer-Encoding': 'chunked' }, ''))
  for (const it of text) await line.say(`1;x=y\r\n${it}\r\n`)
  await line.say('0\r\n\r\n')
  equal((await line.hear()).status, 201)
  line.socket.destroy()
})

test('chunks without end are cut off at the limit, and the line is closed', async () => {
  const line = await openLine(url)
  await line.say(post({ 'Transfer-Encoding': 'chunked' }, ''))
  const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`
  for (let sent = 0; sent < 6; sent++) await line.say(chunk)
  const reply = await line.hear()
  refusedWith('payload_too_large', reply)
  equal(reply.headers.get('connection'), 'close')
  await line.hungUp()
})

test('a body that calls itself larger than the limit is refused before it comes', async () => {
  const line = await openLine(url)
  await line.say(post({ 'Content-Length': '1073741824' }, ''))
  refusedWith('payload_too_large', await line.hear())
  await line.hungUp()
})

test('both lengths at once, two lengths, and lengths that are none are 400 and close the line', async () => {
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
    const line = await openLine(url)
    await line.say(bytes)
    const reply = await line.hear()
    equal(reply.status, 400, bytes)
    ok(['invalid_header', 'invalid_json'].includes(reply.body.error.code))
    await line.hungUp()
  }
  equal(await exists('smuggled'), false)
})

test('a body longer than it said is one request, and what is left over is refused and ends the line', async () => {
  const text = brand('too-long')
  const line = await openLine(url)
  await line.say(post({ 'Content-Length': String(text.length) }, text))
  equal((await line.hear()).status, 201)
  await line.say('"left": "over"}')
  refusedWith('invalid_header', await line.hear())
  await line.hungUp()
})

test('lines that are no HTTP are answered in the shape of every refusal', async () => {
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
    const line = await openLine(url)
    await line.say(Buffer.from(bytes, 'latin1'))
    const reply = await line.hear()
    equal(reply.status, 400, JSON.stringify(bytes))
    refusedWith('invalid_header', reply)
    await line.hungUp()
  }
})

test('a request without a host is refused, but not the old kind that has none', async () => {
  const reply = await exchange(url, 'GET /metrics HTTP/1.1\r\n\r\n')
  deepEqual(refusedWith('invalid_header', reply), { header: 'Host' })
  equal((await exchange(url, 'GET /metrics HTTP/1.0\r\n\r\n')).status, 200)
})

test('an unknown expectation is passed over, and a known one is met', async () => {
  equal((await exchange(url, requestText('GET /healthz', { Expect: 'miracles' }))).status, 200)
  const line = await openLine(url)
  const text = brand('expected')
  await line.say(post({ 'Content-Length': String(text.length), Expect: '100-continue' }, ''))
  equal((await line.hear()).status, 100)
  await line.say(text)
  equal((await line.hear()).status, 201)
  line.socket.destroy()
})

test('headers above 32 KiB together are 431, and the line is closed', async () => {
  for (const headers of [
    { 'X-Large': 'x'.repeat(40_000) },
    Object.fromEntries(Array.from({ length: 1_900 }, (_, at) => [`X-Many-${at}`, 'x'.repeat(10)])),
  ]) {
    const line = await openLine(url)
    await line.say(requestText('GET /healthz', headers))
    refusedWith('headers_too_large', await line.hear())
    await line.hungUp()
  }
  equal((await exchange(url, requestText('GET /healthz', { 'X-Large': 'x'.repeat(30_000) }))).status, 200)
})

test('requests sent without waiting are answered all and in order', async () => {
  const line = await openLine(url)
  const ids = Array.from({ length: 50 }, (_, at) => `pipe-${at}`)
  await line.say(
    ids
      .map((it, at) => requestText(`GET ${at % 2 ? path : '/none'}`, { ...bearer, 'X-Request-ID': it }))
      .join(''),
  )
  const heard: string[] = []
  for (const [at] of ids.entries()) {
    const reply = await line.hear()
    equal(reply.status, at % 2 ? 200 : 404)
    heard.push(reply.body.meta.request_id)
  }
  deepEqual(heard, ids)
  line.socket.destroy()
})

test('a caller who hangs up before the answer leaves his write done once and no place taken', async () => {
  const { gate } = app.server
  const lines = Array.from({ length: 40 }, async (_, at) => {
    const text = brand(`gone-${at}`)
    const line = await openLine(url)
    await line.say(post({ 'Content-Length': String(text.length), 'Idempotency-Key': `gone-${at}` }, text))
    await until(() => at % 2 === 0 || gate.underWay > 0)
    line.socket.destroy()
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
  await until(() => gate.underWay === 0)
})

test('a caller who hangs up in the middle of his body leaves nothing done and no place taken', async () => {
  const { gate } = app.server
  for (let at = 0; at < 20; at++) {
    const line = await openLine(url)
    await line.say(post({ 'Content-Length': '100' }, '{"slug":"half"'))
    await until(() => gate.underWay > 0)
    line.socket.destroy()
    await until(() => gate.underWay === 0)
  }
  equal(await exists('half'), false)
})

test('slow headers and slow bodies are cut off with 408 while others are served', async () => {
  const { server } = hasty.app
  const slowBody = post({ Authorization: `Bearer ${hasty.keys.test}`, 'Content-Length': '100' }, '{')
  const drip = (first: string) =>
    openLine(hasty.url).then(async (line) => {
      await line.say(first)
      return line
    })
  const slow: Line[] = await Promise.all(
    Array.from({ length: 200 }, (_, at) =>
      drip(at % 2 ? 'GET /healthz HTTP/1.1\r\nHost: a\r\nX-Slow: ' : slowBody),
    ),
  )
  const served = await hasty.call('GET', path)
  equal(served.status, 200)
  for (const line of slow) {
    refusedWith('request_timeout', await line.hear())
    await line.hungUp()
  }
  // The slow ones keep their side open; the server must let go of them all the same.
  await until(async () => (await connectionsOf(server.fastify.server)) <= 1)
  await until(() => server.gate.underWay === 0)
})

test('two thousand idle lines do not keep a new caller waiting', async () => {
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
