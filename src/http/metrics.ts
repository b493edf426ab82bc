// What an operator's Prometheus reads: how many calls, how fast, how full. Counted here, rendered when asked.

const bucketsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

interface Series {
  buckets: number[]
  count: number
  seconds: number
}

export interface Gauge {
  name: string
  help: string
  labels?: Record<string, string>
  value: number
}

export class Metrics {
  readonly #calls = new Map<string, Series>()

  /** Notes a call. Routes are a closed list, so the number of series is bounded. */
  observe(call: { method: string; route: string; status: number; seconds: number }): void {
    const labels = `method="${call.method}",route="${call.route}",status="${call.status}"`
    let series = this.#calls.get(labels)
    if (!series)
      this.#calls.set(labels, (series = { buckets: bucketsSeconds.map(() => 0), count: 0, seconds: 0 }))
    series.count++
    series.seconds += call.seconds
    const at = bucketsSeconds.findIndex((it) => call.seconds <= it)
    if (at >= 0) series.buckets[at]!++
  }

  /** The text format, with the gauges of the moment. */
  render(gauges: Gauge[]): string {
    const lines = [
      '# HELP bozor_http_request_seconds How long calls took.',
      '# TYPE bozor_http_request_seconds histogram',
    ]
    for (const [labels, { buckets, count, seconds }] of this.#calls) {
      let sum = 0
      for (const [at, edge] of bucketsSeconds.entries())
        lines.push(`bozor_http_request_seconds_bucket{${labels},le="${edge}"} ${(sum += buckets[at]!)}`)
      lines.push(`bozor_http_request_seconds_bucket{${labels},le="+Inf"} ${count}`)
      lines.push(`bozor_http_request_seconds_sum{${labels}} ${seconds.toFixed(6)}`)
      lines.push(`bozor_http_request_seconds_count{${labels}} ${count}`)
    }
    for (const [at, { name, help, labels = {}, value }] of gauges.entries()) {
      if (gauges[at - 1]?.name !== name) lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} gauge`)
      const inner = Object.entries(labels)
        .map(([key, text]) => `${key}="${text}"`)
        .join(',')
      lines.push(`${name}${inner && `{${inner}}`} ${value}`)
    }
    return lines.join('\n') + '\n'
  }
}
