// Webhooks with a real receiver that verifies every delivery with the unmodified library.

import { deepEqual, equal, match, notEqual, ok, throws } from 'node:assert/strict'
import { test } from 'node:test'
import { times } from '../support/carts.ts'
import { newHook, openReceiver, type Receiver, verified } from '../support/receiver.ts'
import { assertRefused } from '../support/refused.ts'
import { openPlatform } from '../support/shop.ts'
import { waitUntil } from '../support/wait-until.ts'

const { call, keys, app } = await openPlatform()

let brands = 0
const newBrand = async (): Promise<string> => {
  const reply = await call('POST', '/v1/catalog/brands', {
    body: { slug: `brand-${++brands}`, name: 'Artel' },
  })
  equal(reply.status, 201, reply.text)
  return reply.body.data.brand.id
}
const deliveriesOf = async (id: string, query = '') =>
  (await call('GET', `/v1/webhooks/${id}/deliveries?sort=id&per_page=100${query}`)).body.data.deliveries
const logOf = async (id: string, delivery: string) =>
  (await call('GET', `/v1/webhooks/${id}/deliveries/${delivery}`)).body.data.delivery.log
const hookOf = async (id: string) => (await call('GET', `/v1/webhooks/${id}`)).body.data.webhook
const moveClock = async (advance: string) =>
  equal((await call('POST', '/v1/test/clock', { body: { advance } })).status, 200)
const removeHook = (id: string) => call('DELETE', `/v1/webhooks/${id}`)
const tried = (id: string, attempts: number) =>
  waitUntil(async () => (await deliveriesOf(id))[0]?.attempts === attempts)

test('delivers a signed event with the bytes of the event log', async () => {
  const receiver = await openReceiver()
  const hook = await newHook(call, receiver.url, ['catalog.Brand*'])
  match(hook.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  const brand = await newBrand()
  await waitUntil(() => receiver.received.length === 1)
  const [got] = receiver.received
  equal(verified(hook.secret, got!).id, got!.event.id)
  deepEqual(Object.keys(got!.event.data), ['BrandId', 'Slug'])
  equal(got!.event.subject, `brand/${brand}`)
  equal(got!.event.source, '/test/catalog')
  equal(got!.headers['webhook-id'], got!.event.id)
  const { body } = await call('GET', `/v1/events/${got!.event.id}`)
  equal(JSON.stringify(body.data.event), got!.text)
  const [delivery] = await untilEnded(hook.id)
  equal(delivery.status, 'succeeded')
  const [attempt] = await logOf(hook.id, delivery.id)
  equal(attempt.request.body, got!.text)
  equal(attempt.request.headers['webhook-signature'], got!.headers['webhook-signature'])
  equal(attempt.reply.status, 204)
  await removeHook(hook.id)
})

async function untilEnded(id: string) {
  await waitUntil(async () => {
    const all = await deliveriesOf(id)
    return all.length > 0 && all.every((it: { status: string }) => it.status !== 'waiting')
  })
  return deliveriesOf(id)
}

test('a receiver detects forged, changed and repeated deliveries', async () => {
  const receiver = await openReceiver()
  const hook = await newHook(call, receiver.url, ['BrandCreated'])
  await newBrand()
  await waitUntil(() => receiver.received.length === 1)
  const [got] = receiver.received
  throws(() => verified(hook.secret, { ...got!, text: got!.text.replace('Brand', 'Brend') }))
  throws(() => verified('whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', got!))
  await removeHook(hook.id)
})

test('shows a secret once and never stores it in plain text', async () => {
  const hook = await newHook(call, 'http://127.0.0.1:1/', ['BrandCreated'])
  const bytes = Buffer.from(hook.secret.slice(6), 'base64')
  const [{ sealed }] = (await app.shops.test.db
    .read()
    .all(`select sealed from webhooks_secrets where endpoint_id = $1`, [hook.id])) as [{ sealed: Buffer }]
  for (const it of [hook.secret, hook.secret.slice(6), bytes]) equal(sealed.includes(it), false)
  ok(!(await call('GET', `/v1/webhooks/${hook.id}`)).text.includes('whsec_'))
  const headers = { 'idempotency-key': 'one-hook' }
  const body = { url: 'http://127.0.0.1:1/', filters: ['*'] }
  const first = await call('POST', '/v1/webhooks', { body, headers })
  const again = await call('POST', '/v1/webhooks', { body, headers })
  equal(again.body.data.secret, null)
  equal(again.body.data.webhook.id, first.body.data.webhook.id)
  await removeHook(hook.id)
  await removeHook(first.body.data.webhook.id)
})

test('both secrets sign until the overlap ends', async () => {
  const receiver = await openReceiver()
  const hook = await newHook(call, receiver.url, ['BrandCreated'])
  const { body } = await call('POST', `/v1/webhooks/${hook.id}/rotate-secret`, { body: { overlap_hours: 2 } })
  const { secret } = body.data
  notEqual(secret, hook.secret)
  await newBrand()
  await waitUntil(() => receiver.received.length === 1)
  equal(receiver.received[0]!.headers['webhook-signature']!.split(' ').length, 2)
  for (const it of [secret, hook.secret]) verified(it, receiver.received[0]!)
  await moveClock('PT3H')
  await newBrand()
  await waitUntil(() => receiver.received.length === 2)
  verified(secret, receiver.received[1]!)
  throws(() => verified(hook.secret, receiver.received[1]!))
  await removeHook(hook.id)
})

test('signs with the newest five secrets, however often they are rotated', async () => {
  const receiver = await openReceiver()
  const hook = await newHook(call, receiver.url, ['BrandCreated'])
  const secrets = [hook.secret]
  for (let turn = 0; turn < 7; turn++)
    secrets.push((await call('POST', `/v1/webhooks/${hook.id}/rotate-secret`)).body.data.secret)
  await newBrand()
  await waitUntil(() => receiver.received.length === 1)
  equal(receiver.received[0]!.headers['webhook-signature']!.split(' ').length, 5)
  for (const it of secrets.slice(-5)) verified(it, receiver.received[0]!)
  throws(() => verified(hook.secret, receiver.received[0]!))
  await removeHook(hook.id)
})

test('logs a secret that cannot be decrypted, and a rotation fixes it at once', async () => {
  const receiver = await openReceiver()
  const hook = await newHook(call, receiver.url, ['BrandCreated'])
  // Like after the loss of the encryption key.
  await app.shops.test.db.transaction((tx) =>
    tx.all(`update webhooks_secrets set sealed = sealed || '\\x00' where endpoint_id = $1`, [hook.id]),
  )
  await newBrand()
  await tried(hook.id, 1)
  const [delivery] = await deliveriesOf(hook.id)
  match((await logOf(hook.id, delivery.id))[0].error, /rotate the secret/)
  equal(receiver.received.length, 0)
  const { body } = await call('POST', `/v1/webhooks/${hook.id}/rotate-secret`)
  await newBrand()
  await waitUntil(() => receiver.received.length === 1)
  verified(body.data.secret, receiver.received[0]!)
  await removeHook(hook.id)
})

test('refuses private addresses in any notation at registration', async () => {
  // oxfmt-ignore
  const inside = ['https://127.0.0.1/', 'https://[::1]/', 'https://169.254.169.254/latest/meta-data', 'https://10.0.0.7/', 'https://localhost/',
    'https://[::ffff:10.0.0.1]/', 'https://0x7f.1/', 'https://2130706433/', 'http://example.com/', 'https://user@example.com/', 'https://100.64.0.1/']
  for (const url of inside) {
    const reply = await call('POST', '/v1/webhooks', { key: keys.live, body: { url, filters: ['*'] } })
    equal(assertRefused('validation_failed', reply).fields[0].path, 'url', url)
  }
  const body = { url: 'https://169.254.169.254/', filters: ['*'] }
  equal(
    assertRefused('validation_failed', await call('POST', '/v1/webhooks', { body })).fields[0].rule,
    'private_address',
  )
})

test('test webhooks reach no loopback address in production', async () => {
  const { call, app } = await openPlatform({ env: { NODE_ENV: 'production' } })
  const refused = await call('POST', '/v1/webhooks', { body: { url: 'http://127.0.0.1:9/', filters: ['*'] } })
  equal(assertRefused('validation_failed', refused).fields[0].rule, 'private_address')
  const receiver = await openReceiver()
  const made = await newHook(call, 'http://example.com/', ['BrandCreated'])
  await app.shops.test.db.transaction((tx) =>
    tx.all(`update webhooks_endpoints set url = $2 where id = $1`, [made.id, receiver.url]),
  )
  equal((await call('POST', '/v1/catalog/brands', { body: { slug: 'inside', name: 'x' } })).status, 201)
  const deliveries = async () =>
    (await call('GET', `/v1/webhooks/${made.id}/deliveries`)).body.data.deliveries
  await waitUntil(async () => (await deliveries())[0]?.attempts === 1)
  const path = `/v1/webhooks/${made.id}/deliveries/${(await deliveries())[0].id}`
  equal((await call('GET', path)).body.data.delivery.log[0].error, 'the address is private')
  equal(receiver.received.length, 0)
})

test('test webhooks reach loopback addresses in production when the configuration allows it', async () => {
  const { call } = await openPlatform({
    env: { NODE_ENV: 'production', TEST_WEBHOOKS_TO_LOOPBACK: 'true' },
  })
  const receiver = await openReceiver()
  await newHook(call, receiver.url, ['BrandCreated'])
  equal((await call('POST', '/v1/catalog/brands', { body: { slug: 'allowed', name: 'x' } })).status, 201)
  await waitUntil(() => receiver.received.length === 1)
  const body = { url: 'http://10.0.0.1/', filters: ['*'] }
  const refused = assertRefused('validation_failed', await call('POST', '/v1/webhooks', { body }))
  equal(refused.fields[0].rule, 'private_address')
})

test('refuses to connect to an address that became private after registration', async () => {
  const receiver = await openReceiver()
  const { port } = new URL(receiver.url)
  const made = await call('POST', '/v1/webhooks', {
    key: keys.live,
    body: { url: 'https://hooks.example/', filters: ['BrandCreated'] },
  })
  equal(made.status, 201, made.text)
  const { id } = made.body.data.webhook
  // Like a name that got another address: both forms are checked when connecting.
  for (const [turn, host] of ['127.0.0.1', 'localhost'].entries()) {
    await app.shops.live.db.transaction((tx) =>
      tx.all(`update webhooks_endpoints set url = $2 where id = $1`, [id, `http://${host}:${port}/`]),
    )
    const slug = `live-${host.replaceAll('.', '-')}`
    equal(
      (await call('POST', '/v1/catalog/brands', { key: keys.live, body: { slug, name: 'x' } })).status,
      201,
    )
    await waitUntil(async () => {
      const { deliveries } = (await call('GET', `/v1/webhooks/${id}/deliveries`, { key: keys.live })).body
        .data
      return deliveries.length === turn + 1 && deliveries[0].attempts === 1
    })
    const { body } = await call('GET', `/v1/webhooks/${id}/deliveries`, { key: keys.live })
    const path = `/v1/webhooks/${id}/deliveries/${body.data.deliveries[0].id}`
    const log = (await call('GET', path, { key: keys.live })).body.data.delivery.log
    equal(log[0].error, 'the address is private')
  }
  equal(receiver.received.length, 0)
})

test('redelivers a delivered event with the same id', async () => {
  const receiver = await openReceiver()
  const hook = await newHook(call, receiver.url, ['BrandCreated'])
  await newBrand()
  const [delivery] = await untilEnded(hook.id)
  const again = await call('POST', `/v1/webhooks/${hook.id}/deliveries/${delivery.id}/redeliver`)
  equal(again.status, 200, again.text)
  notEqual(again.body.data.delivery.id, delivery.id)
  await waitUntil(() => receiver.received.length === 2)
  deepEqual(receiver.received[0]!.text, receiver.received[1]!.text)
  verified(hook.secret, receiver.received[1]!)
  await removeHook(hook.id)
})

test('refuses redelivery beyond a full queue, without counting queued events twice', async () => {
  const hook = await newHook(call, 'http://127.0.0.1:1/', ['BrandCreated'])
  const from = (await call('GET', '/v1/test/clock')).body.data.clock.now
  await Promise.all(times(3, newBrand))
  await waitUntil(async () => (await hookOf(hook.id)).waiting === 3)
  const redeliver = (to: string) => call('POST', `/v1/webhooks/${hook.id}/redeliver`, { body: { from, to } })
  const soon = new Date(Date.parse(from) + 3_600_000).toISOString()
  equal((await redeliver(soon)).body.data.queued, 3)
  equal((await hookOf(hook.id)).waiting, 3)
  await app.shops.test.db.transaction((tx) =>
    tx.all(`update webhooks_deliveries set status = 'failed', next_at = null where endpoint_id = $1`, [
      hook.id,
    ]),
  )
  await app.shops.test.db.transaction((tx) =>
    tx.all(`update webhooks_endpoints set waiting = 9998 where id = $1`, [hook.id]),
  )
  const details = assertRefused('conflict', await redeliver(soon))
  deepEqual(details, { reason: 'queue_full', limit: 10_000, available: 2 })
  const [first, second, third] = await deliveriesOf(hook.id)
  const one = (id: string) => call('POST', `/v1/webhooks/${hook.id}/deliveries/${id}/redeliver`)
  for (const it of [first, second]) equal((await one(it.id)).status, 200)
  assertRefused('conflict', await one(third.id))
  const { fields } = assertRefused('validation_failed', await redeliver(from))
  deepEqual([fields[0].path, fields[0].rule], ['to', 'minimum'])
  await removeHook(hook.id)
})

test('a ping reaches only the webhook that it tests', async () => {
  const [receiver, other] = [await openReceiver(), await openReceiver()]
  const [hook, witness] = [
    await newHook(call, receiver.url, ['OfferCreated']),
    await newHook(call, other.url, ['*']),
  ]
  const { body } = await call('POST', `/v1/webhooks/${hook.id}/ping`)
  await waitUntil(() => receiver.received.length === 1)
  equal(receiver.received[0]!.event.id, body.data.event_id)
  await newBrand()
  await waitUntil(() => other.received.some((it) => it.event.type === 'BrandCreated'))
  equal(
    other.received.some((it) => it.event.type === 'WebhookPinged'),
    false,
  )
  for (const it of [hook, witness]) await removeHook(it.id)
})

test('a wrong URL and a filter without events are refused together', async () => {
  const body = { url: 'ftp://shop.example/', filters: ['Ofer*'] }
  const { fields } = assertRefused('validation_failed', await call('POST', '/v1/webhooks', { body }))
  deepEqual(
    fields.map((it: { path: string }) => it.path),
    ['url', 'filters.0'],
  )
})

test('refuses a filter without matching events, with its path', async () => {
  const body = { url: 'http://127.0.0.1:1/', filters: ['Offer*', 'Ofer*'] }
  const { fields } = assertRefused('validation_failed', await call('POST', '/v1/webhooks', { body }))
  deepEqual([fields[0].path, fields[0].rule], ['filters.1', 'exists'])
  const headers = { 'accept-language': 'en' }
  const listed = await call('GET', '/v1/events?type=Offer*,Ofer*', { headers })
  const message = 'Ofer* does not exist'
  deepEqual(assertRefused('validation_failed', listed).fields, [{ path: 'type', rule: 'exists', message }])
})

test('separates webhooks and events of the environments, and requires the scope', async () => {
  const receiver: Receiver = await openReceiver()
  const hook = await newHook(call, receiver.url, ['BrandCreated'])
  assertRefused('not_found', await call('GET', `/v1/webhooks/${hook.id}`, { key: keys.live }))
  assertRefused('not_found', await call('DELETE', `/v1/webhooks/${hook.id}`, { key: keys.live }))
  await newBrand()
  await waitUntil(() => receiver.received.length === 1)
  const path = `/v1/events/${receiver.received[0]!.event.id}`
  assertRefused('not_found', await call('GET', path, { key: keys.live }))
  equal((await call('GET', path)).status, 200)
  assertRefused('unauthorized', await call('GET', '/v1/events', { key: null }))
  await removeHook(hook.id)
})
