// What losses on pairs of rows share: they walk query by query and push the better row of a pair above the other.
import type { Derivatives, Targets } from './losses.ts'

/** One query's rows as views, with the query's weight. */
export interface QueryRows {
  number: number
  labels: Float64Array
  approx: Float64Array
  weight: number
  out: Derivatives
}

/** Clears the derivatives and hands over every query that has a pair. */
export function forEachQuery(
  targets: Targets,
  { approx, out }: { approx: Float64Array; out: Derivatives },
  work: (query: QueryRows) => void,
): void {
  const { labels, weights, queries } = targets
  for (const vector of Object.values(out)) vector.fill(0)
  for (let number = 0; number + 1 < queries!.length; number++) {
    const from = queries![number]!
    const to = queries![number + 1]!
    if (to - from < 2) continue
    work({
      number,
      labels: labels.subarray(from, to),
      approx: approx.subarray(from, to),
      weight: weights === undefined ? 1 : weights[from]!,
      out: {
        ders: out.ders.subarray(from, to),
        hessians: out.hessians.subarray(from, to),
        weights: out.weights.subarray(from, to),
      },
    })
  }
}

export interface Pair {
  winner: number
  loser: number
  weight: number
  /** The chance, by the present values, that the loser stands above. */
  doubt: number
}

/** Adds the derivatives of a logistic loss on one pair. */
export function pushApart({ ders, hessians, weights }: Derivatives, pair: Pair): void {
  const { winner, loser, weight, doubt } = pair
  const curvature = weight * doubt * (1 - doubt)
  ders[winner]! += weight * doubt
  ders[loser]! -= weight * doubt
  hessians[winner]! += curvature
  hessians[loser]! += curvature
  weights[winner]! += weight
  weights[loser]! += weight
}
