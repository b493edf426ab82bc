// Message bus and shop are killed in turns while the other keeps running.

import { deepEqual, equal } from 'node:assert/strict'
import { after, test } from 'node:test'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { times } from '../support/carts.ts'
import { databaseUrl, freshDatabase } from '../support/database.ts'
import { openNats } from '../support/nats.ts'
import { bozor, startServer } from '../support/process.ts'
import { callAt, type CallOptions } from '../support/shop.ts'
import { waitUntil } from '../support/wait-until.ts'

/** The bus requires a token, and the first configured address is a server that is down. */
const nats = await openNats(['--auth', 'sesame'])
const { host } = new URL(nats.url)
const NATS_URL = `nats://sesame@127.0.0.1:1,nats://sesame@${host}`
const env = { DATABASE_URL: databaseUrl(await freshDatabase()), SECRET_KEY: '0'.repeat(64), NATS_URL }
const args = ['--name', 'x', '--type', 'server', '--scopes', 'catalog:write admin:read admin:write']
const made = await bozor(['app', 'create', ...args, '--env', 'test', '--json'], env)
equal(made.code, 0, made.stderr)
const key = JSON.parse(made.stdout).api_key as string

let server = await startServer(env)
const call = (method: string, path: string, options: CallOptions = {}) =>
  callAt(server.url, method, path, { key, ...options })

const line = await connect({ servers: host, token: 'sesame', maxReconnectAttempts: -1 })
after(() => line.close())

/** The ids of all events about brands in the stream of the test environment. */
async function kept(): Promise<string[]> {
  const manager = await jetstreamManager(line)
  const { state } = await manager.streams.info('SHOP_TEST')
  const ids: string[] = []
  for (let seq = state.first_seq; seq <= state.last_seq && state.messages > 0; seq++) {
    const message = await manager.streams.getMessage('SHOP_TEST', { seq })
    if (message?.subject.includes('Brand')) ids.push(message.header.get('Nats-Msg-Id'))
  }
  return ids
}

const idsOf = async (type: string): Promise<{ id: string; data: { EventId: string } }[]> =>
  (await call('GET', `/v1/events?type=${type}&per_page=100`)).body.data.events

test('publishes and receives each event once while shop and bus are killed in turns', async () => {
  let [brands, written] = [0, 0]
  const newBrands = (count: number) =>
    Promise.all(
      times(count, async () => {
        const body = { slug: `brand-${++brands}`, name: 'x' }
        const reply = await call('POST', '/v1/catalog/brands', { body }).catch(() => undefined)
        if (reply?.status === 201) written++
      }),
    )
  const sent = new Set<string>()
  const tellShop = async (count: number) => {
    for (let at = 0; at < count; at++) {
      const id = `e-${sent.size}`
      const event = { specversion: '1.0', id, source: '/warehouse', type: 'OfferDeactivated' }
      const text = JSON.stringify({
        ...event,
        time: '2026-11-01T09:00:00Z',
        data: { OfferId: 1, Reason: '' },
      })
      const publish = () => jetstream(line).publish('integration.test.warehouse', text)
      // Repeats until it is stored and then once more, like a producer without a reply. JetStream does not deduplicate these.
      await waitUntil(() => publish().then(Boolean, () => false))
      publish().catch(() => {})
      sent.add(id)
    }
  }
  await newBrands(10)
  await waitUntil(async () => (await kept().catch(() => [])).length === 10)
  for (let turn = 0; turn < 2; turn++) {
    await tellShop(10)
    // During writes and publishing.
    const writing = newBrands(10)
    await server.end('SIGKILL')
    await writing
    await tellShop(5)
    server = await startServer(env)
    const more = newBrands(10)
    await nats.stop()
    await more
    await nats.start()
    await newBrands(5)
  }
  await waitUntil(async () => (await idsOf('Brand*')).length >= written)
  const committed = (await idsOf('Brand*')).map((it) => it.id)
  await waitUntil(async () => new Set(await kept().catch(() => [])).size === committed.length)
  deepEqual((await kept()).toSorted(), committed.toSorted())
  await waitUntil(async () => (await idsOf('IntegrationEventReceived')).length >= sent.size)
  deepEqual(
    (await idsOf('IntegrationEventReceived')).map((it) => it.data.EventId).toSorted(),
    [...sent].toSorted(),
  )
})
