import cluster from 'node:cluster'
import type pg from 'pg'
import { type App, openApp } from '../app.ts'
import { elapsedMs } from '../base/clock.ts'
import { giveBackMemory } from '../base/give-back-memory.ts'
import { migrate } from '../base/migrate.ts'
import { openStorage } from '../base/storage.ts'
import { memoryCounter, type RateCounter } from '../http/rate-limit.ts'
import { askingCounter } from '../http/rate-limit-workers.ts'
import { type InBackground, inBackground } from './background.ts'
import { type Command, UsageError, withDatabases, type World } from './command.ts'
import { demoWanted, lifeWanted, loadDemo } from './demo.ts'
import { newcomersKeys, newcomersMember, welcome } from './welcome.ts'
import { raiseWorkers } from './workers.ts'

const drainWithinMs = 6_000

export const startCommand: Command = {
  name: 'start',
  summary: 'start the platform',
  usage: '',
  help: `Starts the database, the API and the background work, and says where everything is. Ctrl-C stops it cleanly.

  PORT, HOST        where to listen (8080, 127.0.0.1)
  DATA_DIR          where the data stands (./data)
  DATABASE_URL      a PostgreSQL of your own in place of the embedded one
  REDIS_URL         counts calls for several nodes together
  NATS_URL          sends events to a NATS JetStream and takes integration events from it
  SECRET_KEY        seals secrets and marks links: 32 bytes in base64; else DATA_DIR/secret.key is made
  SMTP_URL          a mail server, with MAIL_FROM; TEST_SMTP_URL the same for the test environment
  SMS_URL, PUSH_URL gateways for SMS and push, with SMS_TOKEN, SMS_SECRET and so on; see docs/notifications.md
  WORKERS           how many processes answer calls (1)
  RATE_LIMIT        calls per credential, such as 1000/60s, or none
  DEMO              true loads the demo shop; the default on an empty embedded database
  SHOP_TIMEZONE     the shop's zone (Asia/Tashkent)
  PUBLIC_URL        the origin that callers know us by
  TRUST_PROXY       addresses of proxies whose X-Forwarded-* headers count
  TLS_CERT, TLS_KEY a certificate and its key, as files in PEM form: it then speaks HTTPS itself
  LOG_LEVEL         debug, info, warn, error or silent (info)`,
  options: {},
  run: (world) =>
    world.inherited ? work(world, JSON.parse(world.inherited) as pg.PoolConfig) : serve(world),
}

/** The first process: opens the storage, serves alone or through workers, and closes what it opened. */
async function serve(world: World): Promise<number> {
  const { config, log } = world
  const stopped = untilStopped()
  const storage = await openStorage(config, { role: 'server', commandName: 'start', log })
  let life: InBackground | undefined
  try {
    await migrate(storage.connection, log)
    const { hasLife, ...newcomer } = await withDatabases(storage.connection, async (db) => {
      if (await demoWanted(config, storage, db.live)) await loadDemo(db, { config, log })
      return {
        hasLife: await lifeWanted(db),
        keys: await newcomersKeys(config, db, storage),
        member: await newcomersMember(config, db.live, storage),
      }
    })
    // It takes seconds to begin, and the server meanwhile takes its own.
    life = hasLife ? inBackground(['demo', '--life'], log) : undefined
    const running =
      config.workers > 1
        ? await throughWorkers(world, storage.connection, stopped)
        : await alone(world, storage.connection)
    world.print(welcome({ address: running.address, ...newcomer, version: world.version, config }))
    await stopped
    await life?.stop()
    log.info('stopping: finishing the calls under way')
    await running.stop()
    return 0
  } finally {
    await life?.stop()
    await storage.close()
    log.info('stopped')
    log.flush()
  }
}

interface Running {
  address: string
  stop(): Promise<void>
}

async function alone(world: World, connection: pg.PoolConfig): Promise<Running> {
  const app = openApp({ ...world, connection, counter: await counterOf(world) })
  return { address: await open(world, app), stop: () => drain(app) }
}

async function throughWorkers(
  world: World,
  connection: pg.PoolConfig,
  stopped: Promise<void>,
): Promise<Running> {
  const inherit = { BOZOR_INHERITED: JSON.stringify(connection) }
  const counter = memoryCounter(elapsedMs)
  const workers = raiseWorkers(world.config.workers, { inherit, counter, log: world.log })
  try {
    // Whoever stops us while they start does not wait for them to listen.
    const address = await Promise.race([workers.address, stopped.then(() => 'nowhere')])
    return { address, stop: workers.stop }
  } catch (error) {
    await workers.stop()
    throw error
  }
}

/** A worker: the same app over the storage that the first process opened. */
async function work(world: World, connection: pg.PoolConfig): Promise<number> {
  const stopped = untilStopped()
  const counter = world.config.redisUrl ? await counterOf(world) : askingCounter(process)
  try {
    const app = openApp({ ...world, connection, counter })
    cluster.worker!.send({ address: await open(world, app) })
    await stopped
    await drain(app)
    return 0
  } finally {
    world.log.flush()
    // The channel to the first process would keep this one alive.
    if (process.connected) process.disconnect()
  }
}

async function open({ config }: World, app: App): Promise<string> {
  try {
    await app.start()
    app.filled().then(giveBackMemory, giveBackMemory)
    return await app.server.listen(config)
  } catch (error) {
    // What it began would keep the process alive.
    await app.close()
    if ((error as { code?: string }).code !== 'EADDRINUSE') throw error
    throw new UsageError(`port ${config.port} is in use already; stop what uses it, or set PORT to another`)
  }
}

async function counterOf({ config, log }: World): Promise<RateCounter> {
  const memory = memoryCounter(elapsedMs)
  if (!config.redisUrl) return memory
  // Loaded only when it is needed: most shops start without Redis.
  const { redisCounter } = await import('../http/rate-limit-redis.ts')
  return redisCounter(config.redisUrl, memory, log)
}

/** Closes the app; connections that do not finish in time are cut, because an operator waits. */
async function drain(app: App): Promise<void> {
  const http = app.server.fastify.server
  const tidy = setInterval(() => http.closeIdleConnections(), 100)
  const cut = setTimeout(() => http.closeAllConnections(), drainWithinMs)
  await app.close()
  clearInterval(tidy)
  clearTimeout(cut)
}

/** A signal asks us to stop; so does the end of whoever started us. */
function untilStopped(): Promise<void> {
  return new Promise((done) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => done())
    process.once('disconnect', () => done())
  })
}
