// The platform: the two shops, the modules in ladder order, and the server over them.

import type pg from 'pg'
import { type Clock, elapsedMs, systemClock } from './base/clock.ts'
import type { Config } from './base/config.ts'
import type { Environment } from './base/database.ts'
import { purgeOldEvents } from './base/housekeeping.ts'
import type { Job } from './base/jobs.ts'
import type { Log } from './base/log.ts'
import type { Reaction } from './base/outbox.ts'
import type { RecordKind } from './base/records/record-kind.ts'
import { closeShop, openShop, type Shop, startShop } from './base/shop.ts'
import { TaskQueue } from './base/task-queue.ts'
import { dayIn } from './base/time-zone.ts'
import { noTelemetry, openTelemetry, type Telemetry } from './base/telemetry.ts'
import { readTls } from './base/tls.ts'
import { openVault } from './base/vault.ts'
import * as cartModule from './cart/index.ts'
import * as catalogModule from './catalog/index.ts'
import type { DrainPeriod } from './http/drain.ts'
import { purgeReplies } from './http/idempotency.ts'
import { Metrics, type MetricsPart } from './http/metrics.ts'
import type { CollectMetrics } from './http/metrics-workers.ts'
import type { Module } from './http/module.ts'
import { healthRoutes, type HealthTools } from './http/health.ts'
import { jobGauges } from './http/job-gauges.ts'
import { metricsPartOf, operationsPages, operationsRoutes, platformGauges } from './http/operations.ts'
import { otlpMetricsSince } from './http/otlp-metrics.ts'
import type { RateCounter } from './http/rate-limit.ts'
import { requestsWithin } from './http/requests-within.ts'
import { recordRoutes } from './http/record-routes.ts'
import type { Route } from './http/route.ts'
import { openServer, type Page, type Server, type Timeouts } from './http/server.ts'
import { testClockRoutes } from './http/test-clock.ts'
import * as identityModule from './identity/index.ts'
import * as marketingModule from './marketing/index.ts'
import { mcpRoutes } from './mcp/index.ts'
import * as ordersModule from './orders/index.ts'
import * as recommendationsModule from './recommendations/index.ts'
import { referencePages } from './reference/pages.ts'
import { openWebAssets } from './web/build/assets.ts'
import { dashboardPages } from './web/dashboard/server/pages.ts'
import { openStorefront, storefrontName } from './web/shop/index.ts'
import * as webhooksModule from './webhooks/index.ts'

/** Every kind of record for import and export, referenced kinds first. Commands list them without opening an app. */
export const allRecordKinds: RecordKind[] = [
  ...catalogModule.recordKinds,
  identityModule.clientRecords,
  ...cartModule.recordKinds,
  recommendationsModule.interactionRecords,
]

export interface App {
  shops: Record<Environment, Shop>
  routes: Route[]
  server: Server
  /** Starts the relays, the jobs and the modules. */
  start(): Promise<void>
  /** Resolves when all caches are loaded and all events published before the start are relayed. */
  loaded(): Promise<void>
  /** Reports "not ready" at once and serves requests until the port is closed; `close` follows. */
  drain(period: DrainPeriod): Promise<void>
  close(): Promise<void>
}

export interface AppOptions {
  config: Config
  connection: pg.PoolConfig
  log: Log
  version: string
  counter: RateCounter
  /** In a cluster: collects the metrics of all workers. */
  openMetrics?: (part: () => MetricsPart) => CollectMetrics
  /** Added to those of the modules, for tests. */
  routes?: Route[]
  reactions?: Reaction[]
  recordKinds?: RecordKind[]
  /** In place of those of the modules, for tests. */
  jobs?: Job[]
  clientsWithData?: identityModule.FindClientsWithData
  checkReplies?: boolean
  timeouts?: Partial<Timeouts>
}

const livePoolSize = 10
const testPoolSize = 5
/** Other processes learn of a moved clock at their next poll of the outbox. */
const clockPropagationMs = 600
const credentialsKeptMs = 30_000

export function openApp(options: AppOptions): App {
  const { config, log } = options
  const clock = systemClock()
  const telemetry = telemetryOf(options, clock)
  const shops = openShops(options, clock)
  const { identity, catalog, modules } = openModules(options, shops, { clock, telemetry })
  registerBackgroundWork(options, shops, modules)

  const metrics = new Metrics()
  let isDraining = false
  const figures = figuresOf(options, shops, modules)
  const routes = routesOf(options, shops, { modules, figures })
  const metricsPart = () => metricsPartOf(shops, { metrics, loadShedder: server.loadShedder })
  const otlpMetrics = otlpMetricsSince(clock)
  telemetry.sendMetrics(async () => otlpMetrics(metricsPart(), await platformGauges(shops, figures.gauges)))
  const operations = {
    collectMetrics: options.openMetrics?.(metricsPart) ?? (async () => [metricsPart()]),
    authenticate: identity.forServer.authenticate,
    isDraining: () => isDraining,
    ...figures,
  }
  const reference = referencePages(routes, {
    version: options.version,
    extraPaths: identityModule.oauthOpenApi,
    hasShop: config.storefront !== 'off',
  })
  const server: Server = openServer({
    ...config,
    ...identity.forServer,
    shops,
    routes,
    pages: [
      ...operationsPages(shops, operations),
      ...reference,
      ...collect(modules, (it) => it.pages),
      ...webPages(config),
      ...storefrontPages(config, shops, () => server),
    ],
    rawRoutes: [...collect(modules, (it) => it.rawRoutes), ...agentRoutes(options, identity, () => server)],
    tls: readTls(config),
    currencyOf: catalog.currencyOf,
    currencyCodes: catalog.currencyCodes,
    counter: options.counter,
    metrics,
    clock,
    log,
    telemetry,
    checkReplies: options.checkReplies ?? false,
    ...(options.timeouts && { timeouts: options.timeouts }),
  })

  return {
    shops,
    routes,
    server,
    start: () => startAll(shops, modules),
    loaded: () => allLoaded(shops, modules),
    drain: (period) => {
      isDraining = true
      return server.drain(period)
    },
    close: async () => {
      isDraining = true
      await server.close()
      await Promise.all(modules.map((it) => it.close?.()))
      await telemetry.close()
      await Promise.all(Object.values(shops).map(closeShop))
    },
  }
}

function registerBackgroundWork(options: AppOptions, shops: App['shops'], modules: readonly Module[]): void {
  for (const { relay, jobs } of Object.values(shops)) {
    relay.register([...collect(modules, (it) => it.reactions), ...(options.reactions ?? [])])
    jobs.register(options.jobs ?? collect(modules, (it) => it.jobs))
  }
}

/** What the modules report about themselves. */
const figuresOf = (options: AppOptions, shops: Shops, modules: readonly Module[]): HealthTools => ({
  gauges: async () => (await Promise.all(modules.map((it) => it.gauges?.() ?? []))).flat(),
  readiness: () => Object.assign({}, ...modules.map((it) => it.readiness?.())) as Record<string, boolean>,
  dependencies: () => dependenciesOf(options, shops, modules),
})

const telemetryOf = ({ config, version, log }: AppOptions, clock: Clock): Telemetry =>
  config.otlpEndpoint === undefined
    ? noTelemetry
    : openTelemetry({ endpoint: config.otlpEndpoint, version, clock, log })

async function startAll(shops: Shops, modules: readonly Module[]): Promise<void> {
  await Promise.all(Object.values(shops).map(startShop))
  for (const module of modules) await module.start?.()
}

async function allLoaded(shops: Shops, modules: readonly Module[]): Promise<void> {
  const relays = Object.values(shops).map((it) => it.relay.catchUp())
  await Promise.all([...modules.map((it) => it.loaded?.()), ...relays])
}

/** The MCP server. It reaches the platform through the API alone, with the token of the agent. */
const agentRoutes = (
  { config, version }: AppOptions,
  { forServer: { authenticate } }: ReturnType<typeof identityModule.openIdentity>,
  server: () => Server,
) => mcpRoutes({ authenticate, production: config.production, version, fastify: () => server().fastify })

/** The pages for people, and the files that they load. */
function webPages(config: Config): Page[] {
  const assets = openWebAssets(config)
  return [...assets.pages, ...dashboardPages(assets)]
}

/** The shop for buyers. It reaches the platform through the API alone, as a registered application. */
function storefrontPages(config: Config, shops: Shops, server: () => Server): Page[] {
  const { storefront: environment, timezone: timeZone } = config
  if (environment === 'off') return []
  const vault = openVault(config)
  const owner = `storefront cookie ${environment}`
  const { db, clock } = shops[environment]
  let known: { credentials: Promise<identityModule.OwnCredentials | undefined>; until: number } | undefined
  return openStorefront({
    environment,
    timeZone,
    now: () => clock.now(),
    // In production plain HTTP is accepted from this machine only, and these requests never leave it.
    fetchFor: ({ address, userAgent }) =>
      requestsWithin(server().fastify, { address: config.production ? '127.0.0.1' : address, userAgent }),
    credentials: () => {
      if (known && known.until > elapsedMs()) return known.credentials
      const credentials = identityModule.findOwnApplication(db.read(), vault, storefrontName)
      known = { credentials, until: elapsedMs() + credentialsKeptMs }
      // The next call looks again when the application is not registered yet.
      credentials.then(
        (it) => it ?? (known = undefined),
        () => (known = undefined),
      )
      return credentials
    },
    seal: (text) => vault.seal(text, owner).toString('base64url'),
    open: (sealed) => {
      try {
        return vault.open(Buffer.from(sealed, 'base64url'), owner)
      } catch {
        return undefined
      }
    },
  })
}

function dependenciesOf(
  { config, counter }: AppOptions,
  shops: Shops,
  modules: readonly Module[],
): Record<string, boolean> {
  const redis = counter.isReachable && { redis: counter.isReachable() }
  const replica = config.databaseReplicaUrl !== undefined && { replica: shops.live.db.isReplicaUsable }
  return Object.assign({}, redis, replica, ...modules.map((it) => it.dependencies?.())) as Record<
    string,
    boolean
  >
}

/** One part of all modules, in their order. */
const collect = <Item>(modules: readonly Module[], part: (module: Module) => Item[] | undefined): Item[] =>
  modules.flatMap((it) => part(it) ?? [])

function openShops({ config, connection, log }: AppOptions, clock: Clock): Record<Environment, Shop> {
  const { timezone: zone, slowQueryMs, databaseReplicaUrl: replicaUrl } = config
  const shared = { connection, clock, log, zone, slowQueryMs, replicaUrl }
  return {
    live: openShop({ ...shared, environment: 'live', poolSize: livePoolSize }),
    test: openShop({ ...shared, environment: 'test', poolSize: testPoolSize }),
  }
}

type Shops = Record<Environment, Shop>

/** The modules, lower ones first: they start in this order. */
function openModules(
  options: AppOptions,
  shops: Shops,
  { clock, telemetry }: { clock: Clock; telemetry: Telemetry },
) {
  const { config, log, clientsWithData = findClientsWithData } = options
  const { publicUrl, timezone: zone } = config
  const taskQueue = new TaskQueue()
  const platform: Module = { jobs: [purgeOldEvents, purgeReplies], gauges: () => jobGauges(shops) }
  const identity = identityModule.openIdentity(shops, {
    log,
    zone,
    publicUrl,
    vault: openVault(config),
    clientsWithData,
    clientData: clientDataOf(zone),
  })
  const catalog = catalogModule.openCatalog(shops, {
    log,
    dataDir: config.dataDir,
    picturesS3: config.picturesS3,
    searchEngine: config.searchEngine,
    taskQueue,
    clock,
  })
  const recommendations = recommendationsModule.openRecommendations({
    ...options,
    shops,
    catalog,
    taskQueue,
    settings: {
      ...config,
      requireKey: config.recommendationsRequireKey,
      logShare: config.recommendationsLogShare,
    },
  })
  const modules: Module[] = [
    platform,
    identity,
    catalog,
    cartModule.openCart({ config }),
    { ...ordersModule.openOrders({ shops, config, log }), gauges: () => ordersModule.paymentGauges(shops) },
    recommendations,
    webhooksModule.openWebhooks({ shops, config, clock, log, telemetry }),
    marketingModule.openMarketing({ shops, config, clock, log }),
  ]
  return { identity, catalog, modules }
}

function routesOf(
  { config, ...options }: AppOptions,
  shops: Shops,
  { modules, figures }: { modules: readonly Module[]; figures: HealthTools },
): Route[] {
  const isOnlyProcess = config.workers === 1 && config.databaseUrl === undefined
  return [
    ...collect(modules, (it) => it.routes),
    ...recordRoutes([...allRecordKinds, ...(options.recordKinds ?? [])]),
    ...operationsRoutes(shops),
    ...healthRoutes(shops, { config, version: options.version, tools: figures }),
    ...(options.routes ?? []),
    ...testClockRoutes(shops, isOnlyProcess ? 0 : clockPropagationMs),
  ]
}

/** Clients that own carts or orders, though they may have no account yet. */
const findClientsWithData: identityModule.FindClientsWithData = async (read, clientIds) =>
  (
    await Promise.all([
      cartModule.findOwners(read, clientIds),
      ordersModule.clientsWithOrders(read, clientIds),
    ])
  ).flat()

/** What the modules above identity keep about a client, for its administration. */
const clientDataOf = (zone: string): identityModule.ClientData[] => [
  {
    summary: async (read, clientId) => ({ orders: await ordersModule.ordersOfClient(read, clientId) }),
    merge: ordersModule.moveOrders,
    erase: ordersModule.eraseContacts,
  },
  {
    summary: (read, clientId) => cartModule.cartOfClient(read, clientId, dayIn(zone)(read.now)),
    merge: cartModule.moveCart,
    erase: cartModule.eraseCart,
  },
  { erase: marketingModule.eraseRecipient },
]
