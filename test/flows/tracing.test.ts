// A trace context goes from the request into the log, the event and the webhook. Slow calls and statements are logged.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { type Log, silentLog } from '../../src/base/log.ts'
import { get } from '../../src/http/route.ts'
import { openReceiver } from '../support/receiver.ts'
import { openPlatform } from '../support/shop.ts'
import { waitUntil } from '../support/wait-until.ts'

const lines: Record<string, unknown>[] = []
const log: Log = {
  ...silentLog(),
  warn: (message, fields) => void lines.push({ message, ...fields }),
  request: (fields) => void lines.push({ message: 'request', ...fields }),
}

const sleepMs = 1_100
const { call } = await openPlatform({
  log,
  env: { SLOW_CALL_MS: '50', SLOW_QUERY_MS: '1000' },
  routes: [
    get('/v1/sleep', {
      summary: 'Sleep',
      scope: 'catalog:read',
      reply: Type.Object({}),
      run: async ({ read }) => {
        await read.all('select pg_sleep($1)', [sleepMs / 1000])
        return { data: {} }
      },
    }),
  ],
})

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`

test('the trace context of a write is in the log line and in the header of its webhook', async () => {
  const receiver = await openReceiver()
  await call('POST', '/v1/webhooks', { body: { url: receiver.url, filters: ['BrandCreated'] } })
  const create = (slug: string, headers: Record<string, string>) =>
    call('POST', '/v1/catalog/brands', { body: { slug, name: slug }, headers })
  await create('traced', { traceparent, 'x-request-id': 'traced' })
  await create('untraced', { traceparent: `00-${'0'.repeat(32)}-00f067aa0ba902b7-01` })
  await waitUntil(() => receiver.received.length === 2, { what: 'both webhooks' })
  const headerOf = (slug: string) =>
    receiver.received.find((it) => it.event.data.Slug === slug)!.headers['traceparent']
  equal(headerOf('traced'), traceparent)
  equal(headerOf('untraced'), undefined, 'an invalid trace context is ignored')
  equal(lines.find((it) => it['requestId'] === 'traced')!['traceId'], traceId)
})

test('slow calls and slow statements are logged, statements without their values', async () => {
  await call('GET', '/v1/sleep', { headers: { traceparent, 'x-request-id': 'slow' } })
  const slow = lines.find((it) => it['message'] === 'slow call' && it['request_id'] === 'slow')!
  const { ms, ...rest } = slow
  ok(Number(ms) >= 50)
  deepEqual(rest, {
    message: 'slow call',
    request_id: 'slow',
    trace_id: traceId,
    method: 'GET',
    route: '/v1/sleep',
    status: 200,
    environment: 'test',
  })
  const query = lines.find((it) => it['message'] === 'slow query' && String(it['sql']).includes('pg_sleep'))!
  equal(query['sql'], 'select pg_sleep($1)')
  equal(query['environment'], 'test')
})
