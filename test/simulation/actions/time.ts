// Time passes, jobs run, and the relay delivers events to subscribers.

import type { Database } from '../../../src/base/database.ts'
import { silentLog } from '../../../src/base/log.ts'
import { eventsAfter } from '../../../src/base/outbox.ts'
import { Relay } from '../../../src/base/relay.ts'
import { readConfig } from '../../../src/base/config.ts'
import { cartModuleJobs, cartReactions } from '../../../src/cart/index.ts'
import { orderJobs } from '../../../src/orders/index.ts'
import { jobContext } from '../../support/job-context.ts'
import { type Chance, chanceOf } from '../chance.ts'
import { Crash, type World } from '../world.ts'
import type { Action, Plan } from './action.ts'

const hour = 3_600_000

export const wait: Action = async (world) =>
  world.pass(
    world.chance.pick([1_000, 60_000, 600_000, hour, 6 * hour, 26 * hour, 26 * hour, 31 * 24 * hour]),
  )

/** Time that passes during a concurrent action; a promotion may start or end. The action keeps its own instant. */
export const timePasses: Plan = (world) => {
  const ms = 1 + world.chance.below(90_000)
  return async () => {
    world.pass(ms)
    return () => {}
  }
}

/** Without the job that deletes abandoned carts; it has its own tests. */
const jobs = [...orderJobs(readConfig({})), ...cartModuleJobs(readConfig({}))].filter(
  (it) => it.name !== 'clean-up-carts',
)

export const runJob: Action = async (world) => {
  const job = world.chance.pick(jobs)
  await job
    .run(jobContext(world.db, (work) => world.db.transaction((tx) => work(world.fate()(tx)))))
    .catch((error: unknown) => {
      if (!(error instanceof Crash)) throw error
    })
}

/** A relay that may crash delivers events; then a subscriber reads on and sometimes loses its position. */
export const deliverEvents: Action = async (world) => {
  // The relay draws from its own random source, so that the other draws do not depend on how much it does.
  await relayEvents(world, chanceOf(world.chance.below(1_000_000_000)))
  await readEvents(world)
  if (world.chance.percent(25)) world.subscriber.position = Math.floor(world.subscriber.position / 2)
}

async function relayEvents({ db, fate, settings }: World, chance?: Chance): Promise<void> {
  const database = {
    environment: db.environment,
    read: () => db.read(),
    transaction: ((work) =>
      db.transaction((tx) => work(chance ? fate(chance)(tx) : tx))) as Database['transaction'],
  }
  const relay = new Relay(database as Database, silentLog(), cartReactions(settings))
  await relay.catchUp()
  await relay.close()
}

async function readEvents({ db, cache, subscriber }: World): Promise<void> {
  for (;;) {
    const batch = await eventsAfter(db.read(), subscriber.position, 100)
    for (const { id, event } of batch) {
      cache.invalidate(event)
      const before = subscriber.received.get(id)
      const orderIds = event.type === 'OrdersCreated' ? event.orderIds : []
      subscriber.received.set(id, { times: (before?.times ?? 0) + 1, orderIds })
    }
    if (batch.length === 0) return
    subscriber.position = batch.at(-1)!.position
  }
}

const mostRounds = 60

/** Runs the jobs until no bank request and no bank callback is pending, then delivers all events. */
export async function settle(world: World): Promise<void> {
  for (let round = 0; round < mostRounds; round++) {
    world.pass(3 * 60_000)
    for (const job of jobs) await job.run(jobContext(world.db))
    const { left } = await world.db
      .read()
      .one<{ left: number }>(
        `select (select count(*) from orders_payment_tasks where done_at is null) + (select count(*) from orders_test_callbacks) as left`,
      )
    if (left === 0) break
  }
  await relayEvents(world)
  await readEvents(world)
}
