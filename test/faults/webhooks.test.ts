// Webhooks with a real receiver that verifies every delivery with the unmodified library.

import { deepEqual, equal, match, notEqual, ok, throws } from 'node:assert/strict'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { certificateFiles } from '../support/certificate.ts'
import { readFileSync } from 'node:fs'
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
const renameBrand = async (id: string, name: string) =>
  equal((await call('PATCH', `/v1/catalog/brands/${id}`, { body: { name } })).status, 200)
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

test('a later event waits for an earlier one of its subject only', async () => {
  const receiver = await openReceiver()
  const hook = await newHook(call, receiver.url, ['Brand*'])
  const [slow, quick] = [await newBrand(), await newBrand()]
  await waitUntil(() => receiver.received.length === 2)
  receiver.answer((it, response) =>
    response.writeHead(it.event.subject === `brand/${slow}` ? 500 : 200).end(),
  )
  for (const name of ['a', 'b', 'c']) await renameBrand(slow, name)
  await renameBrand(quick, 'x')
  const seen = (subject: string) =>
    receiver.received.filter((it) => it.event.subject === subject).map((it) => it.event.sequence)
  await waitUntil(() => seen(`brand/${quick}`).length === 2)
  await waitUntil(() => seen(`brand/${slow}`).length === 2)
  receiver.answer(200)
  await moveClock('PT1M')
  await waitUntil(() => new Set(seen(`brand/${slow}`)).size === 4)
  const order = seen(`brand/${slow}`)
  deepEqual(
    order,
    order.toSorted((a, b) => a - b),
  )
  await removeHook(hook.id)
})

test('times out a slow receiver after fifteen seconds and retries', async () => {
  const receiver = await openReceiver()
  const hook = await newHook(call, receiver.url, ['BrandCreated'])
  receiver.answer((_it, response) => void setTimeout(() => response.end(), 30_000).unref())
  await newBrand()
  await tried(hook.id, 1)
  const [delivery] = await deliveriesOf(hook.id)
  const [attempt] = await logOf(hook.id, delivery.id)
  equal(attempt.error, 'no reply within 15 s')
  ok(attempt.duration_ms >= 14_900 && attempt.duration_ms < 20_000, String(attempt.duration_ms))
  equal(delivery.status, 'waiting')
  receiver.answer(200)
  await moveClock('PT6S')
  deepEqual((await untilEnded(hook.id))[0].status, 'succeeded')
  await removeHook(hook.id)
})

test('treats a redirect as a failure', async () => {
  const [receiver, elsewhere] = [await openReceiver(), await openReceiver()]
  const hook = await newHook(call, receiver.url, ['BrandCreated'])
  receiver.answer((_it, response) => response.writeHead(302, { location: elsewhere.url }).end())
  await newBrand()
  await tried(hook.id, 1)
  const [delivery] = await deliveriesOf(hook.id)
  equal((await logOf(hook.id, delivery.id))[0].reply.status, 302)
  equal(delivery.status, 'waiting')
  equal(elsewhere.received.length, 0)
  await removeHook(hook.id)
})

test('disables a receiver that replies 410 at once, and publishes that', async () => {
  const [receiver, watcher] = [await openReceiver(), await openReceiver()]
  const hook = await newHook(call, receiver.url, ['BrandCreated'])
  const other = await newHook(call, watcher.url, ['WebhookDisabled'])
  receiver.answer(410)
  await newBrand()
  await waitUntil(() => watcher.received.length === 1)
  deepEqual(watcher.received[0]!.event.data, { WebhookId: hook.id, Reason: 'gone' })
  const { enabled, disabled_reason } = await hookOf(hook.id)
  deepEqual({ enabled, disabled_reason }, { enabled: false, disabled_reason: 'gone' })
  await newBrand()
  equal((await deliveriesOf(hook.id)).length, 1)
  for (const it of [hook, other]) await removeHook(it.id)
})

test('retries at once after the test clock is set back', async () => {
  const receiver = await openReceiver()
  const hook = await newHook(call, receiver.url, ['BrandCreated'])
  await moveClock('P15D')
  receiver.answer(500)
  await newBrand()
  await tried(hook.id, 1)
  receiver.answer(200)
  equal((await call('DELETE', '/v1/test/clock')).status, 200)
  equal((await untilEnded(hook.id))[0].status, 'succeeded')
  await removeHook(hook.id)
})

test('honours Retry-After of 429 and 503', async () => {
  const receiver = await openReceiver()
  const hook = await newHook(call, receiver.url, ['BrandCreated'])
  receiver.answer((_it, response) => response.writeHead(429, { 'retry-after': '3600' }).end())
  await newBrand()
  await tried(hook.id, 1)
  const [{ next_attempt_at, created_at }] = await deliveriesOf(hook.id)
  const waitMs = Date.parse(next_attempt_at) - Date.parse(created_at)
  ok(waitMs >= 3_600_000 && waitMs < 3_700_000, String(waitMs))
  await removeHook(hook.id)
})

test('the log explains untrusted certificates and cut connections', async () => {
  const files = certificateFiles()
  const tls = { cert: readFileSync(files.TLS_CERT), key: readFileSync(files.TLS_KEY) }
  const server = createServer(tls, (_request, response) => response.end())
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  after(() => server.close())
  const strange = await newHook(call, `https://127.0.0.1:${(server.address() as AddressInfo).port}/`, [
    'BrandCreated',
  ])
  const cutter = await openReceiver()
  cutter.answer((_it, response) => response.destroy())
  const cut = await newHook(call, cutter.url, ['BrandCreated'])
  await newBrand()
  for (const hook of [strange, cut]) await tried(hook.id, 1)
  const errorOf = async (id: string) => (await logOf(id, (await deliveriesOf(id))[0].id))[0].error
  match(await errorOf(strange.id), /SELF_SIGNED|certificate/i)
  match(await errorOf(cut.id), /ECONNRESET|hang up/)
  for (const hook of [strange, cut]) await removeHook(hook.id)
})

test('reads 64 kB of an endless reply and stores 3 kB', async () => {
  const receiver = await openReceiver()
  const hook = await newHook(call, receiver.url, ['BrandCreated'])
  let written = 0
  receiver.answer((_it, response) => {
    response.writeHead(200)
    const more = () => {
      while (written < 10_000_000 && !response.destroyed) {
        written += 10_000
        if (!response.write('x'.repeat(10_000))) return void response.once('drain', more)
      }
    }
    more()
  })
  await newBrand()
  const [delivery] = await untilEnded(hook.id)
  equal(delivery.status, 'succeeded')
  equal((await logOf(hook.id, delivery.id))[0].reply.body.length, 3 * 1024)
  ok(written < 10_000_000, 'it was cut off before the end')
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

test('an endpoint that is down for days delays no other, is disabled, and can be caught up by redelivery', async () => {
  const [down, up] = [await openReceiver(), await openReceiver()]
  const [dead, alive] = [
    await newHook(call, down.url, ['BrandCreated']),
    await newHook(call, up.url, ['BrandCreated']),
  ]
  down.answer(500)
  const { body } = await call('GET', '/v1/test/clock')
  const from = body.data.now ?? body.data.clock?.now
  await Promise.all(times(20, newBrand))
  await waitUntil(() => up.received.length === 20)
  await waitUntil(() => down.received.length >= 20)
  for (let tries = 2; tries <= 7; tries++) {
    await moveClock('PT16H')
    await newBrand()
    await waitUntil(() => up.received.length === 19 + tries)
  }
  equal((await hookOf(dead.id)).enabled, true)
  const { waiting, failing_since } = await hookOf(dead.id)
  ok(waiting >= 20 && failing_since !== null)
  await moveClock('P2D')
  await waitUntil(async () => !(await hookOf(dead.id)).enabled)
  equal((await hookOf(dead.id)).disabled_reason, 'failing')
  equal((await hookOf(alive.id)).enabled, true)

  down.answer(200)
  const before = down.received.length
  equal((await call('POST', `/v1/webhooks/${dead.id}/enable`)).status, 200)
  const period = { from: from ?? '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' }
  const again = await call('POST', `/v1/webhooks/${dead.id}/redeliver`, { body: period })
  equal(again.status, 200, again.text)
  await waitUntil(() => down.received.length - before >= again.body.data.queued)
  const got = new Set(down.received.slice(before).map((it) => it.event.id))
  for (const { event } of up.received) ok(got.has(event.id))
  for (const hook of [dead, alive]) await removeHook(hook.id)
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
