// Opens the catalog: its routes, its job, and what it keeps in memory for each environment.

import { setTimeout as pause } from 'node:timers/promises'
import type { SearchEngine } from '../base/config.ts'
import type { Environment } from '../base/database.ts'
import type { Log } from '../base/log.ts'
import type { Currency } from '../base/money.ts'
import type { Shop } from '../base/shop.ts'
import type { TaskQueue } from '../base/task-queue.ts'
import type { Module } from '../http/module.ts'
import { type Suggestion, Synonyms } from '../search/index.ts'
import { publishPromotionStages } from './promotions/publish-stages.ts'
import { StageTimer } from './promotions/stage-timer.ts'
import { ExchangeRateCache } from './exchange-rates/exchange-rates.ts'
import { attributeRoutes } from './attributes/routes.ts'
import { categoryRoutes } from './categories/routes.ts'
import { deliveryRoutes } from './delivery/routes.ts'
import { exchangeRateRoutes } from './exchange-rates/routes.ts'
import { moderationRoutes } from './offers/moderation-routes.ts'
import { entityRoutes } from './offers/routes.ts'
import { productRoutes, productWriteRoutes } from './products/routes.ts'
import { promotionRoutes } from './promotions/routes.ts'
import { learnSearch } from './search-learning/learn-search.ts'
import { openTextStore } from './search-engine/open-text-store.ts'
import { searchLearningRoutes } from './search-learning/routes.ts'
import { purgeSearches, searchLogRoutes } from './search-log/routes.ts'
import { SearchLog } from './search-log/search-log.ts'
import { searchPreviewRoutes } from './search-preview/routes.ts'
import { searchSynonymRoutes } from './search-synonyms/routes.ts'
import { shopProfileRoutes } from './shop-profile/routes.ts'
import { stockRoutes } from './stock/routes.ts'
import { picturePages } from './pictures/pages.ts'
import { openPictureFiles, type PictureSettings } from './pictures/picture-files.ts'
import { purgePictures, uploadRoutes } from './pictures/upload-routes.ts'
import { ProductIndexSync } from './product-index/product-index-sync.ts'
import type { ProductIndex } from './product-index/product-index.ts'
import type { SuggestQuery } from './product-index/query.ts'
import { type BuyableOffers, buyableFilters, type BuyableScope } from './product-index/buyable-offers.ts'

/** What may be listed, and how many. */
export interface ListScope extends BuyableScope {
  limit: number
}

/** The products of an environment, for modules that choose among them. */
export interface ProductIndexReader {
  buyableOffers(scope: BuyableScope): Promise<BuyableOffers>
  /** The ids of the most popular products that can be bought, the most popular first. */
  popularProducts(scope: ListScope): Promise<number[]>
  /** The ids of the newest products that can be bought, the newest first. */
  newestProducts(scope: ListScope): Promise<number[]>
  /** When the newest product was created. */
  newestMs(): number
  /** The product of a visible ordinary offer, if this process knows it. */
  productOf(offerId: number): number | undefined
  suggest(typed: string, query: SuggestQuery): Promise<Suggestion[]>
}

export interface Catalog extends Module {
  currencyOf(environment: Environment, code: string): Currency | undefined
  /** The currencies that have a rate. */
  currencyCodes(environment: Environment): string[]
  /** Callers wait for the changes that this process knows of and has not read yet. */
  indexes: Record<Environment, ProductIndexReader>
  /** The same without waiting; undefined until the index is loaded. */
  currentIndex(environment: Environment): ProductIndexReader | undefined
}

const retryDelayMs = 1_000

const searchRoutes = (syncs: Record<Environment, ProductIndexSync>) => [
  ...searchSynonymRoutes,
  ...searchLogRoutes,
  ...searchLearningRoutes,
  ...searchPreviewRoutes(syncs),
]

interface CatalogOptions extends PictureSettings {
  log: Log
  searchEngine: SearchEngine
  /** In which tasks of both environments take turns, also with those of other modules. */
  taskQueue: TaskQueue
}

export function openCatalog(
  shops: Record<Environment, Shop>,
  { log, searchEngine, taskQueue, ...pictureSettings }: CatalogOptions,
): Catalog {
  const pictureFiles = openPictureFiles(pictureSettings)
  const rates = { live: new ExchangeRateCache(shops.live), test: new ExchangeRateCache(shops.test) }
  // One compiled dictionary serves both environments.
  const curated = Synonyms.curated()
  const stores = {
    live: openTextStore(shops.live, searchEngine),
    test: openTextStore(shops.test, searchEngine),
  }
  const syncs = {
    live: new ProductIndexSync(shops.live, { log, curated, store: stores.live }),
    test: new ProductIndexSync(shops.test, { log, curated, store: stores.test }),
  }
  const searches = { live: new SearchLog(shops.live, log), test: new SearchLog(shops.test, log) }
  const timers = [new StageTimer(shops.live, log), new StageTimer(shops.test, log)]
  const load = async () => void (await Promise.all([syncs.live.load(), syncs.test.load()]))
  let isClosed = false
  return {
    routes: [
      ...categoryRoutes,
      ...attributeRoutes,
      ...productRoutes(syncs, searches),
      ...productWriteRoutes,
      ...entityRoutes,
      ...deliveryRoutes,
      ...moderationRoutes,
      ...stockRoutes,
      ...exchangeRateRoutes,
      ...searchRoutes(syncs),
      ...shopProfileRoutes,
      ...promotionRoutes,
      ...uploadRoutes(pictureFiles),
    ],
    pages: [...picturePages, ...pictureFiles.pages],
    jobs: [
      learnSearch({ connection: shops.live.db.connection, searchEngine, queue: taskQueue }),
      purgeSearches,
      publishPromotionStages,
      purgePictures(pictureFiles),
    ],
    readiness: () => ({ product_index: Object.values(syncs).every((it) => it.current !== undefined) }),
    currencyOf: (environment, code) => rates[environment].currencyOf(code),
    currencyCodes: (environment) => rates[environment].codes(),
    indexes: {
      live: readerOf(syncs.live, () => syncs.live.fresh()),
      test: readerOf(syncs.test, () => syncs.test.fresh()),
    },
    currentIndex: (environment) => {
      const { current } = syncs[environment]
      return current && readerOf(syncs[environment], () => current)
    },
    // The product indexes load in the background, and callers wait for them.
    start: async () => {
      await Promise.all([rates.live.read(), rates.test.read(), ...timers.map((it) => it.set())])
      for (const it of Object.values(searches)) it.start()
      void loadWithRetries(load, { log, isClosed: () => isClosed })
    },
    loaded: load,
    close: async () => {
      isClosed = true
      const opened = Object.values(stores).filter((it) => it !== undefined)
      await Promise.all([...timers, ...Object.values(searches), ...opened].map((it) => it.close()))
    },
  }
}

/** The server is not ready before the indexes are loaded, so no request would trigger a retry. */
async function loadWithRetries(
  load: () => Promise<void>,
  { log, isClosed }: { log: Log; isClosed: () => boolean },
): Promise<void> {
  while (!isClosed())
    try {
      return await load()
    } catch (error) {
      log.warn('product indexes could not be loaded; retrying', { error })
      await pause(retryDelayMs, undefined, { ref: false })
    }
}

function readerOf(
  sync: ProductIndexSync,
  index: () => ProductIndex | Promise<ProductIndex>,
): ProductIndexReader {
  const list = async (scope: ListScope, sort: '-popularity' | '-created_at') => {
    const { region, limit } = scope
    const query = {
      region,
      language: 'ru',
      filters: buyableFilters(scope),
      sort,
      limit,
      wantsFacets: false,
    } as const
    return (await index()).find(query).ids
  }
  return {
    buyableOffers: async (scope) => (await index()).buyableOffers(scope),
    popularProducts: (scope) => list(scope, '-popularity'),
    newestProducts: (scope) => list(scope, '-created_at'),
    newestMs: () => sync.newestMs,
    productOf: (offerId) => sync.productOf(offerId),
    suggest: (typed, query) => sync.suggest(typed, query),
  }
}
