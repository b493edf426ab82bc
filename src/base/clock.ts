// The only file that asks the machine for the time. Everything else is handed an instant.

/** Tells the shop's present instant. */
export interface Clock {
  now(): Date
}

/** The machine's clock, except that it never runs backwards: a corrected machine must not expire things twice. */
export function systemClock(): Clock {
  let latest = 0
  return {
    now() {
      latest = Math.max(latest, Date.now())
      return new Date(latest)
    },
  }
}

/** A clock that can be moved ahead of another one. The test environment lives by it. */
export class MovableClock implements Clock {
  readonly #base: Clock
  #offsetMs = 0

  constructor(base: Clock) {
    this.#base = base
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

/** Milliseconds of a clock that only measures: it does not know the date and no correction moves it. */
export const elapsedMs = (): number => performance.now()

const durationForm = /^P(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,9})S)?)?$/
const unitsMs = [7 * 86_400_000, 86_400_000, 3_600_000, 60_000, 1_000]

/** The length of an ISO 8601 duration in weeks, days, hours, minutes and seconds; undefined when it is none. */
export function durationMs(text: string): number | undefined {
  const parts = durationForm.exec(text)?.slice(1)
  if (!parts?.some((part) => part !== undefined) || text.endsWith('T')) return undefined
  return parts.reduce((sum, part, at) => sum + Number(part ?? 0) * unitsMs[at]!, 0)
}
