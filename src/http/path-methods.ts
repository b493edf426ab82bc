// The methods of every known path: other methods get 405 with `Allow`, OPTIONS gets the CORS preflight reply.

import type { FastifyReply, FastifyRequest } from 'fastify'
import router, { type HTTPMethod } from 'find-my-way'
import { refuse } from '../base/refusal.ts'
import { allowedHeaders } from './openapi-headers.ts'
import type { RawRoute } from './raw-route.ts'

export const ordinaryMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const methodsOfAll = [...ordinaryMethods, 'HEAD', 'OPTIONS', 'TRACE']

export interface KnownPath {
  methods: string[]
  /** If given, it writes the error replies. */
  rawRoute?: RawRoute
}

export interface PathMethods {
  /** The path of a request that no route takes; undefined if no method has it. */
  of(request: FastifyRequest): KnownPath | undefined
}

/** One entry per path: a Fastify route for every other method would take longer to open than all routes. */
export function pathMethods(
  known: Map<string, KnownPath>,
  options: { ignoreTrailingSlash: boolean; caseSensitive: boolean; maxParamLength: number },
): PathMethods {
  const paths = router(options)
  const method: HTTPMethod = 'GET'
  for (const [url, path] of known) paths.on(method, url, () => undefined, path)
  return { of: (request) => paths.find(method, request.url)?.store as KnownPath | undefined }
}

/**
 * Paths that also match the pattern of another path, like `/members/me` and `/members/:id`, with the methods that only
 * the other one has. A route must refuse them, or the request would reach the route of the other path.
 */
export function shadowedMethods(known: Map<string, KnownPath>): [url: string, methods: string[]][] {
  const byLength = Map.groupBy(
    [...known].map(([url, { methods }]) => ({ url, methods, segments: url.split('/') })),
    (it) => it.segments.length,
  )
  const isParameter = (segment: string) => segment.startsWith(':')
  const covers = (pattern: string[], segments: string[]) =>
    segments.every((it, at) => isParameter(pattern[at]!) || it === pattern[at])
  return [...byLength.values()].flatMap((paths) =>
    paths.flatMap(({ url, methods, segments }): [string, string[]][] => {
      const others = paths
        .filter((it) => it.url !== url && covers(it.segments, segments))
        .flatMap((it) => it.methods)
        .filter((it) => !methods.includes(it))
        .flatMap((it) => (it === 'GET' ? ['GET', 'HEAD'] : [it]))
      return others.length > 0 ? [[url, [...new Set(others)]]] : []
    }),
  )
}

/** Called before the body of a request without a route is read. */
export function refuseOtherMethod(
  known: KnownPath | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  if (request.method === 'OPTIONS') return
  const isUnknownMethod = !methodsOfAll.includes(request.method)
  if (!known && !isUnknownMethod) return
  refuseMethod(reply, known?.methods ?? ordinaryMethods)
}

export function refuseMethod(reply: FastifyReply, methods: string[]): never {
  reply.header('allow', allowed(methods))
  throw refuse('method_not_allowed', { allowed: methods })
}

const allowed = (methods: string[]): string =>
  [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')

/** The reply to OPTIONS. */
export const allow = (reply: FastifyReply, methods: string[]): FastifyReply =>
  reply
    .status(204)
    .headers({
      allow: allowed(methods),
      'access-control-allow-methods': methods.join(', '),
      'access-control-allow-headers': allowedHeaders,
      'access-control-max-age': '86400',
    })
    .send()
