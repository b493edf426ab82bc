// What searches led to, the split into earlier and held-out days, and the comparison that decides. Pure.

/** What a query led to on a day: a product, with the weight of the interactions. */
export interface SearchOutcome {
  query: string
  /** `2026-11-16` */
  day: string
  productId: number
  categoryId: number
  brandId: number | null
  weight: number
}

export interface Prediction {
  query: string
  categoryId: number
  /** The share of the weight that led to the category. */
  share: number
  weight: number
}

/** How high the chosen products ranked: the mean of 1 / position, over days that were not learned from. */
export interface Comparison {
  /** Weight of the compared interactions. */
  weight: number
  plain: number
  learned: number
}

const minWeight = 5
const minShare = 0.6
const heldOutShare = 0.2
/** With less weight the comparison proves nothing. */
const minComparedWeight = 50
/** Smaller gains do not justify another order of results. */
const minGain = 1.01

/** The last fifth of the days is held out. */
export function splitByDays(
  outcomes: readonly SearchOutcome[],
  share = heldOutShare,
): { earlier: SearchOutcome[]; heldOut: SearchOutcome[] } {
  const days = [...new Set(outcomes.map((it) => it.day))].sort()
  const first = days[Math.floor(days.length * (1 - share))]
  const isHeldOut = (it: SearchOutcome) => days.length > 1 && first !== undefined && it.day >= first
  return { earlier: outcomes.filter((it) => !isHeldOut(it)), heldOut: outcomes.filter(isHeldOut) }
}

/** The category of every query that is frequent and clear enough. */
export function predictCategories(outcomes: readonly SearchOutcome[]): Prediction[] {
  return [...Map.groupBy(outcomes, (it) => it.query)].flatMap(([query, its]) => {
    const weight = weightOf(its)
    const [best] = sortedSums(its, (it) => it.categoryId)
    if (!best || weight < minWeight) return []
    const share = best[1] / weight
    return share < minShare ? [] : [{ query, categoryId: best[0], share, weight }]
  })
}

export const weightOf = (outcomes: readonly SearchOutcome[]): number =>
  outcomes.reduce((sum, it) => sum + it.weight, 0)

/** The weight by key, the heaviest first, then by key. */
export function sortedSums(
  outcomes: readonly SearchOutcome[],
  keyOf: (outcome: SearchOutcome) => number | null,
): [number, number][] {
  const sums = new Map<number, number>()
  for (const it of outcomes) {
    const key = keyOf(it)
    if (key !== null) sums.set(key, (sums.get(key) ?? 0) + it.weight)
  }
  return [...sums].toSorted((a, b) => b[1] - a[1] || a[0] - b[0])
}

/** The ids that a query finds, the best first. */
export type Ranker = (query: string) => Promise<readonly number[]>

const maxComparedQueries = 2_000

/**
 * Compares the positions of the chosen products with and without what was learned, for the most frequent queries. With
 * `queries`, only for these, because the others are not affected.
 */
export async function compare(
  heldOut: readonly SearchOutcome[],
  { plain, learned, queries }: { plain: Ranker; learned: Ranker; queries?: ReadonlySet<string> },
): Promise<Comparison> {
  const sums = { weight: 0, plain: 0, learned: 0 }
  const compared = heldOut.filter((it) => !queries || queries.has(it.query))
  const asked = [...Map.groupBy(compared, (it) => it.query)]
    .toSorted((a, b) => weightOf(b[1]) - weightOf(a[1]))
    .slice(0, maxComparedQueries)
  for (const [query, its] of asked) {
    const [without, withIt] = [await plain(query), await learned(query)]
    for (const { productId, weight } of its) {
      sums.weight += weight
      sums.plain += weight * reciprocalRank(without, productId)
      sums.learned += weight * reciprocalRank(withIt, productId)
    }
  }
  const mean = (sum: number) => (sums.weight === 0 ? 0 : sum / sums.weight)
  return { weight: sums.weight, plain: mean(sums.plain), learned: mean(sums.learned) }
}

export const isWin = ({ weight, plain, learned }: Comparison): boolean =>
  weight >= minComparedWeight && learned > plain * minGain

const reciprocalRank = (ids: readonly number[], id: number): number => {
  const at = ids.indexOf(id)
  return at < 0 ? 0 : 1 / (at + 1)
}
