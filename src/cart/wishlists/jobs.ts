// Clean-up of wishlists (SPEC-2 8), and the marking of items that are unavailable.

import { dayMs } from '../../base/clock.ts'
import type { Config } from '../../base/config.ts'
import type { Tx } from '../../base/database.ts'
import type { Job, JobContext } from '../../base/jobs.ts'
import { publishAll } from '../../base/outbox.ts'
import { firstUuidAt } from '../../base/random.ts'
import { cachedOffers } from '../carts/load-cart.ts'
import { keyOf, type LineKey } from '../carts/cart.ts'
import { markUnavailable, wishlistOffersAfter } from '../carts/clients-store.ts'
import { removeUnchangedWishlists } from './store.ts'
import { wishlistRemoved } from './events.ts'
import { isBuyable } from './match-wishlists.ts'

const offersPerBatch = 1_000

export const wishlistJobs = ({
  wishlistCleanupCron,
  wishlistCleanupEnabled,
  wishlistDays,
}: Pick<Config, 'wishlistCleanupCron' | 'wishlistCleanupEnabled' | 'wishlistDays'>): Job[] => [
  {
    name: 'clean-up-wishlists',
    cron: wishlistCleanupCron,
    isEnabled: wishlistCleanupEnabled,
    description: `Removes wishlists that were not changed for ${wishlistDays} days.`,
    run: async (work) => {
      let after: string | undefined
      for (let total = 0; ;) {
        const { removed, last } = await work.transaction(async (tx) => {
          const since = new Date(tx.now.getTime() - wishlistDays * dayMs)
          const done = await removeUnchangedWishlists(tx, { after, until: firstUuidAt(since), since })
          publishAll(
            tx,
            done.removed.map((id) => wishlistRemoved(id, tx.now)),
          )
          return done
        })
        total += removed.length
        if (last === undefined) return `removed ${total} wishlists`
        after = last
      }
    },
  },
  {
    name: 'mark-unavailable-wishlist-items',
    cron: '0 5/10 * * * ?',
    description:
      'Marks wishlist items whose offers cannot be bought now, so that buyers can be notified when they are back in stock.',
    run: async (work) => `marked ${await markUnavailableItems(work)} wishlist items`,
  },
]

async function markUnavailableItems(work: JobContext): Promise<number> {
  let after: LineKey | undefined = { isModerated: false, offerId: 0 }
  let total = 0
  while (after) {
    const { noted, last } = await work.transaction((tx) => markBatch(tx, after!))
    total += noted
    after = last
  }
  return total
}

async function markBatch(tx: Tx, after: LineKey): Promise<{ noted: number; last: LineKey | undefined }> {
  const offers = await wishlistOffersAfter(tx, after, offersPerBatch)
  const details = await cachedOffers(tx, offers)
  const gone = offers.filter((it) => !isBuyable(details.get(keyOf(it))))
  const noted = gone.length > 0 ? await markUnavailable(tx, gone) : 0
  return { noted, last: offers.length < offersPerBatch ? undefined : offers.at(-1) }
}
