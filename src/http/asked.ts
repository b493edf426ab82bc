import type { Environment } from '../base/db.ts'
import type { Refusal } from '../base/refusal.ts'
import type { Wishes } from './headers.ts'
import type { Principal, Route } from './route.ts'

/** What is learnt about a request before its handler runs. */
export interface Asked {
  requestId: string
  startedMs: number
  environment: Environment
  principal: Principal | null
  /** Why the cookie that a browser sent along does not count. */
  lapsed?: Refusal
  wishes: Wishes
  origin: string
  answered: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    asked: Asked
    rawBody: Buffer | undefined
  }
  interface FastifyContextConfig {
    route?: Route
    root?: 'home' | 'global'
    isProbe?: boolean
    isAnnex?: boolean
  }
}
