// The only file that reads the machine's clock. Everything else is given an instant.

export const secondMs = 1_000
export const minuteMs = 60 * secondMs
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** Clocks of those who send times may be ahead by this much. */
export const maxAheadMs = 5 * minuteMs

/** The shop's present instant. */
export interface Clock {
  now(): Date
  /** Whether the clock was moved past this instant, so that nothing could happen at it. */
  wasSkipped?(at: Date): boolean
}

/** A longer step back is the correction of a clock that was wrong; a shorter one is hidden. */
const maxHiddenStepMs = 10 * minuteMs

/**
 * The machine's clock. Small corrections never make it run backwards, so that nothing expires twice. A large step is
 * followed in both directions: else a clock that was a month ahead for a second would stand still for a month.
 */
export function systemClock(): Clock {
  let latest = 0
  return {
    now() {
      const wall = Date.now()
      latest = wall < latest - maxHiddenStepMs ? wall : Math.max(latest, wall)
      return new Date(latest)
    },
  }
}

/** How many skipped periods a clock keeps: jobs that became due in them run within seconds. */
const maxSkipped = 100

/** A clock that can be moved ahead of another one: the test environment's. */
export class MovableClock implements Clock {
  readonly #base: Clock
  #offsetMs = 0
  #skipped: { afterMs: number; untilMs: number }[] = []

  constructor(base: Clock) {
    this.#base = base
  }

  /** Moves the clock and records the period that it skipped. A move back ends all periods. */
  moveTo(offsetMs: number): void {
    const afterMs = this.now().getTime()
    this.#offsetMs = offsetMs
    const untilMs = this.now().getTime()
    this.#skipped = untilMs < afterMs ? [] : [...this.#skipped, { afterMs, untilMs }].slice(-maxSkipped)
  }

  wasSkipped(at: Date): boolean {
    return this.#skipped.some((it) => it.afterMs < at.getTime() && at.getTime() <= it.untilMs)
  }

  now(): Date {
    return new Date(this.#base.now().getTime() + this.#offsetMs)
  }

  get offsetMs(): number {
    return this.#offsetMs
  }

  set offsetMs(offsetMs: number) {
    this.#offsetMs = offsetMs
  }
}

/** Milliseconds of the monotonic clock, for measuring durations. */
export const elapsedMs = (): number => performance.now()

const durationForm = /^P(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,9})S)?)?$/
const unitsMs = [7 * dayMs, dayMs, hourMs, minuteMs, secondMs]

/** The length of an ISO 8601 duration in weeks, days, hours, minutes and seconds; undefined when the text is not one. */
export function durationMs(text: string): number | undefined {
  const parts = durationForm.exec(text)?.slice(1)
  if (!parts?.some((part) => part !== undefined) || text.endsWith('T')) return undefined
  return parts.reduce((sum, part, at) => sum + Number(part ?? 0) * unitsMs[at]!, 0)
}
