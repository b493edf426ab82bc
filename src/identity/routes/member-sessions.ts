// How members enter and leave, on the wire. The cookie opens both environments (ADR 0011).

import { Type } from 'typebox'
import { networkOf } from '../../http/admission.ts'
import { refuse } from '../../base/refusal.ts'
import { del, get, patch, post, type Principal, type Route } from '../../http/route.ts'
import { flag, instant, integer, list, name, nullable, oneOf, strict, text } from '../../http/schema.ts'
import { scopes } from '../../http/scopes.ts'
import { acceptInvitation, checkInvitation } from '../accept-invitation.ts'
import { changeMemberPassword } from '../change-member-password.ts'
import { checkMemberPassword, checkNewMemberPassword, type PasswordDesk } from '../check-member-password.ts'
import { setCookie } from '../cookie.ts'
import { csrfTokenOf } from '../csrf.ts'
import { endMemberSession, endOtherSessions } from '../end-member-sessions.ts'
import { tokenPattern } from '../invitation.ts'
import { scopesOfRole } from '../member.ts'
import { memberCookie, memberIdleMs, type MemberSession, memberSessionMs } from '../member-session.ts'
import { renameMember } from '../rename-member.ts'
import { signInMember } from '../sign-in-member.ts'
import { listMemberSessions } from '../store/member-sessions.ts'
import { findMember } from '../store/members.ts'
import { emailField, memberReply, memberView } from './members-wire.ts'

const password = text({ max: 1_000, examples: ['correct horse battery'] })
const environment = oneOf(['live', 'test'])
const sessionId = text({
  max: 60,
  pattern: '^session_[0-9A-Za-z]{20}$',
  examples: ['session_6fJ2mQ9vXc1aTzR8wK3b'],
})

const sessionReply = Type.Object({
  id: Type.String({ examples: ['session_6fJ2mQ9vXc1aTzR8wK3b'] }),
  environment,
  user_agent: nullable(Type.String({ examples: ['Mozilla/5.0'] })),
  created_at: instant,
  last_seen_at: instant,
  ends_at: instant,
  is_current: flag,
})

const sessionView = (it: MemberSession, current: string) => ({
  id: it.id,
  environment: it.environment,
  user_agent: it.userAgent,
  created_at: it.createdAt.toISOString(),
  last_seen_at: it.lastSeenAt.toISOString(),
  ends_at: it.endsAt.toISOString(),
  is_current: it.id === current,
})

const meReply = { member: memberReply, environment, scopes: list(oneOf(scopes)) }

const maxUserAgent = 200

/** Who calls; the paths have seen to it that it is a member. */
function selfOf(principal: Principal | null): { memberId: string; sessionId: string } {
  if (principal?.actor.kind !== 'member') throw refuse('unauthorized', { reason: 'missing' })
  return { memberId: principal.actor.memberId, sessionId: principal.id }
}

const bySelf = { scope: null, needs: 'member', platform: true } as const

export const memberSessionRoutes = (desk: PasswordDesk): Route[] => [
  ...entranceRoutes(desk),
  ...sessionRoutes,
  ...meRoutes(desk),
]

const entranceRoutes = (desk: PasswordDesk) => [
  post('/v1/admin/sessions', {
    summary: 'Sign in as a member',
    description:
      'Sets a cookie that opens both environments. Calls act in the one that is chosen here, unless they say otherwise with `X-Environment`. A write needs our own `Origin`, or the token in `X-CSRF-Token`.',
    scope: null,
    platform: true,
    body: strict({
      email: emailField,
      password,
      environment: Type.Optional(oneOf(['live', 'test'], { description: 'Default `live`.' })),
    }),
    reply: Type.Object({
      ...meReply,
      session: sessionReply,
      csrf_token: nullable(Type.String({ description: 'Shown once.', examples: ['q83v…'] })),
    }),
    creates: true,
    secrets: ['csrf_token'],
    refusals: ['unauthorized', 'rate_limit_exceeded'],
    prepare: ({ body, ip }) => checkMemberPassword(desk, { ...body, network: networkOf(ip) }),
    run: async ({ tx, body, prepared, principal, origin, userAgent }) => {
      const { member, session, value } = await signInMember(tx, prepared, {
        environment: body.environment ?? 'live',
        userAgent: userAgent?.slice(0, maxUserAgent) ?? null,
        before: principal?.actor.kind === 'member' ? selfOf(principal) : null,
      })
      return {
        data: {
          member: memberView(member),
          environment: session.environment,
          scopes: [...scopesOfRole(member.role)],
          session: sessionView(session, session.id),
          csrf_token: csrfTokenOf(value),
        },
        cookie: setCookie(origin, memberCookie, { value, seconds: memberSessionMs / 1000 }),
      }
    },
  }),
  post('/v1/admin/members/invitations/accept', {
    summary: 'Become a member',
    description: 'Takes the token of an invitation, which works once. Sign in afterwards.',
    scope: null,
    platform: true,
    body: strict({
      token: text({ max: 60, pattern: tokenPattern, examples: [`inv_${'x'.repeat(40)}`] }),
      name: name(200, 'Anna'),
      password,
    }),
    reply: Type.Object({ member: memberReply }),
    creates: true,
    refusals: ['not_found'],
    prepare: ({ body }) => checkInvitation(desk, body),
    run: async ({ tx, body, prepared }) => {
      const member = await acceptInvitation(tx, { ...body, passwordHash: prepared })
      return { data: { member: memberView(member) }, version: member.version }
    },
  }),
]

const leave = (origin: string) => setCookie(origin, memberCookie, { value: '', seconds: 0 })

const sessionRoutes = [
  get('/v1/admin/sessions', {
    summary: 'List your own sessions',
    ...bySelf,
    reply: Type.Object({ sessions: list(sessionReply, 50) }),
    run: async ({ read, principal }) => {
      const self = selfOf(principal)
      const idleSince = new Date(read.now.getTime() - memberIdleMs)
      const sessions = await listMemberSessions(read, self.memberId, idleSince)
      return { data: { sessions: sessions.map((it) => sessionView(it, self.sessionId)) } }
    },
  }),
  del('/v1/admin/sessions/current', {
    summary: 'Sign out',
    ...bySelf,
    reply: Type.Object({ ended: integer(0, 50) }),
    run: async ({ tx, principal, origin }) => {
      const self = selfOf(principal)
      await endMemberSession(tx, self.memberId, self.sessionId)
      return { data: { ended: 1 }, cookie: leave(origin) }
    },
  }),
  del('/v1/admin/sessions/{session_id}', {
    summary: 'End one of your own sessions',
    ...bySelf,
    params: { session_id: sessionId },
    reply: Type.Object({ ended: integer(0, 50) }),
    run: async ({ tx, params, principal }) => {
      await endMemberSession(tx, selfOf(principal).memberId, params.session_id)
      return { data: { ended: 1 } }
    },
  }),
  del('/v1/admin/sessions', {
    summary: 'End all your other sessions',
    ...bySelf,
    reply: Type.Object({ ended: integer(0, 50) }),
    run: async ({ tx, principal }) => {
      const self = selfOf(principal)
      return { data: { ended: await endOtherSessions(tx, self.memberId, self.sessionId) } }
    },
  }),
]

const meRoutes = (desk: PasswordDesk) => [
  get('/v1/admin/me', {
    summary: 'Get yourself, what you may do, and where you act',
    ...bySelf,
    reply: Type.Object({
      ...meReply,
      session_id: Type.String({ examples: ['session_6fJ2mQ9vXc1aTzR8wK3b'] }),
    }),
    run: async ({ read, principal }) => {
      const self = selfOf(principal)
      const member = await findMember(read, self.memberId)
      if (!member) throw refuse('not_found')
      return {
        data: {
          member: memberView(member),
          environment: principal!.environment,
          scopes: [...principal!.scopes],
          session_id: self.sessionId,
        },
        version: member.version,
      }
    },
  }),
  patch('/v1/admin/me', {
    summary: 'Change your own name',
    ...bySelf,
    body: strict({ name: name(200, 'Anna') }),
    reply: Type.Object({ member: memberReply }),
    run: async ({ tx, body, principal }) => {
      const member = await renameMember(tx, selfOf(principal).memberId, body.name)
      return { data: { member: memberView(member) }, version: member.version }
    },
  }),
  post('/v1/admin/me/password', {
    summary: 'Change your own password',
    description: 'Ends all your other sessions.',
    ...bySelf,
    body: strict({ current_password: password, new_password: password }),
    reply: Type.Object({ changed: flag }),
    refusals: ['conflict', 'rate_limit_exceeded'],
    prepare: ({ body, principal }) =>
      checkNewMemberPassword(desk, selfOf(principal).memberId, {
        current: body.current_password,
        wanted: body.new_password,
      }),
    run: async ({ tx, prepared, principal }) => {
      await changeMemberPassword(tx, prepared, selfOf(principal).sessionId)
      return { data: { changed: true } }
    },
  }),
]
