// N19, X5, E1, E5, J2 and the probes: internal faults, and what operators see of them.

import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { reaction } from '../../src/base/outbox.ts'
import type { Event } from '../../src/events.ts'
import { assertRefused } from '../support/refused.ts'
import { openPlatform } from '../support/shop.ts'
import { waitUntil } from '../support/wait-until.ts'

const handled: string[] = []
let isPoison = true
const { app, call, keys, makeKey, connection } = await openPlatform({
  reactions: [
    reaction('poisoned', 'BrandCreated', async (_tx, { event }) => {
      if (event.slug.startsWith('poison') && isPoison) throw new Error('it does not agree with me')
      handled.push(`poisoned ${event.slug}`)
    }),
    reaction('healthy', 'BrandCreated', async (_tx, { event }) => void handled.push(`healthy ${event.slug}`)),
  ],
})
const path = '/v1/catalog/brands'
const db = app.shops.test.db
const rename = (from: string, to: string) =>
  db.transaction((tx) => tx.all(`alter table test.${from} rename to ${to}`))

test('a defect is a 500 in the standard format without internals, and later calls succeed', async () => {
  await rename('catalog_brands', 'gone_brands')
  try {
    deepEqual(assertRefused('internal_error', await call('GET', `${path}?slug=defect`)), {})
    deepEqual(
      assertRefused('internal_error', await call('POST', path, { body: { slug: 'defect', name: 'x' } })),
      {},
    )
    equal((await call('GET', '/v1/catalog/categories')).status, 200)
    equal((await call('GET', `${path}?slug=defect`, { key: keys.live })).status, 200)
  } finally {
    await rename('gone_brands', 'catalog_brands')
  }
  equal((await call('GET', `${path}?slug=defect`)).status, 200)
})

test('a call that failed by a defect succeeds when it is repeated with the same key', async () => {
  const again = () =>
    call('POST', path, { body: { slug: 'twice', name: 'x' }, headers: { 'idempotency-key': 'defect' } })
  await rename('outbox_events', 'gone_events')
  try {
    assertRefused('internal_error', await again())
  } finally {
    await rename('gone_events', 'outbox_events')
  }
  equal((await call('GET', `${path}?slug=twice`)).body.data.pagination.total, 0)
  const done = await again()
  equal(done.status, 201)
  equal(done.headers.get('idempotent-replayed'), null)
  equal((await again()).text, done.text)
})

test('a failing reaction becomes a dead letter, blocks nothing, and can be retried', async () => {
  await call('POST', path, { body: { slug: 'poison', name: 'x' } })
  await call('POST', path, { body: { slug: 'wholesome', name: 'x' } })
  await waitUntil(() =>
    ['healthy poison', 'healthy wholesome', 'poisoned wholesome'].every((it) => handled.includes(it)),
  )

  const letters = async () => (await call('GET', '/v1/admin/dead-letters')).body.data.dead_letters
  await waitUntil(async () => {
    await call('POST', '/v1/test/clock', { body: { advance: 'PT10M' } })
    return (await letters()).length === 1
  })
  const [letter] = await letters()
  deepEqual([letter.reaction, letter.type, letter.attempts], ['poisoned', 'BrandCreated', 5])
  ok(!handled.includes('poisoned poison'))

  isPoison = false
  const retry = `/v1/admin/dead-letters/${letter.sequence}/poisoned/retry`
  equal((await call('POST', retry)).status, 200)
  await waitUntil(() => handled.includes('poisoned poison'))
  assertRefused('not_found', await call('POST', retry))
  deepEqual(await letters(), [])
  for (const it of ['healthy poison', 'healthy wholesome', 'poisoned wholesome', 'poisoned poison'])
    equal(handled.filter((one) => one === it).length, 1, it)
})

test('an idempotency key that is reused during the purge is kept', async () => {
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
    job = call('POST', '/v1/admin/jobs/purge-replies/run')
    // The job has started and waits for the row that is locked here.
    await waitUntil(
      async () =>
        (
          await db.read().all(
            `select 1 from pg_stat_activity
               where datname = current_database() and wait_event_type = 'Lock' and query like 'delete from idem%'`,
          )
        ).length > 0,
    )
  })
  await job
  equal((await send()).headers.get('idempotent-replayed'), 'true')
})

test('a repeated ClockMoved event after a later one does not set the clock back', async () => {
  const moves: Event[] = []
  app.shops.test.relay.subscribe((event) => void (event.type === 'TestClockMoved' && moves.push(event)))
  for (const advance of ['PT1H', 'PT2H']) await call('POST', '/v1/test/clock', { body: { advance } })
  const before = app.shops.test.clock.offsetMs
  db.onPublished([{ id: 'again', event: moves[0]! }])
  equal(app.shops.test.clock.offsetMs, before)
  await call('DELETE', '/v1/test/clock')
  db.onPublished([{ id: 'again', event: moves[1]! }])
  equal(app.shops.test.clock.offsetMs, 0)
})

test('moves of the test clock take effect after the clock of the database was set back', async () => {
  const { clock } = app.shops.test
  const movedAt = new Date(clock.now().getTime() + 3_600_000).toISOString()
  const offsetSeconds = clock.offsetMs / 1_000
  db.onPublished([{ id: 'ahead', event: { type: 'TestClockMoved', clock: 'test', offsetSeconds, movedAt } }])
  const reply = await call('POST', '/v1/test/clock', { body: { advance: 'PT1H' } })
  equal(reply.body.data.clock.offset_seconds, offsetSeconds + 3_600)
  equal(clock.offsetMs / 1_000, offsetSeconds + 3_600)
  equal((await call('DELETE', '/v1/test/clock')).status, 200)
  equal(clock.offsetMs, 0)
})

test('the probes need no credential, and readiness lists its checks', async () => {
  const health = await call('GET', '/healthz', { key: null })
  deepEqual(health.body, { status: 'up' })
  const ready = await call('GET', '/readyz', { key: null })
  equal(ready.status, 200)
  equal(ready.body.status, 'ready')
  const checks = { draining: false, database: true, migrations: true, product_index: true, models: true }
  deepEqual(ready.body.checks, checks)
  for (const it of [health, ready]) equal(it.headers.get('cache-control'), 'no-store')
  assertRefused('method_not_allowed', await call('POST', '/healthz', { key: null }))
})

test('a server becomes ready when the product index is loaded, and retries the load', async () => {
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
  deepEqual([early.status, early.body.checks.product_index], [503, false])
  blocked.resolve()
  await held
  await waitUntil(async () => (await ready()).status === 200)
})

test('a database that lacks a migration makes readiness 503 with the reason', async () => {
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

test('metrics are visible to this machine and to administrators, and 404 for others', async () => {
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
    assertRefused('not_found', await call('GET', '/metrics', { key: null, headers }))
    assertRefused('not_found', await call('GET', '/metrics', { key: reader, headers }))
    assertRefused('not_found', await call('GET', '/metrics', { key: testAdmin, headers }))
    equal((await call('GET', '/metrics', { key: admin, headers })).status, 200)
  }
})

test('unknown paths do not create new metrics', async () => {
  for (let at = 0; at < 50; at++) await call('GET', `/invented-${at}/%zz`)
  for (let at = 0; at < 50; at++) await call('GET', `${path}/${1_000 + at}`)
  const { text } = await call('GET', '/metrics', { key: null })
  // In labels: a figure may have these digits by chance.
  ok(!/="[^"]*(invented|\/1001)/.test(text))
})

test('metrics show jobs, payments, webhooks and queues of both environments', async () => {
  const { text } = await call('GET', '/metrics', { key: null })
  for (const environment of ['live', 'test'])
    for (const figure of [
      `bozor_job_failed{environment="${environment}",job="run-campaigns"}`,
      `bozor_job_last_run_seconds{environment="${environment}",job="purge-notifications"}`,
      `bozor_payment_tasks{environment="${environment}"}`,
      `bozor_webhook_queue{environment="${environment}"}`,
      `bozor_webhook_attempts{environment="${environment}",outcome="failed"}`,
      `bozor_notification_queue{environment="${environment}",channel="sms",status="held"}`,
    ])
      ok(text.includes(`\n${figure} `), figure)
  const types = text.split('\n').filter((it) => it.startsWith('# TYPE'))
  equal(new Set(types).size, types.length, 'every name has one block')
})
