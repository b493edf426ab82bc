// How a training divides its time. Some stages do as much as they have time for: the search, the weights of the blend, the
// ranker and the measurement on held-out cases. Fits take the time that they take, so it is kept for them.

/** By stage, in their order, the share of the time that fits leave. */
const shares = { search: 0.56, weights: 0.12, ranker: 0.2, held_out: 0.12 } as const
export type BudgetedStage = keyof typeof shares
const stages = Object.keys(shares) as BudgetedStage[]

/** A later fit has another week of interactions. */
const growth = 1.1

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
    return { elapsed: this.#elapsed, until: this.untilOf(stage)(this.#fitSeconds * growth) }
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

/**
 * Works on as many cases as there is time for, and on at least `fewest`; without a limit on all of them. Those of a short
 * time are evenly spread. Results are in the order of the cases.
 */
export function workedThrough<T, Result>(
  cases: readonly T[],
  work: (it: T) => Result,
  { pace, fewest }: { pace: Pace; fewest: number },
): Result[] {
  const results = new Map<number, Result>()
  for (const at of spreadOrder(cases.length)) {
    if (results.size >= fewest && isOver(pace)) break
    results.set(at, work(cases[at]!))
  }
  return [...results].toSorted(([a], [b]) => a - b).map(([, result]) => result)
}

/** The numbers below a count in an order whose every beginning is evenly spread: by their bits, the lowest first. */
function* spreadOrder(count: number): Generator<number, undefined> {
  const bits = Math.ceil(Math.log2(Math.max(1, count)))
  for (let turn = 0; turn < 2 ** bits; turn++) {
    let at = 0
    for (let bit = 0; bit < bits; bit++) if (turn & (1 << bit)) at += 2 ** (bits - 1 - bit)
    if (at < count) yield at
  }
  return undefined
}
