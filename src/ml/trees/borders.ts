// GreedyLogSum, CatBoost's default way to cut a numeric feature: split again and again the bin whose halves have
// the largest sum of logarithms of their sizes. Exact against CatBoost, ties included, which is why the heap
// below moves elements as the C++ standard library does.

/** The smallest float32: CatBoost's border below which only missing values fall. */
export const missingBelow = Math.fround(-3.4028234663852886e38)
/** The largest float32: the border above which only missing values fall. */
export const missingAbove = Math.fround(3.4028234663852886e38)

/** How missing values of a feature are treated: below all others, or above all others. */
export type NanMode = 'Min' | 'Max'

/** At most `count` borders for the values; one of them is given to missing values when there are any. */
export function featureBorders(values: Float32Array, count: number, nanMode: NanMode = 'Min'): Float32Array {
  const present = presentValues(values)
  const missing = present.length < values.length
  const borders = greedyLogSumBorders(present.sort(), missing ? count - 1 : count)
  if (!missing) return borders
  return nanMode === 'Min'
    ? Float32Array.from([missingBelow, ...borders])
    : Float32Array.from([...borders, missingAbove])
}

/** The values that are there; an infinity becomes the nearest number, so that borders stay finite. */
function presentValues(values: Float32Array): Float32Array {
  const present = new Float32Array(values.length)
  let count = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    if (!Number.isNaN(value)) present[count++] = Math.min(missingAbove, Math.max(missingBelow, value))
  }
  return present.subarray(0, count)
}

interface Part {
  start: number
  end: number
  split: number
  score: number
}

/** The borders of sorted values without NaN, in increasing order. */
export function greedyLogSumBorders(sorted: Float32Array, count: number): Float32Array {
  if (sorted.length === 0 || count < 1) return new Float32Array(0)
  const heap: Part[] = []
  push(heap, part(sorted, 0, sorted.length))
  while (heap.length <= count && canSplit(heap[0]!)) {
    const top = pop(heap)
    push(heap, part(sorted, top.start, top.split))
    push(heap, part(sorted, top.split, top.end))
  }
  const borders = new Set<number>()
  for (const { start } of heap) {
    if (start === 0) continue
    const half = Math.fround(0.5 * sorted[start - 1]!)
    borders.add(Math.fround(half + Math.fround(0.5 * sorted[start]!)) + 0)
  }
  return Float32Array.from(borders).toSorted()
}

function canSplit({ start, end, split }: Part): boolean {
  return split !== start && split !== end
}

function part(sorted: Float32Array, start: number, end: number): Part {
  const middle = start + ((end - start) >> 1)
  const value = sorted[middle]!
  const lower = firstAtLeast(sorted, start, middle, value)
  const upper = firstAbove(sorted, middle, end, value)
  const scoreLower = splitScore(start, lower, end)
  const scoreUpper = splitScore(start, upper, end)
  return scoreLower >= scoreUpper
    ? { start, end, split: lower, score: scoreLower }
    : { start, end, split: upper, score: scoreUpper }
}

function splitScore(start: number, split: number, end: number): number {
  if (split === start || split === end) return Number.NEGATIVE_INFINITY
  return logSize(split - start) + logSize(end - split) - logSize(end - start)
}

function logSize(size: number): number {
  return Math.log(size + 1e-8)
}

function firstAtLeast(sorted: Float32Array, from: number, to: number, value: number): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}

function firstAbove(sorted: Float32Array, from: number, to: number, value: number): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! <= value) low = middle + 1
    else high = middle
  }
  return low
}

function push(heap: Part[], item: Part): void {
  lift(heap, heap.push(item) - 1)
}

/** Takes the largest part: sinks the hole to the bottom along larger children, then lifts the last part into it. */
function pop(heap: Part[]): Part {
  const top = heap[0]!
  const lastAt = heap.length - 1
  let hole = 0
  for (let child = 1; child <= lastAt; child = 2 * hole + 1) {
    if (child < lastAt && heap[child]!.score < heap[child + 1]!.score) child++
    heap[hole] = heap[child]!
    hole = child
  }
  const last = heap.pop()!
  if (hole === lastAt) return top
  heap[hole] = last
  lift(heap, hole)
  return top
}

function lift(heap: Part[], from: number): void {
  const item = heap[from]!
  let at = from
  while (at > 0) {
    const parent = (at - 1) >> 1
    if (!(heap[parent]!.score < item.score)) break
    heap[at] = heap[parent]!
    at = parent
  }
  heap[at] = item
}
