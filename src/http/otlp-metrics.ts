// The metrics of a process in the format of OTLP.

import type { Clock } from '../base/clock.ts'
import { attributesJson, nanoseconds } from '../base/telemetry.ts'
import { bucketsSeconds, type Gauge, type MetricsPart, type Series } from './metrics.ts'

const cumulative = 2

/** Turns metrics into OTLP; sums count from the moment of this call. */
export function otlpMetricsSince(clock: Clock): (part: MetricsPart, shared: Gauge[]) => object[] {
  const startTimeUnixNano = nanoseconds(clock.now().getTime())
  return (part, shared) => {
    const times = { startTimeUnixNano, timeUnixNano: nanoseconds(clock.now().getTime()) }
    const gauges = Map.groupBy([...part.gauges, ...shared], (it) => it.name)
    return [durations(part.calls, times), ...[...gauges.values()].map((points) => figures(points, times))]
  }
}

type Times = { startTimeUnixNano: string; timeUnixNano: string }

const durations = (calls: readonly [string, Series][], times: Times): object => ({
  name: 'http.server.request.duration',
  unit: 's',
  histogram: {
    aggregationTemporality: cumulative,
    dataPoints: calls.map(([labels, { buckets, count, seconds, exemplars }]) => ({
      ...times,
      count: String(count),
      sum: seconds,
      explicitBounds: bucketsSeconds,
      bucketCounts: [...buckets, count - buckets.reduce((sum, it) => sum + it, 0)].map(String),
      attributes: attributesJson(attributesOf(labels)),
      exemplars: Object.values(exemplars).map((it) => ({
        timeUnixNano: nanoseconds(it.atMs),
        traceId: it.traceId,
        spanId: it.spanId,
        asDouble: it.seconds,
      })),
    })),
  },
})

/** The names of OpenTelemetry for our labels. */
const conventions: Record<string, string> = {
  method: 'http.request.method',
  route: 'http.route',
  status: 'http.response.status_code',
}

const attributesOf = (labels: string): Record<string, string | number> =>
  Object.fromEntries(
    [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [
      conventions[name!] ?? name!,
      name === 'status' ? Number(value) : value!,
    ]),
  )

function figures(points: readonly Gauge[], times: Times): object {
  const { name, help, type } = points[0]!
  const dataPoints = points.map(({ labels = {}, value }) => ({
    ...times,
    asDouble: value,
    attributes: attributesJson(labels),
  }))
  const data =
    type === 'counter'
      ? { sum: { isMonotonic: true, aggregationTemporality: cumulative, dataPoints } }
      : { gauge: { dataPoints } }
  return { name, description: help, ...data }
}
