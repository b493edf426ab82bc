import type { Tx } from '../../base/db.ts'
import { refuse } from '../../base/refusal.ts'
import { changeGood } from '../change-good.ts'
import { promotionKind } from '../kinds.ts'
import { type Promotion, stageAt } from './promotion.ts'

/** Ends a promotion that runs: from this instant on prices are as if it had never been. */
export const endPromotion = (
  tx: Tx,
  { id, ifMatch }: { id: number; ifMatch: number | undefined },
): Promise<Promotion> =>
  changeGood(tx, promotionKind, {
    id,
    ifMatch,
    said: (before) => {
      const status = stageAt(before, tx.now)
      if (status !== 'running')
        throw refuse('invalid_transition', { status, requested: 'end', allowed: allowedIn[status] })
      // One that began this very instant has run for the shortest while there is.
      const endsAt = new Date(Math.max(tx.now.getTime(), before.startsAt.getTime() + 1))
      return { ...before, endsAt }
    },
  })

const allowedIn = { scheduled: ['delete'], ended: ['delete'] }
