import type { CredentialKind } from './credential.ts'
import {
  absoluteLifetimeMs,
  clientScopes,
  environmentOfSession,
  idleLifetimeMs,
  sessionCookie,
} from './session.ts'
import * as store from './store/sessions.ts'

const scopes = new Set(clientScopes)

/** `bs_live_…` and `bs_test_…`, in a cookie: a client in his own browser. */
export const sessionCredential: CredentialKind = {
  carrier: 'cookie',
  cookie: sessionCookie,
  environmentOf: environmentOfSession,
  find: async (read, hash) => {
    const session = await store.findSessionByHash(read, hash)
    return (
      session && {
        principal: {
          id: session.id,
          environment: read.environment,
          actor: { kind: 'client', clientId: session.clientId },
          application: null,
          scopes,
          rate: undefined,
        },
        hash: session.hash,
        standsOn: [`session/${session.id}`, `client/${session.clientId}`],
        revokedAt: session.endedAt,
        expiresAt: new Date(session.createdAt.getTime() + absoluteLifetimeMs),
        idle: { lastUsedAt: session.lastUsedAt, lifetimeMs: idleLifetimeMs },
      }
    )
  },
  noteUse: store.noteUse,
}
