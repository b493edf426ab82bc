// Clean-up of wishlists (SPEC-2 8), and a look at what can no longer be had.

import type { Config } from '../../base/config.ts'
import type { Tx } from '../../base/db.ts'
import type { Job, JobRun } from '../../base/jobs.ts'
import { publishAll } from '../../base/outbox.ts'
import { firstUuidAt } from '../../base/random.ts'
import { shownSheets } from '../basket.ts'
import { keyOf, type LineKey } from '../cart.ts'
import { noteInVain, wishedOffersAfter } from '../store/clients.ts'
import { removeForgotten } from '../store/wishlists.ts'
import { wishlistRemoved } from './facts.ts'
import { canBeHad } from './wishes-come-true.ts'

const dayMs = 86_400_000
const offersPerLook = 1_000

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
  {
    name: 'watch-wishes',
    cron: '0 5/10 * * * ?',
    meaning: 'Notes which wishes cannot be fulfilled now, so that whoever wished can be told when they can.',
    run: async (work) => `noted ${await watchWishes(work)} wishes`,
  },
]

async function watchWishes(work: JobRun): Promise<number> {
  let after: LineKey | undefined = { isModerated: false, offerId: 0 }
  let total = 0
  while (after) {
    const { noted, last } = await work.transaction((tx) => watchSome(tx, after!))
    total += noted
    after = last
  }
  return total
}

async function watchSome(tx: Tx, after: LineKey): Promise<{ noted: number; last: LineKey | undefined }> {
  const offers = await wishedOffersAfter(tx, after, offersPerLook)
  const sheets = await shownSheets(tx, offers)
  const gone = offers.filter((it) => !canBeHad(sheets.get(keyOf(it))))
  const noted = gone.length > 0 ? await noteInVain(tx, gone) : 0
  return { noted, last: offers.length < offersPerLook ? undefined : offers.at(-1) }
}
