// An environment as a value: everything that live or test needs, and nothing that the other can reach.

import type pg from 'pg'
import { type Clock, MovableClock } from './clock.ts'
import { Database, type Environment } from './db.ts'
import { type Job, Jobs } from './jobs.ts'
import type { Log } from './log.ts'
import type { Reaction } from './outbox.ts'
import { Memory } from './memory.ts'
import { Relay } from './relay.ts'

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
  reactions: Reaction[]
  jobs: Job[]
  log: Log
}

/** Opens an environment. It answers calls at once; `startShop` sets its own work going. */
export function openShop(options: ShopOptions): Shop {
  const { environment, connection, poolSize, log } = options
  const clock = new MovableClock(options.clock)
  const db = new Database({ connection, environment, clock, poolSize })
  const relay = new Relay(db, log, options.reactions)
  const memory = new Memory()
  db.memory = memory
  relay.listen((event) => memory.hear(event))
  const jobs = new Jobs(db, log, { zone: options.zone, jobs: options.jobs })
  let lastMove = ''
  relay.listen((event) => {
    // A fact may be heard again after later ones; the clock must not follow it back.
    if (event.type !== 'TestClockMoved' || event.movedAt < lastMove) return
    lastMove = event.movedAt
    clock.offsetMs = event.offsetSeconds * 1000
  })
  return { environment, db, clock, relay, jobs }
}

/** Takes up the clock where it was left, and begins to hand on facts and to run jobs. */
export async function startShop(shop: Shop): Promise<void> {
  await takeUpClock(shop)
  await shop.relay.start()
  // Again: a move between the two was neither read nor heard.
  await takeUpClock(shop)
  await shop.jobs.start()
}

/** Sets the clock to where the environment's was left. */
export async function takeUpClock({ db, clock }: Pick<Shop, 'db' | 'clock'>): Promise<void> {
  const { offsetMs } = await db
    .read()
    .one<{ offsetMs: number }>(`select offset_ms as "offsetMs" from clock_offset`)
  clock.offsetMs = offsetMs
}

/** Ends the shop's own work first and its connections last. */
export async function closeShop(shop: Shop): Promise<void> {
  await Promise.all([shop.jobs.close(), shop.relay.close()])
  await shop.db.close()
}
