// The wiring, by hand, in ladder order: what stands on what.

import type pg from 'pg'
import { type Clock, systemClock } from './base/clock.ts'
import type { Config } from './base/config.ts'
import type { Environment } from './base/db.ts'
import { housekeeping } from './base/housekeeping.ts'
import type { Job } from './base/jobs.ts'
import type { Log } from './base/log.ts'
import type { Reaction } from './base/outbox.ts'
import { readTls } from './base/tls.ts'
import type { RecordKind } from './base/records.ts'
import { closeShop, openShop, type Shop, startShop } from './base/shop.ts'
import * as cart from './cart/index.ts'
import * as catalog from './catalog/index.ts'
import { docsPages } from './http/docs-page.ts'
import { forgetReplies } from './http/idempotency.ts'
import { Metrics } from './http/metrics.ts'
import { operationsPages, operationsRoutes } from './http/operations.ts'
import type { RateCounter } from './http/rate-limit.ts'
import { recordRoutes } from './http/record-routes.ts'
import type { Route } from './http/route.ts'
import { openServer, type Page, type Patience, type Server } from './http/server.ts'
import { testClockRoutes } from './http/test-clock.ts'
import * as identity from './identity/index.ts'
import * as marketing from './marketing/index.ts'
import * as orders from './orders/index.ts'
import * as recommendations from './recommendations/index.ts'
import * as webhooks from './webhooks/index.ts'

/** Every scheduled job of the house. */
export const allJobs = (config: Config, connection: pg.PoolConfig): Job[] => [
  housekeeping,
  forgetReplies,
  identity.forgetOldRecords,
  identity.forgetSessions,
  identity.forgetTokens,
  catalog.tellPromotions,
  ...cart.jobsOf(config),
  ...orders.jobsOf(config),
  ...marketing.campaignJobs(config),
  recommendations.keepBehaviour,
  recommendations.countPopularityNightly,
  recommendations.countListsNightly(config.timezone),
  webhooks.forgetDeliveries,
  marketing.forgetNotifications,
  recommendations.trainNightly(connection),
]

/** Every kind of record that the import and the export know; what others name comes first. */
export const allRecordKinds: RecordKind[] = [
  ...catalog.recordKinds,
  identity.clientRecords,
  ...cart.recordKinds,
  recommendations.interactionRecords,
]

export interface App {
  shops: Record<Environment, Shop>
  routes: Route[]
  server: Server
  /** Sets the shops' own work going: facts are handed on, jobs are run. */
  start(): Promise<void>
  /** When all that is kept in memory has been read, and what was told before the start has been handed on. */
  filled(): Promise<void>
  close(): Promise<void>
}

export interface AppOptions {
  config: Config
  connection: pg.PoolConfig
  log: Log
  version: string
  counter: RateCounter
  /** Beside those of the house, for tests. */
  routes?: Route[]
  reactions?: Reaction[]
  owners?: identity.Owners
  jobs?: Job[]
  recordKinds?: RecordKind[]
  checkReplies?: boolean
  patience?: Partial<Patience>
}

const livePool = 10
const testPool = 5
/** Other processes hear of a moved clock when they next look into the outbox. */
const otherProcessesHearMs = 600

export function openApp(options: AppOptions): App {
  const { config, log } = options
  const clock = systemClock()
  const shops = openShops(options, clock)

  const { publicUrl, timezone: zone } = config
  const owners = options.owners ?? ownersOfThings
  const people = identity.openIdentity(shops, { log, zone, publicUrl, owners })
  const goods = catalog.openCatalog(shops, log)
  const outside = webhooks.openWebhooks(shops, { config, clock, log })
  const letters = marketing.openMarketing(shops, { config, clock, log })
  const lists = recommendations.openRecommendations(shops, {
    ...options,
    goods,
    settings: settingsOf(config),
  })
  const metrics = new Metrics()
  let draining = false
  const routes = routesOver(options, { shops, goods, people, outside, letters, lists })
  const watched = {
    metrics,
    authenticate: people.forServer.authenticate,
    gate: () => server.gate,
    isDraining: () => draining,
    inMemory: () => ({ goods: goods.isFull(), models: lists.isReady() }),
  }
  const server: Server = openServer({
    ...config,
    shops,
    routes,
    pages: [
      ...operationsPages(shops, watched),
      ...docsPages(routes, options.version, identity.oauthReference),
      ...pagesOf({ people, letters }),
    ],
    ...people.forServer,
    annexes: [...people.forServer.annexes, ...letters.annexes],
    tls: readTls(config),
    currencyOf: goods.currencyOf,
    counter: options.counter,
    metrics,
    clock,
    log,
    checkReplies: options.checkReplies ?? false,
    ...(options.patience && { patience: options.patience }),
  })

  return {
    shops,
    routes,
    server,
    start: async () => {
      await Promise.all([startShop(shops.live), startShop(shops.test), people.start()])
      await goods.start()
      await outside.start()
      letters.start()
      await lists.start()
    },
    filled: async () =>
      void (await Promise.all([goods.filled(), shops.live.relay.settle(), shops.test.relay.settle()])),
    close: async () => {
      draining = true
      await server.close()
      await people.close()
      await Promise.all([outside.close(), letters.close(), lists.close()])
      await goods.close()
      await Promise.all([closeShop(shops.live), closeShop(shops.test)])
    },
  }
}

interface Rooms {
  shops: Record<Environment, Shop>
  goods: catalog.Catalog
  people: ReturnType<typeof identity.openIdentity>
  outside: webhooks.Webhooks
  letters: marketing.Marketing
  lists: recommendations.Recommendations
}

const settingsOf = (config: Config) => ({
  ...config,
  requireKey: config.recommendationsRequireKey,
  logShare: config.recommendationsLogShare,
})

/** What people see in their browsers, and reach from their letters. */
const pagesOf = ({ people, letters }: Pick<Rooms, 'people' | 'letters'>): Page[] => [
  ...catalog.pages,
  ...people.pages,
  ...letters.pages,
]

/** Every path of the house. */
function routesOver(options: AppOptions, rooms: Rooms): Route[] {
  const { shops, goods, people, outside, letters, lists } = rooms
  const { config, log } = options
  const alone = config.workers === 1 && config.databaseUrl === undefined
  return [
    ...goods.routes,
    ...lists.routes,
    ...recordRoutes([...allRecordKinds, ...(options.recordKinds ?? [])]),
    ...people.routes,
    ...cart.routesOver(cart.termsOf(config)),
    ...orders.openOrders(shops, config, log).routes,
    ...letters.routes,
    ...outside.routes,
    ...operationsRoutes(shops),
    ...(options.routes ?? []),
    ...testClockRoutes(shops, alone ? 0 : otherProcessesHearMs),
  ]
}

/** Clients that own something, though they may have no account yet. */
const ownersOfThings: identity.Owners = async (read, clientIds) =>
  (await Promise.all([cart.findOwners(read, clientIds), orders.clientsWithOrders(read, clientIds)])).flat()

function openShops(options: AppOptions, clock: Clock) {
  const { config, connection, log, jobs = allJobs(config, connection) } = options
  const reactions = [
    ...cart.reactionsOver(cart.termsOf(config)),
    ...recommendations.reactions,
    ...webhooks.reactions,
    ...marketing.campaignReactions,
    ...marketing.reactions,
    ...(options.reactions ?? []),
  ]
  const shared = { connection, clock, log, zone: config.timezone, reactions, jobs }
  return {
    live: openShop({ ...shared, environment: 'live', poolSize: livePool }),
    test: openShop({ ...shared, environment: 'test', poolSize: testPool }),
  }
}
