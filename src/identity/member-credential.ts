import { refuse } from '../base/refusal.ts'
import type { CredentialKind } from './credential.ts'
import { scopesOfRole } from './member.ts'
import { markOfSession, memberCookie, memberIdleMs } from './member-session.ts'
import * as store from './store/member-sessions.ts'

const header = 'x-environment'

/**
 * The cookie of a member, who acts in the environment that the call names, else in the one the session began in. Members
 * live by the clock of live: a test clock moved by a year must neither end their sessions nor lengthen them.
 */
export const memberCredential: CredentialKind = {
  carrier: 'cookie',
  cookie: memberCookie,
  environmentOf: (text) => markOfSession(text) && 'live',
  isMeant: (headers) => headers[header] !== undefined,
  actsIn: (text, headers) => {
    const named = headers[header] ?? markOfSession(text)
    if (named !== 'live' && named !== 'test')
      throw refuse('invalid_header', { header: 'X-Environment', allowed: ['live', 'test'] })
    return named
  },
  find: async (read, hash) => {
    const session = await store.findMemberSessionByHash(read, hash)
    return (
      session && {
        principal: {
          id: session.sessionId,
          environment: 'live',
          actor: { kind: 'member', memberId: session.memberId, role: session.role },
          application: null,
          scopes: scopesOfRole(session.role),
          rate: undefined,
        },
        hash: session.hash,
        standsOn: [`member/${session.memberId}`],
        revokedAt: session.endedAt,
        expiresAt: session.endsAt,
        idle: { lastUsedAt: session.lastSeenAt, lifetimeMs: memberIdleMs },
      }
    )
  },
  noteUse: store.noteMembersSeen,
}
