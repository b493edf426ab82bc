// The live stream and the list of events.

import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { download } from '../../src/http/route.ts'
import { times } from '../support/carts.ts'
import { newHook, openReceiver } from '../support/receiver.ts'
import { refusedWith } from '../support/refused.ts'
import { openPlatform } from '../support/shop.ts'
import { follow } from '../support/stream.ts'
import { until } from '../support/until.ts'
import { openLine, requestText } from '../support/wire.ts'

/** How many sources of an endless reply are open. */
let sources = 0
const endless = download('/v1/test-endless', {
  summary: 'x',
  scope: null,
  gives: 'text/plain',
  example: 'x',
  run: async function* () {
    sources++
    try {
      for (;;) yield 'x'.repeat(100_000)
    } finally {
      sources--
    }
  },
})

const { app, call, keys, url, connection } = await openPlatform({ routes: [endless] })
const key = keys.test

// Hears nothing that happens here; by the last test of this file it has been quiet for a while.
const quiet = await follow(url, { key, query: '?type=LimitsChanged' })

let brands = 0
const newBrand = async (): Promise<string> => {
  const reply = await call('POST', '/v1/catalog/brands', { body: { slug: `brand-${++brands}`, name: 'x' } })
  equal(reply.status, 201, reply.text)
  return reply.body.data.brand.id
}
const newBrands = async (count: number) => {
  for (let at = 0; at < count; at++) await newBrand()
}

test('the stream, the list and a webhook tell the same events with the same ids and the same bytes', async () => {
  const receiver = await openReceiver()
  await newHook(call, receiver.url, ['BrandCreated'])
  const follower = await follow(url, { key, query: '?type=BrandCreated' })
  equal(follower.status, 200)
  match(follower.headers.get('content-type')!, /^text\/event-stream/)
  await newBrands(5)
  await until(() => follower.got.length === 5 && receiver.received.length === 5)
  const { events } = (await call('GET', '/v1/events?type=BrandCreated')).body.data
  const told = events.map((it: object) => JSON.stringify(it))
  deepEqual(
    follower.got.map((it) => it.data),
    told,
  )
  deepEqual(receiver.received.map((it) => it.text).toSorted(), told.toSorted())
  deepEqual(
    follower.got.map((it) => [it.id, it.event]),
    events.map((it: { id: string }) => [it.id, 'BrandCreated']),
  )
})

test('a follower who comes back goes on where he stopped, from memory and from the log', async () => {
  const first = await follow(url, { key, query: '?type=BrandCreated' })
  await newBrands(3)
  await until(() => first.got.length === 3)
  first.hangUp()
  await newBrands(4)
  const { app: _app, ...other } = await openPlatform({ connection })
  const otherKey = await other.makeKey()
  for (const place of [
    { url, key },
    // A server that has heard nothing of it yet has to read the log.
    { url: other.url, key: otherKey },
  ]) {
    const again = await follow(place.url, {
      ...place,
      query: '?type=BrandCreated',
      lastEventId: first.got[1]!.id,
    })
    await until(() => again.got.length === 5)
    equal(again.got[0]!.id, first.got[2]!.id)
    again.hangUp()
  }
})

test('a follower hears of what other processes do', async () => {
  const other = await openPlatform({ connection })
  const follower = await follow(other.url, { key: await other.makeKey(), query: '?type=BrandCreated' })
  await newBrands(2)
  await until(() => follower.got.length === 2)
  follower.hangUp()
})

test('a stream can be narrowed to kinds and to one subject', async () => {
  const [one, two] = [await newBrand(), await newBrand()]
  const follower = await follow(url, { key, query: `?type=BrandChanged,*Deleted&subject=brand/${one}` })
  for (const id of [two, one, two])
    equal((await call('PATCH', `/v1/catalog/brands/${id}`, { body: { name: `to ${brands}` } })).status, 200)
  await call('DELETE', `/v1/catalog/brands/${one}`)
  await until(() => follower.got.length === 2)
  deepEqual(
    follower.got.map((it) => it.event),
    ['BrandChanged', 'BrandDeleted'],
  )
  follower.hangUp()
})

test('a follower of one environment hears nothing of the other', async () => {
  const follower = await follow(url, { key: keys.live, query: '?type=BrandCreated' })
  await newBrand()
  const body = { slug: 'live-brand', name: 'x' }
  equal((await call('POST', '/v1/catalog/brands', { key: keys.live, body })).status, 201)
  await until(() => follower.got.length === 1)
  ok(follower.got[0]!.data.includes('live-brand'))
  follower.hangUp()
})

test('what is no id, no kind of event or no scope is refused before the stream begins', async () => {
  const path = '/v1/events/stream'
  refusedWith('invalid_header', await call('GET', path, { headers: { 'last-event-id': 'x' } }))
  refusedWith('validation_failed', await call('GET', `${path}?type=Nothing`))
  refusedWith('validation_failed', await call('GET', `${path}?kind=x`))
  refusedWith('unauthorized', await call('GET', path, { key: null }))
  refusedWith('not_acceptable', await call('GET', path, { headers: { accept: 'application/json' } }))
})

test('a follower who reads nothing holds up nobody, and costs no more than his line', async () => {
  // What the tests before have told of is handed on by now.
  await app.shops.test.relay.settle()
  const { hostname, port } = new URL(url)
  const deaf = connect(Number(port), hostname)
  deaf.pause()
  deaf.on('error', () => {})
  deaf.write(`GET /v1/events/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`)
  const follower = await follow(url, { key, query: '?type=BrandCreated' })
  await Promise.all(times(200, newBrand))
  await until(() => follower.got.length === 200)
  deaf.destroy()
  follower.hangUp()
})

test('a reader who hangs up in the middle of a long reply ends its source, so that its place is free', async () => {
  const { hostname, port } = new URL(url)
  const deaf = connect(Number(port), hostname)
  deaf.write('GET /v1/test-endless HTTP/1.1\r\nHost: x\r\n\r\n')
  await until(() => deaf.bytesRead > 0)
  deaf.pause()
  equal(sources, 1)
  deaf.destroy()
  await until(() => sources === 0)
})

test('the thousandth and first stream is refused, and served when another has ended', async () => {
  const other = await openPlatform({ connection })
  const otherKey = await other.makeKey()
  const request = requestText('GET /v1/events/stream?type=BrandDeleted', {
    Authorization: `Bearer ${otherKey}`,
  })
  const lines = await Promise.all(times(1_000, () => openLine(other.url)))
  await Promise.all(lines.map((it) => it.say(request).then(() => it.hear({ withoutBody: true }))))
  const path = '/v1/events/stream'
  refusedWith('service_unavailable', await other.call('GET', path, { key: otherKey }))
  const opposite = await other.call('GET', path, { key: await other.makeKey({ environment: 'live' }) })
  equal(opposite.status, 200)
  lines[500]!.socket.destroy()
  await until(async () => (await other.call('GET', path, { key: otherKey })).status === 200)
  for (const it of lines) it.socket.destroy()
})

test('a stream ends when its key is revoked, and nothing that happens afterwards leaves by it', async () => {
  const body = { name: 'follower', type: 'server', scopes: ['admin:read'] }
  const {
    application,
    key: made,
    api_key,
  } = (await call('POST', '/v1/admin/applications', { body })).body.data
  const follower = await follow(url, { key: api_key, query: '?type=BrandCreated' })
  await newBrand()
  await until(() => follower.got.length === 1)
  const path = `/v1/admin/applications/${application.client_id}/keys/${made.id}/revoke`
  equal((await call('POST', path)).status, 200)
  // What happens within the second that every process has to hear of it may still come.
  await new Promise((done) => setTimeout(done, 1_000))
  await newBrand()
  await follower.ended
  equal(follower.got.length, 1)
  refusedWith('unauthorized', await call('GET', '/v1/events/stream', { key: api_key }))
})

test('a server that stops ends its streams at once', async () => {
  const other = await openPlatform({ connection })
  const follower = await follow(other.url, { key: await other.makeKey() })
  await until(() => follower.raw().length > 0)
  await Promise.all([other.app.server.close(), follower.ended])
})

test('events are listed by kind, subject and period, page after page', async () => {
  const { events, pagination } = (await call('GET', '/v1/events?type=Brand*&per_page=3')).body.data
  equal(events.length, 3)
  const next = await call('GET', `/v1/events?type=Brand*&per_page=3&cursor=${pagination.next_cursor}`)
  ok(next.body.data.events[0].sequence > events[2].sequence)
  const about = await call('GET', `/v1/events?subject=${events[0].subject}`)
  ok(about.body.data.events.every((it: { subject: string }) => it.subject === events[0].subject))
  const since = await call('GET', '/v1/events?from=2099-01-01T00:00:00Z')
  equal(since.body.data.pagination.total, 0)
  const until = await call('GET', '/v1/events?to=2000-01-01T00:00:00Z')
  equal(until.body.data.pagination.total, 0)
  const period = await call('GET', `/v1/events?type=Brand*&from=${events[0].time}`)
  equal(period.body.data.pagination.total, pagination.total)
})

test('a quiet stream says every fifteen seconds that it is still there', async () => {
  await until(() => quiet.raw().includes(':\n\n'))
  deepEqual(quiet.got, [])
  match(quiet.raw(), /^retry: 1000\n\n(:\n\n)+$/)
})
