// What is kept of every request: metrics and log lines.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { elapsedMs } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { traceIdOf } from './headers.ts'
import type { Metrics } from './metrics.ts'
import type { Principal } from './route.ts'

interface Recorders {
  metrics: Metrics
  log: Log
  onReply: (principal: Principal, status: number) => void
  /** Calls that take at least this long are logged; 0: none. */
  slowCallMs: number
}

/** Counts and logs a request whose reply is about to be sent. */
export function recordRequest(recorders: Recorders, request: FastifyRequest, reply: FastifyReply): void {
  const { metrics, log, onReply, slowCallMs } = recorders
  const { state, method } = request
  const route = request.routeOptions.url ?? 'none'
  const ms = elapsedMs() - state.startedMs
  if (state.principal) onReply(state.principal, reply.statusCode)
  metrics.observe({ method, route, status: reply.statusCode, seconds: ms / 1000 })
  // Probes come every few seconds and would hide the other lines.
  if (request.routeOptions.config.isProbe) return
  const traceId = state.traceparent && traceIdOf(state.traceparent)
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

const clientOf = ({ headers }: FastifyRequest): string =>
  `${String(headers['x-client-name'])} ${String(headers['x-client-version'] ?? '')}`.slice(0, 200).trim()
