// The places of a list that are for products which the model has not seen.

/** A new product, and the number of its position among those of the list. */
export interface NewProduct {
  productId: number
  at: number
}

/** Positions of new products, unless an experiment sets another share. */
const defaultPositions = [9, 19]

/** Evenly spread; the first position only where every one is for new products. */
export function positionsFor(limit: number, share: number | null): readonly number[] {
  if (share === null) return defaultPositions
  const count = Math.round(limit * share)
  return Array.from({ length: count }, (_, at) => Math.floor(((at + 1) * limit) / (count + 1)))
}

/** Ranked products with new ones at their positions, behind as many ranked ones as if every position were taken. */
export function withNewProducts(
  ranked: readonly number[],
  newProducts: readonly NewProduct[],
  positions: readonly number[],
): readonly number[] {
  if (newProducts.length === 0) return ranked
  const mixed = [...ranked]
  newProducts.forEach(({ productId, at }, before) =>
    mixed.splice(Math.min(mixed.length, positions[at]! - at + before), 0, productId),
  )
  return mixed
}

/** A product of a list as it was shown. */
export interface ShownPlace {
  productId: number
  isNew: boolean
  /** Among the candidates, from 1; 0 for others. */
  rank: number
}

/**
 * The positions that new products of a shown list had. One that was sold out left its position empty and moved what follows
 * it, so a place does not tell the position, but the ranks of the candidates around it do. Products over the limit of their
 * partner or category come behind all others, again by rank.
 */
export function positionsOfShown(
  shown: readonly ShownPlace[],
  positions: readonly number[],
): readonly NewProduct[] {
  const rankedBefore = positions.map((position, at) => position - at)
  const found = new Map<number, number>()
  const within = shown.slice(0, endOfRanks(shown))
  const over: ShownPlace[] = []
  let rank = 0
  let next = 0
  for (const it of within) {
    if (!it.isNew) rank = it.rank
    else {
      while (next < positions.length && rankedBefore[next]! < rank) next++
      if (next < positions.length) found.set(next++, it.productId)
      else over.push(it)
    }
  }
  // Of those before the first candidate over a limit the last free positions, where limits are most likely reached.
  const behind = [...over, ...shown.slice(within.length)]
  const first = behind.findIndex((it) => it.rank > 0)
  const leading = first < 0 ? behind : behind.slice(0, first)
  for (const { isNew, productId } of leading.toReversed()) {
    const isFree = (before: number, at: number) =>
      before < (behind[first]?.rank ?? Infinity) && !found.has(at)
    const at = rankedBefore.findLastIndex(isFree)
    if (isNew && at >= 0) found.set(at, productId)
  }
  for (const it of behind.slice(leading.length)) {
    if (!it.isNew) rank = it.rank || rank
    else {
      const at = rankedBefore.findIndex((before, at) => before >= rank && !found.has(at))
      if (at >= 0) found.set(at, it.productId)
    }
  }
  return Array.from(found, ([at, productId]) => ({ productId, at })).toSorted((a, b) => a.at - b.at)
}

/** Where candidates do not follow by rank any more. */
function endOfRanks(shown: readonly ShownPlace[]): number {
  let rank = 0
  const end = shown.findIndex((it) => {
    if (it.isNew) return false
    if (it.rank < rank || it.rank === 0) return true
    rank = it.rank
    return false
  })
  return end < 0 ? shown.length : end
}
