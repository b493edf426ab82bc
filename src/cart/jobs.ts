// Clean-up (SPEC-2 8). One run at a time across all processes is the business of base/jobs.ts.

import type { Config } from '../base/config.ts'
import { deleteInBatches } from '../base/housekeeping.ts'
import type { Job, JobRun } from '../base/jobs.ts'
import { publishAll } from '../base/outbox.ts'
import { firstUuidAt } from '../base/random.ts'
import type { Tx } from '../base/db.ts'
import { cartRemoved } from './facts.ts'
import * as store from './store/clean-up.ts'
import { incomingBefore } from './store/incoming.ts'
import { purchasesBefore } from './store/purchases.ts'
import { sharedCartJobs } from './shared-carts/jobs.ts'
import { wishlistJobs } from './wishlists/jobs.ts'

const dayMs = 86_400_000
const keepIncomingDays = 30
/** More than the thirty that count, because a day begins at different instants in different zones. */
const keepPurchasesDays = 40

export const jobsOf = (config: Config): Job[] => [
  ...cartJobs(config),
  ...wishlistJobs(config),
  ...sharedCartJobs,
]

const cartJobs = ({
  cartCleanupCron,
  abandonedCartDays,
}: Pick<Config, 'cartCleanupCron' | 'abandonedCartDays'>): Job[] => [
  {
    name: 'clean-up-carts',
    cron: cartCleanupCron,
    meaning: `Removes carts that nobody changed for ${abandonedCartDays} days.`,
    run: async (work) => {
      const before = (now: Date) => new Date(now.getTime() - abandonedCartDays * dayMs)
      const count = await sweep(work, 'abandoned', (tx, after) =>
        store.removeUnchanged(tx, { after, until: firstUuidAt(before(tx.now)) }, before(tx.now)),
      )
      return `removed ${count} carts`
    },
  },
  {
    name: 'expire-guest-carts',
    cron: '0 10 * * * ?',
    meaning: 'Removes carts of guests that have expired. They are closed already: nobody can open them.',
    run: async (work) => {
      const count = await sweep(work, 'expired', (tx, after) =>
        store.removeExpired(tx, { after, until: firstUuidAt(tx.now) }),
      )
      return `removed ${count} carts`
    },
  },
  {
    name: 'tidy-reservations',
    cron: '0 0/10 * * * ?',
    meaning: 'Takes reservations that have ended off their lines. They count for nothing already.',
    run: async (work) => {
      for (let total = 0; ;) {
        const count = await work.transaction(store.clearEndedReservations)
        total += count
        if (count < 1_000) return `tidied ${total} lines`
      }
    },
  },
  {
    name: 'forget-integration-events',
    cron: '0 40 3 * * ?',
    meaning: `Forgets which events came in from outside after ${keepIncomingDays} days.`,
    run: async (work) =>
      `forgot ${await deleteInBatches(work, { days: keepIncomingDays, sql: incomingBefore })} events`,
  },
  {
    name: 'forget-purchases',
    cron: '0 50 3 * * ?',
    meaning: `Forgets what clients bought after ${keepPurchasesDays} days, when it limits them no longer.`,
    run: async (work) =>
      `forgot ${await deleteInBatches(work, { days: keepPurchasesDays, sql: purchasesBefore })} rows`,
  },
]

type Step = (tx: Tx, after: string | undefined) => ReturnType<typeof store.removeExpired>

/** Goes through all carts, a thousand at a time, each stretch in a transaction of its own. */
async function sweep(work: JobRun, reason: 'abandoned' | 'expired', step: Step): Promise<number> {
  let after: string | undefined
  for (let total = 0; ;) {
    const { removed, last } = await work.transaction(async (tx) => {
      const done = await step(tx, after)
      await publishAll(
        tx,
        done.removed.map((id) => cartRemoved(id, reason, tx.now)),
      )
      return done
    })
    total += removed.length
    if (last === undefined) return total
    after = last
  }
}
