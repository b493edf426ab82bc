// N19, X5, E1, E5, J2 and the probes: what breaks inside, and what those who run the shop see of it.

import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { reaction } from '../../src/base/outbox.ts'
import type { Event } from '../../src/events.ts'
import { refusedWith } from '../support/refused.ts'
import { openPlatform } from '../support/shop.ts'
import { until } from '../support/until.ts'

const heard: string[] = []
let isPoison = true
const { app, call, keys, makeKey, connection } = await openPlatform({
  reactions: [
    reaction('poisoned', 'BrandCreated', async (_tx, { event }) => {
      if (event.slug.startsWith('poison') && isPoison) throw new Error('it does not agree with me')
      heard.push(`poisoned ${event.slug}`)
    }),
    reaction('healthy', 'BrandCreated', async (_tx, { event }) => void heard.push(`healthy ${event.slug}`)),
  ],
})
const path = '/v1/catalog/brands'
const db = app.shops.test.db
const rename = (from: string, to: string) =>
  db.transaction((tx) => tx.all(`alter table test.${from} rename to ${to}`))

test('a defect is 500 in the shape of every refusal, shows nothing of itself, and ends with its cause', async () => {
  await rename('catalog_brands', 'gone_brands')
  try {
    deepEqual(refusedWith('internal_error', await call('GET', `${path}?slug=defect`)), {})
    deepEqual(
      refusedWith('internal_error', await call('POST', path, { body: { slug: 'defect', name: 'x' } })),
      {},
    )
    equal((await call('GET', '/v1/catalog/categories')).status, 200)
    equal((await call('GET', `${path}?slug=defect`, { key: keys.live })).status, 200)
  } finally {
    await rename('gone_brands', 'catalog_brands')
  }
  equal((await call('GET', `${path}?slug=defect`)).status, 200)
})

test('a call that met a defect is done when it comes again with the same key', async () => {
  const again = () =>
    call('POST', path, { body: { slug: 'twice', name: 'x' }, headers: { 'idempotency-key': 'defect' } })
  await rename('outbox_events', 'gone_events')
  try {
    refusedWith('internal_error', await again())
  } finally {
    await rename('gone_events', 'outbox_events')
  }
  equal((await call('GET', `${path}?slug=twice`)).body.data.pagination.total, 0)
  const done = await again()
  equal(done.status, 201)
  equal(done.headers.get('idempotent-replayed'), null)
  equal((await again()).text, done.text)
})

test('a reaction that always fails becomes a dead letter, stalls nobody, and can be tried again', async () => {
  await call('POST', path, { body: { slug: 'poison', name: 'x' } })
  await call('POST', path, { body: { slug: 'wholesome', name: 'x' } })
  await until(() =>
    ['healthy poison', 'healthy wholesome', 'poisoned wholesome'].every((it) => heard.includes(it)),
  )

  const letters = async () => (await call('GET', '/v1/admin/dead-letters')).body.data.dead_letters
  await until(async () => {
    await call('POST', '/v1/test/clock', { body: { advance: 'PT10M' } })
    return (await letters()).length === 1
  })
  const [letter] = await letters()
  deepEqual([letter.reaction, letter.type, letter.attempts], ['poisoned', 'BrandCreated', 5])
  ok(!heard.includes('poisoned poison'))

  isPoison = false
  const retry = `/v1/admin/dead-letters/${letter.sequence}/poisoned/retry`
  equal((await call('POST', retry)).status, 200)
  await until(() => heard.includes('poisoned poison'))
  refusedWith('not_found', await call('POST', retry))
  deepEqual(await letters(), [])
  for (const it of ['healthy poison', 'healthy wholesome', 'poisoned wholesome', 'poisoned poison'])
    equal(heard.filter((one) => one === it).length, 1, it)
})

test('a key that comes back to life while old ones are forgotten is not forgotten with them', async () => {
  const send = () =>
    call('POST', path, { body: { slug: 'revived', name: 'x' }, headers: { 'idempotency-key': 'revived' } })
  const key = await db.read().maybe(`select 1 from idempotency_records where key = 'revived'`)
  equal(key, undefined)
  await send()
  await db.transaction((tx) =>
    tx.all(`update idempotency_records set created_at = created_at - interval '2 days'`),
  )
  let job: Promise<unknown> | undefined
  await db.transaction(async (tx) => {
    await tx.all(`update idempotency_records set created_at = $1 where key = 'revived'`, [tx.now])
    job = call('POST', '/v1/admin/jobs/forget-replies/run')
    // The job has begun and waits for the row that is held here.
    await until(
      async () =>
        (
          await db
            .read()
            .all(
              `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like 'delete from idem%'`,
            )
        ).length > 0,
    )
  })
  await job
  equal((await send()).headers.get('idempotent-replayed'), 'true')
})

test('a move of the clock that is heard again after a later one does not turn the clock back', async () => {
  const moves: Event[] = []
  app.shops.test.relay.listen((event) => void (event.type === 'TestClockMoved' && moves.push(event)))
  for (const advance of ['PT1H', 'PT2H']) await call('POST', '/v1/test/clock', { body: { advance } })
  const before = app.shops.test.clock.offsetMs
  db.onTold([{ id: 'again', event: moves[0]! }])
  equal(app.shops.test.clock.offsetMs, before)
  await call('DELETE', '/v1/test/clock')
  db.onTold([{ id: 'again', event: moves[1]! }])
  equal(app.shops.test.clock.offsetMs, 0)
})

test('the probes answer without a credential, and readiness names what it looked at', async () => {
  const health = await call('GET', '/healthz', { key: null })
  deepEqual(health.body, { status: 'up' })
  const ready = await call('GET', '/readyz', { key: null })
  equal(ready.status, 200)
  equal(ready.body.status, 'ready')
  const checks = { draining: false, database: true, migrations: true, goods: true, models: true }
  deepEqual(ready.body.checks, checks)
  for (const it of [health, ready]) equal(it.headers.get('cache-control'), 'no-store')
  refusedWith('method_not_allowed', await call('POST', '/healthz', { key: null }))
})

test('a server is ready when it has read its goods, which it goes on trying', async () => {
  const blocked = Promise.withResolvers<void>()
  const isLocked = Promise.withResolvers<void>()
  const held = db.transaction(async (tx) => {
    await tx.all(`lock table catalog_products in access exclusive mode`)
    isLocked.resolve()
    await blocked.promise
  })
  await isLocked.promise
  const beside = await openPlatform({ connection })
  const ready = () => beside.call('GET', '/readyz', { key: null })
  const early = await ready()
  deepEqual([early.status, early.body.checks.goods], [503, false])
  blocked.resolve()
  await held
  await until(async () => (await ready()).status === 200)
})

test('a database that lacks a migration makes the server not ready, and it says so with 503', async () => {
  const [last] = await db
    .read()
    .all<{ name: string }>(`select name from platform.migrations order by name desc limit 1`)
  await db.transaction((tx) => tx.all(`delete from platform.migrations where name = $1`, [last!.name]))
  const reply = await call('GET', '/readyz', { key: null })
  equal(reply.status, 503)
  ok(reply.headers.get('retry-after'))
  equal(reply.body.checks.migrations, false)
  equal((await call('GET', '/healthz', { key: null })).status, 200)
  await db.transaction((tx) => tx.all(`insert into platform.migrations (name) values ($1)`, [last!.name]))
  equal((await call('GET', '/readyz', { key: null })).status, 200)
})

test('the figures are for this machine and for administrators; to others the path does not exist', async () => {
  const here = await call('GET', '/metrics', { key: null })
  equal(here.status, 200)
  match(here.headers.get('content-type')!, /^text\/plain; version=0\.0\.4/)
  match(
    here.text,
    /^bozor_http_request_seconds_count\{method="GET",route="\/v1\/catalog\/brands",status="200"\} [1-9]/m,
  )
  const forwarded: Record<string, string>[] = [
    { 'x-forwarded-for': '203.0.113.1' },
    { 'x-forwarded-for': '127.0.0.1' },
    { forwarded: 'for=203.0.113.1' },
    { 'x-real-ip': '203.0.113.1' },
    { via: '1.1 proxy' },
  ]
  const reader = await makeKey({ scopes: ['catalog:read', 'admin:write'] })
  const admin = await makeKey({ environment: 'live', scopes: ['admin:read'] })
  const testAdmin = await makeKey({ environment: 'test', scopes: ['admin:read'] })
  for (const headers of forwarded) {
    refusedWith('not_found', await call('GET', '/metrics', { key: null, headers }))
    refusedWith('not_found', await call('GET', '/metrics', { key: reader, headers }))
    refusedWith('not_found', await call('GET', '/metrics', { key: testAdmin, headers }))
    equal((await call('GET', '/metrics', { key: admin, headers })).status, 200)
  }
})

test('no path that a caller invents becomes a figure of its own', async () => {
  for (let at = 0; at < 50; at++) await call('GET', `/invented-${at}/%zz`)
  for (let at = 0; at < 50; at++) await call('GET', `${path}/${1_000 + at}`)
  const { text } = await call('GET', '/metrics', { key: null })
  ok(!text.includes('invented') && !text.includes('1001'))
})
