import cluster from 'node:cluster'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type pg from 'pg'
import { type App, openApp } from '../app.ts'
import { elapsedMs } from '../base/clock.ts'
import type { Config } from '../base/config.ts'
import { collectGarbage } from '../base/collect-garbage.ts'
import { migrate } from '../base/migrate.ts'
import { setHeapGrowth } from '../base/heap-growth.ts'
import { requireSameSecretKey } from '../base/secret-key.ts'
import { openStorage } from '../base/storage.ts'
import { readTls } from '../base/tls.ts'
import { builtFolder, webFolders } from '../web/build/folders.ts'
import { memoryCounter, type RateCounter } from '../http/rate-limit.ts'
import type { MetricsPart } from '../http/metrics.ts'
import { workerMetrics } from '../http/metrics-workers.ts'
import { workerCounter } from '../http/rate-limit-workers.ts'
import { type BackgroundCommand, startInBackground } from './background.ts'
import { type Command, CommandError, type CommandContext } from './command.ts'
import { withDatabases } from './storage.ts'
import { drainTogether } from './drain-together.ts'
import { isDemoWanted, isHistoryPending, loadDemo } from './demo.ts'
import { createStartKeys, createFirstOwner, welcome } from './welcome.ts'
import { profileOnSignal } from './cpu-profile.ts'
import { registerStorefront } from './storefront.ts'
import { recordAddress, removeAddress } from './server-address.ts'
import { startWorkers } from './workers.ts'

/** How long requests are served after a stop signal when DRAIN_SECONDS is not set; less when no connection is left. */
const defaultDrainMs = 1_000
/** When connections that have not finished are closed: after the signal, and at least this long after the port. */
const finishWithinMs = 6_000
const finishAfterPortMs = 3_000

export const startCommand: Command = {
  usage: '',
  help: `Starts the database, the API and the background jobs, and prints their addresses. Ctrl-C stops it cleanly.

  PORT, HOST        address to listen on (8080, 127.0.0.1)
  DATA_DIR          data folder (./data)
  WAL_ARCHIVE       folder for the log of the embedded database: "restore --to TIME"; WAL_ARCHIVE_S3_URL: a bucket
  DATABASE_URL      your own PostgreSQL instead of the embedded one
  REDIS_URL         shares rate limits between nodes
  NATS_URL          publishes events to NATS JetStream and receives integration events from it
  SECRET_KEY        encrypts secrets and signs links: 32 bytes in base64; default: DATA_DIR/secret.key, created at first start
  SMTP_URL          a mail server, with MAIL_FROM; TEST_SMTP_URL the same for the test environment
  SMS_URL, PUSH_URL gateways for SMS and push, with SMS_TOKEN, SMS_SECRET and so on; see docs/notifications.md
  DRAIN_SECONDS     how long requests are served after a stop signal, for proxies (at most 1 second)
  WORKERS           number of HTTP processes (1)
  RATE_LIMIT        requests per credential, for example 1000/60s, or none
  STOREFRONT        the environment that /shop sells from: test, live or off (test; in production off)
  DEMO              true loads the demo shop; the default on an empty embedded database
  SHOP_TIMEZONE     the shop's time zone (Asia/Tashkent)
  PUBLIC_URL        the public origin of this server
  TRUST_PROXY       addresses of proxies whose X-Forwarded-* headers are trusted
  TLS_CERT, TLS_KEY PEM files of a certificate and its key, to serve HTTPS directly
  LOG_LEVEL         debug, info, warn, error or silent (info)

  --new-secret-key  accept that SECRET_KEY differs from the key of the database, after the old key was lost`,
  options: { 'new-secret-key': { type: 'boolean' } },
  run: (context, args) =>
    context.inherited
      ? runWorker(context, JSON.parse(context.inherited) as pg.PoolConfig)
      : serve(context, { acceptNewKey: args.flags['new-secret-key'] === true }),
}

/** The first process: opens the storage, serves alone or through workers, and closes the storage at the end. */
async function serve(context: CommandContext, options: { acceptNewKey: boolean }): Promise<number> {
  const { config, log } = context
  const stopped = waitForStop()
  // Before the database is created, so that a mistake is reported at once and leaves nothing behind.
  readTls(config)
  await requireFreePort(config)
  // Takes seconds, beside the database and the demo shop; until it ends, pages say that they are being built.
  const web = builtFolder(webFolders(config.dataDir))
    ? undefined
    : startInBackground(['build-web', '--cache'], log)
  const storage = await openStorage(config, { role: 'server', commandName: 'start', log })
  let life: BackgroundCommand | undefined
  try {
    await migrate(storage.connection, log)
    await requireSameSecretKey(storage.connection, config, options)
    const { hasLife, ...firstStart } = await withDatabases(storage.connection, async (db) => {
      if (await isDemoWanted(config, storage, db.live)) await loadDemo(db, { config, log })
      return {
        hasLife: await isHistoryPending(db),
        keys: await createStartKeys(config, db, storage),
        member: await createFirstOwner(config, db.live, storage),
        shop: await registerStorefront(config, db),
      }
    })
    // The server and the history process each take seconds to start, so they start together.
    life = hasLife ? startInBackground(['demo', '--history'], log) : undefined
    const running =
      config.workers > 1
        ? await serveThroughWorkers(context, storage.connection, stopped)
        : await serveAlone(context, storage.connection)
    recordAddress(config, running.address)
    log.info('listening', { address: running.address })
    const text = welcome({
      address: running.address,
      ...firstStart,
      version: context.version,
      config,
      databaseElsewhere: storage.elsewhere,
    })
    const isReady = await Promise.race([running.ready.then(() => true), stopped.then(() => false)])
    if (isReady) context.print(text)
    await stopped
    log.info('stopping: draining requests')
    removeAddress(config)
    await Promise.all([running.stop(), life?.stop()])
    return 0
  } finally {
    await Promise.all([life?.stop(), web?.stop()])
    await storage.close()
    log.info('stopped')
    log.flush()
  }
}

interface Running {
  address: string
  /** Resolves when `/readyz` answers 200, in every worker. */
  ready: Promise<void>
  stop(): Promise<void>
}

async function serveAlone(context: CommandContext, connection: pg.PoolConfig): Promise<Running> {
  const app = openApp({ ...context, connection, counter: await counterOf(context) })
  profileOnSignal(context.config, context.log)
  const address = await open(context, app)
  const polling = pollReadiness(app)
  return {
    address,
    ready: polling.ready,
    stop: () => {
      polling.stop()
      return drain(app, context.config)
    },
  }
}

async function serveThroughWorkers(
  context: CommandContext,
  connection: pg.PoolConfig,
  stopped: Promise<void>,
): Promise<Running> {
  const inherit = { BOZOR_INHERITED: JSON.stringify(connection) }
  const counter = memoryCounter(elapsedMs)
  const workers = startWorkers(context.config.workers, { inherit, counter, log: context.log })
  try {
    // A stop signal during startup must not wait until the workers listen.
    const address = await Promise.race([workers.address, stopped.then(() => 'nowhere')])
    return { address, ready: workers.ready, stop: workers.stop }
  } catch (error) {
    await workers.stop()
    throw error
  }
}

/** A worker process: the app on the connection that the first process opened. */
async function runWorker(context: CommandContext, connection: pg.PoolConfig): Promise<number> {
  const stopped = waitForStop()
  profileOnSignal(context.config, context.log)
  const counter = context.config.redisUrl ? await counterOf(context) : workerCounter(process)
  try {
    const openMetrics = (part: () => MetricsPart) =>
      workerMetrics(process, {
        id: String(process.pid),
        otherCount: context.config.workers - 1,
        part,
      })
    const app = openApp({ ...context, connection, counter, openMetrics })
    cluster.worker!.send({ address: await open(context, app) })
    const polling = pollReadiness(app)
    void polling.ready.then(() => process.connected && cluster.worker!.send({ isReady: true }))
    await stopped
    polling.stop()
    await drain(app, context.config)
    return 0
  } finally {
    context.log.flush()
    // The IPC channel would keep this process alive.
    if (process.connected) process.disconnect()
  }
}

async function open({ config }: CommandContext, app: App): Promise<string> {
  try {
    setHeapGrowth()
    await app.start()
    app.loaded().then(collectGarbage, collectGarbage)
    return await app.server.listen(config)
  } catch (error) {
    // Timers and connections would keep the process alive.
    await app.close()
    throw portError(error, config)
  }
}

/** Before the database starts, so that the message comes at once. */
async function requireFreePort(config: Config): Promise<void> {
  const { host, port } = config
  const probe = createServer()
  try {
    probe.listen({ host, port, exclusive: true })
    await once(probe, 'listening')
  } catch (error) {
    throw portError(error, config)
  } finally {
    probe.close()
  }
}

const portError = (error: unknown, { port }: Config): unknown =>
  (error as { code?: string }).code === 'EADDRINUSE'
    ? new CommandError(`port ${port} is in use; stop the process that uses it, or set PORT to another port`)
    : error

const readinessPollMs = 100

/** Asks `/readyz` in this process until it answers 200. */
function pollReadiness(app: App): { ready: Promise<void>; stop(): void } {
  const { promise: ready, resolve: onReady } = Promise.withResolvers<void>()
  let isStopped = false
  const poll = async () => {
    const { statusCode } = await app.server.fastify.inject('/readyz')
    if (isStopped) return
    if (statusCode === 200) onReady()
    else setTimeout(poll, readinessPollMs)
  }
  void poll()
  return { ready, stop: () => (isStopped = true) }
}

async function counterOf({ config, log }: CommandContext): Promise<RateCounter> {
  const memory = memoryCounter(elapsedMs)
  if (!config.redisUrl) return memory
  // Loaded only when needed: most installations run without Redis.
  const { redisCounter } = await import('../http/rate-limit-redis.ts')
  return redisCounter(config.redisUrl, { fallback: memory, log })
}

/** Closes the app; connections that do not finish in time are closed. */
async function drain(app: App, { drainSeconds }: Config): Promise<void> {
  const http = app.server.fastify.server
  const forMs = drainSeconds === undefined ? defaultDrainMs : drainSeconds * 1_000
  const cutAfterMs = Math.max(finishWithinMs, forMs + finishAfterPortMs)
  const cut = setTimeout(() => http.closeAllConnections(), cutAfterMs)
  await app.drain({
    forMs,
    endsEarly: drainSeconds === undefined,
    ...(cluster.isWorker && { together: drainTogether }),
  })
  const tidy = setInterval(() => http.closeIdleConnections(), 100)
  await app.close()
  clearInterval(tidy)
  clearTimeout(cut)
}

/** Resolves on a stop signal, or when the parent process is gone. */
function waitForStop(): Promise<void> {
  return new Promise((done) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => done())
    process.once('disconnect', () => done())
  })
}
