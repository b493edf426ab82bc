// Consents that a buyer gave to applications. An application acting for the buyer sees only its own.

import { Type } from 'typebox'
import { refuse } from '../../base/refusal.ts'
import { del, get, type Principal, type Route } from '../../http/route.ts'
import { instant, list, oneOf, named } from '../../http/schema.ts'
import { scopes } from '../../http/scopes.ts'
import { withdrawConsent } from './grants.ts'
import { type Consent, listConsents } from './store.ts'
import { applicationId } from '../applications/wire.ts'

const consentReply = named(
  'ApplicationConsent',
  Type.Object({
    client_id: Type.String({ examples: ['app_test_6fJ2mQ9vXc1aTzR8wK3b'] }),
    application_name: Type.String({ examples: ['Mobile app'] }),
    scopes: list(oneOf(scopes)),
    updated_at: instant,
  }),
)
const consentView = (it: Consent) => ({
  client_id: it.applicationId,
  application_name: it.applicationName,
  scopes: it.scopes,
  updated_at: it.updatedAt.toISOString(),
})
const consentsReply = Type.Object({ consents: list(consentReply, 1_000) })

/** Whose consents the caller may see, and whether only those of one application. */
function viewerOf(principal: Principal | null): { buyerId: number; only: string | null } {
  if (principal?.actor.kind !== 'client') throw refuse('unauthorized', { reason: 'missing' })
  return { buyerId: principal.actor.clientId, only: principal.application?.id ?? null }
}

export const consentRoutes: Route[] = [
  get('/v1/auth/consents', {
    summary: 'List my consents',
    description: 'Applications that may act for the client. A user token sees only its own application.',
    scope: 'profile:read',
    needs: 'client',
    reply: consentsReply,
    run: async ({ read, principal }) => {
      const { buyerId, only } = viewerOf(principal)
      return { data: { consents: (await listConsents(read, buyerId, only)).map(consentView) } }
    },
  }),
  del('/v1/auth/consents/{client_id}', {
    summary: 'Withdraw a consent',
    description:
      'The application’s tokens for this client stop working within a second, and it must request consent again. Returns the remaining consents.',
    scope: 'profile:write',
    needs: 'client',
    params: { client_id: applicationId },
    reply: consentsReply,
    run: async ({ tx, params, principal }) => {
      const { buyerId, only } = viewerOf(principal)
      if (only !== null && only !== params.client_id) throw refuse('not_found')
      await withdrawConsent(tx, buyerId, params.client_id)
      return { data: { consents: (await listConsents(tx, buyerId, only)).map(consentView) } }
    },
  }),
]
