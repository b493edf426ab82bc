// A call of the API as the request log receives it.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { elapsedMs } from '../base/clock.ts'
import type {} from './request-state.ts'
import type { Principal } from './route.ts'

export interface ApiCall {
  principal: Principal | null
  authorization: string | undefined
  method: string
  url: string
  /** The declared path, with parameter names in place of ids; undefined for an unknown path. */
  route: string | undefined
  requestId: string
  status: number
  ms: number
  userAgent: string | undefined
  /** The bytes of a JSON body. */
  requestBody: Buffer | undefined
  /** The bytes of a reply that was not streamed. */
  replyBody: string | Buffer | undefined
}

/** Called once for every reply, before it is sent; it must return at once. */
export type RecordApiCall = (call: ApiCall) => void

const apiPath = /^\/((global\/)?(v1|api|offers|mobile|web)\/|oauth\/(token|introspect|revoke)\b)/

/** Pages, pictures and probes are no calls of the API. Paths of sign-in pages contain a secret of the browser. */
export const isApiCall = ({ url }: Pick<FastifyRequest, 'url'>): boolean => apiPath.test(url)

export const apiCallOf = (request: FastifyRequest, reply: FastifyReply, payload: unknown): ApiCall => ({
  principal: request.state.principal,
  authorization: request.headers.authorization,
  method: request.method,
  url: request.url,
  route: request.routeOptions.config.route?.path,
  requestId: request.state.requestId,
  status: reply.statusCode,
  ms: elapsedMs() - request.state.startedMs,
  userAgent: request.headers['user-agent'],
  requestBody: request.rawBody,
  replyBody: typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : undefined,
})
