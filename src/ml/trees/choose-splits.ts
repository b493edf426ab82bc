import { seededNormal } from '../random.ts'
import { groupColumns, type ColumnShape, type ColumnSplit, type Grower } from './grower.ts'

const leastGain = 1e-9

/** Settings of a tree's search. */
export interface SearchRules {
  columns: ColumnShape[]
  offsets: Uint32Array
  depth: number
  /** Standard deviation of the noise added to every score. */
  noise: number
  seed: number
  /** A factor for each column's scores. */
  penalties: Float64Array
}

/** The splits of one tree, first level first; fewer than the depth when no split gains. */
export function chooseSplits(grower: Grower, rules: SearchRules): ColumnSplit[] {
  const random = seededNormal(rules.seed)
  const splits: ColumnSplit[] = []
  let before = 0
  while (splits.length < rules.depth) {
    const scores = grower.scores()
    const best = bestSplit(scores, rules, { splits, random })
    if (best === undefined || !(best.top - before >= leastGain)) break
    before = best.top
    splits.push(best.split)
    if (splits.length < rules.depth) grower.split(best.split)
  }
  return splits
}

interface Best {
  split: ColumnSplit
  /** The highest score without noise. */
  top: number
}

function bestSplit(
  scores: Float64Array,
  rules: SearchRules,
  state: { splits: ColumnSplit[]; random: () => number },
): Best | undefined {
  let column = -1
  let border = 0
  let highest = Number.NEGATIVE_INFINITY
  let top = Number.NEGATIVE_INFINITY
  for (let c = 0; c < rules.columns.length; c++) {
    const from = rules.offsets[c]!
    const penalty = rules.penalties[c]!
    const { bins } = rules.columns[c]!
    if (bins < 2 || scores[from] === Number.NEGATIVE_INFINITY) continue
    for (let b = 0; b < bins - 1; b++) {
      const plain = scores[from + b]! * penalty
      const score = rules.noise > 0 ? plain + rules.noise * state.random() : plain
      if (plain > top) top = plain
      if (score > highest && !isUsed(state.splits, c, b, rules.columns[c]!)) {
        highest = score
        column = c
        border = b
      }
    }
  }
  if (column < 0) return undefined
  return { split: splitOf(column, border, rules.columns[column]!), top }
}

function isUsed(splits: ColumnSplit[], column: number, border: number, shape: ColumnShape): boolean {
  return splits.some((split) => {
    if (split.column !== column) return false
    const asked = splitOf(column, border, shape)
    return split.threshold === asked.threshold && split.flip === asked.flip
  })
}

function splitOf(column: number, border: number, { oneHot }: ColumnShape): ColumnSplit {
  return oneHot
    ? { column, threshold: 255, flip: 255 - (border + 1) }
    : { column, threshold: border + 1, flip: 0 }
}

/** Column groups a tree may use, drawn at random; undefined when all may be used. */
export function drawnGroups(columns: number, share: number, random: () => number): Uint8Array | undefined {
  if (share >= 1) return undefined
  const drawn = new Uint8Array(Math.ceil(columns / groupColumns))
  for (let i = 0; i < drawn.length; i++) drawn[i] = random() < share ? 1 : 0
  if (!drawn.includes(1)) drawn[Math.floor(random() * drawn.length)] = 1
  return drawn
}
