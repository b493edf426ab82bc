// Origins whose pages may call with cookies: those of registered web applications, and our own.

import type { IncomingHttpHeaders } from 'node:http'
import type { Environment } from '../../base/database.ts'
import type { Log } from '../../base/log.ts'
import type { Shop } from '../../base/shop.ts'
import { webRedirectUrls } from './store.ts'

/** A request as far as CORS is concerned. */
interface CorsRequest {
  headers: IncomingHttpHeaders
  method: string
  url: string
}

export interface Origins {
  /** Whether a page of this origin may send the request with cookies and read the reply. */
  allows(origin: string, request: CorsRequest): boolean
  /** Loads the origins for the first time. */
  start(): Promise<void>
  close(): void
}

const tryAgainMs = 1_000

/** Keeps the origins of both environments up to date. */
export function openOrigins(
  shops: Record<Environment, Shop>,
  { publicUrl, log }: { publicUrl: string | undefined; log: Log },
): Origins {
  const known = { live: new Set<string>(), test: new Set<string>() }
  let queue = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  const read = async ({ environment, db }: Shop) => {
    const urls = await webRedirectUrls(db.read())
    known[environment] = new Set(urls.map((it) => new URL(it).origin))
  }
  // One after another, so that an older result never overwrites a newer one.
  const readAgain = (shop: Shop) => {
    queue = queue.then(() =>
      read(shop).catch((error: unknown) => {
        log.warn('loading the origins of applications failed, retrying', { error })
        clearTimeout(timer)
        timer = setTimeout(() => readAgain(shop), tryAgainMs).unref()
      }),
    )
  }
  for (const shop of [shops.live, shops.test])
    shop.relay.subscribe((event) => {
      if (event.type.startsWith('Application')) readAgain(shop)
    })
  return {
    allows: (origin, request) => {
      if (origin === publicUrl) return true
      if (isForMembers(request)) return false
      // A preflight carries no credential; the request itself is checked again.
      if (request.method === 'OPTIONS') return known.live.has(origin) || known.test.has(origin)
      return known[environmentOf(request.headers)].has(origin)
    },
    start: async () => void (await Promise.all([read(shops.live), read(shops.test)])),
    close: () => clearTimeout(timer),
  }
}

const memberPath = /^(\/global)?\/v1\/admin(\/|\?|$)/
const memberCookie = /(^|;\s*)(__Host-)?bozor_member=/
const clientCookie = /(^|;\s*)(__Host-)?bozor_session=/

/** Whether a member calls. No other origin may: members work on pages of this server only. */
const isForMembers = ({ headers, url }: CorsRequest): boolean =>
  memberPath.test(url) ||
  (memberCookie.test(headers.cookie ?? '') &&
    (headers['x-environment'] !== undefined || !clientCookie.test(headers.cookie ?? '')))

/** The environment of the credential; live without a credential. */
const environmentOf = ({ authorization, cookie }: IncomingHttpHeaders): Environment =>
  /^bearer +a[kt]_test_/i.test(authorization ?? '') ||
  (authorization === undefined && /bozor_session=bs_test_/.test(cookie ?? ''))
    ? 'test'
    : 'live'
