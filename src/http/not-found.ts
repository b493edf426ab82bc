// A 404 names what was not found, so that a caller with several ids in a request knows which one to correct.

import type { FastifyRequest } from 'fastify'
import { Refusal, refuse } from '../base/refusal.ts'
import type { FieldFault } from '../base/validation.ts'
import { singular } from './operation-id.ts'

/** Other texts are not repeated in a reply. */
const repeatable = /^[\w.:~-]{1,100}$/

/**
 * Adds `resource` and `id` to a `not_found` without them: the last id of the path, or the path itself. Use cases name the
 * resource themselves when it is not the last one of the path, or when the body names it. The caller sent the id, so a
 * reply is the same for what does not exist and for what the caller may not see.
 */
export function withMissingResource(error: unknown, request: FastifyRequest): unknown {
  if (error instanceof Refusal && error.code === 'unsupported_media_type')
    return withExpectedType(error, request)
  if (error instanceof Refusal && error.code === 'validation_failed') return withMissingIds(error, request)
  const path = request.routeOptions.config.route?.path ?? ''
  const named = withIdOf(error, path, (request.params as Record<string, string> | undefined) ?? {})
  return isUnnamed(named)
    ? refuse('not_found', { ...named.details, resource: 'path', id: pathOf(request) })
    : named
}

const isUnnamed = (error: unknown): error is Refusal =>
  error instanceof Refusal && error.code === 'not_found' && !('resource' in error.details)

/** Names the last id of a path in a `not_found` that names nothing. */
export function withIdOf(error: unknown, path: string, params: Record<string, unknown>): unknown {
  const last = lastIdOf(path)
  if (!last || !isUnnamed(error)) return error
  const id = String(params[last.param] ?? '')
  return refuse('not_found', {
    ...error.details,
    resource: last.resource,
    id: repeatable.test(id) ? id : null,
  })
}

const repeatablePath = /^[\w./~-]{1,100}$/

function pathOf({ url }: FastifyRequest): string | null {
  const [path = ''] = url.split('?')
  return repeatablePath.test(path) ? path : null
}

/** The framework refuses an unknown media type without saying which are known. */
function withExpectedType(error: Refusal, request: FastifyRequest): Refusal {
  const { route } = request.routeOptions.config
  if (!route || 'expected' in error.details) return error
  const others = route.kind === 'write' ? (route.declared.accepts ?? []) : []
  const accepted = ['application/json', ...others]
  return refuse(error.code, { ...error.details, expected: `${accepted.join(', ')}; charset=utf-8` })
}

/** `/v1/orders/{id}/payments/{paymentId}/void` is about a `payment`, `/products/by-slug/{slug}` about a `product`. */
export function lastIdOf(path: string): { resource: string; param: string } | undefined {
  const found = [...path.matchAll(/([^/{}]+)(?:\/by-[^/{}]+)?\/\{(\w+)\}/g)].at(-1)
  return found && { resource: singular(found[1]!).replaceAll('-', '_'), param: found[2]! }
}

/** Adds the id that was sent to a field that names something that does not exist. */
function withMissingIds(error: Refusal, request: FastifyRequest): Refusal {
  const fields = error.details['fields'] as FieldFault[] | undefined
  if (!fields?.some((it) => it.rule === 'exists')) return error
  const sent = { ...(request.query as object), ...(request.body as object | undefined) }
  return refuse(error.code, {
    ...error.details,
    fields: fields.map((it) => (it.rule === 'exists' ? { limit: idAt(sent, it.path), ...it } : it)),
  })
}

function idAt(sent: unknown, path: string): string | undefined {
  const value = path
    .split('.')
    .reduce((at: unknown, part) => (at as Record<string, unknown> | null | undefined)?.[part], sent)
  const isId = typeof value === 'number' || (typeof value === 'string' && repeatable.test(value))
  return isId ? String(value) : undefined
}
