// Runs the job that publishes promotion stages at the instant when one starts or ends. Prices do not depend on it; the
// job's own schedule catches what the timer missed.

import { hourMs } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { Shop } from '../../base/shop.ts'
import { currentSchedule } from './current-schedule.ts'
import { publishPromotionStages } from './publish-stages.ts'

/** Timers are limited to some weeks, and the clock may be corrected meanwhile. */
const maxDelayMs = hourMs
/** Promotions written at once are published together. */
const batchDelayMs = 50

export class StageTimer {
  readonly #shop: Shop
  readonly #log: Log
  #timer: NodeJS.Timeout | undefined
  #ringing: Promise<void> | undefined
  #closed = false

  constructor(shop: Shop, log: Log) {
    this.#shop = shop
    this.#log = log
    shop.relay.subscribe(({ type }) => {
      if (/^Promotion(Created|Changed)$/.test(type)) this.#set(batchDelayMs)
      // Due jobs are run by the process that moved the clock.
      else if (type === 'TestClockMoved') void this.set()
    })
  }

  /** Sets the timer for the next start or end. */
  async set(): Promise<void> {
    const { clock, db } = this.#shop
    if (this.#closed) return
    try {
      const { untilMs } = (await currentSchedule(db.read())).windowAt(clock.now())
      this.#set(Math.min(maxDelayMs, Math.max(0, untilMs - clock.now().getTime())))
    } catch (error) {
      this.#log.warn('promotion schedule could not be loaded; the next job run publishes due stages', {
        error,
      })
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
    if (!jobs.has(publishPromotionStages.name)) return
    await jobs
      .runNow(publishPromotionStages.name)
      .catch((error: unknown) =>
        this.#log.warn('promotion stages were not published; the next job run retries', { error }),
      )
  }
}
