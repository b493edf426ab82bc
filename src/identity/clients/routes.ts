// HTTP routes for sign-up, sign-in, sign-out, passwords and sessions of clients.

import { Type } from 'typebox'
import { refuse } from '../../base/refusal.ts'
import { del, get, patch, post, type Principal, type Route } from '../../http/route.ts'
import {
  changes,
  flag,
  idText,
  instant,
  list,
  nullable,
  shownOnce,
  strict,
  text,
  named,
} from '../../http/schema.ts'
import { entityId } from '../entity-id.ts'
import { csrfTokenOf, sessionSetCookie, sessionUnsetCookie } from '../cookies.ts'
import { maxPasswordLength } from '../passwords.ts'
import {
  changePassword,
  checkNewPassword,
  checkReset,
  countResetRequest,
  issueResetToken,
  requestPasswordReset,
  resetPassword,
} from './change-password.ts'
import type { Client } from './client.ts'
import { changeClient, checkContactChange } from './manage-clients.ts'
import { checkNewClient, registerClient } from './register-client.ts'
import { newGuestSessionId } from './session.ts'
import { openSessions, sessionId, sessionReply, sessionView } from './session-wire.ts'
import {
  type Browser,
  browserOf,
  checkPassword,
  type ClientDeps,
  countedNetwork,
  type Opened,
  openSession,
  refuseGuessable,
  signIn,
  signOut,
  signOutEverywhere,
} from './sign-in.ts'
import { findClient } from './store.ts'

const phone = text({ max: 40, examples: ['+998901234567'] })
const email = text({ max: 254, examples: ['name@mail.uz'] })
const login = text({ max: 254, description: 'A phone number or an e-mail.', examples: ['+998901234567'] })
/** The length is checked together with the other password rules. */
const generatePassword = text({
  max: 1_000,
  description: `From 8 to ${maxPasswordLength} characters, not easy to guess.`,
  examples: ['four plums in a basket'],
})
const password = text({ max: 1_000, examples: ['four plums in a basket'] })
const guestSession = Type.Optional(
  text({
    min: 8,
    max: 128,
    pattern: '^[\\x21-\\x7e]*$',
    description:
      'The guest session id used so far. Its interactions count as the client’s for recommendations; carts and wishlists are merged by their own calls.',
    examples: ['gs_test_6fJ2mQ9vXc1aTzR8wK3b6fJ2mQ9vXc1a'],
  }),
)
const externalIds = Type.Optional(
  list(text({ max: 200, examples: ['8b1f3c7e-4a51-4b7a-9a0e-3d5b0c9f1e22'] }), 10),
)
const linking =
  ' `external_ids` are ids of the client in other systems, such as `mobi_user_id` or the UUID of a mini-app. They are added to the client, and interactions under them count as the client’s for recommendations. Only server applications may send ids that are not UUIDs; an id of another client is not taken over.'
const resetId = entityId('rst')

const clientReply = named(
  'Profile',
  Type.Object({
    id: idText,
    name: Type.String({ examples: ['Aziza'] }),
    phone: nullable(phone),
    email: nullable(email),
    external_ids: list(Type.String({ examples: ['8b1f3c7e-4a51-4b7a-9a0e-3d5b0c9f1e22'] })),
    created_at: instant,
    updated_at: instant,
  }),
)
const clientView = (it: Client) => ({
  id: String(it.id),
  name: it.name,
  phone: it.phone,
  email: it.email,
  external_ids: it.externalIds,
  created_at: it.createdAt.toISOString(),
  updated_at: it.updatedAt.toISOString(),
})

const csrfToken = shownOnce(
  Type.String({
    description: 'Goes as `X-CSRF-Token` with writes from another origin.',
    examples: ['p9qF3l…'],
  }),
)
const openedReply = Type.Object({ client: clientReply, session: sessionReply, csrf_token: csrfToken })

/** Sets the cookie for the browser and returns the CSRF token for the page. */
const openedResponse = ({ client, session, secret }: Opened, origin: string) => ({
  data: {
    client: clientView(client),
    session: sessionView(session, session.id),
    csrf_token: csrfTokenOf(secret),
  },
  cookie: sessionSetCookie(origin, secret),
})

/** Earlier identities of the client, for recommendations. */
function previousIdentity(
  given: { guest_session_id?: string; external_ids?: string[] },
  principal: Principal | null,
): Pick<Browser, 'guestSession' | 'externalIds'> {
  refuseGuessable(given.external_ids ?? [], principal)
  return { guestSession: given.guest_session_id, externalIds: given.external_ids }
}

const clientIdOf = (principal: Principal | null): number => {
  if (principal?.actor.kind !== 'client') throw refuse('unauthorized', { reason: 'missing' })
  return principal.actor.clientId
}

export const clientRoutes = (deps: ClientDeps): Route[] => [
  ...entryRoutes(deps),
  ...ownRoutes(deps),
  ...passwordRoutes(deps),
]

const entryRoutes = ({ shops, passwords, clientsWithData }: ClientDeps): Route[] => [
  post('/v1/auth/register', {
    summary: 'Register a client',
    description: `Creates a client with a phone number or an e-mail address and opens a session.${linking}`,
    scope: null,
    body: strict({
      name: text({ min: 0, description: 'Up to 200 characters.', examples: ['Aziza'] }),
      phone: Type.Optional(nullable(phone)),
      email: Type.Optional(nullable(email)),
      password: generatePassword,
      guest_session_id: guestSession,
      external_ids: externalIds,
    }),
    reply: openedReply,
    creates: true,
    secrets: ['csrf_token'],
    prepare: ({ environment, body, principal, ip }) =>
      checkNewClient({ db: shops[environment].db, passwords }, body, countedNetwork(principal, ip)),
    run: async ({ tx, body, prepared, origin, ...call }) => {
      const client = await registerClient(tx, prepared, clientsWithData)
      const browser = { ...browserOf(call), ...previousIdentity(body, call.principal) }
      return openedResponse(await openSession(tx, client, browser), origin)
    },
  }),
  post('/v1/auth/login', {
    summary: 'Sign in',
    description: `Opens a session: the cookie is for the browser, \`csrf_token\` for pages of another origin. A wrong password and an unknown login get the same reply; attempts are limited.${linking}`,
    scope: null,
    body: strict({ login, password, guest_session_id: guestSession, external_ids: externalIds }),
    reply: openedReply,
    secrets: ['csrf_token'],
    refusals: ['invalid_credentials'],
    prepare: ({ environment, body, principal, ip }) =>
      checkPassword(
        { db: shops[environment].db, passwords },
        { ...body, network: countedNetwork(principal, ip) },
      ),
    run: async ({ tx, body, prepared, origin, ...call }) => {
      const browser = { ...browserOf(call), ...previousIdentity(body, call.principal) }
      return openedResponse(await signIn(tx, prepared, browser), origin)
    },
  }),
  post('/v1/auth/guest-session', {
    summary: 'Get a session id for a guest',
    description: 'An unguessable id to send as `SessionId`. Nothing is stored until the guest fills a cart.',
    scope: null,
    reply: Type.Object({
      session_id: shownOnce(
        Type.String({
          description: 'It opens the guest’s cart.',
          examples: ['gs_test_6fJ2mQ9vXc1aTzR8wK3b6fJ2mQ9vXc1a'],
        }),
      ),
    }),
    creates: true,
    secrets: ['session_id'],
    run: async ({ environment }) => ({ data: { session_id: newGuestSessionId(environment) } }),
  }),
]

const ownRoutes = ({ shops, passwords }: ClientDeps): Route[] => [
  get('/v1/auth/me', {
    summary: 'Get my profile',
    scope: 'profile:read',
    needs: 'client',
    reply: Type.Object({ client: clientReply }),
    run: async ({ read, principal }) => {
      const client = await findClient(read, clientIdOf(principal))
      if (!client) throw refuse('not_found')
      return { data: { client: clientView(client) }, version: client.version }
    },
  }),
  patch('/v1/auth/me', {
    summary: 'Change my profile',
    description:
      'A user token may change the name. A phone number or an e-mail address opens the account, so changing one needs the client’s own session and `current_password`.',
    scope: 'profile:write',
    needs: 'client',
    body: changes({
      name: text({ min: 0, description: 'Up to 200 characters.', examples: ['Aziza'] }),
      phone: nullable(phone),
      email: nullable(email),
      current_password: password,
    }),
    reply: Type.Object({ client: clientReply }),
    versioned: true,
    prepare: ({ environment, principal, body }) => {
      if (principal?.application && (body.phone !== undefined || body.email !== undefined))
        throw refuse('insufficient_permissions', {
          required_scopes: ['profile:write'],
          current_scopes: [...principal.scopes],
          needs: 'session',
        })
      return checkContactChange({ db: shops[environment].db, passwords }, clientIdOf(principal), body)
    },
    run: async ({ tx, principal, body, ifMatch }) => {
      const { current_password: _password, ...changes } = body
      const client = await changeClient(tx, clientIdOf(principal), { changes, ifMatch })
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
      const sessions = await openSessions(read, clientIdOf(principal))
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

const passwordRoutes = ({ shops, passwords, log }: ClientDeps): Route[] => [
  post('/v1/auth/password', {
    summary: 'Change my password',
    description: 'Ends all sessions of the client but this one.',
    scope: null,
    needs: 'session',
    body: strict({ current_password: password, new_password: generatePassword }),
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
    summary: 'Request a password reset',
    description:
      'The reply is the same whether the client exists or not. If it does, a link is sent to the given phone number or e-mail by the template `password-reset`, and `PasswordResetRequested` is published. A shop with a sender of its own deactivates the template and fetches the token.',
    scope: null,
    body: strict({ login }),
    reply: requested,
    prepare: ({ environment, body, principal, ip }) =>
      countResetRequest(shops[environment].db, body.login, countedNetwork(principal, ip)),
    run: async ({ tx, body, environment, language, requestId }) => {
      await requestPasswordReset(tx, { login: body.login, language })
      tx.afterCommit(() => log.info('password reset requested', { environment, request_id: requestId }))
      return { data: { requested: true } }
    },
  }),
  post('/v1/auth/password-reset/complete', {
    summary: 'Complete a password reset',
    description: 'The token works once, for one hour. All sessions of the client end.',
    scope: null,
    body: strict({ token: text({ max: 100, examples: ['pr_test_…'] }), password: generatePassword }),
    reply: Type.Object({ changed: flag }),
    prepare: ({ environment, body, principal, ip }) =>
      checkReset({ db: shops[environment].db, passwords }, body, countedNetwork(principal, ip)),
    run: async ({ tx, prepared }) => {
      await resetPassword(tx, prepared)
      return { data: { changed: true } }
    },
  }),
  post('/v1/admin/password-resets/{reset_id}/token', {
    summary: 'Create the token of a password reset',
    description:
      'For the sender of messages, after `PasswordResetRequested`. Each call creates a new token; the previous one stops working.',
    scope: 'admin:write',
    params: { reset_id: resetId },
    reply: Type.Object({
      token: shownOnce(Type.String({ examples: ['pr_test_…'] })),
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
