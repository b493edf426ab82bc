// The k best by score. Equal scores are ordered by id, so a list never depends on arrival order.

export interface Ranked {
  ids: Int32Array
  scores: Float64Array
}

/**
 * The k best of the candidates, best first, ties by the smaller id. A score that is not a number is left
 * out. Without candidates every index of `scores` is one; `skip` names those that must not appear.
 */
export function topK(
  scores: ArrayLike<number>,
  k: number,
  {
    candidates,
    count,
    skip,
  }: { candidates?: ArrayLike<number>; count?: number; skip?: (id: number) => boolean } = {},
): Ranked {
  const total = candidates ? (count ?? candidates.length) : scores.length
  const room = Math.max(0, Math.min(k, total))
  const ids = new Int32Array(room)
  const kept = new Float64Array(room)
  let size = 0
  for (let at = 0; at < total; at++) {
    const id = candidates ? candidates[at]! : at
    const score = scores[id]!
    if (size === room) {
      if (room === 0 || !(score > kept[0]! || (score === kept[0]! && id < ids[0]!))) continue
      if (skip?.(id)) continue
      sinkRoot({ ids, kept, size }, id, score)
    } else {
      if (Number.isNaN(score) || skip?.(id)) continue
      raise({ ids, kept, size: size++ }, id, score)
    }
  }
  return unheaped({ ids, kept, size })
}

/** Keeps the k best of what is added, in any order: the same list as `topK` gives. */
export class TopList {
  readonly #heap: Heap

  constructor(k: number) {
    this.#heap = { ids: new Int32Array(k), kept: new Float64Array(k), size: 0 }
  }

  /** A lower score would not be kept. */
  get least(): number {
    const { ids, kept, size } = this.#heap
    if (size < ids.length) return -Infinity
    return size === 0 ? Infinity : kept[0]!
  }

  add(id: number, score: number): void {
    const heap = this.#heap
    if (Number.isNaN(score)) return
    if (heap.size < heap.ids.length) {
      raise(heap, id, score)
      heap.size++
    } else if (heap.size > 0 && worse(heap, 0, score, id)) sinkRoot(heap, id, score)
  }

  /** The best first, ties by the smaller id. Nothing is kept any more. */
  ranked(): Ranked {
    return unheaped(this.#heap)
  }
}

/** The ids of the k best in the order of ids: the same as `topK` finds, without the cost of their order by score. */
export function bestIds(
  scores: ArrayLike<number>,
  k: number,
  { candidates, count }: { candidates?: ArrayLike<number>; count?: number } = {},
): Int32Array {
  const total = candidates ? (count ?? candidates.length) : scores.length
  const values = new Float64Array(total)
  let size = 0
  for (let at = 0; at < total; at++) {
    const score = scores[candidates ? candidates[at]! : at]!
    if (!Number.isNaN(score)) values[size++] = score
  }
  const room = Math.max(0, Math.min(k, size))
  if (room === 0) return new Int32Array(0)
  const least = kthLargest(values.subarray(0, size), room)
  const best = new Int32Array(room)
  const equal = new Int32Array(total)
  let better = 0
  let equals = 0
  for (let at = 0; at < total; at++) {
    const id = candidates ? candidates[at]! : at
    const score = scores[id]!
    if (score > least) best[better++] = id
    else if (score === least) equal[equals++] = id
  }
  best.set(
    equal
      .subarray(0, equals)
      .sort()
      .subarray(0, room - better),
    better,
  )
  return best.sort()
}

/** The k-th largest value by quickselect; reorders the values. */
function kthLargest(values: Float64Array, k: number): number {
  let low = 0
  let high = values.length - 1
  while (low < high) {
    const pivot = medianOf(values[low]!, values[(low + high) >> 1]!, values[high]!)
    let left = low
    let right = high
    while (left <= right) {
      while (values[left]! > pivot) left++
      while (values[right]! < pivot) right--
      if (left > right) break
      const moved = values[left]!
      values[left++] = values[right]!
      values[right--] = moved
    }
    if (k - 1 <= right) high = right
    else if (k - 1 >= left) low = left
    else return pivot
  }
  return values[k - 1]!
}

const medianOf = (a: number, b: number, c: number): number =>
  a < b ? (b < c ? b : Math.max(a, c)) : a < c ? a : Math.max(b, c)

interface Heap {
  ids: Int32Array
  kept: Float64Array
  size: number
}

const worse = (heap: Heap, at: number, score: number, id: number): boolean =>
  heap.kept[at]! < score || (heap.kept[at] === score && heap.ids[at]! > id)

function raise(heap: Heap, id: number, score: number): void {
  let at = heap.size
  while (at > 0) {
    const parent = (at - 1) >> 1
    const parentScore = heap.kept[parent]!
    const parentId = heap.ids[parent]!
    if (parentScore < score || (parentScore === score && parentId > id)) break
    heap.kept[at] = parentScore
    heap.ids[at] = parentId
    at = parent
  }
  heap.kept[at] = score
  heap.ids[at] = id
}

function sinkRoot(heap: Heap, id: number, score: number): void {
  let at = 0
  for (;;) {
    let child = 2 * at + 1
    if (child >= heap.size) break
    if (child + 1 < heap.size && worse(heap, child + 1, heap.kept[child]!, heap.ids[child]!)) child++
    if (!worse(heap, child, score, id)) break
    heap.kept[at] = heap.kept[child]!
    heap.ids[at] = heap.ids[child]!
    at = child
  }
  heap.kept[at] = score
  heap.ids[at] = id
}

function unheaped(heap: Heap): Ranked {
  const ids = new Int32Array(heap.size)
  const scores = new Float64Array(heap.size)
  while (heap.size > 0) {
    heap.size--
    ids[heap.size] = heap.ids[0]!
    scores[heap.size] = heap.kept[0]!
    sinkRoot(heap, heap.ids[heap.size]!, heap.kept[heap.size]!)
  }
  return { ids, scores }
}
