// How the authorization pages identify the buyer: by the shop's own session, which may begin here.

import type { FastifyRequest } from 'fastify'
import type { Environment } from '../../base/database.ts'
import { Refusal } from '../../base/refusal.ts'
import { type Authenticate, authenticationInput, networkOf } from '../../http/admission.ts'
import type { Principal } from '../../http/route.ts'
import { browserOf, checkPassword, type ClientDeps, signIn } from '../clients/sign-in.ts'
import { findClient } from '../clients/store.ts'
import { sessionSetCookie } from '../cookies.ts'

export interface BuyerSessions {
  /** The client who is signed in to this environment in this browser. */
  signedIn(environment: Environment, request: FastifyRequest): Promise<{ buyerId: number } | null>
  /** Signs a buyer in and returns the session cookie, or the refusal. */
  signIn(
    environment: Environment,
    request: FastifyRequest,
    given: { login: string; password: string },
  ): Promise<{ buyerId: number; cookie: string } | Refusal>
  /** The display name of a buyer; undefined when the client no longer exists. */
  nameOf(environment: Environment, buyerId: number): Promise<string | undefined>
}

export function openBuyerSessions(
  authenticate: Authenticate,
  { shops, passwords }: ClientDeps,
): BuyerSessions {
  const sessionOf = async (environment: Environment, request: FastifyRequest): Promise<Principal | null> => {
    const { headers, ...caller } = authenticationInput(request)
    // Only the cookie counts: an application's own credential does not identify a buyer.
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
        return { buyerId: client.id, cookie: sessionSetCookie(request.state.origin, secret) }
      } catch (error) {
        if (error instanceof Refusal && ['invalid_credentials', 'rate_limit_exceeded'].includes(error.code))
          return error
        throw error
      }
    },
    nameOf: async (environment, buyerId) => (await findClient(shops[environment].db.read(), buyerId))?.name,
  }
}
