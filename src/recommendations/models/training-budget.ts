// How a training divides its time. Some stages do as much as they have time for: the search, the weights of the blend, the
// ranker and the measurement on held-out cases. Fits take the time that they take, so it is kept for them.

/** By stage, in their order, the share of the time that fits leave. */
const shares = { search: 0.6, weights: 0.12, ranker: 0.2, held_out: 0.08 } as const
export type BudgetedStage = keyof typeof shares
const stages = Object.keys(shares) as BudgetedStage[]

/** The share of the time for all fits together. */
const mostForFits = 0.5

/** A clock, and when a stage must end by it. */
export interface Pace {
  /** In seconds. */
  elapsed: () => number
  until: number
}

export const noLimit: Pace = { elapsed: () => 0, until: Infinity }

interface BudgetOptions {
  /** Of the whole training; infinite without a limit. */
  seconds: number
  elapsed: () => number
  /** How many times all sources are fitted. */
  fits: number
}

interface FitsAhead {
  /** Whether the next fit uses what the search has fitted, so that it takes hardly any time. */
  isFirstFitted?: boolean
}

export class TrainingBudget {
  readonly #elapsed: () => number
  readonly #end: number
  #fitsLeft: number
  #fitSeconds = 0
  readonly #partSeconds = new Map<string, number>()

  constructor({ seconds, elapsed, fits }: BudgetOptions) {
    this.#elapsed = elapsed
    this.#end = elapsed() + seconds
    this.#fitsLeft = fits
  }

  /** Runs a fit; those that follow are expected to take as long. */
  async fit<T>(work: () => Promise<T>): Promise<T> {
    const startSeconds = this.#elapsed()
    const fitted = await work()
    this.#fitsLeft = Math.max(0, this.#fitsLeft - 1)
    this.#fitSeconds = this.#elapsed() - startSeconds
    return fitted
  }

  /** Runs a fit that uses parts which were fitted before, each in so many seconds; later fits have to fit them. */
  async fitAround<T>(parts: Iterable<readonly [string, number]>, work: () => Promise<T>): Promise<T> {
    const fitted = await this.fit(work)
    for (const [name, seconds] of parts) {
      this.#partSeconds.set(name, seconds)
      this.#fitSeconds += seconds
    }
    return fitted
  }

  /** Runs a part of a fit and remembers its time. */
  async fitPart<T>(name: string, work: () => Promise<T>): Promise<T> {
    const startSeconds = this.#elapsed()
    const fitted = await work()
    this.#partSeconds.set(name, this.#elapsed() - startSeconds)
    return fitted
  }

  /** The fits that follow are without these parts. */
  leaveOut(names: readonly string[]): void {
    for (const name of names) {
      this.#fitSeconds = Math.max(0, this.#fitSeconds - (this.#partSeconds.get(name) ?? 0))
      this.#partSeconds.delete(name)
    }
  }

  /** How long each fit may take, so that the other stages have their share of what is left. */
  longestFitSeconds(fits: FitsAhead = {}): number {
    return (Math.max(0, this.#end - this.#elapsed()) * mostForFits) / Math.max(1, this.#fitsAhead(fits))
  }

  #fitsAhead({ isFirstFitted = false }: FitsAhead): number {
    return Math.max(0, this.#fitsLeft - Number(isFirstFitted))
  }

  /** The time of a stage that begins now. What earlier stages did not use is shared by those that follow. */
  paceOf(stage: BudgetedStage): Pace {
    return { elapsed: this.#elapsed, until: this.untilOf(stage)(this.#fitSeconds) }
  }

  /** When a stage that begins now must end, by the time that a fit will take. */
  untilOf(stage: BudgetedStage, fits: FitsAhead = {}): (fitSeconds: number) => number {
    const now = this.#elapsed()
    const left = stages.slice(stages.indexOf(stage)).reduce((sum, it) => sum + shares[it], 0)
    return (fitSeconds) => {
      const free = Math.max(0, this.#end - now - this.#fitsAhead(fits) * fitSeconds)
      return now + (free * shares[stage]) / left
    }
  }
}

/** Of a pace, the part that ends after a share of what is left of it. */
export function partOf({ elapsed, until }: Pace, share: number): Pace {
  const now = elapsed()
  return { elapsed, until: now + Math.max(0, until - now) * share }
}

export const isOver = ({ elapsed, until }: Pace): boolean => elapsed() >= until

const probedCases = 50

/**
 * How many cases there is time for, at least `fewest`, and the seconds of one, by some of them. Without a limit all of them,
 * and none is tried.
 */
export function affordable<T>(
  cases: readonly T[],
  work: (it: T) => unknown,
  { pace, fewest }: { pace: Pace; fewest: number },
): number {
  if (pace.until === Infinity || cases.length <= fewest) return cases.length
  const startSeconds = pace.elapsed()
  const probed = Math.min(probedCases, cases.length)
  for (let at = 0; at < probed; at++) work(cases[Math.floor((at * cases.length) / probed)]!)
  const secondsEach = (pace.elapsed() - startSeconds) / probed
  const most = secondsEach > 0 ? Math.floor(Math.max(0, pace.until - pace.elapsed()) / secondsEach) : Infinity
  return Math.min(cases.length, Math.max(fewest, most))
}
