// Traces and metrics to an OpenTelemetry collector, as JSON over HTTP (OTLP). Off unless an endpoint is configured (ADR 0078).

import { type Clock, elapsedMs } from './clock.ts'
import { type HttpSender, openHttpSender } from './http-post.ts'
import type { Log } from './log.ts'
import { secretBytes, secretUuid } from './random.ts'

export type SpanKind = 'server' | 'client'
export type Attributes = Record<string, string | number>

/** A finished span. */
export interface Span {
  /** Its own context, from `begin`. */
  traceparent: string
  /** The context that it was begun with. */
  parent: string | undefined
  name: string
  kind: SpanKind
  /** `elapsedMs` at its begin. */
  beganMs: number
  isFailed: boolean
  attributes: Attributes
}

export interface Telemetry {
  /** The W3C context of a new span: in the trace of the parent, or in a new trace. Without a collector, the parent itself. */
  begin(parent: string | undefined): string | undefined
  end(span: Span): void
  /** Metrics in the format of OTLP, collected every minute and at the end. */
  sendMetrics(collect: () => Promise<object[]>): void
  /** Sends what is left. */
  close(): Promise<void>
}

/** Without a collector: contexts are passed on, and nothing is recorded. */
export const noTelemetry: Telemetry = {
  begin: (parent) => parent,
  end: () => {},
  sendMetrics: () => {},
  close: async () => {},
}

export interface TelemetryOptions {
  endpoint: string
  version: string
  clock: Clock
  log: Log
}

const spansEveryMs = 2_000
/** The first metrics are sent early, so that a wrong address shows at once. */
const firstMetricsAfterMs = 5_000
const metricsEveryMs = 60_000
/** More spans than this in one period are dropped and counted. */
const maxSpans = 4_000
const sendWithinMs = 5_000
const kinds: Record<SpanKind, number> = { server: 2, client: 3 }
const failedStatus = 2
const sampled = 1

export function openTelemetry(options: TelemetryOptions): Telemetry {
  const exporter = openExporter(options)
  let spans: object[] = []
  let dropped = 0
  let collectMetrics: (() => Promise<object[]>) | undefined
  const sendSpans = async () => {
    const batch = spans
    spans = []
    if (dropped > 0) options.log.warn('spans were dropped', { spans: dropped })
    dropped = 0
    if (batch.length > 0)
      await exporter.send('/v1/traces', { resourceSpans: [{ scopeSpans: [{ spans: batch }] }] })
  }
  const sendMetrics = async () => {
    const metrics = (await collectMetrics?.().catch(() => [])) ?? []
    if (metrics.length > 0)
      await exporter.send('/v1/metrics', { resourceMetrics: [{ scopeMetrics: [{ metrics }] }] })
  }
  const timers = [
    setInterval(() => void sendSpans(), spansEveryMs),
    setInterval(() => void sendMetrics(), metricsEveryMs),
    setTimeout(() => void sendMetrics(), firstMetricsAfterMs),
  ].map((it) => it.unref())
  return {
    begin: (parent) => {
      const spanId = secretBytes(8).toString('hex')
      return parent
        ? `${parent.slice(0, 36)}${spanId}${parent.slice(52, 55)}`
        : `00-${secretBytes(16).toString('hex')}-${spanId}-01`
    },
    end: (span) => {
      if (!isSampled(span.traceparent)) return
      if (spans.length >= maxSpans) dropped++
      else spans.push(spanJson(span, options.clock))
    },
    sendMetrics: (collect) => (collectMetrics = collect),
    close: async () => {
      for (const it of timers) clearInterval(it)
      await Promise.all([sendSpans(), sendMetrics()])
      exporter.close()
    },
  }
}

/** The caller decides whether a trace is recorded; its decision is in the flags. */
const isSampled = (traceparent: string): boolean =>
  (Number.parseInt(traceparent.slice(53, 55), 16) & sampled) === 1

function spanJson(span: Span, clock: Clock): object {
  const endMs = clock.now().getTime()
  const beganMs = endMs - (elapsedMs() - span.beganMs)
  return {
    traceId: span.traceparent.slice(3, 35),
    spanId: span.traceparent.slice(36, 52),
    ...(span.parent && { parentSpanId: span.parent.slice(36, 52) }),
    name: span.name,
    kind: kinds[span.kind],
    startTimeUnixNano: nanoseconds(beganMs),
    endTimeUnixNano: nanoseconds(endMs),
    attributes: attributesJson(span.attributes),
    ...(span.isFailed && { status: { code: failedStatus } }),
  }
}

/** Nanoseconds do not fit a number; OTLP sends them as text. */
export const nanoseconds = (ms: number): string => `${Math.round(ms * 1_000)}000`

export const attributesJson = (attributes: Attributes): object[] =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }))

interface Exporter {
  send(path: string, body: Record<string, [object]>): Promise<void>
  close(): void
}

/** Adds the description of this process. A collector that fails loses data and costs one warning. */
function openExporter({ endpoint, version, log }: TelemetryOptions): Exporter {
  const sender: HttpSender = openHttpSender(null, { waitMs: sendWithinMs })
  const attributes = attributesJson({
    'service.name': 'bozor',
    'service.version': version,
    'service.instance.id': secretUuid(),
  })
  let isReachable = true
  return {
    send: async (path, body) => {
      for (const [resource] of Object.values(body)) Object.assign(resource, { resource: { attributes } })
      const url = endpoint.replace(/\/$/, '') + path
      const { status, error } = await sender.send(
        url,
        { 'content-type': 'application/json' },
        JSON.stringify(body),
      )
      const isAccepted = status !== null && status < 300
      if (isReachable && !isAccepted)
        log.warn('the OpenTelemetry collector did not accept data', { path, status, error })
      if (!isReachable && isAccepted) log.info('the OpenTelemetry collector accepts data again')
      isReachable = isAccepted
    },
    close: () => sender.close(),
  }
}
