// Configuration from environment variables, with defaults. An invalid value stops the start with a message.

import { join } from 'node:path'
import {
  absolutePath,
  addresses,
  dateOf,
  hostName,
  level,
  mailbox,
  oneOf,
  origin,
  quartz,
  regionName,
  share,
  signingSecret,
  trueOrFalse,
  urlOf,
  urlsOf,
  visible,
  wholeNumber,
  zoneName,
} from './config-values.ts'
import type { S3Bucket } from './s3.ts'
import type { Level } from './log.ts'
import { type Rate, rateOf } from './rate.ts'
import { keyOf } from './vault.ts'

export interface Config {
  production: boolean
  host: string
  port: number
  dataDir: string
  /** A folder that gets the log of the embedded database, for a restore to any moment. */
  walArchive: string | undefined
  /** A bucket that gets what is written into `walArchive`. */
  walArchiveS3: S3Bucket | undefined
  databaseUrl: string | undefined
  /** What stands before the database: a pooler in session mode, such as PgBouncer, or nothing. */
  databasePooler: 'none' | 'session'
  /** A streaming replica for reads that may lag. */
  databaseReplicaUrl: string | undefined
  redisUrl: string | undefined
  /** Whether webhooks of the test environment may reach loopback addresses of this machine. */
  testWebhooksToLoopback: boolean
  /** A message bus for events in both directions. */
  natsUrl: string | undefined
  /** Encrypts stored secrets; without it, a key is created in the data directory. */
  secretKey: Buffer | undefined
  workers: number
  /** How long requests are served after a stop signal, if set: a proxy needs this time to notice `/readyz`. */
  drainSeconds: number | undefined
  rateLimit: Rate
  demo: boolean | undefined
  timezone: string
  /** Lifetime of a guest's cart after its last change. */
  guestCartDays: number
  /** Days without a change after which a cart is removed, and when the job runs. */
  abandonedCartDays: number
  cartCleanupCron: string
  cartCleanupEnabled: boolean
  /** The same for wishlists. */
  wishlistDays: number
  wishlistCleanupCron: string
  wishlistCleanupEnabled: boolean
  /** How long a card order waits for its payment. */
  unpaidOrderMinutes: number
  cardCapture: 'automatic' | 'manual'
  /** Gateways for card payments. */
  acquirers: Record<'live' | 'test', AcquirerAddress>
  /** Whether buyers can choose cards: with a gateway, or when the shop charges cards outside of the platform. */
  acceptsCards: Record<'live' | 'test', boolean>
  /** Providers of notifications for live and test; `mailFrom` is `address` or `Name <address>`. */
  smtpUrl: string | undefined
  testSmtpUrl: string | undefined
  mailFrom: string | undefined
  smsUrl: string | undefined
  testSmsUrl: string | undefined
  pushUrl: string | undefined
  testPushUrl: string | undefined
  /** Credentials for the providers, and secrets that sign our calls. */
  smsToken: string | undefined
  smsSecret: string | undefined
  pushToken: string | undefined
  pushSecret: string | undefined
  /** Where the text index is kept: in memory, in PostgreSQL or in OpenSearch. */
  searchEngine: SearchEngine
  /** A bucket for uploaded pictures, in place of the data directory. */
  picturesS3: S3Bucket | undefined
  publicUrl: string | undefined
  trustProxy: string[]
  /** PEM files, both or none. */
  tlsCert: string | undefined
  tlsKey: string | undefined
  /** R5's backend. */
  cfBackend: 'cf' | 'v2'
  /** R2's group when the request has none. */
  v2DefaultGroup: 'cf' | 'prod'
  miniAppIdV1: string
  miniAppIdV2: string
  r3Sunset: Date | undefined
  recommendationsRequireKey: boolean
  /** Share of recommendation lists outside experiments that is logged. */
  recommendationsLogShare: number
  /** The environment that the storefront sells from. */
  storefront: 'live' | 'test' | 'off'
  logLevel: Level
  /** An OpenTelemetry collector for traces and metrics. */
  otlpEndpoint: string | undefined
  /** Calls and statements that take at least this long are logged; 0: none. */
  slowCallMs: number
  slowQueryMs: number
  /** The server and the key that commands use, in place of what `login` stored in the file. */
  apiUrl: string | undefined
  apiKey: string | undefined
  credentialsFile: string
}

export type SearchEngine = { kind: 'memory' } | { kind: 'postgres' } | { kind: 'opensearch'; url: string }

export interface AcquirerAddress {
  url: string | undefined
  token: string | undefined
  secret: string | undefined
}

/** All invalid variables at once. */
export class ConfigError extends Error {
  readonly problems: string[]

  constructor(problems: string[]) {
    super(`The configuration is invalid:\n${problems.map((it) => `  - ${it}`).join('\n')}`)
    this.problems = problems
  }
}

type Environment = Record<string, string | undefined>
type Setting = <T>(name: string, fallback: T, meaning: string, parse: (text: string) => T | undefined) => T

export function readConfig(environment: Environment): Config {
  const problems: string[] = []
  const setting: Setting = (name, fallback, meaning, parse) => {
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
    ...archiveIn(setting, problems),
    ...databasesIn(setting, problems),
    redisUrl: setting('REDIS_URL', undefined, 'redis:// addresses', urlsOf('redis:', 'rediss:')),
    testWebhooksToLoopback: setting('TEST_WEBHOOKS_TO_LOOPBACK', !production, 'true or false', trueOrFalse),
    natsUrl: setting('NATS_URL', undefined, 'nats:// or tls:// addresses', urlsOf('nats:', 'tls:')),
    secretKey: setting('SECRET_KEY', undefined, '32 bytes in base64 or hexadecimal digits', keyOf),
    workers: setting('WORKERS', 1, 'a number from 1 to 64', wholeNumber(1, 64)),
    drainSeconds: setting<number | undefined>(
      'DRAIN_SECONDS',
      undefined,
      'a number of seconds from 0 to 60',
      wholeNumber(0, 60),
    ),
    rateLimit: setting('RATE_LIMIT', rateOf('1000/60s')!, 'a rate such as 1000/60s, or none', rateOf),
    demo: setting('DEMO', undefined, 'true or false', trueOrFalse),
    storefront: storefrontIn(setting, production),
    timezone: setting('SHOP_TIMEZONE', 'Asia/Tashkent', 'a time zone such as Asia/Tashkent', zoneName),
    guestCartDays: setting('GUEST_CART_DAYS', 14, 'a number of days from 1 to 365', wholeNumber(1, 365)),
    ...cleanUpIn(setting),
    unpaidOrderMinutes: setting(
      'UNPAID_ORDER_MINUTES',
      30,
      'a number of minutes from 1 to 10080',
      wholeNumber(1, 10_080),
    ),
    cardCapture: setting('CARD_CAPTURE', 'automatic', 'automatic or manual', oneOf('automatic', 'manual')),
    ...acquirersIn(setting),
    ...providersIn(setting),
    ...storesIn(setting, problems),
    publicUrl: setting('PUBLIC_URL', undefined, 'an http:// or https:// origin', origin),
    trustProxy: setting('TRUST_PROXY', [], 'addresses or ranges of proxies, separated by commas', addresses),
    tlsCert: setting('TLS_CERT', undefined, 'a file', (text) => text),
    tlsKey: setting('TLS_KEY', undefined, 'a file', (text) => text),
    cfBackend: setting('CF_BACKEND', 'cf', 'cf or v2', oneOf('cf', 'v2')),
    v2DefaultGroup: setting('V2_DEFAULT_GROUP', 'cf', 'cf or prod', oneOf('cf', 'prod')),
    miniAppIdV1: setting('MINI_APP_ID_V1', 'bozor-mini', 'a name', (text) => text),
    miniAppIdV2: setting('MINI_APP_ID_V2', 'bozor-mini', 'a name', (text) => text),
    r3Sunset: setting('R3_SUNSET', undefined, 'a date such as 2027-06-30', dateOf),
    recommendationsRequireKey: setting('RECOMMENDATIONS_REQUIRE_KEY', false, 'true or false', trueOrFalse),
    recommendationsLogShare: setting('RECOMMENDATIONS_LOG_SHARE', 1, 'a number from 0 to 1', share),
    ...commandLineIn(setting, environment),
    ...loggingIn(setting),
  }
  if ((config.smtpUrl ?? config.testSmtpUrl) !== undefined && config.mailFrom === undefined)
    problems.push('MAIL_FROM must be set together with SMTP_URL or TEST_SMTP_URL')
  if ((config.tlsCert === undefined) !== (config.tlsKey === undefined))
    problems.push('TLS_CERT and TLS_KEY must be set together')
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

function databasesIn(
  setting: Setting,
  problems: string[],
): Pick<Config, 'databaseUrl' | 'databasePooler' | 'databaseReplicaUrl'> {
  const postgresUrl = urlOf('postgres:', 'postgresql:')
  const databaseUrl = setting('DATABASE_URL', undefined, 'a postgres:// address', postgresUrl)
  const databasePooler = setting('DATABASE_POOLER', 'none', 'none or session', oneOf('none', 'session'))
  const databaseReplicaUrl = setting('DATABASE_REPLICA_URL', undefined, 'a postgres:// address', postgresUrl)
  if (databaseReplicaUrl !== undefined && databaseUrl === undefined)
    problems.push('DATABASE_REPLICA_URL needs DATABASE_URL: the embedded database has no replica')
  return { databaseUrl, databasePooler, databaseReplicaUrl }
}

const storefrontIn = (setting: Setting, production: boolean): Config['storefront'] =>
  setting<Config['storefront']>(
    'STOREFRONT',
    production ? 'off' : 'test',
    'live, test or off',
    oneOf('live', 'test', 'off'),
  )

const providersIn = (setting: Setting) => ({
  smtpUrl: setting('SMTP_URL', undefined, smtpMeaning, urlOf('smtp:', 'smtps:')),
  testSmtpUrl: setting('TEST_SMTP_URL', undefined, smtpMeaning, urlOf('smtp:', 'smtps:')),
  mailFrom: setting('MAIL_FROM', undefined, 'an address, or Name <address>', mailbox),
  smsUrl: setting('SMS_URL', undefined, httpMeaning, urlOf('http:', 'https:')),
  testSmsUrl: setting('TEST_SMS_URL', undefined, httpMeaning, urlOf('http:', 'https:')),
  pushUrl: setting('PUSH_URL', undefined, httpMeaning, urlOf('http:', 'https:')),
  testPushUrl: setting('TEST_PUSH_URL', undefined, httpMeaning, urlOf('http:', 'https:')),
  smsToken: setting('SMS_TOKEN', undefined, tokenMeaning, visible),
  smsSecret: setting('SMS_SECRET', undefined, secretMeaning, signingSecret),
  pushToken: setting('PUSH_TOKEN', undefined, tokenMeaning, visible),
  pushSecret: setting('PUSH_SECRET', undefined, secretMeaning, signingSecret),
})

function searchEngineIn(setting: Setting, problems: string[]): SearchEngine {
  const kinds = ['memory', 'postgres', 'opensearch'] as const
  const kind = setting('SEARCH_ENGINE', 'memory', 'memory, postgres or opensearch', oneOf(...kinds))
  const url = setting('OPENSEARCH_URL', undefined, httpMeaning, urlOf('http:', 'https:'))
  if (kind !== 'opensearch') return { kind }
  if (url === undefined) problems.push('OPENSEARCH_URL must be set when SEARCH_ENGINE is opensearch')
  return { kind, url: url ?? '' }
}

const storesIn = (setting: Setting, problems: string[]): Pick<Config, 'picturesS3' | 'searchEngine'> => ({
  picturesS3: picturesS3In(setting, problems),
  searchEngine: searchEngineIn(setting, problems),
})

function archiveIn(setting: Setting, problems: string[]): Pick<Config, 'walArchive' | 'walArchiveS3'> {
  const walArchive = setting('WAL_ARCHIVE', undefined, 'an absolute path', absolutePath)
  const walArchiveS3 = walArchiveS3In(setting, problems)
  if (walArchiveS3 && walArchive === undefined)
    problems.push(
      'WAL_ARCHIVE must be set with WAL_ARCHIVE_S3_URL: a folder for what is not in the bucket yet',
    )
  return { walArchive, walArchiveS3 }
}

const picturesS3In = (setting: Setting, problems: string[]): S3Bucket | undefined =>
  bucketOf(problems, 'PICTURES_S3', {
    url: setting('PICTURES_S3_URL', undefined, httpMeaning, urlOf('http:', 'https:')),
    region: setting('PICTURES_S3_REGION', 'us-east-1', regionMeaning, regionName),
    keyId: setting('PICTURES_S3_KEY_ID', undefined, tokenMeaning, visible),
    secret: setting('PICTURES_S3_SECRET', undefined, tokenMeaning, visible),
  })

const walArchiveS3In = (setting: Setting, problems: string[]): S3Bucket | undefined =>
  bucketOf(problems, 'WAL_ARCHIVE_S3', {
    url: setting('WAL_ARCHIVE_S3_URL', undefined, httpMeaning, urlOf('http:', 'https:')),
    region: setting('WAL_ARCHIVE_S3_REGION', 'us-east-1', regionMeaning, regionName),
    keyId: setting('WAL_ARCHIVE_S3_KEY_ID', undefined, tokenMeaning, visible),
    secret: setting('WAL_ARCHIVE_S3_SECRET', undefined, tokenMeaning, visible),
  })

/** All variables of a bucket, or none. */
function bucketOf(
  problems: string[],
  name: string,
  { url, region, keyId, secret }: { [K in keyof S3Bucket]: string | undefined },
): S3Bucket | undefined {
  if (url !== undefined && region !== undefined && keyId !== undefined && secret !== undefined)
    return { url, region, keyId, secret }
  if ([url, keyId, secret].some((it) => it !== undefined))
    problems.push(`${name}_URL, ${name}_KEY_ID and ${name}_SECRET must be set together`)
  return undefined
}

const loggingIn = (
  setting: Setting,
): Pick<Config, 'slowCallMs' | 'slowQueryMs' | 'logLevel' | 'otlpEndpoint'> => ({
  otlpEndpoint: setting('OTEL_EXPORTER_OTLP_ENDPOINT', undefined, httpMeaning, urlOf('http:', 'https:')),
  slowCallMs: setting('SLOW_CALL_MS', 1_000, slowMeaning, wholeNumber(0, 600_000)),
  slowQueryMs: setting('SLOW_QUERY_MS', 500, slowMeaning, wholeNumber(0, 600_000)),
  logLevel: setting('LOG_LEVEL', 'info', 'debug, info, warn, error or silent', level),
})

const commandLineIn = (
  setting: Setting,
  { HOME = '.', XDG_CONFIG_HOME = join(HOME, '.config') }: Environment,
): Pick<Config, 'apiUrl' | 'apiKey' | 'credentialsFile'> => ({
  apiUrl: setting('BOZOR_URL', undefined, 'an http:// or https:// origin', origin),
  apiKey: setting('BOZOR_KEY', undefined, 'an API key', visible),
  credentialsFile: setting(
    'BOZOR_CREDENTIALS',
    join(XDG_CONFIG_HOME, 'bozor', 'credentials.json'),
    'a file',
    (text) => text,
  ),
})

/** Clean-up of carts and wishlists (SPEC-2 8). */
const cleanUpIn = (
  setting: Setting,
): Pick<
  Config,
  | 'abandonedCartDays'
  | 'cartCleanupCron'
  | 'cartCleanupEnabled'
  | 'wishlistDays'
  | 'wishlistCleanupCron'
  | 'wishlistCleanupEnabled'
> => ({
  abandonedCartDays: setting('CART_DAYS', 14, 'a number of days from 1 to 3650', wholeNumber(1, 3_650)),
  cartCleanupCron: setting('CART_CLEANUP_CRON', '0 0 2 * * ?', 'a Quartz cron such as 0 0 2 * * ?', quartz),
  cartCleanupEnabled: setting('CART_CLEANUP_ENABLED', true, 'true or false', trueOrFalse),
  wishlistCleanupEnabled: setting('WISHLIST_CLEANUP_ENABLED', true, 'true or false', trueOrFalse),
  wishlistDays: setting('WISHLIST_DAYS', 60, 'a number of days from 1 to 3650', wholeNumber(1, 3_650)),
  wishlistCleanupCron: setting(
    'WISHLIST_CLEANUP_CRON',
    '0 0 3 * * ?',
    'a Quartz cron such as 0 0 3 * * ?',
    quartz,
  ),
})

function acquirersIn(setting: Setting): Pick<Config, 'acquirers' | 'acceptsCards'> {
  const shared = {
    token: setting('ACQUIRER_TOKEN', undefined, tokenMeaning, visible),
    secret: setting('ACQUIRER_SECRET', undefined, secretMeaning, signingSecret),
  }
  const url = setting('ACQUIRER_URL', undefined, httpMeaning, urlOf('http:', 'https:'))
  const testUrl = setting('TEST_ACQUIRER_URL', undefined, httpMeaning, urlOf('http:', 'https:'))
  const areCardsExternal = setting('CARDS_EXTERNAL', true, 'true or false', trueOrFalse)
  return {
    acquirers: { live: { url, ...shared }, test: { url: testUrl, ...shared } },
    // The test environment always has the test acquirer.
    acceptsCards: { live: url !== undefined || areCardsExternal, test: true },
  }
}

/** An error must not print keys, or passwords in database URLs. */
const shown = (name: string, text: string): string =>
  /_(KEY|TOKEN|SECRET)$/.test(name) ? '***' : name.endsWith('_URL') ? text.replace(/\/\/.*@/, '//***@') : text

const slowMeaning = 'a number of milliseconds from 1 to 600000, or 0 for none'
const smtpMeaning = 'an smtp:// or smtps:// address'
const httpMeaning = 'an http:// or https:// address'
const tokenMeaning = 'visible characters without blanks'
const regionMeaning = 'a region such as us-east-1'
const secretMeaning = 'whsec_ and 24 to 64 bytes in base64'
