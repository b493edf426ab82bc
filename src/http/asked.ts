import type { Environment } from '../base/db.ts'
import type { Wishes } from './headers.ts'
import type { Principal, Route } from './route.ts'

/** What is learnt about a request before its handler runs. */
export interface Asked {
  requestId: string
  startedMs: number
  environment: Environment
  principal: Principal | null
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
  }
}
