import { EventEmitter } from 'node:events'
import { match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { Metrics, type MetricsPart, renderMetrics } from './metrics.ts'
import { serveMetrics, workerMetrics } from './metrics-workers.ts'

/** Both ends of the message channel of a worker, within one process. */
function channelPair() {
  const [toPrimary, toWorker] = [new EventEmitter(), new EventEmitter()]
  const worker = Object.assign(toPrimary, {
    send: (message: object) => queueMicrotask(() => toWorker.emit('message', message)),
  })
  const child = Object.assign(toWorker, {
    send: (message: object) => queueMicrotask(() => toPrimary.emit('message', message)),
  })
  return { worker, child }
}

function partOf(process: string, calls: number): MetricsPart {
  const metrics = new Metrics()
  for (let at = 0; at < calls; at++)
    metrics.observe({ method: 'GET', route: '/v1/x', status: 200, seconds: 0.002 })
  return {
    process,
    calls: metrics.calls(),
    gauges: [{ name: 'bozor_memory_bytes', help: 'Memory.', value: calls * 100 }],
  }
}

test('a scrape of one worker shows the calls of all workers and the memory of each', async () => {
  const pairs = [channelPair(), channelPair(), channelPair()]
  for (const { worker } of pairs) serveMetrics(worker, () => pairs.map((it) => it.worker))
  const [ask] = pairs.map(({ child }, at) =>
    workerMetrics(child, { id: String(at), otherCount: 2, part: () => partOf(String(at), at + 1) }),
  )
  const text = renderMetrics(await ask!(), [])
  match(text, /bozor_http_request_seconds_count\{method="GET",route="\/v1\/x",status="200"\} 6\n/)
  match(text, /bucket\{[^}]*le="0.0025"\} 6\n/)
  for (const [at, bytes] of [100, 200, 300].entries())
    ok(text.includes(`bozor_memory_bytes{process="${at}"} ${bytes}\n`), text)
  ok(text.indexOf('# TYPE bozor_memory_bytes') === text.lastIndexOf('# TYPE bozor_memory_bytes'))
})

test('a process that is alone has no label', () => {
  match(renderMetrics([partOf('7', 2)], []), /^bozor_memory_bytes 200$/m)
})
