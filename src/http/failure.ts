// Turns whatever was thrown into the one shape of refusal, at every depth: handler, framework and bare socket.

import { STATUS_CODES } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Environment } from '../base/db.ts'
import type { Log } from '../base/log.ts'
import { secretUuid } from '../base/random.ts'
import { Refusal, refuse } from '../base/refusal.ts'
import type { Shop } from '../base/shop.ts'
import './asked.ts'
import { errorReply } from './envelope.ts'
import { isRefusalCode, type RefusalCode, refusals } from './refusals.ts'

// oxfmt-ignore
const frameworkCodes: Record<string, RefusalCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large', FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_json', FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_json',
  FST_ERR_BAD_URL: 'not_found', FST_ERR_ROUTE_MISSING_HANDLER: 'not_found', FST_ERR_NOT_FOUND: 'not_found',
  ERR_STREAM_PREMATURE_CLOSE: 'request_timeout',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout', ECONNRESET: 'request_timeout', ECONNABORTED: 'request_timeout',
}

export function sendFailure(
  tools: { shops: Record<Environment, Shop>; log: Log },
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const refusal = asRefusal(error)
  const { requestId, wishes, environment } = request.asked
  const now = tools.shops[environment].clock.now()
  const sent = errorReply(refusal, { requestId, language: wishes.language, now })
  logFailure(tools.log, { error, request, ...sent })
  if (sent.retryAfterSeconds !== undefined) reply.header('retry-after', sent.retryAfterSeconds)
  if (sent.code === 'unauthorized') reply.header('www-authenticate', 'Bearer')
  if (sent.code === 'payload_too_large' || sent.code === 'request_timeout')
    reply.header('connection', 'close')
  reply.status(sent.status).type('application/json; charset=utf-8').send(sent.body)
}

/** Writes down what was no fault of the caller. */
export function logFailure(
  log: Log,
  it: { error: unknown; request: FastifyRequest; status: number; code: RefusalCode },
): void {
  if (it.status < 500) return
  log[it.status === 500 ? 'error' : 'warn']('a call failed', {
    request_id: it.request.asked.requestId,
    route: it.request.routeOptions.url,
    code: it.code,
    error: it.error,
  })
}

/** The status with which something that was thrown will be answered. */
export function statusOf(error: unknown): number {
  const refusal = asRefusal(error)
  return refusal instanceof Refusal && isRefusalCode(refusal.code) ? refusals[refusal.code].status : 500
}

/** What the framework found wrong, as a refusal of ours. */
export function asRefusal(error: unknown): unknown {
  const code = frameworkCodes[(error as { code?: string }).code ?? '']
  return error instanceof Refusal || !code ? error : refuse(code, {})
}

/** What was wrong with bytes that did not become a request. */
interface WireError {
  code?: string
  rawPacket?: unknown
}

/** The reply to bytes that are not a request at all, written by hand because no framework got to see them. */
export function rawFailure(error: WireError, now: Date): string {
  const code = wireCode(error)
  const requestId = secretUuid()
  const language = 'ru'
  const { status, body } = errorReply(refuse(code, {}), { requestId, language, now })
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Language: ${language}`,
    `X-Request-ID: ${requestId}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n')
}

function wireCode({ code, rawPacket }: WireError): RefusalCode {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout'
  if (code !== 'HPE_HEADER_OVERFLOW') return 'invalid_header'
  // The limit holds for the address and the headers together; the first line tells which of them it was.
  return /^[A-Z]+ [^\r\n]{8000}/.test((rawPacket as Buffer | undefined)?.toString('latin1') ?? '')
    ? 'uri_too_long'
    : 'headers_too_large'
}
