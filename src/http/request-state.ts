// What the server attaches to a Fastify request, and what every route handler is built from.

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Environment } from '../base/database.ts'
import type { Refusal } from '../base/refusal.ts'
import type { Shop } from '../base/shop.ts'
import type { RequestPreferences } from './headers.ts'
import type { Principal, RequestContext, Route } from './route.ts'

/** What admission finds out about a request before its handler runs. */
export interface RequestState {
  requestId: string
  /** The trace context of this request (W3C), which is passed on; without a collector it is the caller's. */
  traceparent: string | undefined
  callerTraceparent: string | undefined
  startedMs: number
  environment: Environment
  principal: Principal | null
  /** Why the session cookie was ignored. Used only where a credential is required. */
  expiredCredential?: Refusal
  /** The share of the rate limit that the caller has used, from 0 to 1; absent without a limit. */
  limitShare?: number
  preferences: RequestPreferences
  origin: string
  isReplied: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    state: RequestState
    rawBody: Buffer | undefined
  }
  interface FastifyContextConfig {
    route?: Route
    root?: 'home' | 'global'
    isProbe?: boolean
    isRawRoute?: boolean
  }
}

export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

export const json = 'application/json; charset=utf-8'

/** Decoded and validated input. The schemas of the route guarantee its types. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Input = { params: any; query: any; body: any }

export type ReadInput = (request: FastifyRequest) => Input

export interface HandlerTools {
  shops: Record<Environment, Shop>
  input: ReadInput
  checkReply: ((data: unknown) => void) | undefined
}

export const contextOf = ({ state, ip, headers, rawBody }: FastifyRequest): RequestContext => ({
  environment: state.environment,
  principal: state.principal,
  requestId: state.requestId,
  language: state.preferences.language,
  currency: state.preferences.currency,
  region: state.preferences.region,
  timezone: state.preferences.timezone,
  origin: state.origin,
  ifMatch: state.preferences.ifMatch,
  ip,
  userAgent: headers['user-agent'],
  rawRequest: { headers, bytes: rawBody },
})
