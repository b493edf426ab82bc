// Decodes and validates parameters, query and body of a request.

import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { isStorableText } from '../base/json.ts'
import { refuse } from '../base/refusal.ts'
import type { Input, ReadInput } from './request-state.ts'
import { withoutNulls } from './null-fields.ts'
import { bodyOf, type Route } from './route.ts'
import { type Check, type checker, decodedQuery, isBodyRequired } from './validation.ts'

/** Optional fields of its operations may be null (ADR 0064). Elsewhere a null must be declared. */
const cartModule = '/api/'

export const maxBodyBytes = 256 * 1024

/** A malformed id in a path identifies nothing, so it is a 404 and not a validation error. */
export function inputOf(route: Route, compile: ReturnType<typeof checker>): ReadInput {
  const { params = {}, query } = route.declared
  const body = bodyOf(route)
  const paramsSchema = Type.Object(params)
  const querySchema = query ?? Type.Object({}, { additionalProperties: false })
  const checkParams = compile(paramsSchema)
  const checkQuery = compile(querySchema)
  const bodySchema = body ?? Type.Object({}, { additionalProperties: false })
  const checkBody = compile(bodySchema, 'body')
  const forgivesNulls = route.path.startsWith(cartModule)
  const needsBody = body !== undefined && isBodyRequired(body)
  return (request: FastifyRequest): Input => {
    const decodedParams = decodedQuery(paramsSchema, request.params as Record<string, unknown>)
    if (!isValid(checkParams, decodedParams)) throw refuse('not_found')
    rejectWrongEscapes(request.url)
    const decoded = decodedQuery(querySchema, request.query as Record<string, unknown>)
    checkQuery(decoded)
    rejectUnstorableText(decoded)
    if (needsBody && request.body === undefined) throw refuse('invalid_json', { reason: 'empty' })
    const given = forgivesNulls ? withoutNulls(bodySchema, request.body) : request.body
    if (given !== undefined && route.kind !== 'upload') checkBody(given)
    return { params: decodedParams, query: decoded, body: given ?? {} }
  }
}

function isValid(check: Check, params: Record<string, unknown>): boolean {
  try {
    check(params)
    rejectUnstorableText(params)
    return true
  } catch {
    return false
  }
}

function rejectUnstorableText(values: Record<string, unknown>): void {
  const [path] =
    Object.entries(values).find(([, it]) => [it].flat().some((one) => !isStorableText(String(one)))) ?? []
  if (path !== undefined) throw refuse('validation_failed', { fields: [{ path, rule: 'characters' }] })
}

/**
 * Escapes that are not UTF-8 are refused like such bytes in a body; the parser of the query takes them as plain text.
 * A percent sign that begins no escape is text.
 */
function rejectWrongEscapes(url: string): void {
  const query = url.slice(url.indexOf('?') + 1)
  if (!url.includes('?') || !query.includes('%') || isUtf8(query)) return
  const [name] = query
    .split('&')
    .find((it) => !isUtf8(it))!
    .split('=')
  const path = isUtf8(name!) ? name! : ''
  throw refuse('validation_failed', { fields: [{ path, rule: 'characters' }] })
}

function isUtf8(escaped: string): boolean {
  try {
    decodeURIComponent(escaped.replaceAll(/%(?![0-9a-f]{2})/gi, '%25'))
    return true
  } catch {
    return false
  }
}
