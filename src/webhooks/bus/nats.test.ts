// The bus on a real NATS server that an operator has configured.

import { deepEqual, equal, rejects } from 'node:assert/strict'
import { after, test } from 'node:test'
import { AckPolicy, DeliverPolicy, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { openNats } from '../../../test/support/nats.ts'
import { connectBus, covers, type OutgoingEvent, pingBus } from './nats.ts'

const nats = await openNats()
const connection = await connect({ servers: new URL(nats.url).host })
after(() => connection.close())
const manager = await jetstreamManager(connection)

const event = (id: string, bytes: number): OutgoingEvent => ({
  id,
  subject: 'shop.live.catalog.BrandCreated',
  text: 'x'.repeat(bytes),
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
})
const idsOf = (events: OutgoingEvent[]) => events.map((it) => it.id)
const storedIn = async (stream: string) => (await manager.streams.info(stream)).state.messages

test('keeps the subjects, limits and consumers that an operator has configured', async () => {
  await manager.streams.add({ name: 'SHOP_LIVE', subjects: ['shop.live.>'], max_msg_size: 500 })
  await manager.streams.add({ name: 'INTEGRATION_LIVE', subjects: ['warehouse.>'] })
  const consumer = {
    durable_name: 'bozor',
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.New,
  }
  const second = 1e9
  await manager.consumers.add('INTEGRATION_LIVE', { ...consumer, ack_wait: 77 * second, max_ack_pending: 5 })
  await (await connectBus(nats.url)).close()
  const { config } = await manager.streams.info('SHOP_LIVE')
  deepEqual([config.subjects, config.max_msg_size], [['shop.live.>'], 500])
  const incoming = await manager.streams.info('INTEGRATION_LIVE')
  deepEqual(incoming.config.subjects, ['warehouse.>', 'integration.live.>'])
  const kept = (await manager.consumers.info('INTEGRATION_LIVE', 'bozor')).config
  deepEqual([kept.deliver_policy, kept.ack_wait, kept.max_ack_pending], [DeliverPolicy.New, 77 * second, 5])
})

test('stores a batch without the events that are too large for the stream or, with their headers, for the server', async () => {
  const bus = await connectBus(nats.url)
  const { max_payload: most } = connection.info!
  deepEqual(idsOf(await bus.send('live', [event('a', 501), event('b', 10)])), ['a'])
  deepEqual(idsOf(await bus.send('live', [event('c', most - 20), event('d', 10)])), ['c'])
  equal(await storedIn('SHOP_LIVE'), 2)
  await bus.close()
})

test('other failures fail the batch', async () => {
  const bus = await connectBus(nats.url)
  await rejects(bus.send('live', [{ ...event('e', 10), subject: 'nowhere' }]))
  await bus.close()
})

for (const [pattern, subject, expected] of [
  ['a.b', 'a.b', true],
  ['a.*', 'a.b', true],
  ['a.*', 'a.*', true],
  ['a.b', 'a.*', false],
  ['a.*', 'a.b.c', false],
  ['a.*', 'a.>', false],
  ['a.>', 'a.b.*', true],
  ['a.>', 'a.>', true],
  ['a.>', 'a', false],
  ['a.b.>', 'a.>', false],
  ['>', 'a.b', true],
] as const)
  test(`${pattern} ${expected ? 'covers' : 'does not cover'} ${subject}`, () => {
    equal(covers(pattern, subject), expected)
  })

test('a tls:// address is not used without TLS, wherever it stands in the list', async () => {
  const plain = new URL(nats.url).host
  await rejects(pingBus(`tls://${plain}`), /tls/)
  await rejects(pingBus(`nats://127.0.0.1:1,tls://${plain}`))
})
