// What the catalog keeps open for each environment while the platform runs.

import type { Environment } from '../base/db.ts'
import type { Log } from '../base/log.ts'
import type { Currency } from '../base/money.ts'
import type { Shop } from '../base/shop.ts'
import type { Route } from '../http/route.ts'
import type { Region } from './goods.ts'
import { Rates } from './rates.ts'
import { routesOver } from './routes/index.ts'
import { ShelfKeeper } from './shelf-keeper.ts'

export interface Catalog {
  routes: Route[]
  currencyOf(environment: Environment, code: string): Currency | undefined
  /** The ids of the products most sought after that a region has in stock, in a category or in all; best first. */
  popularProducts(
    environment: Environment,
    among: { region: Region; categoryId: number | null; limit: number },
  ): Promise<number[]>
  /** Reads what must be known before the first call; the shelves fill meanwhile, and callers wait for them. */
  start(): Promise<void>
  /** When the shelves are full. */
  filled(): Promise<void>
}

export function openCatalog(shops: Record<Environment, Shop>, log: Log): Catalog {
  const rates = { live: new Rates(shops.live), test: new Rates(shops.test) }
  const keepers = { live: new ShelfKeeper(shops.live, log), test: new ShelfKeeper(shops.test, log) }
  const fill = async () => void (await Promise.all([keepers.live.fill(), keepers.test.fill()]))
  return {
    routes: routesOver(keepers),
    currencyOf: (environment, code) => rates[environment].currencyOf(code),
    popularProducts: async (environment, { region, categoryId, limit }) => {
      const shelf = await keepers[environment].fresh()
      return shelf.find({
        region,
        language: 'ru',
        filters: { inStock: true, ...(categoryId !== null && { categoryId }) },
        sort: '-popularity',
        limit,
        wantsFacets: false,
      }).ids
    },
    start: async () => {
      await Promise.all([rates.live.read(), rates.test.read()])
      void fill().catch((error: unknown) =>
        log.warn('the shelves could not be filled; the next caller tries again', { error }),
      )
    },
    filled: fill,
  }
}
