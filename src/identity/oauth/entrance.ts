// How a buyer is known on the way through an authorization: by his session in the shop, which may begin here.

import type { FastifyRequest } from 'fastify'
import type { Environment } from '../../base/db.ts'
import { Refusal } from '../../base/refusal.ts'
import { type Authenticate, callerOf, networkOf } from '../../http/admission.ts'
import type { Principal } from '../../http/route.ts'
import { checkPassword } from '../check-password.ts'
import { browserOf, type ClientDesk } from '../client-desk.ts'
import { sessionSetCookie } from '../cookie.ts'
import { signIn } from '../sign-in.ts'
import { findClient } from '../store/clients.ts'

export interface Entrance {
  /** Who is signed in to this environment in the caller's browser. */
  signedIn(environment: Environment, request: FastifyRequest): Promise<{ buyerId: number } | null>
  /** Signs a buyer in and returns the cookie for it, or why not. */
  signIn(
    environment: Environment,
    request: FastifyRequest,
    given: { login: string; password: string },
  ): Promise<{ buyerId: number; cookie: string } | Refusal>
  /** What a buyer calls himself; undefined when there is no such buyer any more. */
  nameOf(environment: Environment, buyerId: number): Promise<string | undefined>
}

export function entranceBy(authenticate: Authenticate, { shops, passwords }: ClientDesk): Entrance {
  const sessionOf = async (environment: Environment, request: FastifyRequest): Promise<Principal | null> => {
    const { headers, ...caller } = callerOf(request)
    // The cookie alone counts here: an application's own credential makes nobody a buyer.
    const { authorization: _authorization, ...others } = headers
    const found = await authenticate({ ...caller, headers: others })
    return found && !(found instanceof Refusal) && found.environment === environment ? found : null
  }
  return {
    signedIn: async (environment, request) => {
      const session = await sessionOf(environment, request)
      return session?.actor.kind === 'client' ? { buyerId: session.actor.clientId } : null
    },
    signIn: async (environment, request, given) => {
      const { db } = shops[environment]
      try {
        const checked = await checkPassword({ db, passwords }, { ...given, network: networkOf(request.ip) })
        const principal = await sessionOf(environment, request)
        const browser = browserOf({ principal, ip: request.ip, userAgent: request.headers['user-agent'] })
        const { client, secret } = await db.transaction((tx) => signIn(tx, checked, browser))
        return { buyerId: client.id, cookie: sessionSetCookie(request.asked.origin, secret) }
      } catch (error) {
        if (error instanceof Refusal && ['unauthorized', 'rate_limit_exceeded'].includes(error.code))
          return error
        throw error
      }
    },
    nameOf: async (environment, buyerId) => (await findClient(shops[environment].db.read(), buyerId))?.name,
  }
}
