// Metrics of HTTP requests in the Prometheus text format.

export const bucketsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export interface Series {
  buckets: number[]
  count: number
  seconds: number
  /** The newest traced call of each bucket, by its place; the last place is beyond all edges. */
  exemplars: Record<number, Exemplar>
}

/** A traced call that shows what a bucket holds. */
export interface Exemplar {
  traceId: string
  spanId: string
  seconds: number
  atMs: number
}

/** The metrics of one process, as they are sent to another. */
export interface MetricsPart {
  process: string
  calls: [labels: string, series: Series][]
  /** Figures of the process itself, such as its memory. */
  gauges: Gauge[]
}

export interface Gauge {
  name: string
  help: string
  /** Default gauge. */
  type?: 'counter'
  labels?: Record<string, string>
  value: number
}

const noCalls = () => ({ buckets: bucketsSeconds.map(() => 0), count: 0, seconds: 0 })

export class Metrics {
  readonly #calls = new Map<string, Series>()

  /** Routes are a closed list, so the number of series is bounded. */
  observe(
    call: { method: string; route: string; status: number; seconds: number },
    trace?: Omit<Exemplar, 'seconds'>,
  ): void {
    const labels = `method="${call.method}",route="${call.route}",status="${call.status}"`
    let series = this.#calls.get(labels)
    if (!series) this.#calls.set(labels, (series = { ...noCalls(), exemplars: {} }))
    series.count++
    series.seconds += call.seconds
    const at = bucketsSeconds.findIndex((it) => call.seconds <= it)
    if (at >= 0) series.buckets[at]!++
    if (trace) series.exemplars[at >= 0 ? at : bucketsSeconds.length] = { ...trace, seconds: call.seconds }
  }

  calls(): [labels: string, series: Series][] {
    return [...this.#calls]
  }
}

export type MetricsFormat = 'prometheus' | 'openmetrics'

/** The sum of the calls of all processes, their own figures by process, and those of the platform. */
export function renderMetrics(
  parts: readonly MetricsPart[],
  shared: Gauge[],
  format: MetricsFormat = 'prometheus',
): string {
  const own = parts.flatMap(({ process, gauges }) =>
    gauges.map((it) => (parts.length > 1 ? { ...it, labels: { process, ...it.labels } } : it)),
  )
  const names = [...new Set(own.map((it) => it.name))]
  const grouped = names.flatMap((name) => own.filter((it) => it.name === name))
  return render(summed(parts.flatMap((it) => it.calls)), [...grouped, ...shared], format)
}

function summed(calls: readonly [string, Series][]): Map<string, Series> {
  const sums = new Map<string, Series>()
  for (const [labels, { buckets, count, seconds, exemplars }] of calls) {
    const sum = sums.get(labels)
    sums.set(labels, {
      buckets: buckets.map((it, at) => it + (sum?.buckets[at] ?? 0)),
      count: count + (sum?.count ?? 0),
      seconds: seconds + (sum?.seconds ?? 0),
      exemplars: { ...sum?.exemplars, ...exemplars },
    })
  }
  return sums
}

/** Only OpenMetrics has exemplars; it names a counter without the ending of its samples and ends with a mark. */
function render(calls: Map<string, Series>, gauges: Gauge[], format: MetricsFormat): string {
  const isOpen = format === 'openmetrics'
  const lines = [
    '# HELP bozor_http_request_seconds Duration of HTTP requests.',
    '# TYPE bozor_http_request_seconds histogram',
  ]
  for (const [labels, { buckets, count, seconds, exemplars }] of calls) {
    const shown = (at: number) => (isOpen && exemplars[at] ? exemplarText(exemplars[at]) : '')
    let sum = 0
    for (const [at, edge] of bucketsSeconds.entries())
      lines.push(
        `bozor_http_request_seconds_bucket{${labels},le="${edge}"} ${(sum += buckets[at]!)}${shown(at)}`,
      )
    const rest = shown(bucketsSeconds.length)
    lines.push(`bozor_http_request_seconds_bucket{${labels},le="+Inf"} ${count}${rest}`)
    lines.push(`bozor_http_request_seconds_sum{${labels}} ${seconds.toFixed(6)}`)
    lines.push(`bozor_http_request_seconds_count{${labels}} ${count}`)
  }
  for (const [at, { name, help, type = 'gauge', labels = {}, value }] of gauges.entries()) {
    const family = isOpen && type === 'counter' ? name.replace(/_total$/, '') : name
    if (gauges[at - 1]?.name !== name) lines.push(`# HELP ${family} ${help}`, `# TYPE ${family} ${type}`)
    const inner = Object.entries(labels)
      .map(([key, text]) => `${key}="${text}"`)
      .join(',')
    lines.push(`${name}${inner && `{${inner}}`} ${value}`)
  }
  if (isOpen) lines.push('# EOF')
  return lines.join('\n') + '\n'
}

const exemplarText = ({ traceId, spanId, seconds, atMs }: Exemplar): string =>
  ` # {trace_id="${traceId}",span_id="${spanId}"} ${seconds.toFixed(6)} ${(atMs / 1000).toFixed(3)}`
