// What losses read and write, and what losses on pairs of rows share.
import type { Grower, LogisticOut } from './grower.ts'

/** Where derivatives are written: of the loss by row, its curvature, and the row's weight in a search. */
export type Derivatives = LogisticOut

/** Training rows: labels, weights, and for ranking the first row of every query and one past the last. */
export interface Targets {
  labels: Float64Array
  weights: Float64Array | undefined
  queries: Int32Array | undefined
}

/** The source of random numbers in [0, 1) for one draw of one query. */
export type QueryRandom = (seed: number, query: number) => () => number

/** The context of a derivation; `out.weights` holds the rows' weights, and only a pairwise loss changes them. */
export interface Derivation {
  seed: number
  out: Derivatives
  grower: Pick<Grower, 'logistic'>
  /** Used by losses that permute the rows of a query. */
  randomOf: QueryRandom
}

/** One query's rows as views, with the query's weight. */
export interface QueryRows {
  number: number
  labels: Float64Array
  approx: Float64Array
  weight: number
  out: Derivatives
}

/** Clears the derivatives, then visits every query that has a pair. */
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
  /** The probability, by the current values, that the loser ranks above the winner. */
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
