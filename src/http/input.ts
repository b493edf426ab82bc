// What a handler is told of a request: its circumstances, and its parameters, query and body, decoded and checked.

import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { isKeepable } from '../base/json.ts'
import { refuse } from '../base/refusal.ts'
import './asked.ts'
import type { Circumstances, Route } from './route.ts'
import { type Check, decodedQuery, isNeeded } from './validation.ts'

export const maxBodyBytes = 256 * 1024

export const circumstances = ({ asked, ip, headers, rawBody }: FastifyRequest): Circumstances => ({
  environment: asked.environment,
  principal: asked.principal,
  requestId: asked.requestId,
  language: asked.wishes.language,
  currency: asked.wishes.currency,
  region: asked.wishes.region,
  timezone: asked.wishes.timezone,
  origin: asked.origin,
  ifMatch: asked.wishes.ifMatch,
  ip,
  userAgent: headers['user-agent'],
  sent: { headers, bytes: rawBody },
})

/** Decodes and checks parameters, query and body. A malformed id in a path names nothing, so it is a 404. */
export function inputOf(route: Route, compile: (schema: Type.TSchema) => Check) {
  const { params = {}, query, body, takes } = route.declared
  const paramsSchema = Type.Object(params)
  const querySchema = query ?? Type.Object({}, { additionalProperties: false })
  const checkParams = compile(paramsSchema)
  const checkQuery = compile(querySchema)
  const checkBody = compile(body ?? Type.Object({}, { additionalProperties: false }))
  const needsBody = body !== undefined && isNeeded(body)
  return (request: FastifyRequest): Record<string, unknown> => {
    const decodedParams = decodedQuery(paramsSchema, request.params as Record<string, unknown>)
    if (!isGood(checkParams, decodedParams)) throw refuse('not_found')
    const decoded = decodedQuery(querySchema, request.query as Record<string, unknown>)
    checkQuery(decoded)
    refuseUnkeepable(decoded)
    if (needsBody && request.body === undefined) throw refuse('invalid_json', { reason: 'empty' })
    if (request.body !== undefined && !takes) checkBody(request.body)
    return { params: decodedParams, query: decoded, body: request.body ?? {} }
  }
}

function isGood(check: Check, params: Record<string, unknown>): boolean {
  try {
    check(params)
    refuseUnkeepable(params)
    return true
  } catch {
    return false
  }
}

function refuseUnkeepable(values: Record<string, unknown>): void {
  const [path] =
    Object.entries(values).find(([, it]) => [it].flat().some((one) => !isKeepable(String(one)))) ?? []
  if (path !== undefined) throw refuse('validation_failed', { fields: [{ path, rule: 'characters' }] })
}
