// Clean-up (SPEC-2 8). base/jobs.ts ensures that one run is active across all processes.

import { dayMs } from '../../base/clock.ts'
import type { Config } from '../../base/config.ts'
import { deleteInBatches } from '../../base/housekeeping.ts'
import type { Job, JobContext } from '../../base/jobs.ts'
import { publishAll } from '../../base/outbox.ts'
import { firstUuidAt } from '../../base/random.ts'
import type { Tx } from '../../base/database.ts'
import { cartRemoved } from './events.ts'
import * as store from './clean-up-store.ts'
import { incomingBefore } from '../integration/store.ts'
import { purchasesBefore } from '../limits/purchases-store.ts'

const keepIncomingDays = 30
/** More than the thirty days that count, because days begin at different instants in different time zones. */
const keepPurchasesDays = 40

export const cartJobs = ({
  cartCleanupCron,
  cartCleanupEnabled,
  abandonedCartDays,
}: Pick<Config, 'cartCleanupCron' | 'cartCleanupEnabled' | 'abandonedCartDays'>): Job[] => [
  {
    name: 'clean-up-carts',
    cron: cartCleanupCron,
    isEnabled: cartCleanupEnabled,
    description: `Removes carts that were not changed for ${abandonedCartDays} days.`,
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
    isEnabled: cartCleanupEnabled,
    description:
      'Removes expired carts of guests. Expired carts cannot be opened even before they are removed.',
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
    isPurge: true,
    description: 'Clears ended reservations. They have no effect even before they are cleared.',
    run: async (work) => {
      for (let total = 0; ;) {
        const count = await work.transaction(store.clearEndedReservations)
        total += count
        if (count < 1_000) return `cleared ${total} reservations`
      }
    },
  },
  {
    name: 'purge-integration-events',
    cron: '0 40 3 * * ?',
    isPurge: true,
    description: `Deletes the ids of received integration events after ${keepIncomingDays} days.`,
    run: async (work) =>
      `deleted ${await deleteInBatches(work, { days: keepIncomingDays, sql: incomingBefore })} events`,
  },
  {
    name: 'purge-purchases',
    cron: '0 50 3 * * ?',
    isPurge: true,
    description: `Deletes counted purchases of clients after ${keepPurchasesDays} days, when they no longer count against limits.`,
    run: async (work) =>
      `deleted ${await deleteInBatches(work, { days: keepPurchasesDays, sql: purchasesBefore })} rows`,
  },
]

type Step = (tx: Tx, after: string | undefined) => ReturnType<typeof store.removeExpired>

/** Scans all carts in batches, each in its own transaction. */
async function sweep(work: JobContext, reason: 'abandoned' | 'expired', step: Step): Promise<number> {
  let after: string | undefined
  for (let total = 0; ;) {
    const { removed, last } = await work.transaction(async (tx) => {
      const done = await step(tx, after)
      publishAll(
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
