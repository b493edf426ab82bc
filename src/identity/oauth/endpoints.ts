// Where OAuth is served. Both environments share the addresses; the mark in a client id, a token or a cookie tells
// which of the two authorization servers answers.

import type { FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import { elapsedMs } from '../../base/clock.ts'
import type { Environment } from '../../base/db.ts'
import type { Shop } from '../../base/shop.ts'
import type { Annex, AnnexReply } from '../../http/annex.ts'
import { environmentOfForm, formOf } from './form.ts'
import { interactionStep } from './interaction.ts'
import { metadataOf } from './metadata.ts'
import { cookieNames, openProvider } from './provider.ts'
import { faultPage, invalidRequest, jsonReply, refusedJson, refusedPage } from './refused.ts'
import { answererOf, type Passed } from './request.ts'
import type { Entrance } from './entrance.ts'
import { environmentOfClientId } from './token.ts'

/** The authorization server of one environment. */
export interface AuthorizationServer {
  shop: Shop
  provider: Provider
  answer(passed: Passed): Promise<AnnexReply>
}

type Servers = Record<Environment, AuthorizationServer>

export function oauthEndpoints(shops: Record<Environment, Shop>, entrance: Entrance): Annex[] {
  const open = (shop: Shop): AuthorizationServer => {
    const provider = openProvider(shop)
    return { shop, provider, answer: answererOf(provider) }
  }
  const servers = { live: open(shops.live), test: open(shops.test) }
  const page = { methods: ['GET'], refused: refusedPage } as const
  const form = { methods: ['POST'], refused: refusedJson } as const
  return [
    { ...page, path: '/oauth/authorize', run: (request) => authorize(servers, entrance, request) },
    { ...page, path: '/oauth/authorize/{uid}', run: (request) => resume(servers, entrance, request) },
    {
      ...page,
      path: '/oauth/interaction/{uid}',
      methods: ['GET', 'POST'],
      run: (request, body) => {
        const server = serverOfCookie(servers, request, 'interaction')
        return interactionStep(server, entrance, { request, body })
      },
    },
    { ...form, path: '/oauth/token', run: (request, body) => answerForm(servers, request, body) },
    { ...form, path: '/oauth/revoke', run: (request, body) => revoke(servers, request, body) },
    { ...form, path: '/oauth/introspect', run: (request, body) => introspect(servers, request, body) },
    {
      ...form,
      path: '/.well-known/oauth-authorization-server',
      methods: ['GET'],
      run: async ({ asked }) => ({
        ...jsonReply(200, metadataOf(asked.origin)),
        headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' },
      }),
    },
  ]
}

async function authorize(servers: Servers, entrance: Entrance, request: FastifyRequest): Promise<AnnexReply> {
  const { client_id: clientId } = request.query as Record<string, unknown>
  const environment = environmentOfClientId(typeof clientId === 'string' ? clientId : '') ?? 'live'
  return show(servers[environment], entrance, request)
}

const resume = (servers: Servers, entrance: Entrance, request: FastifyRequest): Promise<AnnexReply> =>
  show(serverOfCookie(servers, request, 'resume') ?? servers.live, entrance, request)

/** A step of the authorization in a browser: it leads somewhere, or says why it leads nowhere. */
async function show(
  server: AuthorizationServer,
  entrance: Entrance,
  request: FastifyRequest,
): Promise<AnnexReply> {
  const buyer = await entrance.signedIn(server.shop.environment, request)
  const reply = await server.answer(passedOf(server, request, { buyerId: buyer?.buyerId ?? null }))
  if (reply.status < 400) return reply
  const { error, error_description: description = '' } = JSON.parse(reply.body) as {
    error: string
    error_description?: string
  }
  return faultPage(request.asked.wishes.language, { status: 400, error, description })
}

/** The server whose cookie goes with this address: so the browser that began is the browser that goes on. */
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

async function answerForm(servers: Servers, request: FastifyRequest, body: Buffer): Promise<AnnexReply> {
  const form = formOf(request.headers, body)
  if (typeof form === 'string') return invalidRequest(form)
  const server = servers[environmentOfForm(request.headers, form)]
  return server.answer(passedOf(server, request, { body }))
}

/** There is nothing to say, and some clients cannot read nothing. */
async function revoke(servers: Servers, request: FastifyRequest, body: Buffer): Promise<AnnexReply> {
  const reply = await answerForm(servers, request, body)
  return reply.status === 200 ? jsonReply(200, {}) : reply
}

/** The provider's instants are the machine's; the caller's are the shop's. */
async function introspect(servers: Servers, request: FastifyRequest, body: Buffer): Promise<AnnexReply> {
  const reply = await answerForm(servers, request, body)
  const aheadSeconds = servers[request.asked.environment].shop.clock.offsetMs / 1000
  if (reply.status !== 200 || aheadSeconds === 0) return reply
  const said = JSON.parse(reply.body) as { iat?: number; exp?: number }
  for (const name of ['iat', 'exp'] as const) if (said[name] !== undefined) said[name] += aheadSeconds
  return { ...reply, body: JSON.stringify(said) }
}

function passedOf(
  { shop }: AuthorizationServer,
  request: FastifyRequest,
  { body = Buffer.alloc(0), buyerId = null }: { body?: Buffer; buyerId?: number | null },
): Passed {
  const { asked, method, headers, url } = request
  asked.environment = shop.environment
  return {
    method,
    // What a form says stands in its body; parameters in its address would be a second voice.
    url: method === 'POST' ? url.split('?')[0]! : withoutScripts(url),
    headers,
    body,
    origin: asked.origin,
    arrivedAt: new Date(shop.clock.now().getTime() - (elapsedMs() - asked.startedMs)),
    buyerId,
  }
}

/** A response mode beside the plain redirect would need a script in a page; under a name that nobody knows it is refused. */
function withoutScripts(url: string): string {
  const [path = '', query = ''] = url.split('?')
  return `${path}?${query.replaceAll(/(^|&)response_mode=(?!query(&|$))[^&]*/g, '$1response_mode=unknown')}`
}
