// What is kept of every request: metrics and log lines.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Clock, elapsedMs } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Span, Telemetry } from '../base/telemetry.ts'
import { traceIdOf } from './headers.ts'
import type { Metrics } from './metrics.ts'
import type { Principal } from './route.ts'

/** `limitShare` is the share of the rate limit that the caller has used with this call, from 0 to 1. */
export type OnReply = (principal: Principal, reply: { status: number; limitShare: number }) => void

interface Recorders {
  metrics: Metrics
  log: Log
  clock: Clock
  telemetry: Telemetry
  onReply: OnReply
  /** Calls that take at least this long are logged; 0: none. */
  slowCallMs: number
}

/** Counts and logs a request whose reply is about to be sent. */
export function recordRequest(recorders: Recorders, request: FastifyRequest, reply: FastifyReply): void {
  const { metrics, log, onReply, slowCallMs } = recorders
  const { state, method } = request
  const route = request.routeOptions.url ?? 'none'
  const ms = elapsedMs() - state.startedMs
  if (state.principal)
    onReply(state.principal, { status: reply.statusCode, limitShare: state.limitShare ?? 0 })
  const call = { method, route, status: reply.statusCode, seconds: ms / 1000 }
  const { traceparent } = state
  const isTraced = traceparent && !request.routeOptions.config.isProbe
  metrics.observe(call, isTraced ? exemplarOf(traceparent, recorders.clock) : undefined)
  // Probes come every few seconds and would hide the other lines.
  if (request.routeOptions.config.isProbe) return
  const traceId = traceparent && traceIdOf(traceparent)
  if (traceparent) recorders.telemetry.end(spanOf(request, call))
  if (slowCallMs > 0 && ms >= slowCallMs)
    log.warn('slow call', {
      request_id: state.requestId,
      ...(traceId && { trace_id: traceId }),
      method,
      route,
      status: reply.statusCode,
      ms: Math.round(ms),
      environment: state.environment,
    })
  log.request({
    requestId: state.requestId,
    traceId,
    method,
    route,
    status: reply.statusCode,
    ms,
    environment: state.environment,
    caller: state.principal?.id,
    client: request.headers['x-client-name'] && clientOf(request),
  })
}

interface Call {
  method: string
  route: string
  status: number
}

const spanOf = ({ state }: FastifyRequest, { method, route, status }: Call): Span => ({
  traceparent: state.traceparent!,
  parent: state.callerTraceparent,
  name: `${method} ${route}`,
  kind: 'server',
  beganMs: state.startedMs,
  isFailed: status >= 500,
  attributes: {
    'http.request.method': method,
    'http.route': route,
    'http.response.status_code': status,
    'bozor.environment': state.environment,
    'bozor.request_id': state.requestId,
  },
})

const exemplarOf = (traceparent: string, clock: Clock) => ({
  traceId: traceIdOf(traceparent),
  spanId: traceparent.slice(36, 52),
  atMs: clock.now().getTime(),
})

const clientOf = ({ headers }: FastifyRequest): string =>
  `${String(headers['x-client-name'])} ${String(headers['x-client-version'] ?? '')}`.slice(0, 200).trim()
