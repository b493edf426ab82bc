// Session neighbours (VMIS-kNN, V-STAN): the recent sessions that share items with this one, weighed by which
// items they share, by age and by length; their items are scored, those near the shared ones most.

import { type Ranked, topK } from '../top-k.ts'
import { type Explainer, ReasonSums } from './explainers.ts'
import { flatSequences, type GivenSequences } from './sequences.ts'
import { addScore, newScoreBoard, clearBoard, type Retriever } from './score-board.ts'

export interface SessionOptions {
  /** How many of the most recent sessions are indexed per item. */
  recent: number
  neighbours: number
  /** How many of the latest items of the queried session are read. */
  last: number
  /** Items d steps back weigh exp(−fade · d). */
  fade: number
  /** The oldest session weighs exp(−ageFade) of the newest. */
  ageFade: number
  /** Items d places from the shared one weigh exp(−distanceFade · d). */
  distanceFade: number
  /** Weight of items before the shared item, relative to items after it. */
  backward: number
  /** A session of n items weighs n^−lengthPower. */
  lengthPower: number
  /** Rare items weigh 1 + idf · log(sessions / count), both when shared and when scored. */
  idf: number
}

export interface SessionIndex {
  items: number
  /** Sessions are numbered from the newest. */
  sessions: number
  offsets: Int32Array
  members: Int32Array
  postingOffsets: Int32Array
  postings: Int32Array
  /** The place of the posting's item in its session. */
  places: Int32Array
  counts: Int32Array
}

/** Indexes sessions given oldest first; each item keeps its `recent` latest sessions. */
export function sessionIndex(given: GivenSequences, items: number, recent: number): SessionIndex {
  const sessions = flatSequences(given)
  const count = sessions.length
  const session = (s: number) =>
    sessions.items.subarray(sessions.offsets[count - 1 - s], sessions.offsets[count - s])
  const offsets = new Int32Array(count + 1)
  for (let s = 0; s < count; s++)
    offsets[s + 1] = offsets[s]! + sessions.offsets[count - s]! - sessions.offsets[count - 1 - s]!
  const members = new Int32Array(offsets[count]!)
  const counts = new Int32Array(items)
  const lastOwner = new Int32Array(items).fill(-1)
  for (let s = 0; s < count; s++) {
    members.set(session(s), offsets[s])
    for (let at = offsets[s]!; at < offsets[s + 1]!; at++) {
      const item = members[at]!
      if (!(item >= 0 && item < items))
        throw new RangeError(`session ${count - 1 - s} names an item outside 0 … ${items - 1}`)
      if (lastOwner[item] !== s) counts[item]! += 1
      lastOwner[item] = s
    }
  }
  const postingOffsets = new Int32Array(items + 1)
  for (let item = 0; item < items; item++) {
    postingOffsets[item + 1] = postingOffsets[item]! + Math.min(recent, counts[item]!)
  }
  const postings = new Int32Array(postingOffsets[items]!)
  const places = new Int32Array(postingOffsets[items]!)
  const sizes = new Int32Array(items)
  lastOwner.fill(-1)
  for (let s = 0; s < count; s++) {
    for (let at = offsets[s + 1]! - 1; at >= offsets[s]!; at--) {
      const item = members[at]!
      if (lastOwner[item] === s || sizes[item]! >= recent) continue
      lastOwner[item] = s
      const to = postingOffsets[item]! + sizes[item]!++
      postings[to] = s
      places[to] = at - offsets[s]!
    }
  }
  return { items, sessions: count, offsets, members, postingOffsets, postings, places, counts }
}

/** The nearest sessions of a history, what each item of it adds to them, and how much their items count. */
function neighbourhood(index: SessionIndex, options: SessionOptions) {
  const { postingOffsets, postings, places } = index
  const rarity = raritiesOf(index, options)
  const weightOf = sessionWeights(index, options)
  const alike = newScoreBoard(index.sessions)
  const sharedPlace = new Int32Array(index.sessions)
  const nearest = (history: ArrayLike<number>): Ranked => {
    for (let back = 0; back < Math.min(options.last, history.length); back++) {
      const item = history[history.length - 1 - back]!
      if (!(item >= 0 && item < index.items)) continue
      const worth = Math.exp(-options.fade * back) * rarity[item]!
      for (let at = postingOffsets[item]!; at < postingOffsets[item + 1]!; at++) {
        const session = postings[at]!
        if (alike.marked[session] === 0) sharedPlace[session] = places[at]!
        addScore(alike, session, worth * weightOf(session))
      }
    }
    const found = topK(alike.values, options.neighbours, { candidates: alike.touched, count: alike.size })
    clearBoard(alike)
    return found
  }
  /** Of the item that is so many places after the shared one. */
  const worthOf = (step: number): number =>
    Math.exp(-options.distanceFade * (Math.abs(step) - 1)) * (step < 0 ? options.backward : 1)
  return { rarity, weightOf, sharedPlace, nearest, worthOf }
}

/** Scores the items of the nearest sessions. */
export function sessionRetriever(index: SessionIndex, options: SessionOptions): Retriever {
  const { offsets, members } = index
  const { rarity, sharedPlace, nearest, worthOf } = neighbourhood(index, options)
  return (history, board) => {
    const { ids, scores } = nearest(history)
    for (let at = 0; at < ids.length; at++) {
      const session = ids[at]!
      const start = offsets[session]!
      for (let place = 0; place < offsets[session + 1]! - start; place++) {
        const step = place - sharedPlace[session]!
        if (step === 0) continue
        const worth = worthOf(step)
        const item = members[start + place]!
        if (worth > 0) addScore(board, item, scores[at]! * worth * rarity[item]!)
      }
    }
  }
}

/** An item of the history is a reason for what the nearest sessions hold that share it. */
export function sessionExplainer(index: SessionIndex, options: SessionOptions): Explainer {
  const { offsets, members, postingOffsets, postings } = index
  const { rarity, weightOf, sharedPlace, nearest, worthOf } = neighbourhood(index, options)
  return (history, item) => {
    const worthIn = new Map<number, number>()
    for (const session of nearest(history).ids)
      for (let at = offsets[session]!; at < offsets[session + 1]!; at++) {
        const step = at - offsets[session]! - sharedPlace[session]!
        if (members[at] === item && step !== 0)
          worthIn.set(session, (worthIn.get(session) ?? 0) + worthOf(step) * rarity[item]!)
      }
    const sums = new ReasonSums()
    for (let back = 0; back < Math.min(options.last, history.length); back++) {
      const from = history[history.length - 1 - back]!
      if (!(from >= 0 && from < index.items)) continue
      const worth = Math.exp(-options.fade * back) * rarity[from]!
      for (const session of postings.subarray(postingOffsets[from], postingOffsets[from + 1]))
        sums.add(from, worth * weightOf(session) * (worthIn.get(session) ?? 0))
    }
    return sums.reasons()
  }
}

function raritiesOf({ counts, sessions }: SessionIndex, { idf }: SessionOptions): Float64Array {
  const rarities = new Float64Array(counts.length)
  for (let item = 0; item < counts.length; item++)
    rarities[item] = counts[item] === 0 ? 0 : 1 + idf * Math.log((sessions + 1) / counts[item]!)
  return rarities
}

/** Computed when a session is first found: a large shop has millions, and a model is loaded between two calls. */
function sessionWeights(
  { offsets, sessions }: SessionIndex,
  { ageFade, lengthPower }: SessionOptions,
): (session: number) => number {
  const weights = new Float64Array(sessions)
  return (session) => {
    if (weights[session] === 0) {
      const length = Math.max(1, offsets[session + 1]! - offsets[session]!)
      weights[session] = Math.exp((-ageFade * session) / sessions) * length ** -lengthPower
    }
    return weights[session]!
  }
}
