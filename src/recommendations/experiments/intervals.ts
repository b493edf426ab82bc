// Confidence intervals. Buyers, not lists, are assigned to groups, and the lists of one buyer are correlated; so a figure
// per list is a ratio of two sums over buyers, and its variance is taken over buyers (delta method).

/** Sums over buyers of a measure `y` and of its opportunities `x`. */
export interface Sums {
  buyers: number
  x: number
  y: number
  xx: number
  yy: number
  xy: number
}

export interface Estimate {
  value: number
  low: number
  high: number
  standardError: number
}

export interface Difference {
  /** In the figure's unit: this group minus the baseline. */
  difference: number
  low: number
  high: number
  /** Two-sided: the probability of a difference at least as large under the null hypothesis. */
  pValue: number
}

export const confidence = 0.95
const z = 1.959963984540054

/** A share of buyers with Wilson's interval, which stays within 0 and 1 for small counts. */
export function shareOf(successes: number, buyers: number): Estimate {
  if (buyers === 0) return { value: 0, low: 0, high: 1, standardError: 0 }
  const p = successes / buyers
  const weight = 1 + (z * z) / buyers
  const centre = (p + (z * z) / (2 * buyers)) / weight
  const half = (z / weight) * Math.sqrt((p * (1 - p)) / buyers + (z * z) / (4 * buyers * buyers))
  return {
    value: p,
    low: Math.max(0, centre - half),
    high: Math.min(1, centre + half),
    standardError: Math.sqrt((p * (1 - p)) / buyers),
  }
}

/** A figure per list with the normal interval of a ratio over buyers, cut off at 0: counts and revenue are not negative. */
export function ratioOf({ buyers, x, y, xx, yy, xy }: Sums): Estimate {
  if (buyers < 2 || x === 0) return { value: x === 0 ? 0 : y / x, low: 0, high: 0, standardError: 0 }
  const ratio = y / x
  // The variance of y − ratio · x, whose mean is 0.
  const variance = Math.max(0, yy - 2 * ratio * xy + ratio * ratio * xx) / (buyers - 1)
  const standardError = Math.sqrt(variance / buyers) / (x / buyers)
  const half = z * standardError
  return { value: ratio, low: Math.max(0, ratio - half), high: ratio + half, standardError }
}

/** The difference of two groups with a normal interval and a two-sided test. */
export function differenceOf(one: Estimate, other: Estimate): Difference {
  const difference = one.value - other.value
  const error = Math.hypot(one.standardError, other.standardError)
  const pValue = error === 0 ? (difference === 0 ? 1 : 0) : 2 * upperTail(Math.abs(difference) / error)
  return { difference, low: difference - z * error, high: difference + z * error, pValue }
}

/** Upper tail of the standard normal distribution, to seven digits (Abramowitz and Stegun 26.2.17). */
export function upperTail(value: number): number {
  const t = 1 / (1 + 0.2316419 * value)
  const series =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  return (Math.exp((-value * value) / 2) / Math.sqrt(2 * Math.PI)) * series
}
