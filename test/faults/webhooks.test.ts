// Webhooks with a real receiver that verifies every delivery with the unmodified library.

import { deepEqual, equal, match, notEqual, ok, throws } from 'node:assert/strict'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { certificateFiles } from '../support/certificate.ts'
import { readFileSync } from 'node:fs'
import { times } from '../support/carts.ts'
import { newHook, openReceiver, type Receiver, verified } from '../support/receiver.ts'
import { refusedWith } from '../support/refused.ts'
import { openPlatform } from '../support/shop.ts'
import { until } from '../support/until.ts'

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
  until(async () => (await deliveriesOf(id))[0]?.attempts === attempts)

test('an event arrives signed, with the bytes that the list and the log have, and everything of its kind', async () => {
  const receiver = await openReceiver()
  const hook = await newHook(call, receiver.url, ['catalog.Brand*'])
  match(hook.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  const brand = await newBrand()
  await until(() => receiver.received.length === 1)
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
  await until(async () => {
    const all = await deliveriesOf(id)
    return all.length > 0 && all.every((it: { status: string }) => it.status !== 'waiting')
  })
  return deliveriesOf(id)
}

test('a forged, changed or repeated delivery is found out by its receiver', async () => {
  const receiver = await openReceiver()
  const hook = await newHook(call, receiver.url, ['BrandCreated'])
  await newBrand()
  await until(() => receiver.received.length === 1)
  const [got] = receiver.received
  throws(() => verified(hook.secret, { ...got!, text: got!.text.replace('Brand', 'Brend') }))
  throws(() => verified('whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', got!))
  await removeHook(hook.id)
})

test('a secret is shown once and is not to be found in the database', async () => {
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

test('after a rotation both secrets sign until the overlap is over', async () => {
  const receiver = await openReceiver()
  const hook = await newHook(call, receiver.url, ['BrandCreated'])
  const { body } = await call('POST', `/v1/webhooks/${hook.id}/rotate-secret`, { body: { overlap_hours: 2 } })
  const { secret } = body.data
  notEqual(secret, hook.secret)
  await newBrand()
  await until(() => receiver.received.length === 1)
  equal(receiver.received[0]!.headers['webhook-signature']!.split(' ').length, 2)
  for (const it of [secret, hook.secret]) verified(it, receiver.received[0]!)
  await moveClock('PT3H')
  await newBrand()
  await until(() => receiver.received.length === 2)
  verified(secret, receiver.received[1]!)
  throws(() => verified(hook.secret, receiver.received[1]!))
  await removeHook(hook.id)
})

test('however often a secret is rotated within the overlap, the newest five sign', async () => {
  const receiver = await openReceiver()
  const hook = await newHook(call, receiver.url, ['BrandCreated'])
  const secrets = [hook.secret]
  for (let turn = 0; turn < 7; turn++)
    secrets.push((await call('POST', `/v1/webhooks/${hook.id}/rotate-secret`)).body.data.secret)
  await newBrand()
  await until(() => receiver.received.length === 1)
  equal(receiver.received[0]!.headers['webhook-signature']!.split(' ').length, 5)
  for (const it of secrets.slice(-5)) verified(it, receiver.received[0]!)
  throws(() => verified(hook.secret, receiver.received[0]!))
  await removeHook(hook.id)
})

test('a secret that can no longer be opened is told in the log, and a rotation heals it at once', async () => {
  const receiver = await openReceiver()
  const hook = await newHook(call, receiver.url, ['BrandCreated'])
  // As after the loss of the key that sealed it.
  await app.shops.test.db.transaction((tx) =>
    tx.all(`update webhooks_secrets set sealed = sealed || '\\x00' where endpoint_id = $1`, [hook.id]),
  )
  await newBrand()
  await tried(hook.id, 1)
  const [delivery] = await deliveriesOf(hook.id)
  match((await logOf(hook.id, delivery.id))[0].error, /rotate it/)
  equal(receiver.received.length, 0)
  const { body } = await call('POST', `/v1/webhooks/${hook.id}/rotate-secret`)
  await newBrand()
  await until(() => receiver.received.length === 1)
  verified(body.data.secret, receiver.received[0]!)
  await removeHook(hook.id)
})

test('a later event of a subject waits for the earlier one, and other subjects do not', async () => {
  const receiver = await openReceiver()
  const hook = await newHook(call, receiver.url, ['Brand*'])
  const [slow, quick] = [await newBrand(), await newBrand()]
  await until(() => receiver.received.length === 2)
  receiver.answer((it, response) =>
    response.writeHead(it.event.subject === `brand/${slow}` ? 500 : 200).end(),
  )
  for (const name of ['a', 'b', 'c']) await renameBrand(slow, name)
  await renameBrand(quick, 'x')
  const seen = (subject: string) =>
    receiver.received.filter((it) => it.event.subject === subject).map((it) => it.event.sequence)
  await until(() => seen(`brand/${quick}`).length === 2)
  await until(() => seen(`brand/${slow}`).length === 2)
  receiver.answer(200)
  await moveClock('PT1M')
  await until(() => new Set(seen(`brand/${slow}`)).size === 4)
  const order = seen(`brand/${slow}`)
  deepEqual(
    order,
    order.toSorted((a, b) => a - b),
  )
  await removeHook(hook.id)
})

test('a receiver that is slow is given fifteen seconds, and then another try', async () => {
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

test('a redirect is not followed: it is a failure', async () => {
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

test('a receiver that is gone for good is disabled at once, and that is told', async () => {
  const [receiver, watcher] = [await openReceiver(), await openReceiver()]
  const hook = await newHook(call, receiver.url, ['BrandCreated'])
  const other = await newHook(call, watcher.url, ['WebhookDisabled'])
  receiver.answer(410)
  await newBrand()
  await until(() => watcher.received.length === 1)
  deepEqual(watcher.received[0]!.event.data, { WebhookId: hook.id, Reason: 'gone' })
  const { enabled, disabled_reason } = await hookOf(hook.id)
  deepEqual({ enabled, disabled_reason }, { enabled: false, disabled_reason: 'gone' })
  await newBrand()
  equal((await deliveriesOf(hook.id)).length, 1)
  for (const it of [hook, other]) await removeHook(it.id)
})

test('when the test clock is set back, what waits for a try in the future is tried now', async () => {
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

test('a receiver that asks for time with 429 or 503 gets it', async () => {
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

test('a certificate that nobody vouches for, and a line that is cut, are failures that the log explains', async () => {
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

test('of an endless reply 64 kB are read and 3 kB are kept', async () => {
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

test('an address inside, however it is dressed up, is refused when it is registered', async () => {
  // oxfmt-ignore
  const inside = ['https://127.0.0.1/', 'https://[::1]/', 'https://169.254.169.254/latest/meta-data', 'https://10.0.0.7/', 'https://localhost/',
    'https://[::ffff:10.0.0.1]/', 'https://0x7f.1/', 'https://2130706433/', 'http://example.com/', 'https://user@example.com/', 'https://100.64.0.1/']
  for (const url of inside) {
    const reply = await call('POST', '/v1/webhooks', { key: keys.live, body: { url, filters: ['*'] } })
    equal(refusedWith('validation_failed', reply).fields[0].path, 'url', url)
  }
  const body = { url: 'https://169.254.169.254/', filters: ['*'] }
  equal(
    refusedWith('validation_failed', await call('POST', '/v1/webhooks', { body })).fields[0].rule,
    'private_address',
  )
})

test('an address that turned inward after it was registered is refused when it is connected to', async () => {
  const receiver = await openReceiver()
  const { port } = new URL(receiver.url)
  const made = await call('POST', '/v1/webhooks', {
    key: keys.live,
    body: { url: 'https://hooks.example/', filters: ['BrandCreated'] },
  })
  equal(made.status, 201, made.text)
  const { id } = made.body.data.webhook
  // As if the name had been given another address since: both forms are judged at the connection.
  for (const [turn, host] of ['127.0.0.1', 'localhost'].entries()) {
    await app.shops.live.db.transaction((tx) =>
      tx.all(`update webhooks_endpoints set url = $2 where id = $1`, [id, `http://${host}:${port}/`]),
    )
    const slug = `live-${host.replaceAll('.', '-')}`
    equal(
      (await call('POST', '/v1/catalog/brands', { key: keys.live, body: { slug, name: 'x' } })).status,
      201,
    )
    await until(async () => {
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

test('an endpoint that is down for days harms no other, is disabled in the end, and is made good by hand', async () => {
  const [down, up] = [await openReceiver(), await openReceiver()]
  const [dead, alive] = [
    await newHook(call, down.url, ['BrandCreated']),
    await newHook(call, up.url, ['BrandCreated']),
  ]
  down.answer(500)
  const { body } = await call('GET', '/v1/test/clock')
  const from = body.data.now ?? body.data.clock?.now
  await Promise.all(times(20, newBrand))
  await until(() => up.received.length === 20)
  await until(() => down.received.length >= 20)
  for (let tries = 2; tries <= 7; tries++) {
    await moveClock('PT16H')
    await newBrand()
    await until(() => up.received.length === 19 + tries)
  }
  equal((await hookOf(dead.id)).enabled, true)
  const { waiting, failing_since } = await hookOf(dead.id)
  ok(waiting >= 20 && failing_since !== null)
  await moveClock('P2D')
  await until(async () => !(await hookOf(dead.id)).enabled)
  equal((await hookOf(dead.id)).disabled_reason, 'failing')
  equal((await hookOf(alive.id)).enabled, true)

  down.answer(200)
  const before = down.received.length
  equal((await call('POST', `/v1/webhooks/${dead.id}/enable`)).status, 200)
  const period = { from: from ?? '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' }
  const again = await call('POST', `/v1/webhooks/${dead.id}/redeliver`, { body: period })
  equal(again.status, 200, again.text)
  await until(() => down.received.length - before >= again.body.data.queued)
  const got = new Set(down.received.slice(before).map((it) => it.event.id))
  for (const { event } of up.received) ok(got.has(event.id))
  for (const hook of [dead, alive]) await removeHook(hook.id)
})

test('what was delivered is sent again by hand, with the same id', async () => {
  const receiver = await openReceiver()
  const hook = await newHook(call, receiver.url, ['BrandCreated'])
  await newBrand()
  const [delivery] = await untilEnded(hook.id)
  const again = await call('POST', `/v1/webhooks/${hook.id}/deliveries/${delivery.id}/redeliver`)
  equal(again.status, 200, again.text)
  notEqual(again.body.data.delivery.id, delivery.id)
  await until(() => receiver.received.length === 2)
  deepEqual(receiver.received[0]!.text, receiver.received[1]!.text)
  verified(hook.secret, receiver.received[1]!)
  await removeHook(hook.id)
})

test('what does not fit into a full line is refused, and what waits in it already is not counted twice', async () => {
  const hook = await newHook(call, 'http://127.0.0.1:1/', ['BrandCreated'])
  const from = (await call('GET', '/v1/test/clock')).body.data.clock.now
  await Promise.all(times(3, newBrand))
  await until(async () => (await hookOf(hook.id)).waiting === 3)
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
  const details = refusedWith('conflict', await redeliver(soon))
  deepEqual(details, { reason: 'line_full', limit: 10_000, available: 2 })
  const [first, second, third] = await deliveriesOf(hook.id)
  const one = (id: string) => call('POST', `/v1/webhooks/${hook.id}/deliveries/${id}/redeliver`)
  for (const it of [first, second]) equal((await one(it.id)).status, 200)
  refusedWith('conflict', await one(third.id))
  const { fields } = refusedWith('validation_failed', await redeliver(from))
  deepEqual([fields[0].path, fields[0].rule], ['to', 'minimum'])
  await removeHook(hook.id)
})

test('a ping reaches the webhook that it tries, and no other', async () => {
  const [receiver, other] = [await openReceiver(), await openReceiver()]
  const [hook, witness] = [
    await newHook(call, receiver.url, ['OfferCreated']),
    await newHook(call, other.url, ['*']),
  ]
  const { body } = await call('POST', `/v1/webhooks/${hook.id}/ping`)
  await until(() => receiver.received.length === 1)
  equal(receiver.received[0]!.event.id, body.data.event_id)
  await newBrand()
  await until(() => other.received.some((it) => it.event.type === 'BrandCreated'))
  equal(
    other.received.some((it) => it.event.type === 'WebhookPinged'),
    false,
  )
  for (const it of [hook, witness]) await removeHook(it.id)
})

test('a filter that names no event is refused at its place', async () => {
  const body = { url: 'http://127.0.0.1:1/', filters: ['Offer*', 'Ofer*'] }
  const { fields } = refusedWith('validation_failed', await call('POST', '/v1/webhooks', { body }))
  deepEqual([fields[0].path, fields[0].rule], ['filters.1', 'exists'])
})

test('webhooks and events of one environment are nothing to the other, and need the right scope', async () => {
  const receiver: Receiver = await openReceiver()
  const hook = await newHook(call, receiver.url, ['BrandCreated'])
  refusedWith('not_found', await call('GET', `/v1/webhooks/${hook.id}`, { key: keys.live }))
  refusedWith('not_found', await call('DELETE', `/v1/webhooks/${hook.id}`, { key: keys.live }))
  await newBrand()
  await until(() => receiver.received.length === 1)
  const path = `/v1/events/${receiver.received[0]!.event.id}`
  refusedWith('not_found', await call('GET', path, { key: keys.live }))
  equal((await call('GET', path)).status, 200)
  refusedWith('unauthorized', await call('GET', '/v1/events', { key: null }))
  await removeHook(hook.id)
})
