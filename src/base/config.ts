// What an operator can set, with its default. A wrong value stops the start with a sentence, never with a guess.

import { isIP } from 'node:net'
import { Cron } from 'croner'
import type { Level } from './log.ts'
import { type Rate, rateOf } from './rate.ts'
import { keyOf } from './vault.ts'

export interface Config {
  production: boolean
  host: string
  port: number
  dataDir: string
  databaseUrl: string | undefined
  redisUrl: string | undefined
  /** A message bus that events leave by and come in by. */
  natsUrl: string | undefined
  /** Seals secrets that must be told again; without it, a key is made in the data directory. */
  secretKey: Buffer | undefined
  workers: number
  rateLimit: Rate
  demo: boolean | undefined
  timezone: string
  /** How long the cart of a guest lives after its last change. */
  guestCartDays: number
  /** After how many days without a change a cart is removed, and when that is looked at. */
  abandonedCartDays: number
  cartCleanupCron: string
  /** The same of wishlists. */
  wishlistDays: number
  wishlistCleanupCron: string
  /** How long a card order waits for its money. */
  unpaidOrderMinutes: number
  publicUrl: string | undefined
  trustProxy: string[]
  /** Files in PEM form, both or none. */
  tlsCert: string | undefined
  tlsKey: string | undefined
  /** R5's backend. */
  cfBackend: 'cf' | 'v2'
  /** R2's group when the caller names none. */
  v2DefaultGroup: 'cf' | 'prod'
  miniAppIdV1: string
  miniAppIdV2: string
  r3Sunset: Date | undefined
  recommendationsRequireKey: boolean
  logLevel: Level
}

/** Everything that is wrong with the environment, so that one start tells it all. */
export class ConfigError extends Error {
  readonly problems: string[]

  constructor(problems: string[]) {
    super(`The configuration is not usable:\n${problems.map((it) => `  - ${it}`).join('\n')}`)
    this.problems = problems
  }
}

type Environment = Record<string, string | undefined>

export function readConfig(environment: Environment): Config {
  const problems: string[] = []
  const setting = <T>(
    name: string,
    fallback: T,
    meaning: string,
    parse: (text: string) => T | undefined,
  ): T => {
    const text = environment[name]?.trim()
    if (!text) return fallback
    const value = parse(text)
    if (value === undefined)
      problems.push(`${name} must be ${meaning}, not ${JSON.stringify(shown(name, text))}`)
    return value ?? fallback
  }
  const production = environment['NODE_ENV'] === 'production'
  const config: Config = {
    production,
    host: setting('HOST', production ? '0.0.0.0' : '127.0.0.1', 'an address or host name', hostName),
    port: setting('PORT', 8080, 'a port from 0 to 65535', wholeNumber(0, 65_535)),
    dataDir: setting('DATA_DIR', './data', 'a directory', (text) => text),
    databaseUrl: setting(
      'DATABASE_URL',
      undefined,
      'a postgres:// address',
      urlOf('postgres:', 'postgresql:'),
    ),
    redisUrl: setting('REDIS_URL', undefined, 'a redis:// address', urlOf('redis:', 'rediss:')),
    natsUrl: setting('NATS_URL', undefined, 'a nats:// or tls:// address', urlOf('nats:', 'tls:')),
    secretKey: setting('SECRET_KEY', undefined, '32 bytes in base64 or hexadecimal digits', keyOf),
    workers: setting('WORKERS', 1, 'a number from 1 to 64', wholeNumber(1, 64)),
    rateLimit: setting('RATE_LIMIT', rateOf('1000/60s')!, 'a rate such as 1000/60s, or none', rateOf),
    demo: setting('DEMO', undefined, 'true or false', truth),
    timezone: setting('SHOP_TIMEZONE', 'Asia/Tashkent', 'a time zone such as Asia/Tashkent', zoneName),
    guestCartDays: setting('GUEST_CART_DAYS', 14, 'a number of days from 1 to 365', wholeNumber(1, 365)),
    abandonedCartDays: setting('CART_DAYS', 14, 'a number of days from 1 to 3650', wholeNumber(1, 3_650)),
    cartCleanupCron: setting('CART_CLEANUP_CRON', '0 0 2 * * ?', 'a Quartz cron such as 0 0 2 * * ?', quartz),
    wishlistDays: setting('WISHLIST_DAYS', 60, 'a number of days from 1 to 3650', wholeNumber(1, 3_650)),
    wishlistCleanupCron: setting(
      'WISHLIST_CLEANUP_CRON',
      '0 0 3 * * ?',
      'a Quartz cron such as 0 0 3 * * ?',
      quartz,
    ),
    unpaidOrderMinutes: setting(
      'UNPAID_ORDER_MINUTES',
      30,
      'a number of minutes from 1 to 10080',
      wholeNumber(1, 10_080),
    ),
    publicUrl: setting('PUBLIC_URL', undefined, 'an http:// or https:// origin', origin),
    trustProxy: setting('TRUST_PROXY', [], 'addresses or ranges of proxies, separated by commas', addresses),
    tlsCert: setting('TLS_CERT', undefined, 'a file', (text) => text),
    tlsKey: setting('TLS_KEY', undefined, 'a file', (text) => text),
    cfBackend: setting('CF_BACKEND', 'cf', 'cf or v2', oneOf('cf', 'v2')),
    v2DefaultGroup: setting('V2_DEFAULT_GROUP', 'cf', 'cf or prod', oneOf('cf', 'prod')),
    miniAppIdV1: setting('MINI_APP_ID_V1', 'bozor-mini', 'a name', (text) => text),
    miniAppIdV2: setting('MINI_APP_ID_V2', 'bozor-mini', 'a name', (text) => text),
    r3Sunset: setting('R3_SUNSET', undefined, 'a date such as 2027-06-30', dateOf),
    recommendationsRequireKey: setting('RECOMMENDATIONS_REQUIRE_KEY', false, 'true or false', truth),
    logLevel: setting('LOG_LEVEL', 'info', 'debug, info, warn, error or silent', level),
  }
  if ((config.tlsCert === undefined) !== (config.tlsKey === undefined))
    problems.push('TLS_CERT and TLS_KEY must be set together')
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

/** Addresses of databases hold passwords, and keys are secrets: an error must not print them. */
const shown = (name: string, text: string): string =>
  name === 'SECRET_KEY' ? '***' : name.endsWith('_URL') ? text.replace(/\/\/.*@/, '//***@') : text

const wholeNumber =
  (from: number, to: number) =>
  (text: string): number | undefined =>
    /^\d+$/.test(text) && Number(text) >= from && Number(text) <= to ? Number(text) : undefined

const hostName = (text: string): string | undefined =>
  isIP(text) || /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(text) ? text : undefined

/** The library that reads it says whether it can. */
const quartz = (text: string): string | undefined => {
  if (text.split(/\s+/).length < 6) return undefined
  try {
    new Cron(text, { paused: true, alternativeWeekdays: true, sloppyRanges: true })
    return text
  } catch {
    return undefined
  }
}

const oneOf =
  <const T extends string>(...choices: T[]) =>
  (text: string): T | undefined =>
    choices.find((it) => it === text)

const truth = (text: string): boolean | undefined =>
  text === 'true' ? true : text === 'false' ? false : undefined

const level = (text: string): Level | undefined =>
  (['debug', 'info', 'warn', 'error', 'silent'] as const).find((it) => it === text)

const dateOf = (text: string): Date | undefined =>
  /^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/.test(text) && !Number.isNaN(Date.parse(text)) ? new Date(text) : undefined

const urlOf =
  (...protocols: string[]) =>
  (text: string): string | undefined =>
    URL.canParse(text) && protocols.includes(new URL(text).protocol) ? text : undefined

const origin = (text: string): string | undefined =>
  URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol) && new URL(text).pathname === '/'
    ? new URL(text).origin
    : undefined

const addresses = (text: string): string[] | undefined => {
  const all = text.split(',').map((it) => it.trim())
  const good = all.every((it) => {
    const [address = '', bits = '0', ...rest] = it.split('/')
    const mostBits = isIP(address) === 6 ? 128 : 32
    return isIP(address) > 0 && rest.length === 0 && wholeNumber(0, mostBits)(bits) !== undefined
  })
  return good ? all : undefined
}

/** The zone's name if this machine knows it. */
export function zoneName(text: string): string | undefined {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(text)) return undefined
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone && text
  } catch {
    return undefined
  }
}
