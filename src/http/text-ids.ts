// Ids in `/v1` are strings, also in the details of a refusal. Rules are shared with the cart's API, where ids are numbers.

import type { FastifyRequest } from 'fastify'
import { Refusal, refuse } from '../base/refusal.ts'

/** The same refusal, with the ids of its details as strings when a path of `/v1` sends it. */
export function withTextIds(error: unknown, request: FastifyRequest): unknown {
  const isInV1 = request.routeOptions.config.route?.path.startsWith('/v1/') ?? false
  return error instanceof Refusal && isInV1
    ? refuse(error.code, textIdsIn(error.details) as Refusal['details'])
    : error
}

const isIdName = /(?:^|_)ids?$/
/** Refused lines of an import, with the ids that the file has. */
const asSent = 'refusals'

function textIdsIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(textIdsIn)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, it]) => [name, textIdsOf(name, it)]))
}

function textIdsOf(name: string, value: unknown): unknown {
  if (name === asSent) return value
  return isIdName.test(name) ? asText(value) : textIdsIn(value)
}

function asText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asText)
  return typeof value === 'number' ? String(value) : value
}
