// How far apart the prices are of what buyers compare: neighbours of one category within a visit.

import type { Buyers } from './histories.ts'
import type { Items } from './items.ts'
import { splitByPause } from './sources.ts'

/** The band holds this share of the comparisons, and at least and at most these ratios. */
const coveredShare = 0.95
const leastBand = Math.log(2)
const mostBand = Math.log(6)
/** With fewer comparisons nothing is learned. */
const fewestComparisons = 200
const mostComparisons = 50_000

/** The largest difference of log prices between a product and an alternative to it. */
export function priceBandOf(buyers: Buyers, { categories, logPrices }: Items): number {
  const gaps: number[] = []
  for (const steps of buyers) {
    for (const visit of splitByPause(steps))
      for (let at = 1; at < visit.length; at++) {
        const [one, other] = [visit[at - 1]!.item, visit[at]!.item]
        if (one !== other && categories[one] === categories[other])
          gaps.push(Math.abs(logPrices[one]! - logPrices[other]!))
      }
    if (gaps.length >= mostComparisons) break
  }
  if (gaps.length < fewestComparisons) return leastBand
  const usual = gaps.sort((a, b) => a - b)[Math.floor(gaps.length * coveredShare)]!
  return Math.min(mostBand, Math.max(leastBand, usual))
}
