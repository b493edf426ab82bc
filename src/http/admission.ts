// Decides whether a request reaches its handler: overload, authentication, rate limit, headers, permissions.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { elapsedMs, type Clock } from '../base/clock.ts'
import type { Environment } from '../base/database.ts'
import { uzs } from '../base/money.ts'
import type { Rate } from '../base/rate.ts'
import { Refusal, refuse } from '../base/refusal.ts'
import type { Telemetry } from '../base/telemetry.ts'
import type { RequestState } from './request-state.ts'
import {
  type HeaderRules,
  requireAcceptable,
  requireEnvironment,
  malformedHeader,
  requestIdOf,
  traceparentOf,
  type RequestPreferences,
  preferencesOf,
} from './headers.ts'
import { preferredLanguage } from './language.ts'
import type { LoadShedder } from './overload.ts'
import { type Limit, rateHeaders, type RateCounter, rateLimitExceeded } from './rate-limit.ts'
import { type Needs, type Principal, type Route, scopesOf } from './route.ts'

/** The parts of a request that authentication needs. */
export interface AuthenticationInput {
  headers: FastifyRequest['headers']
  method: string
  /** Scheme and host under which the caller reached the server. */
  origin: string
}

/**
 * Returns null if no credential was sent, and throws if the `Authorization` header is invalid. An invalid cookie, which
 * browsers send by themselves, is returned as a refusal: it matters only where a credential is required.
 */
export type Authenticate = (
  caller: AuthenticationInput,
) => Principal | Refusal | null | Promise<Principal | Refusal | null>

export interface Admission {
  authenticate: Authenticate
  counter: RateCounter
  rateLimit: Rate
  loadShedder: LoadShedder
  headerRules: Record<Environment, HeaderRules>
  publicUrl: string | undefined
  /** Whether pages of this origin may send this request with cookies and read the reply. */
  allowsCookiesFrom: (origin: string, request: Pick<FastifyRequest, 'headers' | 'method' | 'url'>) => boolean
  /** In production, plain HTTP is accepted from this machine only. */
  production: boolean
  clock: Clock
  telemetry: Telemetry
}

const maxUrlLength = 8_000
/** OAuth clients send `state` of any length in the URL and expect it back (RFC 6749 4.1.1). */
const maxRawRouteUrlLength = 20_000
/** Failed authentications per network address. */
const failedAuthenticationLimit: Limit = { limit: 100, windowSeconds: 60 }

const everyReply = {
  'x-content-type-options': 'nosniff',
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'X-Request-ID, RateLimit, RateLimit-Policy, Retry-After, ETag, Idempotent-Replayed, Preference-Applied, Deprecation, Sunset, Link, X-Recommendation-Id',
  vary: 'Accept-Language, Authorization, Cookie, Origin, X-Currency, X-Environment, X-Service-Region',
}
const oneYear = 'max-age=31536000'
const loopback = /^(::1|(::ffff:)?127\.)/

/** Attaches the request state. It cannot fail, so every later refusal has a request id and a language. */
export function initializeRequest(admission: Admission, request: FastifyRequest, reply: FastifyReply): void {
  const requestId = requestIdOf(request.headers)
  const callerTraceparent = traceparentOf(request.headers)
  const root = request.url.startsWith('/global/') ? 'global' : 'home'
  const language = preferredLanguage(request.headers['accept-language'], root === 'global' ? 'en' : 'ru')
  const preferences: RequestPreferences = {
    language,
    currency: uzs,
    region: root,
    timezone: 'UTC',
    ifMatch: undefined,
    dryRun: false,
  }
  // A proxy may name any scheme.
  const isHttps = request.protocol === 'https'
  request.state = {
    requestId,
    traceparent: admission.telemetry.begin(callerTraceparent),
    callerTraceparent,
    startedMs: elapsedMs(),
    environment: 'live',
    principal: null,
    preferences,
    origin: admission.publicUrl ?? `${isHttps ? 'https' : 'http'}://${request.host || 'localhost'}`,
    isReplied: false,
  }
  reply.headers(everyReply)
  const from = request.headers.origin
  if (from !== undefined && admission.allowsCookiesFrom(from, request))
    reply.headers({ 'access-control-allow-origin': from, 'access-control-allow-credentials': 'true' })
  if (isHttps) reply.header('strict-transport-security', oneYear)
  reply.header('x-request-id', requestId)
  reply.header('content-language', language)
}

/** Throws unless the request may reach its handler. */
export async function admit(
  admission: Admission,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { route, root = 'home', isProbe = false, isRawRoute = false } = request.routeOptions.config
  const state = request.state
  const limit = isRawRoute ? maxRawRouteUrlLength : maxUrlLength
  if (request.url.length > limit) throw refuse('uri_too_long', { limit })
  if (isProbe) return
  if (admission.production && request.protocol !== 'https' && !loopback.test(request.ip))
    throw refuse('https_required')
  requireValidHost(request)
  admission.loadShedder.check(route?.declared.shed)

  const caller = isRawRoute ? null : await authenticated(admission, request, reply)
  if (caller instanceof Refusal) state.expiredCredential = caller
  else state.principal = caller
  state.environment = route?.declared.platform ? 'live' : (state.principal?.environment ?? 'live')
  await count(admission, request, reply)
  if (!route) return
  if (route.declared.deprecated) reply.headers(deprecationHeaders(route.declared.deprecated))
  requireEnvironment(request.headers, environmentsOf(state.principal))
  state.preferences = preferencesOf(request.headers, root, admission.headerRules[state.environment])
  reply.header('content-language', state.preferences.language)
  requireAcceptable(request.headers.accept, route.kind === 'download' ? route.declared.produces : undefined)
  requirePermission(route, state)
}

/** The session of a member works in both environments; keys, tokens and sessions of clients work in their own. */
const environmentsOf = (principal: Principal | null): Environment[] =>
  principal && principal.actor.kind !== 'member' ? [principal.environment] : ['live', 'test']

async function authenticated(
  admission: Admission,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Principal | Refusal | null> {
  try {
    rejectDuplicateHeader('Authorization', request.raw.rawHeaders, ['Bearer ak_live_xxxxxxxx'])
    return await admission.authenticate(authenticationInput(request))
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'unauthorized') throw error
    await countFailedAuthentication(admission, request, reply)
    throw error
  }
}

/** Counts a failed authentication; throws if the address has had too many. */
export async function countFailedAuthentication(
  admission: Admission,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const decision = await admission.counter.take(`wrong:${networkOf(request.ip)}`, failedAuthenticationLimit)
  reply.headers(rateHeaders(failedAuthenticationLimit, decision))
  if (!decision.allowed) throw rateLimitExceeded(failedAuthenticationLimit, decision, admission.clock.now())
}

export const authenticationInput = ({ headers, method, state }: FastifyRequest): AuthenticationInput => ({
  headers,
  method,
  origin: state.origin,
})

/** Links in replies contain the host, so it must be a plain name and port, sent once (RFC 9112 3.2). */
function requireValidHost({ host, raw }: FastifyRequest): void {
  rejectDuplicateHeader('Host', raw.rawHeaders, hostExamples)
  if (!host && raw.httpVersion !== '1.1') return
  if (!host || !hostForm.test(host)) throw malformedHeader('Host', hostExamples)
}

const hostExamples = ['shop.example', 'localhost:8080']
const hostForm = /^([A-Za-z0-9._-]{1,255}|\[[0-9A-Fa-f:.]{2,45}\])(:\d{1,5})?$/

function rejectDuplicateHeader(
  header: 'Authorization' | 'Host',
  rawHeaders: string[],
  examples: string[],
): void {
  let seen = 0
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]!.length === header.length && rawHeaders[at]!.toLowerCase() === header.toLowerCase())
      seen++
  if (seen > 1) throw malformedHeader(header, examples, { reason: 'sent twice' })
}

async function count(admission: Admission, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { principal } = request.state
  const rate = principal?.rate ?? admission.rateLimit
  if (rate === 'none') return
  const decision = await admission.counter.take(
    principal ? `key:${principal.id}` : `ip:${networkOf(request.ip)}`,
    rate,
  )
  request.state.limitShare = decision.allowed ? 1 - decision.remaining / rate.limit : 1
  reply.headers(rateHeaders(rate, decision))
  if (!decision.allowed) throw rateLimitExceeded(rate, decision, admission.clock.now())
}

/** IPv6 callers own a whole /64 network, so single addresses cannot be counted. */
export function networkOf(ip: string): string {
  const [, mapped] = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(ip) ?? []
  if (mapped) return mapped
  const [head = '', tail = ''] = ip.split('::')
  const [left, right] = [head, tail].map((it) => it.split(':').filter(Boolean)) as [string[], string[]]
  const zeros = Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0')
  return [...left, ...zeros, ...right].slice(0, 4).join(':')
}

const isAllowed: Record<Needs, (principal: Principal) => boolean> = {
  client: ({ actor }) => actor.kind === 'client',
  session: ({ actor, application }) => actor.kind === 'client' && application === null,
  member: ({ actor }) => actor.kind === 'member',
  owner: ({ actor }) => actor.kind === 'member' && actor.role === 'owner',
}

/** Throws unless the caller has the scopes and the role that the route needs. */
export function requirePermission(
  { declared }: Route,
  { principal, expiredCredential }: Pick<RequestState, 'principal' | 'expiredCredential'>,
): void {
  const { needs } = declared
  const required = scopesOf(declared)
  if (required.length === 0 && needs === undefined) return
  if (!principal) throw expiredCredential ?? refuse('unauthorized', { reason: 'missing' })
  const isFit = needs === undefined || isAllowed[needs](principal)
  // Test keys are handed out freely; members and other platform data are live data.
  const isTestKey = principal.environment === 'test' && principal.actor.kind === 'application'
  const mayUsePlatform = !declared.platform || !isTestKey
  if (!isFit || !mayUsePlatform || required.some((it) => !principal.scopes.has(it)))
    throw refuse('insufficient_permissions', {
      required_scopes: required,
      current_scopes: [...principal.scopes],
      ...(!isFit ? { needs } : !mayUsePlatform && { needs: 'live' }),
    })
}

/** `Deprecation` is RFC 9745, `Sunset` RFC 8594. */
const deprecationHeaders = ({ since, sunset, successor }: NonNullable<Route['declared']['deprecated']>) => ({
  deprecation: `@${Math.floor(since.getTime() / 1000)}`,
  ...(sunset && { sunset: sunset.toUTCString() }),
  ...(successor && { link: `<${successor}>; rel="successor-version"` }),
})
