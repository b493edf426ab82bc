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
