// What happens by itself: time, jobs, and facts on their way to whoever follows them.

import type { Database } from '../../../src/base/db.ts'
import { silentLog } from '../../../src/base/log.ts'
import { eventsAfter } from '../../../src/base/outbox.ts'
import { Relay } from '../../../src/base/relay.ts'
import { readConfig } from '../../../src/base/config.ts'
import { jobsOf as cartJobsOf, reactionsOver } from '../../../src/cart/index.ts'
import { jobsOf as orderJobsOf } from '../../../src/orders/index.ts'
import { type Chance, chanceOf } from '../chance.ts'
import { Crash, type World } from '../world.ts'
import type { Deed, Plan } from './deed.ts'

const hour = 3_600_000

export const wait: Deed = async (world) =>
  world.pass(
    world.chance.pick([1_000, 60_000, 600_000, hour, 6 * hour, 26 * hour, 26 * hour, 31 * 24 * hour]),
  )

/** A moment in which a promotion may begin or end while somebody is at it. His instant stays the one at which he began. */
export const timePasses: Plan = (world) => {
  const ms = 1 + world.chance.below(90_000)
  return async () => {
    world.pass(ms)
    return () => {}
  }
}

/** Not the one that takes abandoned carts away: what it does to promises is tested on its own. */
const jobs = [...orderJobsOf(readConfig({})), ...cartJobsOf(readConfig({}))].filter(
  (it) => it.name !== 'clean-up-carts',
)

export const runJob: Deed = async (world) => {
  const job = world.chance.pick(jobs)
  await job
    .run({ transaction: (work) => world.db.transaction((tx) => work(world.fate()(tx))) })
    .catch((error: unknown) => {
      if (!(error instanceof Crash)) throw error
    })
}

/** Facts are handed on by a process that may die, and somebody outside reads on from where he thinks he was. */
export const deliver: Deed = async (world) => {
  // A relay works by itself: it draws from a fate of its own, so that the others do not depend on its pace.
  await handOn(world, chanceOf(world.chance.below(1_000_000_000)))
  await follow(world)
  if (world.chance.percent(25)) world.subscriber.position = Math.floor(world.subscriber.position / 2)
}

async function handOn({ db, fate, terms }: World, chance?: Chance): Promise<void> {
  const way = {
    environment: db.environment,
    read: () => db.read(),
    transaction: ((work) =>
      db.transaction((tx) => work(chance ? fate(chance)(tx) : tx))) as Database['transaction'],
  }
  const relay = new Relay(way as Database, silentLog(), reactionsOver(terms))
  await relay.settle()
  await relay.close()
}

async function follow({ db, memory, subscriber }: World): Promise<void> {
  for (;;) {
    const batch = await eventsAfter(db.read(), subscriber.position, 100)
    for (const { id, event } of batch) {
      memory.hear(event)
      const heard = subscriber.heard.get(id)
      const orderIds = event.type === 'OrdersCreated' ? event.orderIds : []
      subscriber.heard.set(id, { times: (heard?.times ?? 0) + 1, orderIds })
    }
    if (batch.length === 0) return
    subscriber.position = batch.at(-1)!.position
  }
}

const mostRounds = 60

/** Runs the jobs until nothing is left to be asked of banks, banks have nothing left to tell, and all facts have arrived. */
export async function settle(world: World): Promise<void> {
  for (let round = 0; round < mostRounds; round++) {
    world.pass(3 * 60_000)
    for (const job of jobs) await job.run({ transaction: (work) => world.db.transaction(work) })
    const { left } = await world.db
      .read()
      .one<{ left: number }>(
        `select (select count(*) from orders_payment_tasks where done_at is null) + (select count(*) from orders_test_callbacks) as left`,
      )
    if (left === 0) break
  }
  await handOn(world)
  await follow(world)
}
