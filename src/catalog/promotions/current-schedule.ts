// The cached promotion schedule. Periods are known ahead, so promotions start and end on all processes at the same
// instant; changes arrive within a second, and sales compare the schedule version.

import type { Reader, Tx } from '../../base/database.ts'
import type { CacheKind } from '../../base/cache.ts'
import type { Event } from '../../events.ts'
import type { PromotionDetails } from '../offers/offer-details.ts'
import { loadSchedule } from './store.ts'
import type { PromotionSchedule, PricingWindow } from './schedule.ts'

/** Setting the clock back may restart a promotion that had ended and was not loaded. */
const changesSchedule = ({ type }: Event): boolean =>
  type.startsWith('Promotion') ||
  type.startsWith('LoanCondition') ||
  type.startsWith('Category') ||
  type === 'TestClockMoved'

const scheduleCache: CacheKind<PromotionSchedule> = {
  max: 1,
  subjects: () => ['schedule'],
  alsoAffects: (event) => (changesSchedule(event) ? ['schedule'] : []),
  dependsOn: changesSchedule,
}

export const currentSchedule = async (read: Reader): Promise<PromotionSchedule> =>
  (await read.cached(scheduleCache, [0], async () => new Map([[0, await loadSchedule(read)]]))).get(0)!

/** The pricing window of a reader's instant, for display. */
export const currentWindow = async (read: Reader): Promise<PricingWindow> =>
  (await currentSchedule(read)).windowAt(read.now)

/** The running promotions. */
export const runningPromotions = async (read: Reader): Promise<PromotionDetails[]> =>
  (await currentWindow(read)).promotions.map((it) => it.details)

/** The pricing window of a transaction's instant, by the schedule version that the offers were read with. */
export const windowOfVersion = async (
  tx: Tx,
  known: PromotionSchedule,
  page: number,
): Promise<PricingWindow> => (known.version === page ? known : await loadSchedule(tx)).windowAt(tx.now)
