import { deepEqual, equal, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import type { Principal } from '../../http/route.ts'
import { openPlatform } from '../../../test/support/shop.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { type HourOfUsage, HourlyUsageCounts, type Usage, UsageCounts } from './usage.ts'

const { call } = await openPlatform({ env: { SHOP_TIMEZONE: 'Asia/Tashkent' } })
const admin = '/v1/admin/applications'

const caller = (id: string): Principal => ({
  id,
  environment: 'test',
  actor: { kind: 'application' },
  application: { id: 'app_1', type: 'server' },
  scopes: new Set(),
  rate: undefined,
})

async function drained(counts: UsageCounts): Promise<Usage[]> {
  let all: Usage[] = []
  await counts.drain(async (counted) => void (all = counted))
  return all
}

test('counts calls and refused calls by key and business day', async () => {
  let now = new Date('2026-11-14T18:59:59.999Z')
  const counts = new UsageCounts({ now: () => now }, 'Asia/Tashkent')
  counts.note(caller('key_a'), 'served')
  counts.note(caller('key_a'), 'refused')
  counts.note(caller('key_b'), 'served')
  now = new Date('2026-11-14T19:00:00.000Z')
  counts.note(caller('key_a'), 'served')
  const applicationId = 'app_1'
  deepEqual(await drained(counts), [
    { applicationId, keyId: 'key_a', day: '2026-11-14', calls: 2, refused: 1 },
    { applicationId, keyId: 'key_b', day: '2026-11-14', calls: 1, refused: 0 },
    { applicationId, keyId: 'key_a', day: '2026-11-15', calls: 1, refused: 0 },
  ])
  deepEqual(await drained(counts), [])
})

test('counts all tokens of an application together, and no sessions', async () => {
  const counts = new UsageCounts({ now: () => new Date('2026-11-15T00:00:00Z') }, 'UTC')
  counts.note(caller('token_1'), 'served')
  counts.note(caller('token_2'), 'served')
  counts.note({ ...caller('session_1'), application: null }, 'served')
  deepEqual(
    (await drained(counts)).map(({ keyId, calls }) => [keyId, calls]),
    [['oauth', 2]],
  )
})

test('keeps counts that could not be saved for the next save', async () => {
  const counts = new UsageCounts({ now: () => new Date('2026-11-15T00:00:00Z') }, 'UTC')
  counts.note(caller('key_a'), 'served')
  await rejects(
    counts.drain(async () => {
      counts.note(caller('key_a'), 'refused')
      throw new Error('no database')
    }),
  )
  deepEqual(
    (await drained(counts)).map(({ calls, refused }) => [calls, refused]),
    [[2, 1]],
  )
})

test('shows calls by day for a key and its application, also after revocation', async () => {
  const made = await call('POST', admin, {
    body: { name: 'Till', type: 'server', scopes: ['catalog:read'] },
  })
  const { application, key, api_key } = made.body.data
  const base = `${admin}/${application.client_id}`
  const other = (await call('POST', `${base}/keys`, { body: { name: 'second' } })).body.data
  for (const [method, path, it] of [
    ['GET', '/v1/catalog/brands', api_key],
    ['GET', '/v1/catalog/brands', api_key],
    ['POST', '/v1/catalog/brands', api_key],
    ['GET', '/v1/catalog/brands', other.api_key],
  ])
    await call(method, path, { key: it, ...(method === 'POST' && { body: {} }) })
  await call('POST', `${base}/keys/${key.id}/revoke`)
  equal((await call('GET', '/v1/catalog/brands', { key: api_key })).status, 401)

  const usage = async (path: string) => (await call('GET', `${base}${path}/usage`)).body.data.usage
  await waitUntil(async () => (await usage('')).at(0)?.calls === 5)
  const [{ day, ...all }] = await usage('')
  deepEqual(all, { calls: 5, refused: 2 })
  deepEqual(await usage(`/keys/${key.id}`), [{ day, calls: 4, refused: 2 }])
  deepEqual(await usage(`/keys/${other.key.id}`), [{ day, calls: 1, refused: 0 }])
  deepEqual((await call('GET', `${base}/usage?to=2020-01-01`)).body.data, {
    from: '2019-12-03',
    to: '2020-01-01',
    usage: [],
  })
  equal((await call('GET', `${base}/keys/key_${'x'.repeat(20)}/usage`)).status, 404)
})

test('rejects invalid days and too long periods', async () => {
  const { application } = (
    await call('POST', admin, { body: { name: 'T', type: 'web', scopes: ['catalog:read'] } })
  ).body.data
  const wrong: [string, string, string][] = [
    ['from=2026-02-31', 'from', 'format'],
    ['to=yesterday', 'to', 'format'],
    ['from=2026-11-02&to=2026-11-01', 'from', 'maximum'],
    ['from=2020-01-01&to=2026-01-01', 'from', 'minimum'],
    ['since=2026-01-01', 'since', 'unknown_field'],
  ]
  for (const [query, path, rule] of wrong) {
    const reply = await call('GET', `${admin}/${application.client_id}/usage?${query}`)
    equal(reply.status, 422, query)
    const [fault] = reply.body.error.details.fields
    deepEqual([fault.path, fault.rule], [path, rule])
  }
  const whole = await call('GET', `${admin}/${application.client_id}/usage?from=2025-01-01&to=2026-02-04`)
  equal(whole.status, 200)
})

test('counts calls, calls above the limit and the highest share by application and hour', async () => {
  let now = new Date('2026-11-15T08:59:59.999Z')
  const counts = new HourlyUsageCounts({ now: () => now })
  counts.note(caller('key_a'), { status: 200, limitShare: 0.5 })
  counts.note(caller('key_b'), { status: 429, limitShare: 1 })
  counts.note(caller('key_a'), { status: 404, limitShare: 0.75 })
  counts.note({ ...caller('session_1'), application: null }, { status: 200, limitShare: 0.9 })
  now = new Date('2026-11-15T09:00:00.000Z')
  counts.note(caller('key_a'), { status: 200, limitShare: 0.25 })
  let all: HourOfUsage[] = []
  await counts.drain(async (counted) => void (all = counted))
  deepEqual(
    all.map((it) => [it.hour.toISOString().slice(11, 13), it.calls, it.limited, it.peakShare]),
    [
      ['08', 3, 1, 1],
      ['09', 1, 0, 0.25],
    ],
  )
})

test('shows how close applications came to their limits, and what was refused for it', async () => {
  const made = await call('POST', admin, {
    body: { name: 'Limited', type: 'server', scopes: ['catalog:read'], rate_limit: '4/60s' },
  })
  const { application, api_key } = made.body.data
  const statuses = []
  for (let at = 0; at < 6; at++)
    statuses.push((await call('GET', '/v1/catalog/brands', { key: api_key })).status)
  deepEqual(statuses, [200, 200, 200, 200, 429, 429])
  const usage = async () => (await call('GET', '/v1/admin/usage?hours=2')).body.data
  const { applications } = await usage()
  const { hours, ...found } = applications.find(
    (it: { client_id: string }) => it.client_id === application.client_id,
  )
  deepEqual(found, {
    client_id: application.client_id,
    name: 'Limited',
    rate_limit: '4/60s',
    calls: 6,
    limited: 2,
    peak_share: 1,
  })
  equal(
    hours.reduce((sum: number, it: { calls: number }) => sum + it.calls, 0),
    6,
  )
  await call('DELETE', `${admin}/${application.client_id}`)
  const after = (await usage()).applications.find(
    (it: { client_id: string }) => it.client_id === application.client_id,
  )
  deepEqual([after.name, after.calls], ['Limited', 6], 'a deleted application keeps its past')
  equal((await call('GET', '/v1/admin/usage?hours=169')).status, 422)
})
