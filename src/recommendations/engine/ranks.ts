// Where candidates stand in a source's own order.

/** Shares of a source's best that fall into one step count as equal; low ones, which are many, have finer steps. */
const steps = 255

/** Writes for each share of 0 … 1 how many stand above it; those that the source did not propose come after all others. */
export type RankWriter = (shares: Float32Array, ranks: Float32Array) => void

export function rankWriter(most: number): RankWriter {
  const above = new Uint16Array(steps + 1)
  const stepOf = new Uint8Array(most)
  return (shares, ranks) => {
    above.fill(0)
    for (let at = 0; at < shares.length; at++) {
      const share = shares[at]!
      const step = share > 0 ? 1 + ((Math.sqrt(share) * (steps - 1)) | 0) : 0
      stepOf[at] = step
      above[step]!++
    }
    let sum = 0
    for (let step = steps; step >= 0; step--) {
      const here = above[step]!
      above[step] = sum
      sum += here
    }
    for (let at = 0; at < shares.length; at++) ranks[at] = above[stepOf[at]!]!
  }
}
