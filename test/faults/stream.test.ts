// The live stream and the list of events.

import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { times } from '../support/carts.ts'
import { newHook, openReceiver } from '../support/receiver.ts'
import { refusedWith } from '../support/refused.ts'
import { openPlatform } from '../support/shop.ts'
import { follow } from '../support/stream.ts'
import { until } from '../support/until.ts'

const { call, keys, url, connection } = await openPlatform()
const key = keys.test

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
