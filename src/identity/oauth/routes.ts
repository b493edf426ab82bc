// The OAuth paths. Both environments share them; the marker in an application id, token or cookie selects the
// authorization server.

import type { FastifyRequest } from 'fastify'
import { elapsedMs } from '../../base/clock.ts'
import type { Environment } from '../../base/database.ts'
import type { Shop } from '../../base/shop.ts'
import type { RawRoute, RawReply } from '../../http/raw-route.ts'
import { scopes } from '../../http/scopes.ts'
import type { BuyerSessions } from './buyer-session.ts'
import { authenticationOf, environmentOfForm, formOf, withoutForeignToken } from './form.ts'
import { interactionStep } from './interaction.ts'
import {
  type AuthorizationServer,
  cookieNames,
  providerCaller,
  type ProviderRequest,
} from './provider-call.ts'
import { errorPage, invalidClient, invalidRequest, jsonReply, refusalJson, refusalPage } from './replies.ts'
import { environmentOfApplicationId } from './token.ts'

type Servers = Record<Environment, AuthorizationServer>

/** The library has more than two hundred files, and few processes need it: it is loaded when it is called. */
function openAuthorizationServer(shop: Shop): AuthorizationServer {
  const open = async () => {
    const provider = (await import('./provider.ts')).openProvider(shop)
    return { provider, call: providerCaller(provider) }
  }
  let opened: ReturnType<typeof open> | undefined
  const once = () => (opened ??= open())
  return {
    shop,
    provider: async () => (await once()).provider,
    call: async (request) => (await once()).call(request),
  }
}

/** `loaded` makes the first request as fast as the others. */
export function openOauth(
  shops: Record<Environment, Shop>,
  buyerSessions: BuyerSessions,
): { routes: RawRoute[]; loaded(): Promise<void> } {
  const servers = { live: openAuthorizationServer(shops.live), test: openAuthorizationServer(shops.test) }
  return {
    routes: oauthRoutes(servers, buyerSessions),
    loaded: async () => void (await Promise.all(Object.values(servers).map((it) => it.provider()))),
  }
}

function oauthRoutes(servers: Servers, buyerSessions: BuyerSessions): RawRoute[] {
  const page = { methods: ['GET'], errorReply: refusalPage } as const
  const form = { methods: ['POST'], errorReply: refusalJson } as const
  return [
    { ...page, path: '/oauth/authorize', run: (request) => authorize(servers, buyerSessions, request) },
    { ...page, path: '/oauth/authorize/{uid}', run: (request) => resume(servers, buyerSessions, request) },
    {
      ...page,
      path: '/oauth/interaction/{uid}',
      methods: ['GET', 'POST'],
      run: (request, body) => {
        const server = serverOfCookie(servers, request, 'interaction')
        return interactionStep(server, buyerSessions, { request, body })
      },
    },
    { ...form, path: '/oauth/token', run: (request, body) => handleForm(servers, request, body) },
    { ...form, path: '/oauth/revoke', run: (request, body) => revoke(servers, request, body) },
    { ...form, path: '/oauth/introspect', run: (request, body) => introspect(servers, request, body) },
    {
      ...form,
      path: '/.well-known/oauth-authorization-server',
      methods: ['GET'],
      run: async ({ state }) => ({
        ...jsonReply(200, metadataOf(state.origin)),
        headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' },
      }),
    },
  ]
}

async function authorize(
  servers: Servers,
  buyerSessions: BuyerSessions,
  request: FastifyRequest,
): Promise<RawReply> {
  const { client_id: applicationId } = request.query as Record<string, unknown>
  const environment =
    environmentOfApplicationId(typeof applicationId === 'string' ? applicationId : '') ?? 'live'
  return show(servers[environment], buyerSessions, request)
}

const resume = (servers: Servers, buyerSessions: BuyerSessions, request: FastifyRequest): Promise<RawReply> =>
  show(serverOfCookie(servers, request, 'resume') ?? servers.live, buyerSessions, request)

/** One step of an authorization in a browser: a redirect, or a page that explains the error. */
async function show(
  server: AuthorizationServer,
  buyerSessions: BuyerSessions,
  request: FastifyRequest,
): Promise<RawReply> {
  const buyer = await buyerSessions.signedIn(server.shop.environment, request)
  const reply = await server.call(providerRequestOf(server, request, { buyerId: buyer?.buyerId ?? null }))
  if (reply.status < 400) return reply
  const { error, error_description: description = '' } = JSON.parse(reply.body) as {
    error: string
    error_description?: string
  }
  return errorPage(request.state.preferences.language, { status: 400, error, description })
}

/** The server whose cookie belongs to this path, so only the browser that began an authorization can continue it. */
export function serverOfCookie(
  servers: Servers,
  request: FastifyRequest,
  kind: 'interaction' | 'resume',
): AuthorizationServer | undefined {
  const { uid } = request.params as { uid: string }
  const cookies = request.headers.cookie?.split(';').map((it) => it.trim()) ?? []
  return Object.values(servers).find(({ shop }) =>
    cookies.includes(`${cookieNames(shop.environment)[kind]}=${uid}`),
  )
}

interface FormCall {
  /** Whether applications without a secret may call. */
  isForPublic: boolean
}

async function handleForm(
  servers: Servers,
  request: FastifyRequest,
  body: Buffer,
  { isForPublic }: FormCall = { isForPublic: true },
): Promise<RawReply> {
  const form = formOf(request.headers, body)
  if (typeof form === 'string') return invalidRequest(form)
  const authentication = authenticationOf(request.headers, form)
  if (authentication === 'unsupported') return unsupportedAuthentication(request)
  if (authentication === 'none') return invalidClient('send client_id, and client_secret if there is one')
  if (authentication === 'name' && !isForPublic) return invalidClient('send client_secret')
  const server = servers[environmentOfForm(request.headers, form)]
  return server.call(providerRequestOf(server, request, { body: withoutForeignToken(form, body) }))
}

/** A scheme that was tried in the header is answered with the supported one. */
function unsupportedAuthentication({ state }: FastifyRequest): RawReply {
  const reply = invalidClient('authenticate with Basic, or with client_id and client_secret in the form')
  return { ...reply, headers: { ...reply.headers, 'www-authenticate': `Basic realm="${state.origin}"` } }
}

/** Some clients cannot parse an empty body. */
async function revoke(servers: Servers, request: FastifyRequest, body: Buffer): Promise<RawReply> {
  const reply = await handleForm(servers, request, body)
  return reply.status === 200 ? jsonReply(200, {}) : reply
}

/**
 * Callers must authenticate (RFC 7662 2.1), which an application without a secret cannot. The provider works in machine
 * time; callers see the shop's clock.
 */
async function introspect(servers: Servers, request: FastifyRequest, body: Buffer): Promise<RawReply> {
  const reply = await handleForm(servers, request, body, { isForPublic: false })
  const aheadSeconds = servers[request.state.environment].shop.clock.offsetMs / 1000
  if (reply.status !== 200 || aheadSeconds === 0) return reply
  const text = JSON.parse(reply.body) as { iat?: number; exp?: number }
  for (const name of ['iat', 'exp'] as const) if (text[name] !== undefined) text[name] += aheadSeconds
  return { ...reply, body: JSON.stringify(text) }
}

function providerRequestOf(
  { shop }: AuthorizationServer,
  request: FastifyRequest,
  { body = Buffer.alloc(0), buyerId = null }: { body?: Buffer; buyerId?: number | null },
): ProviderRequest {
  const { state, headers, url } = request
  // The provider replies to HEAD without a body, which this server needs to explain an error; Node leaves it out at the end.
  const method = request.method === 'HEAD' ? 'GET' : request.method
  state.environment = shop.environment
  return {
    method,
    // Parameters of a form come from its body only, never also from the query.
    url: method === 'POST' ? url.split('?')[0]! : withoutOtherResponseModes(url),
    headers,
    body,
    origin: state.origin,
    receivedAt: new Date(shop.clock.now().getTime() - (elapsedMs() - state.startedMs)),
    buyerId,
  }
}

/** Other response modes would need a script in a page. An unknown name makes the provider refuse them. */
function withoutOtherResponseModes(url: string): string {
  const [path = '', query = ''] = url.split('?')
  return `${path}?${query.replaceAll(/(^|&)response_mode=(?!query(&|$))[^&]*/g, '$1response_mode=unknown')}`
}

/** Server metadata (RFC 8414). */
export const metadataOf = (origin: string) => ({
  issuer: origin,
  authorization_endpoint: `${origin}/oauth/authorize`,
  token_endpoint: `${origin}/oauth/token`,
  revocation_endpoint: `${origin}/oauth/revoke`,
  introspection_endpoint: `${origin}/oauth/introspect`,
  scopes_supported: scopes,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'client_credentials', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
  revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
  introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  authorization_response_iss_parameter_supported: true,
  service_documentation: `${origin}/docs`,
  ui_locales_supported: ['ru', 'uz', 'en'],
})
