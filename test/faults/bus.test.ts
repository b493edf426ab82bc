// The message bus with a real NATS server that is killed and restarted.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, test } from 'node:test'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { silentLog } from '../../src/base/log.ts'
import { times } from '../support/carts.ts'
import { openNats } from '../support/nats.ts'
import { openPlatform } from '../support/shop.ts'
import { waitUntil } from '../support/wait-until.ts'

const nats = await openNats()
let failures = 0
let storageFailures = 0
const log = {
  ...silentLog(),
  warn: (message: string) => {
    failures += Number(/message bus unreachable/.test(message))
    storageFailures += Number(/message bus waits for the database/.test(message))
  },
}
const { app, call, connection } = await openPlatform({ env: { NATS_URL: nats.url }, log })
const line = await connect({ servers: nats.url, maxReconnectAttempts: -1 })
after(() => line.close())
const client = jetstream(line)

let brands = 0
const newBrand = async (): Promise<string> => {
  const body = { slug: `brand-${++brands}`, name: 'x' }
  const reply = await call('POST', '/v1/catalog/brands', { body, headers: { traceparent } })
  equal(reply.status, 201, reply.text)
  return reply.body.data.brand.id
}

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

/** All events about brands in the stream of the test environment. */
async function kept(): Promise<{ id: string; subject: string; text: string; trace: string }[]> {
  const manager = await jetstreamManager(line)
  const { state } = await manager.streams.info('SHOP_TEST')
  const all = []
  for (let seq = state.first_seq; seq <= state.last_seq && state.messages > 0; seq++) {
    const message = await manager.streams.getMessage('SHOP_TEST', { seq })
    if (message?.subject.includes('Brand'))
      all.push({
        id: message.header.get('Nats-Msg-Id'),
        subject: message.subject,
        text: message.string(),
        trace: message.header.get('traceparent'),
      })
  }
  return all
}

const listed = async (): Promise<{ id: string }[]> =>
  (await call('GET', '/v1/events?type=Brand*&per_page=100')).body.data.events

test('publishes every event once to its subject, with the bytes of webhooks', async () => {
  await Promise.all(times(20, newBrand))
  await waitUntil(async () => (await kept()).length === 20)
  const events = await listed()
  const got = await kept()
  deepEqual(
    got.map((it) => it.text),
    events.map((it) => JSON.stringify(it)),
  )
  deepEqual(new Set(got.map((it) => it.subject)), new Set(['shop.test.catalog.BrandCreated']))
  deepEqual(new Set(got.map((it) => it.trace)), new Set([traceparent]))
  deepEqual(
    got.map((it) => it.id),
    events.map((it) => it.id),
  )
})

const isNatsReachable = async (): Promise<boolean> => (await call('GET', '/readyz')).body.dependencies.nats

test('loses and repeats nothing while the bus is down, and keeps serving', async () => {
  equal(await isNatsReachable(), true)
  await nats.stop()
  await Promise.all(times(10, newBrand))
  await waitUntil(async () => !(await isNatsReachable()))
  // No retry claims that the bus is reachable.
  const before = failures
  await waitUntil(async () => {
    equal(await isNatsReachable(), false)
    return failures > before + 1
  })
  await nats.start()
  await Promise.all(times(5, newBrand))
  await waitUntil(async () => (await kept().catch(() => [])).length === 35)
  await waitUntil(isNatsReachable)
  deepEqual((await kept()).map((it) => it.id).toSorted(), (await listed()).map((it) => it.id).toSorted())
})

test('several servers publish every event once', async () => {
  const other = await openPlatform({ connection, env: { NATS_URL: nats.url } })
  const key = await other.makeKey()
  await Promise.all(
    times(10, (at) =>
      other.call('POST', '/v1/catalog/brands', { key, body: { slug: `other-${at}`, name: 'x' } }),
    ),
  )
  await waitUntil(async () => (await kept()).length === 45)
})

const outside = (id: string, type: string, data: unknown) =>
  JSON.stringify({ specversion: '1.0', id, source: '/warehouse', type, time: '2026-11-01T09:00:00Z', data })
const deadLetters = async () => (await call('GET', '/v1/admin/dead-letters')).body.data.dead_letters
const received = async (): Promise<{ data: { EventId: string; EventType: string; Data: unknown } }[]> =>
  (await call('GET', '/v1/events?type=IntegrationEventReceived&per_page=100')).body.data.events

test('stores an integration event once, however often the bus redelivers it', async () => {
  for (let turn = 0; turn < 5; turn++)
    await client.publish(
      'integration.test.warehouse',
      outside('e-1', 'OfferDeactivated', { OfferId: 1, Reason: '' }),
    )
  await client.publish(
    'integration.test.warehouse',
    outside('e-2', 'OfferDeactivated', { OfferId: 1, Reason: '' }),
  )
  await waitUntil(async () => (await received()).some((it) => it.data.EventId === 'e-2'))
  deepEqual(
    (await received()).map((it) => it.data.EventId),
    ['e-1', 'e-2'],
  )
})

test('a failure of the database is reported as one, and the bus stays reachable', async () => {
  const { db } = app.shops.test
  const rename = (from: string, to: string) =>
    db.transaction((tx) => tx.all(`alter table test.${from} rename to ${to}`))
  const before = failures
  await rename('cart_incoming_events', 'cart_incoming_events_away')
  try {
    const message = outside('e-late', 'OfferDeactivated', { OfferId: 1, Reason: '' })
    await client.publish('integration.test.warehouse', message)
    await waitUntil(() => storageFailures > 0 || failures > before)
    deepEqual([failures - before, await isNatsReachable()], [0, true])
  } finally {
    await rename('cart_incoming_events_away', 'cart_incoming_events')
  }
  await waitUntil(async () => (await received()).some((it) => it.data.EventId === 'e-late'))
})

test('recreates the streams of a bus that restarted empty, and receives unreadable messages of each', async () => {
  const unreadable = async () =>
    (await received()).filter(({ data }) => data.EventType === 'Unreadable' && data.EventId.includes(':1:'))
  const manager = await jetstreamManager(line)
  for (const turn of [1, 2]) {
    for (const it of await manager.streams.list().next()) await manager.streams.delete(it.config.name)
    await waitUntil(() =>
      client.publish('integration.test.warehouse', 'no JSON', { timeout: 500 }).then(
        () => true,
        () => false,
      ),
    )
    await waitUntil(async () => (await unreadable()).length === turn)
  }
  const message = outside('e-after', 'OfferDeactivated', { OfferId: 1, Reason: '' })
  await client.publish('integration.test.warehouse', message)
  await waitUntil(async () => (await received()).some((it) => it.data.EventId === 'e-after'))
})

/** For data that JSON.stringify cannot write. */
const withData = (id: string, data: string) =>
  outside(id, 'OfferQuantityChanged', 0).replace('"data":0', `"data":${data}`)

test('unreadable messages become dead letters after five attempts and block nothing', async () => {
  const poison = [
    'no JSON at all',
    '{"specversion":"1.0"}',
    JSON.stringify({
      specversion: '1.0',
      id: 'nul\u0000',
      source: 's',
      type: 't',
      time: '2026-11-01T09:00:00Z',
      data: 1,
    }),
    outside('p-1', 'NobodyKnowsIt', {}),
    outside('p-nul', 'Nobody\u0000KnowsIt\ud800', { a: '\u0000' }),
    outside('p-2', 'OrdersCreated', {
      OrderIds: [1],
      ClientId: 1,
      ProcessedOfferIds: times(50_000, (at) => at + 1),
    }),
    outside('p-3', 'OfferQuantityChanged', { OfferId: 'one', NewQuantity: 'many' }),
    // A kept text is cut; here it is cut between the two halves of a character.
    `${'x'.repeat(3_999)}😀`,
    `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
    withData('p-deep', `${'['.repeat(100_000)}${']'.repeat(100_000)}`),
    withData('p-rounded', '{"OfferId":1.0000000000000001,"NewQuantity":1}'),
  ]
  const before = (await deadLetters()).length
  for (const it of poison) await client.publish('integration.test.warehouse', it)
  await client.publish(
    'integration.test.warehouse',
    outside('e-3', 'OfferDeactivated', { OfferId: 1, Reason: '' }),
  )
  await waitUntil(async () => (await received()).some((it) => it.data.EventId === 'e-3'))
  const consumers = (await jetstreamManager(line)).consumers
  await waitUntil(async () => (await consumers.info('INTEGRATION_TEST', 'bozor')).num_ack_pending === 0, {
    what: 'every message is acknowledged',
  })
  const ids = (await received()).map((it) => it.data.EventId)
  deepEqual(
    ids.filter((it) => it.startsWith('p-')),
    ['p-1', 'p-2', 'p-3', 'p-rounded'],
  )
  // The number that was sent is not that of an offer, and must not become one by rounding.
  const rounded = (await received()).find((it) => it.data.EventId === 'p-rounded')
  deepEqual(rounded?.data.Data, { OfferId: null, NewQuantity: 1 })
  await waitUntil(
    async () => {
      // Retry delays grow to minutes, so the clock of the shop is advanced.
      await call('POST', '/v1/test/clock', { body: { advance: 'PT10M' } })
      return (await deadLetters()).length >= before + poison.length
    },
    { what: 'every unreadable message is a dead letter', pollMs: 300 },
  )
  const texts = (await received())
    .filter((it) => it.data.EventType === 'Unreadable')
    .map((it) => it.data.Data)
  ok(texts.includes(`${'x'.repeat(3_999)}\uFFFD`))
})
