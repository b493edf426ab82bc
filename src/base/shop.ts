// One environment as a value: everything that live or test needs, and nothing of the other one.

import type pg from 'pg'
import { type Clock, MovableClock } from './clock.ts'
import { Database, type Environment } from './database.ts'
import { Jobs } from './jobs.ts'
import type { Log } from './log.ts'
import { Cache } from './cache.ts'
import { Relay } from './relay.ts'
import { slowQueryLog } from './slow-query-log.ts'

export interface Shop {
  readonly environment: Environment
  readonly db: Database
  readonly clock: MovableClock
  readonly relay: Relay
  readonly jobs: Jobs
}

export interface ShopOptions {
  environment: Environment
  connection: pg.PoolConfig
  poolSize: number
  clock: Clock
  zone: string
  log: Log
  /** Statements that take at least this long are logged; 0: none. */
  slowQueryMs: number
  /** The address of a streaming replica. */
  replicaUrl?: string | undefined
}

/** Opens an environment. It serves requests at once; `startShop` starts its background work. */
export function openShop(options: ShopOptions): Shop {
  const { environment, connection, poolSize, log } = options
  const clock = new MovableClock(options.clock)
  const slowQueries = slowQueryLog({ fromMs: options.slowQueryMs, log, environment })
  const replica = options.replicaUrl === undefined ? undefined : { url: options.replicaUrl, log }
  const db = new Database({ connection, environment, clock, poolSize, slowQueries, replica })
  const relay = new Relay(db, log)
  const memory = new Cache()
  db.cache = memory
  relay.subscribe((event) => memory.invalidate(event))
  const jobs = new Jobs(db, log, { zone: options.zone })
  let lastMove = ''
  relay.subscribe((event) => {
    if (event.type !== 'TestClockMoved') return
    // An event may arrive again after later ones; the clock must not go back with it. It may also be a later one, of a
    // database whose clock was set back.
    if (event.movedAt < lastMove)
      return void followStoredOffset({ db, clock }).catch((error: unknown) =>
        log.warn('the offset of the test clock could not be loaded', { error }),
      )
    lastMove = event.movedAt
    clock.moveTo(event.offsetSeconds * 1000)
  })
  return { environment, db, clock, relay, jobs }
}

/** Loads the clock offset and starts the relay and the jobs. */
export async function startShop(shop: Shop): Promise<void> {
  await loadClockOffset(shop)
  await shop.relay.start()
  // Again: a move between the first load and the start of the relay would be missed.
  await loadClockOffset(shop)
  await shop.jobs.start()
}

/** Sets the clock to the stored offset of the environment. */
export async function loadClockOffset(shop: Pick<Shop, 'db' | 'clock'>): Promise<void> {
  shop.clock.offsetMs = await storedOffsetMs(shop.db)
}

/** Moves the clock to the stored offset, unless an event has moved it there or moves it meanwhile. */
export async function followStoredOffset({ db, clock }: Pick<Shop, 'db' | 'clock'>): Promise<void> {
  const before = clock.offsetMs
  const offsetMs = await storedOffsetMs(db)
  if (clock.offsetMs === before && offsetMs !== before) clock.moveTo(offsetMs)
}

const storedOffsetMs = async (db: Database): Promise<number> =>
  (await db.read().one<{ offsetMs: number }>(`select offset_ms as "offsetMs" from clock_offset`)).offsetMs

/** Ends background work first and connections last. */
export async function closeShop(shop: Shop): Promise<void> {
  await Promise.all([shop.jobs.close(), shop.relay.close()])
  await shop.db.close()
}
