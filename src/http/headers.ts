// What the headers of a request mean. Values outside the contract are refused; only languages have a default.

import type { IncomingHttpHeaders } from 'node:http'
import { zoneName } from '../base/config.ts'
import { type Currency, uzs } from '../base/money.ts'
import { secretUuid } from '../base/random.ts'
import { refuse } from '../base/refusal.ts'
import { apiVersion } from './envelope.ts'
import { type Language, preferredLanguage } from './language.ts'

export interface Wishes {
  language: Language
  currency: Currency
  region: 'home' | 'global'
  timezone: string
  ifMatch: number | undefined
  dryRun: boolean
}

const requestIdForm = /^[A-Za-z0-9._-]{1,128}$/

/** The caller's request id when it is well formed, else a new one. */
export const requestIdOf = (headers: IncomingHttpHeaders): string => {
  const given = headers['x-request-id']
  return typeof given === 'string' && requestIdForm.test(given) ? given : secretUuid()
}

export interface HeaderRules {
  /** The currency behind a code, when prices can be shown in it in this shop. */
  currencyOf: (code: string) => Currency | undefined
  defaultZone: string
  /** Zones that were asked for and are good; looking one up is slow. */
  knownZones: Set<string>
}

const maxKnownZones = 1_000

/** Reads the wishes of a request. The root it came in by presets the region. */
export function wishesOf(headers: IncomingHttpHeaders, root: 'home' | 'global', rules: HeaderRules): Wishes {
  const version = one(headers, 'x-api-version')
  if (version !== undefined && version !== apiVersion) throw badHeader('X-API-Version', [apiVersion])
  const region = one(headers, 'x-service-region') ?? root
  if (region !== 'home' && region !== 'global') throw badHeader('X-Service-Region', ['home', 'global'])
  const code = one(headers, 'x-currency')
  const currency = code === undefined || code === uzs.code ? uzs : rules.currencyOf(code)
  if (!currency) throw badHeader('X-Currency')
  for (const name of ['x-client-name', 'x-client-version'])
    if ((one(headers, name) ?? '').length > 200) throw badHeader(name)
  return {
    language: preferredLanguage(headers['accept-language'], region === 'global' ? 'en' : 'ru'),
    currency,
    region,
    timezone: zoneOf(one(headers, 'x-timezone'), rules),
    ifMatch: versionOf(one(headers, 'if-match')),
    dryRun: /(^|[\s,])dry-run($|[\s,;])/i.test(one(headers, 'prefer') ?? ''),
  }
}

const badHeader = (header: string, allowed?: string[]) =>
  refuse('invalid_header', { header, ...(allowed && { allowed }) })

const one = (headers: IncomingHttpHeaders, name: string): string | undefined => {
  const value = headers[name]
  return Array.isArray(value) ? value.join(',') : value
}

function zoneOf(given: string | undefined, rules: HeaderRules): string {
  if (given === undefined) return rules.defaultZone
  if (rules.knownZones.has(given)) return given
  if (zoneName(given) === undefined) throw badHeader('X-Timezone')
  if (rules.knownZones.size < maxKnownZones) rules.knownZones.add(given)
  return given
}

/** A version as `"3"` or, from a reply in some language, `"3-ru"` or `"3-ru-…"`; `*` asks for no particular one. */
function versionOf(given: string | undefined): number | undefined {
  if (given === undefined || given.trim() === '*') return undefined
  const [, version] = /^\s*(?:W\/)?"(\d{1,15})(?:-[a-z]{2}(?:-[\w-]{22})?)?"\s*$/.exec(given) ?? []
  if (!version) throw badHeader('If-Match')
  return Number(version)
}

/** Refuses a caller who would not understand what the path answers in. */
export function refuseStrangeAccept(accept: string | undefined, type = 'application/json'): void {
  if (!accept) return
  const [kind] = type.split('/')
  const good = ['*/*', `${kind}/*`, type]
  const isGood = (range: string) =>
    good.includes(range.split(';')[0]!.trim().toLowerCase()) && !/;\s*q=0(\.0*)?\s*(;|$)/.test(range)
  if (!accept.split(',').some(isGood)) throw refuse('not_acceptable', { available: [type] })
}

/** Whether a body is UTF-8 as it stands: no other charset, no compression. */
export function isPlainUtf8(headers: IncomingHttpHeaders): boolean {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(headers['content-type'] ?? '') ?? []
  return charset.toLowerCase() === 'utf-8' && !headers['content-encoding']
}

const keyForm = /^[\x21-\x7e]{1,255}$/

/** The Idempotency-Key of a write, without its optional quotes; undefined when none was sent. */
export function idempotencyKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const given = one(headers, 'idempotency-key')
  if (given === undefined) return undefined
  const key = /^"(.*)"$/.exec(given)?.[1] ?? given
  if (!keyForm.test(key)) throw refuse('invalid_idempotency_key', {})
  return key
}
