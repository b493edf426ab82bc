// What recommendations keep open for each environment while the platform runs.

import type { Environment } from '../base/db.ts'
import type { Log } from '../base/log.ts'
import type { Shop } from '../base/shop.ts'
import type { Catalog } from '../catalog/index.ts'
import type { Route } from '../http/route.ts'
import type { Settings } from './channels/channels.ts'
import { ModelKeeper } from './model-keeper.ts'
import { recommendationRoutes } from './routes.ts'

export interface Recommendations {
  routes: Route[]
  /** Takes up the models; calls are answered meanwhile, from what sells best. */
  start(): void
}

export function openRecommendations(
  shops: Record<Environment, Shop>,
  { goods, log, settings }: { goods: Catalog; log: Log; settings: Settings },
): Recommendations {
  const models = { live: new ModelKeeper(shops.live, log), test: new ModelKeeper(shops.test, log) }
  return {
    routes: recommendationRoutes({ goods, models, settings }),
    start: () => {
      for (const keeper of Object.values(models)) void keeper.take()
    },
  }
}
