// Wakes the job that tells of promotions at the instant when one begins or ends. Nothing that is shown or sold depends on
// it: should it be late, the job's own schedule finds what is untold.

import type { Log } from '../../base/log.ts'
import type { Shop } from '../../base/shop.ts'
import { calendarNow } from './season-now.ts'
import { tellPromotions } from './tell-stages.ts'

/** A timer takes no longer waits than some weeks, and a clock may be corrected meanwhile. */
const longestNapMs = 3_600_000
/** Many promotions that are planned at once are told of together. */
const gatheringMs = 50

export class Alarm {
  readonly #shop: Shop
  readonly #log: Log
  #timer: NodeJS.Timeout | undefined
  #ringing: Promise<void> | undefined
  #closed = false

  constructor(shop: Shop, log: Log) {
    this.#shop = shop
    this.#log = log
    shop.relay.listen(({ type }) => {
      if (/^Promotion(Created|Changed)$/.test(type)) this.#set(gatheringMs)
      // What the move made due is run by whoever moved the clock.
      else if (type === 'TestClockMoved') void this.set()
    })
  }

  /** Looks up what comes next, and waits for it. */
  async set(): Promise<void> {
    const { clock, db } = this.#shop
    if (this.#closed) return
    try {
      const { untilMs } = (await calendarNow(db.read())).at(clock.now())
      this.#set(Math.min(longestNapMs, Math.max(0, untilMs - clock.now().getTime())))
    } catch (error) {
      this.#log.warn('the promotions could not be looked up; the next job finds them', { error })
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#ringing
  }

  #set(delayMs: number): void {
    clearTimeout(this.#timer)
    if (this.#closed) return
    this.#timer = setTimeout(() => {
      this.#ringing = this.#ring().finally(() => this.set())
    }, delayMs)
  }

  async #ring(): Promise<void> {
    const { jobs } = this.#shop
    if (!jobs.has(tellPromotions.name)) return
    await jobs
      .runNow(tellPromotions.name)
      .catch((error: unknown) =>
        this.#log.warn('nobody was told of promotions; the next job does it', { error }),
      )
  }
}
