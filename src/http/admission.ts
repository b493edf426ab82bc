// The way from a request to its handler: is there room, who calls, how often, in which words, with which right.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { elapsedMs, type Clock } from '../base/clock.ts'
import type { Environment } from '../base/db.ts'
import { uzs } from '../base/money.ts'
import type { Rate } from '../base/rate.ts'
import { Refusal, refuse } from '../base/refusal.ts'
import type { Asked } from './asked.ts'
import { type HeaderRules, refuseStrangeAccept, requestIdOf, type Wishes, wishesOf } from './headers.ts'
import { preferredLanguage } from './language.ts'
import type { Gate } from './overload.ts'
import { type Limit, rateHeaders, type RateCounter, tooMany } from './rate-limit.ts'
import { type Needs, type Principal, type Route, scopesOf } from './route.ts'

/** What tells who calls. */
export interface Caller {
  headers: FastifyRequest['headers']
  method: string
  /** Scheme and host under which the caller knows us. */
  origin: string
}

/**
 * Finds out who calls. Null when no credential was sent. One that was sent on purpose and is not good is refused;
 * one that a browser sent unasked is handed back as a refusal, which counts only where a credential is needed.
 */
export type Authenticate = (
  caller: Caller,
) => Principal | Refusal | null | Promise<Principal | Refusal | null>

export interface Admission {
  authenticate: Authenticate
  counter: RateCounter
  rateLimit: Rate
  gate: Gate
  headerRules: Record<Environment, HeaderRules>
  publicUrl: string | undefined
  /** Whether pages of this origin may call with the cookies of their reader. */
  allowsCookiesFrom: (origin: string) => boolean
  /** In production plain HTTP is for this machine alone. */
  production: boolean
  clock: Clock
}

const maxUrlLength = 8_000
/** An application's state comes in the address and has to be given back, whatever it is (RFC 6749 4.1.1). */
const maxAnnexUrlLength = 20_000
/** How many wrong credentials an address may try in a minute. */
const wrongCredentials: Limit = { limit: 100, windowSeconds: 60 }

const everyReply = {
  'x-content-type-options': 'nosniff',
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'X-Request-ID, RateLimit, RateLimit-Policy, Retry-After, ETag, Idempotent-Replayed, Preference-Applied, Deprecation, Sunset, Link, X-Recommendation-Id',
  vary: 'Accept-Language, Authorization, Cookie, Origin, X-Currency, X-Environment, X-Service-Region',
}
const aYear = 'max-age=31536000'
const loopback = /^(::1|(::ffff:)?127\.)/

/** The first look at a request. It cannot fail, so every later refusal knows its id and its language. */
export function greet(admission: Admission, request: FastifyRequest, reply: FastifyReply): void {
  const requestId = requestIdOf(request.headers)
  const root = request.url.startsWith('/global/') ? 'global' : 'home'
  const language = preferredLanguage(request.headers['accept-language'], root === 'global' ? 'en' : 'ru')
  const wishes: Wishes = {
    language,
    currency: uzs,
    region: root,
    timezone: 'UTC',
    ifMatch: undefined,
    dryRun: false,
  }
  request.asked = {
    requestId,
    startedMs: elapsedMs(),
    environment: 'live',
    principal: null,
    wishes,
    origin: admission.publicUrl ?? `${request.protocol}://${request.host || 'localhost'}`,
    answered: false,
  }
  reply.headers(everyReply)
  const from = request.headers.origin
  if (from !== undefined && admission.allowsCookiesFrom(from))
    reply.headers({ 'access-control-allow-origin': from, 'access-control-allow-credentials': 'true' })
  if (request.protocol === 'https') reply.header('strict-transport-security', aYear)
  reply.header('x-request-id', requestId)
  reply.header('content-language', language)
}

/** Lets a request through to its handler, or refuses it. */
export async function admit(
  admission: Admission,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { route, root = 'home', isProbe = false, isAnnex = false } = request.routeOptions.config
  const asked = request.asked
  const limit = isAnnex ? maxAnnexUrlLength : maxUrlLength
  if (request.url.length > limit) throw refuse('uri_too_long', { limit })
  if (isProbe) return
  if (admission.production && request.protocol !== 'https' && !loopback.test(request.ip))
    throw refuse('https_required')
  refuseStrangeHost(request)
  admission.gate.check(route?.declared.shed)

  const caller = isAnnex ? null : await recognised(admission, request, reply)
  if (caller instanceof Refusal) asked.lapsed = caller
  else asked.principal = caller
  asked.environment = route?.declared.platform ? 'live' : (asked.principal?.environment ?? 'live')
  await count(admission, request, reply)
  if (!route) return
  if (route.declared.deprecated) reply.headers(farewell(route.declared.deprecated))
  asked.wishes = wishesOf(request.headers, root, admission.headerRules[asked.environment])
  reply.header('content-language', asked.wishes.language)
  refuseStrangeAccept(request.headers.accept, route.declared.gives)
  refuseUnfit(route, asked)
}

async function recognised(
  admission: Admission,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Principal | Refusal | null> {
  try {
    refuseTwo('Authorization', request.raw.rawHeaders)
    return await admission.authenticate(callerOf(request))
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'unauthorized') throw error
    await countWrong(admission, request, reply)
    throw error
  }
}

/** Counts a wrong credential, and refuses an address that has tried too many. */
export async function countWrong(
  admission: Admission,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const verdict = await admission.counter.take(`wrong:${networkOf(request.ip)}`, wrongCredentials)
  reply.headers(rateHeaders(wrongCredentials, verdict))
  if (!verdict.allowed) throw tooMany(wrongCredentials, verdict, admission.clock.now())
}

export const callerOf = ({ headers, method, asked }: FastifyRequest): Caller => ({
  headers,
  method,
  origin: asked.origin,
})

/** Links in replies begin with it, so nothing but a name and a port may stand there, and only once (RFC 9112 3.2). */
function refuseStrangeHost({ host, raw }: FastifyRequest): void {
  refuseTwo('Host', raw.rawHeaders)
  if (!host && raw.httpVersion !== '1.1') return
  if (!host || !hostForm.test(host)) throw refuse('invalid_header', { header: 'Host' })
}

const hostForm = /^([A-Za-z0-9._-]{1,255}|\[[0-9A-Fa-f:.]{2,45}\])(:\d{1,5})?$/

function refuseTwo(header: 'Authorization' | 'Host', rawHeaders: string[]): void {
  let seen = 0
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]!.length === header.length && rawHeaders[at]!.toLowerCase() === header.toLowerCase())
      seen++
  if (seen > 1) throw refuse('invalid_header', { header, reason: 'sent twice' })
}

async function count(admission: Admission, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { principal } = request.asked
  const rate = principal?.rate ?? admission.rateLimit
  if (rate === 'none') return
  const verdict = await admission.counter.take(
    principal ? `key:${principal.id}` : `ip:${networkOf(request.ip)}`,
    rate,
  )
  reply.headers(rateHeaders(rate, verdict))
  if (!verdict.allowed) throw tooMany(rate, verdict, admission.clock.now())
}

/** One household has one IPv6 network of 64 bits: counting single addresses would count nothing. */
export function networkOf(ip: string): string {
  const [, mapped] = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(ip) ?? []
  if (mapped) return mapped
  const [head = '', tail = ''] = ip.split('::')
  const [left, right] = [head, tail].map((it) => it.split(':').filter(Boolean)) as [string[], string[]]
  const zeros = Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0')
  return [...left, ...zeros, ...right].slice(0, 4).join(':')
}

const fits: Record<Needs, (principal: Principal) => boolean> = {
  client: ({ actor }) => actor.kind === 'client',
  session: ({ actor, application }) => actor.kind === 'client' && application === null,
  member: ({ actor }) => actor.kind === 'member',
  owner: ({ actor }) => actor.kind === 'member' && actor.role === 'owner',
}

/** Refuses a caller who may not do what a path does. */
export function refuseUnfit(
  { declared }: Route,
  { principal, lapsed }: Pick<Asked, 'principal' | 'lapsed'>,
): void {
  const { needs } = declared
  const required = scopesOf(declared)
  if (required.length === 0 && needs === undefined) return
  if (!principal) throw lapsed ?? refuse('unauthorized', { reason: 'missing' })
  const isFit = needs === undefined || fits[needs](principal)
  if (!isFit || required.some((it) => !principal.scopes.has(it)))
    throw refuse('insufficient_permissions', {
      required_scopes: required,
      current_scopes: [...principal.scopes],
      ...(!isFit && { needs }),
    })
}

/** `Deprecation` is RFC 9745, `Sunset` RFC 8594. */
const farewell = ({ since, sunset, successor }: NonNullable<Route['declared']['deprecated']>) => ({
  deprecation: `@${Math.floor(since.getTime() / 1000)}`,
  ...(sunset && { sunset: sunset.toUTCString() }),
  ...(successor && { link: `<${successor}>; rel="successor-version"` }),
})
