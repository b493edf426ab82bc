// Authentication: the format of a credential shows its kind and environment; the environment's credential cache finds
// the principal.

import type { IncomingHttpHeaders } from 'node:http'
import type { Environment } from '../base/database.ts'
import type { Log } from '../base/log.ts'
import { Refusal, refuse } from '../base/refusal.ts'
import type { Shop } from '../base/shop.ts'
import type { Authenticate, AuthenticationInput } from '../http/admission.ts'
import type { OnReply } from '../http/record-request.ts'
import type { Principal } from '../http/route.ts'
import { apiKeyCredential } from './applications/api-keys.ts'
import { addHourlyUsage, addUsage } from './applications/usage-store.ts'
import { HourlyUsageCounts, UsageCounts } from './applications/usage.ts'
import { sessionCredential } from './clients/sign-in.ts'
import { cookieOf, isOurOwn } from './cookies.ts'
import { type CredentialKind, CredentialCache } from './credential-cache.ts'
import { memberCredential } from './members/sign-in.ts'
import { accessTokenCredential } from './oauth/grants.ts'

const recordUseEveryMs = 5_000
/** Of an origin that the caller sent, as the reply shows it. */
const maxOriginLength = 200

/** All kinds of credentials. When several cookies are sent, the one the request asks for wins, else the first. */
export const credentialKinds: readonly CredentialKind[] = [
  apiKeyCredential,
  accessTokenCredential,
  sessionCredential,
  memberCredential,
]

export interface Authenticator {
  authenticate: Authenticate
  /** Counts a call for its key. */
  onReply: OnReply
  /** Saves what was counted since the last save. */
  saveUsage(): Promise<void>
  close(): Promise<void>
}

export function openAuthenticator(
  shops: Record<Environment, Shop>,
  { log, zone, kinds = credentialKinds }: { log: Log; zone: string; kinds?: readonly CredentialKind[] },
): Authenticator {
  const usage = {
    live: new UsageCounts(shops.live.clock, zone),
    test: new UsageCounts(shops.test.clock, zone),
  }
  const hourly = {
    live: new HourlyUsageCounts(shops.live.clock),
    test: new HourlyUsageCounts(shops.test.clock),
  }
  const open = (shop: Shop) => new CredentialCache(shop, (it) => usage[shop.environment].note(it, 'refused'))
  const caches = { live: open(shops.live), test: open(shops.test) }
  const saveHourly = () =>
    Promise.all(
      [shops.live, shops.test].map(({ environment, db }) =>
        hourly[environment].drain((counted) => db.transaction((tx) => addHourlyUsage(tx, counted))),
      ),
    )
  const warn = (error: unknown) => log.warn('saving the last use of credentials failed', { error })
  const recordUse = () =>
    Promise.all([
      saveHourly(),
      ...[shops.live, shops.test].flatMap(({ environment, db }) => [
        caches[environment].recordUse(),
        usage[environment].drain((counted) => db.transaction((tx) => addUsage(tx, counted))),
      ]),
    ])
  const timer = setInterval(() => void recordUse().catch(warn), recordUseEveryMs).unref()
  const bearers = kinds.filter((it) => it.carrier === 'bearer')
  const cookies = kinds.filter((it) => it.carrier === 'cookie')
  return {
    authenticate: (caller) =>
      caller.headers.authorization === undefined
        ? fromCookie(caches, cookies, caller)
        : fromBearer(caches, bearers, caller.headers),
    onReply: (principal, reply) => {
      usage[principal.environment].note(principal, reply.status < 400 ? 'served' : 'refused')
      hourly[principal.environment].note(principal, reply)
    },
    saveUsage: async () => void (await saveHourly().catch(warn)),
    close: async () => {
      clearInterval(timer)
      await recordUse().catch(() => {})
    },
  }
}

type Caches = Record<Environment, CredentialCache>

function fromBearer(
  caches: Caches,
  kinds: readonly CredentialKind[],
  headers: IncomingHttpHeaders,
): Principal | Promise<Principal> {
  if (!/^bearer\b/i.test(headers.authorization!)) throw refuse('unauthorized', { reason: 'scheme' })
  const text = /^bearer +([^\s]+)$/i.exec(headers.authorization!)?.[1]
  if (text !== undefined)
    for (const kind of kinds) {
      const environment = kind.environmentOf(text, headers)
      if (environment) return caches[environment].principalOf(kind, text)
    }
  throw refuse('unauthorized', { reason: 'malformed' })
}

/**
 * Browsers send cookies automatically, so an invalid one must not fail a request that needs none: it is returned, not
 * thrown.
 */
function fromCookie(
  caches: Caches,
  kinds: readonly CredentialKind[],
  caller: AuthenticationInput,
): null | Promise<Principal | Refusal> {
  const requested = kinds.filter((it) => it.isRequested?.(caller.headers))
  for (const kind of [...requested, ...kinds]) {
    const text = cookieOf(caller, kind.cookie!)
    const environment = text && kind.environmentOf(text, caller.headers)
    if (!environment) continue
    if (!isOurOwn(caller, text)) return Promise.resolve(foreignWrite(caller))
    return asRefusal(async () => {
      const principal = await caches[environment].principalOf(kind, text)
      return kind.environmentOfRequest
        ? { ...principal, environment: kind.environmentOfRequest(text, caller.headers) }
        : principal
    })
  }
  return null
}

/** A write with a cookie that is neither from our page nor carries the CSRF token of the session. */
function foreignWrite({ headers, origin }: AuthenticationInput): Refusal {
  const sent = headers.origin
  return refuse('origin_mismatch', {
    header: 'X-CSRF-Token',
    reason: headers['x-csrf-token'] ? 'wrong' : 'missing',
    ...(sent !== undefined && { origin: sent.slice(0, maxOriginLength) }),
    own_origin: origin,
  })
}

async function asRefusal(find: () => Principal | Promise<Principal>): Promise<Principal | Refusal> {
  try {
    return await find()
  } catch (error) {
    if (error instanceof Refusal && error.code === 'unauthorized') return error
    throw error
  }
}
