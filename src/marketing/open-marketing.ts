// What writing to buyers keeps open for each environment while the platform runs.

import type { Clock } from '../base/clock.ts'
import type { Config } from '../base/config.ts'
import type { Environment } from '../base/db.ts'
import type { Log } from '../base/log.ts'
import type { Shop } from '../base/shop.ts'
import { openVault } from '../base/vault.ts'
import type { Annex } from '../http/annex.ts'
import type { Route } from '../http/route.ts'
import type { Page } from '../http/server.ts'
import { campaignRoutes } from './campaigns/routes.ts'
import { NotificationCourier } from './notifications/courier.ts'
import { openProviders } from './notifications/providers.ts'
import { tracePage } from './pages/trace.ts'
import { unsubscribePage } from './pages/unsubscribe.ts'
import { consentRoutes } from './routes/consents.ts'
import { deviceRoutes } from './routes/devices.ts'
import { notificationRoutes } from './routes/notifications.ts'
import { templateRoutes } from './routes/templates.ts'
import { shopUrlOf } from './shop-url.ts'

export interface Marketing {
  routes: Route[]
  pages: Page[]
  annexes: Annex[]
  start(): void
  close(): Promise<void>
}

export function openMarketing(
  shops: Record<Environment, Shop>,
  options: { config: Config; clock: Clock; log: Log },
): Marketing {
  const { config, log } = options
  const vault = openVault(config)
  const shopUrl = shopUrlOf(config)
  const couriers = [shops.live, shops.test].map(
    ({ db }) =>
      new NotificationCourier({
        db,
        log,
        providers: openProviders(db.environment, options),
        press: { environment: db.environment, vault, shopUrl },
      }),
  )
  return {
    routes: [
      ...campaignRoutes(config),
      ...templateRoutes,
      ...notificationRoutes(shopUrl),
      ...consentRoutes,
      ...deviceRoutes,
    ],
    pages: [tracePage(shops, { vault, shopUrl })],
    annexes: [unsubscribePage(shops, vault)],
    start: () => {
      for (const it of couriers) it.start()
    },
    close: async () => {
      await Promise.all(couriers.map((it) => it.close()))
    },
  }
}
