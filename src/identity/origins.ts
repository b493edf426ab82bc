// Pages that may call with their reader's cookies: those of registered web applications, and our own.

import type { Environment } from '../base/db.ts'
import type { Log } from '../base/log.ts'
import type { Shop } from '../base/shop.ts'
import { webRedirectUrls } from './store/applications.ts'

export interface Origins {
  has(origin: string): boolean
  /** Reads them for the first time. */
  start(): Promise<void>
  close(): void
}

const tryAgainMs = 1_000

/** Knows the origins of both environments, because a browser asks before it sends anything that would tell which one. */
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
  // One after another, so that an older answer never comes last.
  const readAgain = (shop: Shop) => {
    queue = queue.then(() =>
      read(shop).catch((error: unknown) => {
        log.warn('the origins of applications could not be read; trying again', { error })
        clearTimeout(timer)
        timer = setTimeout(() => readAgain(shop), tryAgainMs).unref()
      }),
    )
  }
  for (const shop of [shops.live, shops.test])
    shop.relay.listen((event) => {
      if (event.type.startsWith('Application')) readAgain(shop)
    })
  return {
    has: (origin) => origin === publicUrl || known.live.has(origin) || known.test.has(origin),
    start: async () => void (await Promise.all([read(shops.live), read(shops.test)])),
    close: () => clearTimeout(timer),
  }
}
