// How much better one of two methods is on the same cases, and how sure that is.

/** The figures of one case by both methods, a figure per measure. */
export interface ComparedCase {
  /** Cases of one group, such as those of one buyer, resemble each other. */
  group: number
  before: readonly number[]
  after: readonly number[]
}

export interface RelativeGain {
  /** Relative to the figures before; the mean over the measures. */
  gain: number
  /** Its standard error: groups are independent, their cases are not. Infinite for fewer than two groups. */
  error: number
  groups: number
}

export function relativeGainOf(cases: readonly ComparedCase[]): RelativeGain {
  const measures = cases[0]?.before.length ?? 0
  const sums = Array.from({ length: measures }, (_, at) => ({
    before: sumOf(cases, (it) => it.before[at]!),
    after: sumOf(cases, (it) => it.after[at]!),
  }))
  const gains = sums.map(({ before, after }) => (before > 0 ? after / before - 1 : 0))
  // What a case adds to the gain, beyond the gain that all have.
  const beyondMean = ({ before, after }: ComparedCase) =>
    sums.reduce((sum, total, at) => {
      const beyond = after[at]! - before[at]! * (1 + gains[at]!)
      return total.before > 0 ? sum + beyond / total.before / measures : sum
    }, 0)
  const groups = [...Map.groupBy(cases, (it) => it.group).values()]
  const squares = sumOf(groups, (own) => sumOf(own, beyondMean) ** 2)
  return {
    gain: measures > 0 ? sumOf(gains, (it) => it) / measures : 0,
    error: groups.length > 1 ? Math.sqrt((squares * groups.length) / (groups.length - 1)) : Infinity,
    groups: groups.length,
  }
}

const sumOf = <T>(list: readonly T[], valueOf: (it: T) => number): number =>
  list.reduce((sum, it) => sum + valueOf(it), 0)
