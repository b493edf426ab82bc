// Reads request headers. Invalid values are refused, except that an unknown language falls back to the default.

import type { IncomingHttpHeaders } from 'node:http'
import { zoneName } from '../base/config-values.ts'
import type { Environment } from '../base/database.ts'
import { type Currency, uzs } from '../base/money.ts'
import { secretUuid } from '../base/random.ts'
import { refuse } from '../base/refusal.ts'
import { apiVersion } from './envelope.ts'
import { type Language, preferredLanguage } from './language.ts'
import { type IfMatch, ifMatchOf } from './version.ts'

export interface RequestPreferences {
  language: Language
  currency: Currency
  region: 'home' | 'global'
  timezone: string
  ifMatch: IfMatch | undefined
  dryRun: boolean
}

const requestIdForm = /^[A-Za-z0-9._-]{1,128}$/

/** The caller's request id if it is well formed, otherwise a new one. */
export const requestIdOf = (headers: IncomingHttpHeaders): string => {
  const given = headers['x-request-id']
  return typeof given === 'string' && requestIdForm.test(given) ? given : secretUuid()
}

const traceparentForm =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-[!-~]{1,100})?$/

/** The W3C trace context of the caller; a malformed one is ignored, as the recommendation asks. */
export const traceparentOf = (headers: IncomingHttpHeaders): string | undefined => {
  const given = headers['traceparent']
  return typeof given === 'string' && traceparentForm.test(given) ? given : undefined
}

export const traceIdOf = (traceparent: string): string => traceparent.slice(3, 35)

export interface HeaderRules {
  /** The currency of a code, if this shop has a rate for it. */
  currencyOf: (code: string) => Currency | undefined
  /** The currencies that have a rate. */
  currencyCodes: () => string[]
  defaultZone: string
  /** Valid zones seen so far; validating one is slow. */
  knownZones: Set<string>
}

const maxKnownZones = 1_000

/** The URL root sets the default region. */
export function preferencesOf(
  headers: IncomingHttpHeaders,
  root: 'home' | 'global',
  rules: HeaderRules,
): RequestPreferences {
  const version = headerText(headers, 'x-api-version')
  if (version !== undefined && version !== apiVersion) throw invalidHeader('X-API-Version', [apiVersion])
  const region = headerText(headers, 'x-service-region') ?? root
  if (region !== 'home' && region !== 'global') throw invalidHeader('X-Service-Region', ['home', 'global'])
  const code = headerText(headers, 'x-currency')
  const currency = code === undefined || code === uzs.code ? uzs : rules.currencyOf(code)
  if (!currency) throw invalidHeader('X-Currency', [uzs.code, ...rules.currencyCodes()])
  for (const [name, example] of clientHeaders)
    if ((headerText(headers, name.toLowerCase()) ?? '').length > maxClientHeaderLength)
      throw malformedHeader(name, [example], { limit: maxClientHeaderLength })
  return {
    language: preferredLanguage(headers['accept-language'], region === 'global' ? 'en' : 'ru'),
    currency,
    region,
    timezone: zoneOf(headerText(headers, 'x-timezone'), rules),
    ifMatch: matchedOf(headerText(headers, 'if-match')),
    dryRun: /(^|[\s,])dry-run($|[\s,;])/i.test(headerText(headers, 'prefer') ?? ''),
  }
}

/** A credential determines the environment. A header that names another one is refused and not ignored. */
export function requireEnvironment(headers: IncomingHttpHeaders, allowed: readonly Environment[]): void {
  const named = headerText(headers, 'x-environment')
  if (named !== undefined && !allowed.some((it) => it === named))
    throw invalidHeader('X-Environment', [...allowed])
}

/**
 * Refuses a version in `If-Match` on a call that compares none: ignoring it would write what the caller has forbidden
 * (RFC 9110 13.1.1).
 */
export function requireNoVersion({ ifMatch }: RequestPreferences): void {
  if (ifMatch && ifMatch.versions !== 'any') throw invalidHeader('If-Match', ['*'])
}

const clientHeaders = [
  ['X-Client-Name', 'shop-ios'],
  ['X-Client-Version', '2.4.1'],
] as const
const maxClientHeaderLength = 200

const invalidHeader = (header: string, allowed: string[]) => refuse('invalid_header', { header, allowed })

/** For headers with too many allowed values to list. */
export const malformedHeader = (header: string, examples: string[], more: Record<string, unknown> = {}) =>
  refuse('invalid_header', { header, examples, ...more })

const headerText = (headers: IncomingHttpHeaders, name: string): string | undefined => {
  const value = headers[name]
  return Array.isArray(value) ? value.join(',') : value
}

function zoneOf(given: string | undefined, rules: HeaderRules): string {
  if (given === undefined) return rules.defaultZone
  if (rules.knownZones.has(given)) return given
  if (zoneName(given) === undefined) throw malformedHeader('X-Timezone', ['Asia/Tashkent', 'UTC'])
  if (rules.knownZones.size < maxKnownZones) rules.knownZones.add(given)
  return given
}

function matchedOf(given: string | undefined): IfMatch | undefined {
  const matched = given === undefined ? undefined : ifMatchOf(given)
  if (given !== undefined && !matched) throw malformedHeader('If-Match', ['"3"', '*'])
  return matched
}

/** Throws unless the `Accept` header allows the media type of the reply. */
export function requireAcceptable(accept: string | undefined, type = 'application/json'): void {
  if (!accept) return
  const [kind] = type.split('/')
  const good = ['*/*', `${kind}/*`, type]
  const isGood = (range: string) =>
    good.includes(range.split(';')[0]!.trim().toLowerCase()) && !/;\s*q=0(\.0*)?\s*(;|$)/.test(range)
  if (!accept.split(',').some(isGood)) throw refuse('not_acceptable', { available: [type] })
}

/** Whether the body is declared as UTF-8 without compression. */
export function isPlainUtf8(headers: IncomingHttpHeaders): boolean {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(headers['content-type'] ?? '') ?? []
  return charset.toLowerCase() === 'utf-8' && !headers['content-encoding']
}

const keyForm = /^[\x21-\x7e]{1,255}$/

/** The Idempotency-Key without its optional quotes; undefined if none was sent. */
export function idempotencyKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const given = headerText(headers, 'idempotency-key')
  if (given === undefined) return undefined
  const key = /^"(.*)"$/.exec(given)?.[1] ?? given
  if (!keyForm.test(key)) throw refuse('invalid_idempotency_key', {})
  return key
}
