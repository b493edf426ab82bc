// Usage counters of keys. Calls are counted in memory and saved in batches, never within a request.

import type { Clock } from '../../base/clock.ts'
import { dayIn } from '../../base/time-zone.ts'
import type { Principal } from '../../http/route.ts'

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
  #counts = new Map<string, Usage>()

  constructor(clock: Clock, zone: string) {
    this.#clock = clock
    this.#dayOf = dayIn(zone)
  }

  /** Counts a call of an application; sessions of people are not counted. */
  note({ application, id }: Principal, answer: 'served' | 'refused'): void {
    if (!application) return
    const day = this.#dayOf(this.#clock.now())
    const keyId = id.startsWith('key_') ? id : tokens
    const name = `${day} ${application.id} ${keyId}`
    const counted = this.#counts.get(name) ?? {
      applicationId: application.id,
      keyId,
      day,
      calls: 0,
      refused: 0,
    }
    counted.calls++
    if (answer === 'refused') counted.refused++
    this.#counts.set(name, counted)
  }

  /** Saves the counts since the last call; on failure they are kept for the next one. */
  async drain(write: (counted: Usage[]) => Promise<void>): Promise<void> {
    if (this.#counts.size === 0) return
    const counted = this.#counts
    this.#counts = new Map()
    try {
      // A fixed order prevents deadlocks between processes.
      await write([...counted].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, it]) => it))
    } catch (error) {
      for (const [name, it] of counted) this.#add(name, it)
      throw error
    }
  }

  #add(name: string, more: Usage): void {
    const counted = this.#counts.get(name)
    this.#counts.set(name, {
      ...more,
      calls: more.calls + (counted?.calls ?? 0),
      refused: more.refused + (counted?.refused ?? 0),
    })
  }
}
