// HTTP routes for sign-in and sessions of members. One cookie serves both environments (ADR 0011).

import { Type } from 'typebox'
import { refuse } from '../../base/refusal.ts'
import type { Vault } from '../../base/vault.ts'
import { networkOf } from '../../http/admission.ts'
import { del, get, patch, post, type Principal, type Route } from '../../http/route.ts'
import {
  flag,
  instant,
  integer,
  list,
  name,
  nullable,
  oneOf,
  shownOnce,
  strict,
  text,
  named,
} from '../../http/schema.ts'
import { scopes } from '../../http/scopes.ts'
import { entityId } from '../entity-id.ts'
import { csrfTokenOf, setCookie } from '../cookies.ts'
import { memberTokenPattern } from '../reset-tokens.ts'
import { acceptInvitation, checkInvitation } from './invitations.ts'
import { memberCookie, memberIdleMs, type MemberSession, memberSessionMs, tokenPattern } from './member.ts'
import { renameMember } from './members.ts'
import { lacksTwoStep, scopesOfMember } from './rules.ts'
import {
  checkMemberReset,
  countMemberResetRequest,
  requestMemberPasswordReset,
  resetMemberPassword,
} from './password-reset.ts'
import {
  changeMemberPassword,
  checkMemberPassword,
  checkNewMemberPassword,
  endOtherSessions,
  endOwnSession,
  type PasswordDeps,
  signInMember,
} from './sign-in.ts'
import { findMember, listMemberSessions } from './store.ts'
import { codeField, twoStepRoutes } from './two-step/routes.ts'
import { countCode, requireSecondStep } from './two-step/two-step.ts'
import { emailField, memberReply, memberView } from './wire.ts'

const password = text({ max: 1_000, examples: ['correct horse battery'] })
const environment = oneOf(['live', 'test'])
const sessionId = entityId('session')

const sessionReply = named(
  'MemberSession',
  Type.Object({
    id: Type.String({ examples: ['session_6fJ2mQ9vXc1aTzR8wK3b'] }),
    environment,
    user_agent: nullable(Type.String({ examples: ['Mozilla/5.0'] })),
    created_at: instant,
    last_seen_at: instant,
    ends_at: instant,
    is_current: flag,
  }),
)

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

/** The route ensures that the caller is a member. */
function ownSession(principal: Principal | null): { memberId: string; sessionId: string } {
  if (principal?.actor.kind !== 'member') throw refuse('unauthorized', { reason: 'missing' })
  return { memberId: principal.actor.memberId, sessionId: principal.id }
}

const bySelf = { scope: null, needs: 'member', platform: true } as const

export interface MemberSessionDeps extends PasswordDeps {
  /** Opens the secrets of two-step sign-in. */
  vault: Vault
}

export const memberSessionRoutes = (deps: MemberSessionDeps): Route[] => [
  ...twoStepRoutes(deps),
  ...entranceRoutes(deps),
  ...resetRoutes(deps),
  ...sessionRoutes,
  ...meRoutes(deps),
]

const entranceRoutes = (deps: MemberSessionDeps) => [
  post('/v1/admin/sessions', {
    summary: 'Sign in as a member',
    description:
      'Sets a session cookie for both environments. A member with two-step sign-in sends a `code` too. Requests act in the environment chosen here, unless `X-Environment` names another. Writes need the server’s own `Origin`, or the CSRF token in `X-CSRF-Token`.',
    scope: null,
    platform: true,
    body: strict({
      email: emailField,
      password,
      environment: Type.Optional(oneOf(['live', 'test'], { description: 'Default `live`.' })),
      code: Type.Optional(codeField),
    }),
    reply: Type.Object({
      ...meReply,
      session: sessionReply,
      csrf_token: shownOnce(Type.String({ examples: ['q83v…'] })),
    }),
    creates: true,
    secrets: ['csrf_token'],
    refusals: ['invalid_credentials', 'two_step_required', 'rate_limit_exceeded'],
    prepare: async ({ body, ip }) => {
      const checked = await checkMemberPassword(deps, { ...body, network: networkOf(ip) })
      if (checked.member && body.code !== undefined) await countCode(deps.db, checked.member.id)
      return checked
    },
    run: async ({ tx, body, prepared, principal, origin, userAgent }) => {
      if (prepared.member)
        await requireSecondStep(tx, deps.vault, { memberId: prepared.member.id, code: body.code })
      const { member, session, value } = await signInMember(tx, prepared, {
        environment: body.environment ?? 'live',
        userAgent: userAgent?.slice(0, maxUserAgent) ?? null,
        before: principal?.actor.kind === 'member' ? ownSession(principal) : null,
      })
      return {
        data: {
          member: memberView(member),
          environment: session.environment,
          scopes: await scopesOfMember(tx, member),
          session: sessionView(session, session.id),
          csrf_token: csrfTokenOf(value),
        },
        cookie: setCookie(origin, memberCookie, { value, seconds: memberSessionMs / 1000 }),
      }
    },
  }),
  post('/v1/admin/members/invitations/accept', {
    summary: 'Accept an invitation',
    description: 'The token works once. Sign in afterwards.',
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
    prepare: ({ body }) => checkInvitation(deps, body),
    run: async ({ tx, body, prepared }) => {
      const member = await acceptInvitation(tx, { ...body, passwordHash: prepared })
      return { data: { member: memberView(member) }, version: member.version }
    },
  }),
]

const resetRoutes = (deps: PasswordDeps) => [
  post('/v1/admin/password-reset', {
    summary: 'Request a password reset as a member',
    description:
      'Mails a link to the member. The reply is the same whether there is such a member or not; requests are limited.',
    scope: null,
    platform: true,
    body: strict({ email: emailField }),
    reply: Type.Object({ requested: flag }),
    refusals: ['rate_limit_exceeded'],
    prepare: ({ body, ip }) =>
      countMemberResetRequest(deps.db, { email: body.email, network: networkOf(ip) }),
    run: async ({ tx, body, language }) => {
      await requestMemberPasswordReset(tx, { email: body.email, language })
      return { data: { requested: true } }
    },
  }),
  post('/v1/admin/password-reset/complete', {
    summary: 'Complete a password reset as a member',
    description:
      'The token is the end of the mailed link. It works once, for one hour. All sessions of the member end; sign in afterwards.',
    scope: null,
    platform: true,
    body: strict({
      token: text({ max: 60, pattern: memberTokenPattern, examples: [`mpr_${'x'.repeat(40)}`] }),
      password,
    }),
    reply: Type.Object({ changed: flag }),
    refusals: ['rate_limit_exceeded'],
    prepare: ({ body, ip }) => checkMemberReset(deps, { ...body, network: networkOf(ip) }),
    run: async ({ tx, prepared }) => {
      await resetMemberPassword(tx, prepared)
      return { data: { changed: true } }
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
      const self = ownSession(principal)
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
      const self = ownSession(principal)
      await endOwnSession(tx, self.memberId, self.sessionId)
      return { data: { ended: 1 }, cookie: leave(origin) }
    },
  }),
  del('/v1/admin/sessions/{session_id}', {
    summary: 'End one of your own sessions',
    ...bySelf,
    params: { session_id: sessionId },
    reply: Type.Object({ ended: integer(0, 50) }),
    run: async ({ tx, params, principal }) => {
      await endOwnSession(tx, ownSession(principal).memberId, params.session_id)
      return { data: { ended: 1 } }
    },
  }),
  del('/v1/admin/sessions', {
    summary: 'End all your other sessions',
    ...bySelf,
    reply: Type.Object({ ended: integer(0, 50) }),
    run: async ({ tx, principal }) => {
      const self = ownSession(principal)
      return { data: { ended: await endOtherSessions(tx, self.memberId, self.sessionId) } }
    },
  }),
]

const meRoutes = (deps: PasswordDeps) => [
  get('/v1/admin/me', {
    summary: 'Get your profile, scopes and environment',
    ...bySelf,
    reply: Type.Object({
      ...meReply,
      session_id: Type.String({ examples: ['session_6fJ2mQ9vXc1aTzR8wK3b'] }),
      must_turn_on_two_step: Type.Boolean({
        description: 'The member has no scopes until two-step sign-in is on.',
      }),
    }),
    run: async ({ read, principal }) => {
      const self = ownSession(principal)
      const member = await findMember(read, self.memberId)
      if (!member) throw refuse('not_found')
      // Without a version: the scopes may change while the member does not.
      return {
        data: {
          member: memberView(member),
          environment: principal!.environment,
          scopes: await scopesOfMember(read, member),
          session_id: self.sessionId,
          must_turn_on_two_step: await lacksTwoStep(read, member),
        },
      }
    },
  }),
  patch('/v1/admin/me', {
    summary: 'Change your own name',
    ...bySelf,
    body: strict({ name: name(200, 'Anna') }),
    reply: Type.Object({ member: memberReply }),
    run: async ({ tx, body, principal }) => {
      const member = await renameMember(tx, ownSession(principal).memberId, body.name)
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
      checkNewMemberPassword(deps, ownSession(principal).memberId, {
        current: body.current_password,
        wanted: body.new_password,
      }),
    run: async ({ tx, prepared, principal }) => {
      await changeMemberPassword(tx, prepared, ownSession(principal).sessionId)
      return { data: { changed: true } }
    },
  }),
]
