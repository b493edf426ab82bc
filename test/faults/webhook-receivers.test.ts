// Receivers of webhooks that are slow, redirect, end, or reply with errors or without end.

import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { certificateFiles } from '../support/certificate.ts'
import { readFileSync } from 'node:fs'
import { times } from '../support/carts.ts'
import { newHook, openReceiver } from '../support/receiver.ts'
import { openPlatform } from '../support/shop.ts'
import { waitUntil } from '../support/wait-until.ts'

const { call } = await openPlatform()

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

async function untilEnded(id: string) {
  await waitUntil(async () => {
    const all = await deliveriesOf(id)
    return all.length > 0 && all.every((it: { status: string }) => it.status !== 'waiting')
  })
  return deliveriesOf(id)
}

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
