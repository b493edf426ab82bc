// K3: a revoked key stops working at once on every server, under load too.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { elapsedMs } from '../../src/base/clock.ts'
import { databaseUrl } from '../support/database.ts'
import { startServer, temporaryFolder } from '../support/process.ts'
import { callAt, openPlatform } from '../support/shop.ts'
import { waitUntil } from '../support/wait-until.ts'

const first = await openPlatform()
const second = await openPlatform({ connection: first.connection })
const path = '/v1/catalog/brands'

interface Answered {
  status: number
  askedMs: number
}

async function storm(url: string, key: string, answers: Answered[]): Promise<void> {
  const askedMs = elapsedMs()
  const { status } = await callAt(url, 'GET', path, { key })
  answers.push({ status, askedMs })
}

async function registered() {
  const made = await first.call('POST', '/v1/admin/applications', {
    body: { name: 'busy', type: 'server', scopes: ['catalog:read'] },
  })
  const { application, key, api_key } = made.body.data
  return {
    apiKey: api_key as string,
    end: () => first.call('POST', `/v1/admin/applications/${application.client_id}/keys/${key.id}/revoke`),
  }
}

test('no request that begins after the reply to a revocation is served', async () => {
  const { apiKey, end } = await registered()
  const answers: Answered[] = []
  const calls: Promise<void>[] = []
  let revokedMs = Infinity
  for (let wave = 0; wave < 20; wave++) {
    calls.push(...Array.from({ length: 50 }, () => storm(first.url, apiKey, answers)))
    if (wave === 9)
      calls.push(end().then(({ status }) => (equal(status, 200), (revokedMs = elapsedMs()), undefined)))
    await new Promise((done) => setTimeout(done, 20))
  }
  await Promise.all(calls)
  equal(answers.length, 1_000)
  ok(answers.some((it) => it.status === 200))
  const late = Array.from({ length: 50 }, () => storm(first.url, apiKey, answers))
  await Promise.all(late)
  // Many refusals from one address lead to 429, and a busy machine to 503. Both count as refused.
  for (const { status } of answers) ok([200, 401, 429, 503].includes(status), String(status))
  ok(answers.some((it) => it.status === 401))
  deepEqual(
    answers.filter((it) => it.askedMs > revokedMs && it.status === 200),
    [],
  )
})

test('another server that had cached the key refuses it too', async () => {
  const { apiKey, end } = await registered()
  const ask = async () => (await callAt(second.url, 'GET', path, { key: apiKey })).status
  equal(await ask(), 200)
  await end()
  await waitUntil(async () => (await ask()) === 401)
  const answers: Answered[] = []
  await Promise.all(Array.from({ length: 20 }, () => storm(second.url, apiKey, answers)))
  deepEqual([...new Set(answers.map((it) => it.status))], [401])
})

test('of two processes the one that did not handle the revocation refuses the key too', async () => {
  const env = { DATABASE_URL: databaseUrl(first.connection), SECRET_KEY: '0'.repeat(64) }
  const [here, there] = await Promise.all([
    startServer({ ...env, DATA_DIR: temporaryFolder() }),
    startServer({ ...env, DATA_DIR: temporaryFolder() }),
  ])
  const made = await here.call('POST', '/v1/admin/applications', {
    key: first.keys.test,
    body: { name: 'two', type: 'server', scopes: ['catalog:read'] },
  })
  const { application, key, api_key } = made.body.data
  const ask = async (server: typeof here) => (await server.call('GET', path, { key: api_key })).status
  deepEqual([await ask(here), await ask(there)], [200, 200])
  const revoke = `/v1/admin/applications/${application.client_id}/keys/${key.id}/revoke`
  equal((await here.call('POST', revoke, { key: first.keys.test })).status, 200)
  equal(await ask(here), 401)
  await waitUntil(async () => (await ask(there)) === 401)
  for (let turn = 0; turn < 20; turn++) equal(await ask(there), 401)
  for (const server of [here, there]) equal(await server.end('SIGTERM'), 0)
})

test('what one server writes is visible on the other, also when it was cached', async () => {
  const slug = 'heard-of'
  const find = async () =>
    (await callAt(second.url, 'GET', `${path}?slug=${slug}`, { key: first.keys.test })).body.data.pagination
      .total
  equal(await find(), 0)
  await first.call('POST', path, { body: { slug, name: 'x' } })
  await waitUntil(async () => (await find()) === 1)
})
