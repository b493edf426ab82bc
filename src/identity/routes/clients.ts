// Signing up, in and out, and the passwords and sessions of a client, on the wire.

import { Type } from 'typebox'
import { refuse } from '../../base/refusal.ts'
import { del, get, post, type Principal, type Route } from '../../http/route.ts'
import { flag, idText, instant, list, nullable, strict, text } from '../../http/schema.ts'
import { changePassword, checkNewPassword } from '../change-password.ts'
import { checkPassword } from '../check-password.ts'
import { refuseGuessable } from '../claim-external-ids.ts'
import type { Client } from '../client.ts'
import { browserOf, type ClientDesk, countedNetwork } from '../client-desk.ts'
import { sessionSetCookie, sessionUnsetCookie } from '../cookie.ts'
import { csrfTokenOf } from '../csrf.ts'
import { longestPassword } from '../password.ts'
import { checkNewcomer, registerClient } from '../register-client.ts'
import {
  checkReset,
  countResetWish,
  issueResetToken,
  requestPasswordReset,
  resetPassword,
} from '../reset-password.ts'
import { absoluteLifetimeMs, idleLifetimeMs, newGuestSessionId, type Session } from '../session.ts'
import { type Browser, type Opened, openSession, signIn } from '../sign-in.ts'
import { signOut, signOutEverywhere } from '../sign-out.ts'
import { findClient } from '../store/clients.ts'
import { listSessions } from '../store/sessions.ts'

const phone = text({ max: 40, examples: ['+998901234567'] })
const email = text({ max: 254, examples: ['name@mail.uz'] })
const login = text({ max: 254, description: 'A phone number or an e-mail.', examples: ['+998901234567'] })
/** Its length is judged with its other weaknesses, in one place. */
const newPassword = text({
  max: 1_000,
  description: `From 8 to ${longestPassword} characters, not easy to guess.`,
  examples: ['four plums in a basket'],
})
const password = text({ max: 1_000, examples: ['four plums in a basket'] })
const guestSession = Type.Optional(
  text({
    min: 8,
    max: 128,
    pattern: '^[\\x21-\\x7e]*$',
    description:
      'The guest’s session until now. What he did in it counts as the client’s from now on, for recommendations; carts and wishlists are merged by their own calls.',
    examples: ['gs_test_6fJ2mQ9vXc1aTzR8wK3b6fJ2mQ9vXc1a'],
  }),
)
const externalIds = Type.Optional(
  list(text({ max: 200, examples: ['8b1f3c7e-4a51-4b7a-9a0e-3d5b0c9f1e22'] }), 10),
)
const linking =
  ' `external_ids` are what other systems call the client, such as `mobi_user_id` or the UUID of a mini-app: they are added to his, and what was done under them counts as his for recommendations. Only server applications may name others than UUIDs; an id that another client has stays his.'
const sessionId = text({ max: 40, pattern: '^ses_[0-9A-Za-z]{20}$', examples: ['ses_6fJ2mQ9vXc1aTzR8wK3b'] })
const resetId = text({ max: 40, pattern: '^rst_[0-9A-Za-z]{20}$', examples: ['rst_6fJ2mQ9vXc1aTzR8wK3b'] })

const clientReply = Type.Object({
  id: idText,
  name: Type.String({ examples: ['Aziza'] }),
  phone: nullable(phone),
  email: nullable(email),
  external_ids: list(Type.String({ examples: ['8b1f3c7e-4a51-4b7a-9a0e-3d5b0c9f1e22'] })),
  created_at: instant,
  updated_at: instant,
})
const clientView = (it: Client) => ({
  id: String(it.id),
  name: it.name,
  phone: it.phone,
  email: it.email,
  external_ids: it.externalIds,
  created_at: it.createdAt.toISOString(),
  updated_at: it.updatedAt.toISOString(),
})

const sessionReply = Type.Object({
  id: sessionId,
  user_agent: Type.String({ examples: ['Mozilla/5.0'] }),
  network: Type.String({ examples: ['203.0.113.7'] }),
  current: flag,
  created_at: instant,
  last_used_at: instant,
  expires_at: instant,
})
const sessionView = (it: Session, current: string | undefined) => ({
  id: it.id,
  user_agent: it.userAgent,
  network: it.network,
  current: it.id === current,
  created_at: it.createdAt.toISOString(),
  last_used_at: it.lastUsedAt.toISOString(),
  expires_at: new Date(it.createdAt.getTime() + absoluteLifetimeMs).toISOString(),
})

const csrfToken = nullable(
  Type.String({
    description:
      'Goes as `X-CSRF-Token` with writes from another origin. Shown once; a repeated reply has null here.',
    examples: ['p9qF3l…'],
  }),
)
const openedReply = Type.Object({ client: clientReply, session: sessionReply, csrf_token: csrfToken })

/** The reply that opens a session: the cookie for the browser, the token for the page. */
const openedAnswer = ({ client, session, secret }: Opened, origin: string) => ({
  data: {
    client: clientView(client),
    session: sessionView(session, session.id),
    csrf_token: csrfTokenOf(secret),
  },
  cookie: sessionSetCookie(origin, secret),
})

/** Who the client was until now. */
function formerly(
  said: { guest_session_id?: string; external_ids?: string[] },
  principal: Principal | null,
): Pick<Browser, 'guestSession' | 'externalIds'> {
  refuseGuessable(said.external_ids ?? [], principal)
  return { guestSession: said.guest_session_id, externalIds: said.external_ids }
}

const clientIdOf = (principal: Principal | null): number => {
  if (principal?.actor.kind !== 'client') throw refuse('unauthorized', { reason: 'missing' })
  return principal.actor.clientId
}

export const clientRoutes = (desk: ClientDesk): Route[] => [
  ...entryRoutes(desk),
  ...ownRoutes(desk),
  ...passwordRoutes(desk),
]

const entryRoutes = ({ shops, passwords, owners }: ClientDesk): Route[] => [
  post('/v1/auth/register', {
    summary: 'Make an account',
    description: `Makes a client with a phone number or an e-mail, and signs him in.${linking}`,
    scope: null,
    body: strict({
      name: text({ min: 0, description: 'Up to 200 characters.', examples: ['Aziza'] }),
      phone: Type.Optional(nullable(phone)),
      email: Type.Optional(nullable(email)),
      password: newPassword,
      guest_session_id: guestSession,
      external_ids: externalIds,
    }),
    reply: openedReply,
    creates: true,
    secrets: ['csrf_token'],
    prepare: ({ environment, body, principal, ip }) =>
      checkNewcomer({ db: shops[environment].db, passwords }, body, countedNetwork(principal, ip)),
    run: async ({ tx, body, prepared, origin, ...call }) => {
      const client = await registerClient(tx, prepared, owners)
      const browser = { ...browserOf(call), ...formerly(body, call.principal) }
      return openedAnswer(await openSession(tx, client, browser), origin)
    },
  }),
  post('/v1/auth/login', {
    summary: 'Sign in',
    description: `Begins a session: the cookie is for the browser, \`csrf_token\` for pages of another origin. A wrong password and an unknown login are answered alike; too many tries are held off.${linking}`,
    scope: null,
    body: strict({ login, password, guest_session_id: guestSession, external_ids: externalIds }),
    reply: openedReply,
    secrets: ['csrf_token'],
    prepare: ({ environment, body, principal, ip }) =>
      checkPassword(
        { db: shops[environment].db, passwords },
        { ...body, network: countedNetwork(principal, ip) },
      ),
    run: async ({ tx, body, prepared, origin, ...call }) => {
      const browser = { ...browserOf(call), ...formerly(body, call.principal) }
      return openedAnswer(await signIn(tx, prepared, browser), origin)
    },
  }),
  post('/v1/auth/guest-session', {
    summary: 'Get a session id for a guest',
    description:
      'An id that nobody can guess, to be sent as `SessionId`. Nothing is kept of the guest until he fills a cart.',
    scope: null,
    reply: Type.Object({
      session_id: Type.String({ examples: ['gs_test_6fJ2mQ9vXc1aTzR8wK3b6fJ2mQ9vXc1a'] }),
    }),
    creates: true,
    run: async ({ environment }) => ({ data: { session_id: newGuestSessionId(environment) } }),
  }),
]

const ownRoutes = (_desk: ClientDesk): Route[] => [
  get('/v1/auth/me', {
    summary: 'Who am I',
    scope: null,
    needs: 'client',
    reply: Type.Object({ client: clientReply }),
    run: async ({ read, principal }) => {
      const client = await findClient(read, clientIdOf(principal))
      if (!client) throw refuse('not_found')
      return { data: { client: clientView(client) }, version: client.version }
    },
  }),
  post('/v1/auth/logout', {
    summary: 'Sign out',
    description: 'Ends this session; with `everywhere`, all sessions of the client.',
    scope: null,
    needs: 'session',
    body: strict({ everywhere: Type.Optional(flag) }),
    reply: Type.Object({ ended: Type.Integer({ minimum: 0, examples: [1] }) }),
    run: async ({ tx, principal, body, origin }) => {
      const clientId = clientIdOf(principal)
      const ended = body.everywhere
        ? await signOutEverywhere(tx, [clientId])
        : Number(await signOut(tx, clientId, principal!.id))
      return { data: { ended }, cookie: sessionUnsetCookie(origin) }
    },
  }),
  get('/v1/auth/sessions', {
    summary: 'List my sessions',
    scope: null,
    needs: 'session',
    reply: Type.Object({ sessions: list(sessionReply, 100) }),
    run: async ({ read, principal }) => {
      const since = (ms: number) => new Date(read.now.getTime() - ms)
      const sessions = await listSessions(read, clientIdOf(principal), {
        createdAfter: since(absoluteLifetimeMs),
        usedAfter: since(idleLifetimeMs),
      })
      return { data: { sessions: sessions.map((it) => sessionView(it, principal?.id)) } }
    },
  }),
  del('/v1/auth/sessions/{session_id}', {
    summary: 'End one of my sessions',
    scope: null,
    needs: 'session',
    params: { session_id: sessionId },
    reply: Type.Object({ ended: Type.Integer({ minimum: 0, examples: [1] }) }),
    run: async ({ tx, params, principal }) => {
      if (!(await signOut(tx, clientIdOf(principal), params.session_id))) throw refuse('not_found')
      return { data: { ended: 1 } }
    },
  }),
]

const requested = Type.Object({ requested: flag })

const passwordRoutes = ({ shops, passwords, log }: ClientDesk): Route[] => [
  post('/v1/auth/password', {
    summary: 'Change my password',
    description: 'Ends all sessions of the client but this one.',
    scope: null,
    needs: 'session',
    body: strict({ current_password: password, new_password: newPassword }),
    reply: Type.Object({ client: clientReply }),
    refusals: ['conflict'],
    prepare: ({ environment, principal, body }) =>
      checkNewPassword({ db: shops[environment].db, passwords }, clientIdOf(principal), {
        current: body.current_password,
        wanted: body.new_password,
      }),
    run: async ({ tx, prepared, principal }) => ({
      data: { client: clientView(await changePassword(tx, prepared, principal!.id)) },
    }),
  }),
  post('/v1/auth/password-reset', {
    summary: 'Ask for a new password',
    description:
      'Answers alike whether there is such a client or not. If there is, the event `PasswordResetRequested` tells whoever writes to clients to fetch the token.',
    scope: null,
    body: strict({ login }),
    reply: requested,
    prepare: ({ environment, body, principal, ip }) =>
      countResetWish(shops[environment].db, body.login, countedNetwork(principal, ip)),
    run: async ({ tx, body, environment, requestId }) => {
      await requestPasswordReset(tx, body.login)
      tx.afterCommit(() => log.info('a new password was asked for', { environment, request_id: requestId }))
      return { data: { requested: true } }
    },
  }),
  post('/v1/auth/password-reset/complete', {
    summary: 'Set a new password by a token',
    description: 'The token works once, for an hour. All sessions of the client end.',
    scope: null,
    body: strict({ token: text({ max: 100, examples: ['pr_test_…'] }), password: newPassword }),
    reply: Type.Object({ changed: flag }),
    prepare: ({ environment, body, principal, ip }) =>
      checkReset({ db: shops[environment].db, passwords }, body, countedNetwork(principal, ip)),
    run: async ({ tx, prepared }) => {
      await resetPassword(tx, prepared)
      return { data: { changed: true } }
    },
  }),
  post('/v1/admin/password-resets/{reset_id}/token', {
    summary: 'Fetch the token of a wish for a new password',
    description:
      'For whoever writes to clients, after `PasswordResetRequested`. Each call makes a new token, and the one before stops working.',
    scope: 'admin:write',
    params: { reset_id: resetId },
    reply: Type.Object({
      token: nullable(Type.String({ description: 'Shown once.', examples: ['pr_test_…'] })),
      client: clientReply,
      expires_at: instant,
    }),
    creates: true,
    secrets: ['token'],
    run: async ({ tx, params }) => {
      const { token, client, expiresAt } = await issueResetToken(tx, params.reset_id)
      return { data: { token, client: clientView(client), expires_at: expiresAt.toISOString() } }
    },
  }),
]
