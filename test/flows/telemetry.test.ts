// Traces and metrics arrive at an OpenTelemetry collector, in one trace from the caller to the webhook.

import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { openReceiver, type Received } from '../support/receiver.ts'
import { openPlatform } from '../support/shop.ts'
import { waitFor, waitUntil } from '../support/wait-until.ts'

const collector = await openReceiver()
collector.answer(200)
const { call, keys } = await openPlatform({
  env: { OTEL_EXPORTER_OTLP_ENDPOINT: new URL(collector.url).origin },
})

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const callerSpanId = '00f067aa0ba902b7'

interface ReceivedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: object }[]
}

const spans = (): ReceivedSpan[] =>
  collector.received
    .filter((it) => it.path === '/v1/traces')
    .flatMap((it) => it.event.resourceSpans[0].scopeSpans[0].spans)

const spanOf = (name: string, trace = traceId): Promise<ReceivedSpan> =>
  waitFor(() => spans().find((it) => it.name === name && it.traceId === trace), { what: `the span ${name}` })

test('a request and its webhook are spans of the trace of the caller', async () => {
  const hooks = await openReceiver()
  await call('POST', '/v1/webhooks', { body: { url: hooks.url, filters: ['BrandCreated'] } })
  const reply = await call('POST', '/v1/catalog/brands', {
    body: { slug: 'traced', name: 'Traced' },
    headers: { traceparent: `00-${traceId}-${callerSpanId}-01`, 'x-request-id': 'traced' },
  })
  equal(reply.status, 201, reply.text)
  const server = await spanOf('POST /v1/catalog/brands')
  equal(server.parentSpanId, callerSpanId)
  equal(server.kind, 2)
  ok(BigInt(server.startTimeUnixNano) <= BigInt(server.endTimeUnixNano))
  const attributes = Object.fromEntries(server.attributes.map((it) => [it.key, it.value]))
  deepEqual(attributes, {
    'http.request.method': { stringValue: 'POST' },
    'http.route': { stringValue: '/v1/catalog/brands' },
    'http.response.status_code': { intValue: '201' },
    'bozor.environment': { stringValue: 'test' },
    'bozor.request_id': { stringValue: 'traced' },
  })
  const delivery = await spanOf('deliver BrandCreated')
  equal(delivery.parentSpanId, server.spanId)
  equal(delivery.kind, 3)
  await waitUntil(() => hooks.received.length === 1, { what: 'the webhook' })
  const sent = hooks.received[0]!.headers['traceparent']
  equal(sent, `00-${traceId}-${delivery.spanId}-01`, 'the receiver continues the trace')
})

test('a request without a context begins a trace, and one that is not sampled is not recorded', async () => {
  const unsampled = 'a'.repeat(32)
  await call('GET', '/v1/catalog/categories', {
    headers: { traceparent: `00-${unsampled}-${callerSpanId}-00` },
  })
  await call('GET', '/v1/catalog/partners')
  const own = await waitFor(() => spans().find((it) => it.name === 'GET /v1/catalog/partners'))
  equal(own.parentSpanId, undefined)
  match(own.traceId, /^[0-9a-f]{32}$/)
  equal(
    spans().some((it) => it.traceId === unsampled),
    false,
  )
})

test('OpenMetrics shows traced calls as exemplars', async () => {
  const accept = 'application/openmetrics-text; version=1.0.0'
  const page = await call('GET', '/metrics', { key: keys.live, headers: { accept } })
  match(page.headers.get('content-type')!, /^application\/openmetrics-text; version=1\.0\.0/)
  match(
    page.text,
    new RegExp(`/v1/catalog/brands.* # \\{trace_id="${traceId}",span_id="[0-9a-f]{16}"\\} 0\\.\\d+ \\d+`),
  )
  match(page.text, /^# TYPE bozor_cpu_seconds counter$/m)
  match(page.text, /\n# EOF\n$/)
  const plain = await call('GET', '/metrics', { key: keys.live })
  equal(plain.text.includes('trace_id'), false)
})

test('metrics arrive, and a collector that is gone harms nothing', async () => {
  await call('GET', '/v1/catalog/brands')
  const isCounted = ({ path, text }: Received) =>
    path === '/v1/metrics' && text.includes('/v1/catalog/brands')
  const { event } = await waitFor(() => collector.received.find(isCounted), { what: 'metrics' })
  const [resource] = event.resourceMetrics
  deepEqual(resource.resource.attributes[0], { key: 'service.name', value: { stringValue: 'bozor' } })
  const metrics: { name: string; histogram?: { dataPoints: Record<string, unknown>[] }; gauge?: object }[] =
    resource.scopeMetrics[0].metrics
  const named = (name: string) => metrics.find((it) => it.name === name)!
  const counts = named('http.server.request.duration').histogram!.dataPoints
  const brands = counts.find((it) => JSON.stringify(it['attributes']).includes('/v1/catalog/brands'))!
  equal(brands['count'], '1')
  const buckets = brands['bucketCounts'] as string[]
  equal(buckets.length, (brands['explicitBounds'] as number[]).length + 1)
  equal(
    buckets.reduce((sum, it) => sum + Number(it), 0),
    1,
  )
  ok(named('bozor_outbox_waiting').gauge)

  const alone = await openPlatform({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' } })
  equal((await alone.call('GET', '/v1/catalog/categories')).status, 200)
})
