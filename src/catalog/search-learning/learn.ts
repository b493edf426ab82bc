// Learns from what searches led to which category buyers mean by a query. Pure.

/** What a query led to on a day: a product, with the weight of the interactions. */
export interface SearchOutcome {
  query: string
  /** `2026-11-16` */
  day: string
  productId: number
  categoryId: number
  weight: number
}

export interface Prediction {
  query: string
  categoryId: number
  /** The share of the weight that led to the category. */
  share: number
  weight: number
}

/** How high the products stood that buyers chose: the mean of 1 / place, over days that were not learned from. */
export interface Comparison {
  /** Weight of the compared interactions. */
  weight: number
  plain: number
  learned: number
}

const minWeight = 5
const minShare = 0.6
const heldOutShare = 0.2
/** Less says nothing about a gain. */
const minComparedWeight = 50
/** A smaller gain is not worth another order. */
const minGain = 1.01

/** The last fifth of the days is held out. */
export function splitByDays(outcomes: readonly SearchOutcome[]): {
  earlier: SearchOutcome[]
  heldOut: SearchOutcome[]
} {
  const days = [...new Set(outcomes.map((it) => it.day))].sort()
  const first = days[Math.floor(days.length * (1 - heldOutShare))]
  const isHeldOut = (it: SearchOutcome) => days.length > 1 && first !== undefined && it.day >= first
  return { earlier: outcomes.filter((it) => !isHeldOut(it)), heldOut: outcomes.filter(isHeldOut) }
}

/** The category of every query that is frequent and clear enough. */
export function predictCategories(outcomes: readonly SearchOutcome[]): Prediction[] {
  return [...Map.groupBy(outcomes, (it) => it.query)].flatMap(([query, its]) => {
    const weight = its.reduce((sum, it) => sum + it.weight, 0)
    const byCategory = new Map<number, number>()
    for (const it of its) byCategory.set(it.categoryId, (byCategory.get(it.categoryId) ?? 0) + it.weight)
    const [best] = [...byCategory].toSorted((a, b) => b[1] - a[1] || a[0] - b[0])
    if (!best || weight < minWeight) return []
    const share = best[1] / weight
    return share < minShare ? [] : [{ query, categoryId: best[0], share, weight }]
  })
}

/** The ids that a query finds, with a category favoured or with none. */
export type Ranker = (query: string, categoryId: number | null) => Promise<readonly number[]>

/** Compares only queries with a prediction: all others stay as they are. */
export async function compare(
  predictions: readonly Prediction[],
  heldOut: readonly SearchOutcome[],
  rank: Ranker,
): Promise<Comparison> {
  const predicted = new Map(predictions.map((it) => [it.query, it.categoryId]))
  const sums = { weight: 0, plain: 0, learned: 0 }
  for (const [query, its] of Map.groupBy(heldOut, (it) => it.query)) {
    const categoryId = predicted.get(query)
    if (categoryId === undefined) continue
    const [plain, learned] = [await rank(query, null), await rank(query, categoryId)]
    for (const { productId, weight } of its) {
      sums.weight += weight
      sums.plain += weight * reciprocalRank(plain, productId)
      sums.learned += weight * reciprocalRank(learned, productId)
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
