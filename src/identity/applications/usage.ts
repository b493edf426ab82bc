// Usage counters of keys by day, and of applications by hour.

import { type Clock, hourMs } from '../../base/clock.ts'
import { dayIn } from '../../base/time-zone.ts'
import type { Principal } from '../../http/route.ts'
import { MergedCounts } from './merged-counts.ts'

export interface Usage {
  applicationId: string
  /** The key, or `oauth` for all tokens of the application. */
  keyId: string
  day: string
  calls: number
  refused: number
}

/** Tokens are short-lived, so they are counted under one name. */
const tokens = 'oauth'

export class UsageCounts {
  readonly #clock: Clock
  readonly #dayOf: (at: Date) => string
  readonly #counts = new MergedCounts<Usage>((one, other) => ({
    ...one,
    calls: one.calls + other.calls,
    refused: one.refused + other.refused,
  }))

  constructor(clock: Clock, zone: string) {
    this.#clock = clock
    this.#dayOf = dayIn(zone)
  }

  /** Counts a call of an application; sessions of people are not counted. */
  note({ application, id }: Principal, answer: 'served' | 'refused'): void {
    if (!application) return
    const day = this.#dayOf(this.#clock.now())
    const keyId = id.startsWith('key_') ? id : tokens
    this.#counts.add(`${day} ${application.id} ${keyId}`, {
      applicationId: application.id,
      keyId,
      day,
      calls: 1,
      refused: answer === 'refused' ? 1 : 0,
    })
  }

  drain(write: (counted: Usage[]) => Promise<void>): Promise<void> {
    return this.#counts.drain(write)
  }
}

export interface HourOfUsage {
  applicationId: string
  hour: Date
  calls: number
  /** Calls above the rate limit, answered with 429. */
  limited: number
  /** The highest share of a limit that was used, from 0 to 1; of several keys that of the busiest. */
  peakShare: number
}

export class HourlyUsageCounts {
  readonly #clock: Clock
  readonly #counts = new MergedCounts<HourOfUsage>((one, other) => ({
    ...one,
    calls: one.calls + other.calls,
    limited: one.limited + other.limited,
    peakShare: Math.max(one.peakShare, other.peakShare),
  }))

  constructor(clock: Clock) {
    this.#clock = clock
  }

  note({ application }: Principal, { status, limitShare }: { status: number; limitShare: number }): void {
    if (!application) return
    const hour = new Date(Math.floor(this.#clock.now().getTime() / hourMs) * hourMs)
    this.#counts.add(`${hour.toISOString()} ${application.id}`, {
      applicationId: application.id,
      hour,
      calls: 1,
      limited: status === 429 ? 1 : 0,
      peakShare: limitShare,
    })
  }

  drain(write: (counted: HourOfUsage[]) => Promise<void>): Promise<void> {
    return this.#counts.drain(write)
  }
}
