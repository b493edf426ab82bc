// Clean-up of wishlists (SPEC-2 8).

import type { Config } from '../../base/config.ts'
import type { Job } from '../../base/jobs.ts'
import { publishAll } from '../../base/outbox.ts'
import { firstUuidAt } from '../../base/random.ts'
import { removeForgotten } from '../store/wishlists.ts'
import { wishlistRemoved } from './facts.ts'

const dayMs = 86_400_000

export const wishlistJobs = ({
  wishlistCleanupCron,
  wishlistDays,
}: Pick<Config, 'wishlistCleanupCron' | 'wishlistDays'>): Job[] => [
  {
    name: 'clean-up-wishlists',
    cron: wishlistCleanupCron,
    meaning: `Removes wishlists that nobody changed for ${wishlistDays} days.`,
    run: async (work) => {
      let after: string | undefined
      for (let total = 0; ;) {
        const { removed, last } = await work.transaction(async (tx) => {
          const since = new Date(tx.now.getTime() - wishlistDays * dayMs)
          const done = await removeForgotten(tx, { after, until: firstUuidAt(since), since })
          await publishAll(
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
]
