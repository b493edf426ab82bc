// Which promotions run, as this process knows it. Their periods are known ahead, so they begin and end on every process
// at the instant they say; what changes them is heard of within a second, and whoever sells looks it up.

import type { Reader, Tx } from '../../base/db.ts'
import type { MemoryKind } from '../../base/memory.ts'
import type { Event } from '../../events.ts'
import type { PromotionSheet } from '../sheets.ts'
import { loadCalendar } from '../store/promotions.ts'
import type { Calendar, Season } from './season.ts'

/** A clock that is set back may bring back what had ended and was not read. */
const turnsAPage = ({ type }: Event): boolean =>
  type.startsWith('Promotion') ||
  type.startsWith('LoanCondition') ||
  type.startsWith('Category') ||
  type === 'TestClockMoved'

const calendarMemory: MemoryKind<Calendar> = {
  max: 1,
  subjects: () => ['calendar'],
  touches: (event) => (turnsAPage(event) ? ['calendar'] : []),
  heeds: turnsAPage,
}

export const calendarNow = async (read: Reader): Promise<Calendar> =>
  (await read.recall(calendarMemory, [0], async () => new Map([[0, await loadCalendar(read)]]))).get(0)!

/** The season of a reader's instant, for showing. */
export const seasonNow = async (read: Reader): Promise<Season> => (await calendarNow(read)).at(read.now)

/** The promotions that run now, as buyers are told of them. */
export const runningPromotions = async (read: Reader): Promise<PromotionSheet[]> =>
  (await seasonNow(read)).promotions.map((it) => it.sheet)

/** The season of a transaction's instant, for selling: by the promotions of the page that the offers were read with. */
export const seasonOfPage = async (tx: Tx, known: Calendar, page: number): Promise<Season> =>
  (known.page === page ? known : await loadCalendar(tx)).at(tx.now)
