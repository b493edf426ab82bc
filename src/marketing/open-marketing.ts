// Opens templates, notifications, consents and campaigns for both environments.

import type { Clock } from '../base/clock.ts'
import type { Config } from '../base/config.ts'
import type { Environment } from '../base/database.ts'
import type { Log } from '../base/log.ts'
import type { Shop } from '../base/shop.ts'
import { openVault } from '../base/vault.ts'
import type { Module } from '../http/module.ts'
import { campaignReactions } from './campaigns/reactions.ts'
import { campaignJobs } from './campaigns/run-campaigns.ts'
import { orderReactions } from './notifications/order-messages.ts'
import { passwordReactions } from './notifications/password-messages.ts'
import { purgeNotifications } from './notifications/purge-notifications.ts'
import { campaignRoutes } from './campaigns/routes.ts'
import { NotificationWorker } from './notifications/notification-worker.ts'
import { openProviders } from './notifications/providers.ts'
import { trackingPage } from './notifications/tracking-page.ts'
import { unsubscribePage } from './consents/unsubscribe-page.ts'
import { consentRoutes } from './consents/routes.ts'
import { deviceRoutes } from './devices/routes.ts'
import { notificationGauges } from './notifications/gauges.ts'
import { notificationRoutes } from './notifications/routes.ts'
import { templateRoutes } from './templates/routes.ts'
import { shopUrlOf } from './notifications/compose-message.ts'

export interface MarketingDeps {
  shops: Record<Environment, Shop>
  config: Config
  /** The system clock, which signs calls to providers. */
  clock: Clock
  log: Log
}

export function openMarketing({ shops, config, clock, log }: MarketingDeps): Module {
  const vault = openVault(config)
  const shopUrl = shopUrlOf(config)
  const workers = [shops.live, shops.test].map(
    ({ db }) =>
      new NotificationWorker({
        db,
        log,
        providers: openProviders(db.environment, { config, clock }),
        message: { environment: db.environment, vault, shopUrl },
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
    pages: [trackingPage(shops, { vault, shopUrl })],
    rawRoutes: [unsubscribePage(shops, vault)],
    jobs: [...campaignJobs(config), purgeNotifications],
    reactions: [...campaignReactions, ...orderReactions, ...passwordReactions(vault)],
    gauges: () => notificationGauges(shops),
    start: () => {
      for (const it of workers) it.start()
    },
    close: async () => {
      await Promise.all(workers.map((it) => it.close()))
    },
  }
}
