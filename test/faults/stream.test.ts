// The live stream and the list of events.

import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { download } from '../../src/http/route.ts'
import { times } from '../support/carts.ts'
import { newHook, openReceiver } from '../support/receiver.ts'
import { assertRefused } from '../support/refused.ts'
import { openPlatform } from '../support/shop.ts'
import { follow } from '../support/stream.ts'
import { waitUntil, withDeadline } from '../support/wait-until.ts'
import { openRawConnection, requestText } from '../support/wire.ts'

/** The number of open sources of an endless reply. */
let sources = 0
const endless = download('/v1/test-endless', {
  summary: 'x',
  scope: null,
  produces: 'text/plain',
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

// Receives no events until the last test of this file.
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

test('the stream, the list and a webhook have the same events, ids and bytes', async () => {
  const receiver = await openReceiver()
  await newHook(call, receiver.url, ['BrandCreated'])
  const follower = await follow(url, { key, query: '?type=BrandCreated' })
  equal(follower.status, 200)
  match(follower.headers.get('content-type')!, /^text\/event-stream/)
  await newBrands(5)
  await waitUntil(() => follower.received.length === 5 && receiver.received.length === 5)
  const { events } = (await call('GET', '/v1/events?type=BrandCreated')).body.data
  const listed = events.map((it: object) => JSON.stringify(it))
  deepEqual(
    follower.received.map((it) => it.data),
    listed,
  )
  deepEqual(receiver.received.map((it) => it.text).toSorted(), listed.toSorted())
  deepEqual(
    follower.received.map((it) => [it.id, it.event]),
    events.map((it: { id: string }) => [it.id, 'BrandCreated']),
  )
})

test('a reconnected stream continues where it stopped, from memory and from the log', async () => {
  const first = await follow(url, { key, query: '?type=BrandCreated' })
  await newBrands(3)
  await waitUntil(() => first.received.length === 3)
  first.disconnect()
  await newBrands(4)
  const { app: _app, ...other } = await openPlatform({ connection })
  const otherKey = await other.makeKey()
  for (const place of [
    { url, key },
    // A server that has not received it yet must read the log.
    { url: other.url, key: otherKey },
  ]) {
    const again = await follow(place.url, {
      ...place,
      query: '?type=BrandCreated',
      lastEventId: first.received[1]!.id,
    })
    await waitUntil(() => again.received.length === 5)
    equal(again.received[0]!.id, first.received[2]!.id)
    again.disconnect()
  }
})

test('a stream has the events of other processes', async () => {
  const other = await openPlatform({ connection })
  const follower = await follow(other.url, { key: await other.makeKey(), query: '?type=BrandCreated' })
  await newBrands(2)
  await waitUntil(() => follower.received.length === 2)
  follower.disconnect()
})

test('filters a stream by type and subject', async () => {
  const [one, two] = [await newBrand(), await newBrand()]
  const follower = await follow(url, { key, query: `?type=BrandChanged,*Deleted&subject=brand/${one}` })
  for (const id of [two, one, two])
    equal((await call('PATCH', `/v1/catalog/brands/${id}`, { body: { name: `to ${brands}` } })).status, 200)
  await call('DELETE', `/v1/catalog/brands/${one}`)
  await waitUntil(() => follower.received.length === 2)
  deepEqual(
    follower.received.map((it) => it.event),
    ['BrandChanged', 'BrandDeleted'],
  )
  follower.disconnect()
})

test('a stream has only the events of its environment', async () => {
  const follower = await follow(url, { key: keys.live, query: '?type=BrandCreated' })
  await newBrand()
  const body = { slug: 'live-brand', name: 'x' }
  equal((await call('POST', '/v1/catalog/brands', { key: keys.live, body })).status, 201)
  await waitUntil(() => follower.received.length === 1)
  ok(follower.received[0]!.data.includes('live-brand'))
  follower.disconnect()
})

test('refuses an invalid id, an unknown type and a missing scope before the stream starts', async () => {
  const path = '/v1/events/stream'
  assertRefused('invalid_header', await call('GET', path, { headers: { 'last-event-id': 'x' } }))
  assertRefused('validation_failed', await call('GET', `${path}?type=Nothing`))
  assertRefused('validation_failed', await call('GET', `${path}?kind=x`))
  assertRefused('unauthorized', await call('GET', path, { key: null }))
  assertRefused('not_acceptable', await call('GET', path, { headers: { accept: 'application/json' } }))
})

test('a client that reads nothing delays no other and costs only its buffers', async () => {
  // The events of the tests before are relayed by now.
  await app.shops.test.relay.catchUp()
  const { hostname, port } = new URL(url)
  const deaf = connect(Number(port), hostname)
  deaf.pause()
  deaf.on('error', () => {})
  deaf.write(`GET /v1/events/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`)
  const follower = await follow(url, { key, query: '?type=BrandCreated' })
  await Promise.all(times(200, newBrand))
  await waitUntil(() => follower.received.length === 200)
  deaf.destroy()
  follower.disconnect()
})

test('a client that disconnects during a long reply releases its slot', async () => {
  const { hostname, port } = new URL(url)
  const deaf = connect(Number(port), hostname)
  deaf.write('GET /v1/test-endless HTTP/1.1\r\nHost: x\r\n\r\n')
  await waitUntil(() => deaf.bytesRead > 0)
  deaf.pause()
  equal(sources, 1)
  deaf.destroy()
  await waitUntil(() => sources === 0)
})

test('refuses the stream after the thousandth until another ends', async () => {
  const other = await openPlatform({ connection })
  const otherKey = await other.makeKey()
  const request = requestText('GET /v1/events/stream?type=BrandDeleted', {
    Authorization: `Bearer ${otherKey}`,
  })
  const lines = await Promise.all(times(1_000, () => openRawConnection(other.url)))
  await Promise.all(lines.map((it) => it.send(request).then(() => it.receive({ withoutBody: true }))))
  const path = '/v1/events/stream'
  assertRefused('service_unavailable', await other.call('GET', path, { key: otherKey }))
  const opposite = await other.call('GET', path, { key: await other.makeKey({ environment: 'live' }) })
  equal(opposite.status, 200)
  lines[500]!.socket.destroy()
  await waitUntil(async () => (await other.call('GET', path, { key: otherKey })).status === 200)
  for (const it of lines) it.socket.destroy()
})

test('a stream ends when its key is revoked, without later events', async () => {
  const body = { name: 'follower', type: 'server', scopes: ['admin:read'] }
  const {
    application,
    key: made,
    api_key,
  } = (await call('POST', '/v1/admin/applications', { body })).body.data
  const follower = await follow(url, { key: api_key, query: '?type=BrandCreated' })
  await newBrand()
  await waitUntil(() => follower.received.length === 1)
  const path = `/v1/admin/applications/${application.client_id}/keys/${made.id}/revoke`
  equal((await call('POST', path)).status, 200)
  await withDeadline(follower.ended, 'the stream of the revoked key ends')
  await newBrand()
  equal(follower.received.length, 1)
  assertRefused('unauthorized', await call('GET', '/v1/events/stream', { key: api_key }))
})

test('a stopping server ends its streams at once', async () => {
  const other = await openPlatform({ connection })
  const follower = await follow(other.url, { key: await other.makeKey() })
  await waitUntil(() => follower.raw().length > 0)
  const closed = Promise.all([other.app.server.close(), follower.ended])
  await withDeadline(closed, 'the server closes and the stream ends')
})

test('lists events by type, subject and period, page by page', async () => {
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

test('a client that is cut off before its first event continues where the stream began', async () => {
  await newBrand()
  const reply = await fetch(`${url}/v1/events/stream`, { headers: { authorization: `Bearer ${key}` } })
  const reader = reply.body!.pipeThrough(new TextDecoderStream()).getReader()
  const [, id] = /^retry: \d+\nid: (\S+)\n\n/.exec((await reader.read()).value!)!
  await reader.cancel()
  const missed = await newBrand()
  const follower = await follow(url, { key, lastEventId: id! })
  await waitUntil(() => follower.received.some((it) => JSON.parse(it.data).subject === `brand/${missed}`))
  follower.disconnect()
})

test('a quiet stream sends a comment every fifteen seconds', async () => {
  await waitUntil(() => quiet.raw().includes(':\n\n'))
  deepEqual(quiet.received, [])
  match(quiet.raw(), /^retry: 1000\n(id: \S+\n)?\n(:\n\n)+$/)
})
