// Webhooks of a server that is killed while its receiver fails at random. WEBHOOK_EVENTS and WEBHOOK_KILLS make it longer.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { jitter } from '../../src/base/random.ts'
import { databaseUrl, freshDatabase } from '../support/database.ts'
import { bozor, type RunningServer, startServer } from '../support/process.ts'
import { newHook, openReceiver, verified } from '../support/receiver.ts'
import { callAt, type CallOptions } from '../support/shop.ts'
import { until } from '../support/until.ts'

const events = Number(process.env['WEBHOOK_EVENTS'] ?? 100)
const kills = Number(process.env['WEBHOOK_KILLS'] ?? 2)
const brands = 10

test('kill -9 again and again, with a receiver that fails at random: every committed event arrives, in the order of its subject', async () => {
  const env = { DATABASE_URL: databaseUrl(await freshDatabase()), SECRET_KEY: '0'.repeat(64) }
  const args = ['--name', 'x', '--type', 'server', '--scopes', 'catalog:write admin:read admin:write']
  const made = await bozor(['app', 'create', ...args, '--env', 'test', '--json'], env)
  equal(made.code, 0, made.stderr)
  const key = (JSON.parse(made.stdout) as { api_key: string }).api_key
  let server: RunningServer = await startServer(env)
  const call = (method: string, path: string, options: CallOptions = {}) =>
    callAt(server.url, method, path, { key, ...options })

  const receiver = await openReceiver()
  const taken = new Map<string, number[]>()
  receiver.answer((it, response) => {
    if (jitter() < 0.2) return response.writeHead(500).end()
    taken.set(it.event.subject, [...(taken.get(it.event.subject) ?? []), it.event.sequence])
    response.end()
  })
  const hook = await newHook(call, receiver.url, ['Brand*'])

  const ids: string[] = []
  for (let at = 0; at < brands; at++)
    ids.push(
      (await call('POST', '/v1/catalog/brands', { body: { slug: `b-${at}`, name: 'x' } })).body.data.brand.id,
    )
  for (let at = brands; at < events; at++) {
    const path = `/v1/catalog/brands/${ids[at % brands]}`
    equal((await call('PATCH', path, { body: { name: `name ${at}` } })).status, 200)
    if (at % Math.ceil(events / (kills + 1)) === 0) {
      await server.end('SIGKILL')
      server = await startServer(env)
    }
  }
  const distinct = () => new Set([...taken.values()].flat()).size
  await until(async () => {
    await call('POST', '/v1/test/clock', { body: { advance: 'PT10M' } })
    await new Promise((done) => setTimeout(done, 500))
    return distinct() === events
  })
  for (const sequences of taken.values()) {
    const first = [...new Set(sequences)]
    deepEqual(
      first,
      first.toSorted((a, b) => a - b),
    )
  }
  for (const it of receiver.received.slice(-20)) equal(verified(hook.secret, it).id, it.event.id)
  ok(receiver.received.length >= events)
})
