// Turns every error into the common error reply: errors of handlers, of the framework and of the socket.

import { STATUS_CODES } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Environment } from '../base/database.ts'
import type { Log } from '../base/log.ts'
import { secretUuid } from '../base/random.ts'
import { Refusal, refuse } from '../base/refusal.ts'
import type { Shop } from '../base/shop.ts'
import './request-state.ts'
import { errorReply } from './envelope.ts'
import { withMissingResource } from './not-found.ts'
import { isRefusalCode, type RefusalCode, refusals } from './refusals.ts'
import { maxInt4 } from './schema.ts'
import { withTextIds } from './text-ids.ts'

// oxfmt-ignore
const frameworkCodes: Record<string, RefusalCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large', FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_json', FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_json',
  FST_ERR_BAD_URL: 'not_found', FST_ERR_ROUTE_MISSING_HANDLER: 'not_found', FST_ERR_NOT_FOUND: 'not_found',
  ERR_STREAM_PREMATURE_CLOSE: 'request_timeout',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout', ECONNRESET: 'request_timeout', ECONNABORTED: 'request_timeout',
}

export function sendError(
  tools: { shops: Record<Environment, Shop>; log: Log },
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const refusal = withTextIds(withMissingResource(withBodyRules(error, request), request), request)
  const { requestId, preferences, environment } = request.state
  const now = tools.shops[environment].clock.now()
  const sent = errorReply(refusal, { requestId, language: preferences.language, now })
  logError(tools.log, { error, request, ...sent })
  if (sent.retryAfterSeconds !== undefined) reply.header('retry-after', sent.retryAfterSeconds)
  const challenge = bearerChallenge(refusal)
  if (challenge) reply.header('www-authenticate', challenge)
  if (sent.code === 'payload_too_large' || sent.code === 'request_timeout')
    reply.header('connection', 'close')
  reply.status(sent.status).type('application/json; charset=utf-8').send(sent.body)
}

/** The challenge of a reply to an absent, wrong or insufficient credential (RFC 6750 3). */
export function bearerChallenge(error: unknown, parameters: readonly string[] = []): string | undefined {
  if (!(error instanceof Refusal) || !isRefusalCode(error.code)) return undefined
  const { reason, required_scopes: required } = error.details as {
    reason?: string
    required_scopes?: readonly string[]
  }
  if (error.code === 'insufficient_permissions')
    return (
      required && challengeOf([...parameters, `scope="${required.join(' ')}"`, 'error="insufficient_scope"'])
    )
  if (refusals[error.code].status !== 401) return undefined
  // No Bearer credential was sent.
  const isBadToken = error.code === 'unauthorized' && reason !== 'missing' && reason !== 'scheme'
  return challengeOf([
    ...parameters,
    ...(isBadToken ? ['error="invalid_token"', `error_description="${reason}"`] : []),
  ])
}

const challengeOf = (parameters: readonly string[]) =>
  parameters.length === 0 ? 'Bearer' : `Bearer ${parameters.join(', ')}`

/** Logs errors that the caller did not cause. */
export function logError(
  log: Log,
  it: { error: unknown; request: FastifyRequest; status: number; code: RefusalCode },
): void {
  if (it.status < 500) return
  log[it.status === 500 ? 'error' : 'warn']('request failed', {
    request_id: it.request.state.requestId,
    route: it.request.routeOptions.url,
    code: it.code,
    error: it.error,
  })
}

/** The status of the reply to this error. */
export function statusOf(error: unknown): number {
  const refusal = asRefusal(error)
  return refusal instanceof Refusal && isRefusalCode(refusal.code) ? refusals[refusal.code].status : 500
}

/** SQLSTATE of a parameter that does not fit the type of its column. */
const numberOutOfRange = '22003'

/** Maps an error of the framework to a refusal. */
export function asRefusal(error: unknown): unknown {
  const { code: errorCode = '' } = error as { code?: string }
  // A number that does not fit its column comes from the caller: every stored number fits.
  if (errorCode === numberOutOfRange)
    return refuse('validation_failed', { fields: [{ path: 'number', rule: 'maximum', limit: maxInt4 }] })
  const code = frameworkCodes[errorCode]
  return error instanceof Refusal || !code ? error : refuse(code, {})
}

/** A body that is too large for the framework: the refusal says how large it may be. */
function withBodyRules(error: unknown, { routeOptions }: FastifyRequest): unknown {
  const { code } = error as { code?: string }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return refuse('payload_too_large', { limit_bytes: routeOptions.bodyLimit })
  return asRefusal(error)
}

/** An error of the HTTP parser. */
interface WireError {
  code?: string
  rawPacket?: unknown
}

/** The reply to bytes that the HTTP parser rejected. Built by hand, because the framework never sees them. */
export function rawErrorReply(error: WireError, now: Date): string {
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
  // The limit covers the URL and the headers together; the first line shows which of them is too long.
  return /^[A-Z]+ [^\r\n]{8000}/.test((rawPacket as Buffer | undefined)?.toString('latin1') ?? '')
    ? 'uri_too_long'
    : 'headers_too_large'
}
