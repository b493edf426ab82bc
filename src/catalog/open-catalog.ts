// What the catalog keeps open for each environment while the platform runs.

import type { Environment } from '../base/db.ts'
import type { Log } from '../base/log.ts'
import type { Currency } from '../base/money.ts'
import type { Shop } from '../base/shop.ts'
import type { Route } from '../http/route.ts'
import { Rates } from './rates.ts'
import { routesOver } from './routes/index.ts'
import { ShelfKeeper } from './shelf-keeper.ts'

export interface Catalog {
  routes: Route[]
  currencyOf(environment: Environment, code: string): Currency | undefined
  /** Reads what must be known before the first call; the shelf fills meanwhile, and callers wait for it. */
  start(): Promise<void>
}

export function openCatalog(shops: Record<Environment, Shop>, log: Log): Catalog {
  const rates = { live: new Rates(shops.live), test: new Rates(shops.test) }
  const keepers = { live: new ShelfKeeper(shops.live, log), test: new ShelfKeeper(shops.test, log) }
  return {
    routes: routesOver(keepers),
    currencyOf: (environment, code) => rates[environment].currencyOf(code),
    start: async () => {
      await Promise.all([rates.live.read(), rates.test.read()])
      for (const keeper of [keepers.live, keepers.test])
        keeper
          .fill()
          .catch((error: unknown) =>
            log.warn('the shelf could not be filled; the next caller tries again', { error }),
          )
    },
  }
}
