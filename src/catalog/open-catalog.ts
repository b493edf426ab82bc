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

export interface Among {
  region: Region
  categoryId: number | null
  limit: number
}

export interface Catalog {
  routes: Route[]
  currencyOf(environment: Environment, code: string): Currency | undefined
  /** The ids of the products most sought after that a region has in stock, in a category or in all; best first. */
  popularProducts(environment: Environment, among: Among): Promise<number[]>
  /** The ids of the products that came last, among the same. */
  newestProducts(environment: Environment, among: Among): Promise<number[]>
  /** Whether a region has a product in stock, in a category or anywhere: true as of now, for many in a row. */
  forSale(environment: Environment, among: Omit<Among, 'limit'>): Promise<(productId: number) => boolean>
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
    popularProducts: (environment, among) => listed(keepers[environment], among, '-popularity'),
    newestProducts: (environment, among) => listed(keepers[environment], among, '-created_at'),
    forSale: async (environment, among) =>
      (await keepers[environment].fresh()).judge(among.region, inStock(among)),
    start: async () => {
      await Promise.all([rates.live.read(), rates.test.read()])
      void fill().catch((error: unknown) =>
        log.warn('the shelves could not be filled; the next caller tries again', { error }),
      )
    },
    filled: fill,
  }
}

const inStock = ({ categoryId }: Pick<Among, 'categoryId'>) => ({
  inStock: true,
  ...(categoryId !== null && { categoryId }),
})

async function listed(
  keeper: ShelfKeeper,
  among: Among,
  sort: '-popularity' | '-created_at',
): Promise<number[]> {
  const { region, limit } = among
  const shelf = await keeper.fresh()
  return shelf.find({ region, language: 'ru', filters: inStock(among), sort, limit, wantsFacets: false }).ids
}
