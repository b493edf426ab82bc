import type { Job } from '../../base/jobs.ts'
import { publishAll } from '../../base/outbox.ts'
import { removeExpiredSharedCarts } from '../store/shared-carts.ts'
import { sharedCartExpired } from './facts.ts'

const batchRows = 1_000

export const sharedCartJobs: Job[] = [
  {
    name: 'expire-shared-carts',
    cron: '0 20 * * * ?',
    meaning: 'Removes shared carts that have expired. They are closed already: nobody can open them.',
    run: async (work) => {
      for (let total = 0; ;) {
        const count = await work.transaction(async (tx) => {
          const removed = await removeExpiredSharedCarts(tx, batchRows)
          await publishAll(
            tx,
            removed.map((id) => sharedCartExpired(id, tx.now)),
          )
          return removed.length
        })
        total += count
        if (count < batchRows) return `removed ${total} shared carts`
      }
    },
  },
]
