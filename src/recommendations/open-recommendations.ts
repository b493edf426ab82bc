// What recommendations keep open for each environment while the platform runs.

import type pg from 'pg'
import type { Environment } from '../base/db.ts'
import type { Log } from '../base/log.ts'
import type { Shop } from '../base/shop.ts'
import type { Catalog } from '../catalog/index.ts'
import type { Route } from '../http/route.ts'
import type { Settings } from './channels/channels.ts'
import { ModelKeeper } from './model-keeper.ts'
import { modelRoutes } from './model-routes.ts'
import { recommendationRoutes } from './routes.ts'

export interface Recommendations {
  routes: Route[]
  /** Takes up the models; calls are answered meanwhile, from what sells best. */
  start(): void
}

interface Given {
  goods: Catalog
  log: Log
  settings: Settings
  connection: pg.PoolConfig
}

export function openRecommendations(
  shops: Record<Environment, Shop>,
  { goods, log, settings, connection }: Given,
): Recommendations {
  const models = { live: new ModelKeeper(shops.live, log), test: new ModelKeeper(shops.test, log) }
  return {
    routes: [
      ...recommendationRoutes({ goods, models, settings }),
      ...modelRoutes({
        goods,
        models,
        connection,
        onFailure: (error) => log.error('a training failed', { error }),
      }),
    ],
    start: () => {
      for (const keeper of Object.values(models)) void keeper.take()
    },
  }
}
