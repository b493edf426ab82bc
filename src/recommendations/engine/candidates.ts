// Which items come into question: several sources propose, each on its own scale, and a blend chooses among them.

import { addScore, bestOf, boardFor, clearBoard, type Board } from '../ml/retrieval/board.ts'
import { neighbourRetriever } from '../ml/retrieval/neighbours.ts'
import { popularityRetriever } from '../ml/retrieval/popularity.ts'
import { addDue, type Rhythm } from '../ml/retrieval/repeat.ts'
import { focusOf, type Inquiry } from './inquiry.ts'
import type { Model } from './model.ts'
import { mayAnswer, outsideRetriever } from './outside.ts'

/** In the order of their columns among the features. */
export const sourceNames = [
  'ease_history',
  'ease_focus',
  'walk_history',
  'rules_focus',
  'baskets_focus',
  'alike_focus',
  'repeat',
  'popular',
  'outside',
] as const

// oxfmt-ignore
const weights: Record<Inquiry['layer'], number[]> = {
  //           ease_h ease_f walk_h rules_f baskets_f alike_f repeat popular outside
  main_page:  [1,     0.3,   0.6,   0.3,    0.2,      0.1,    1.2,   0.15,   1],
  offer_page: [0.4,   0.8,   0.2,   1,      0.3,      0.3,    0,     0.05,   0.8],
  cart_page:  [0.3,   0.8,   0.2,   0.5,    1,        0.1,    0.3,   0.05,   0.8],
}

export interface Candidates {
  /** The best of the blend first. */
  items: Int32Array
  blend: Float64Array
  /** By source, then by candidate: its share of the source's best. */
  scores: Float32Array[]
  focus: readonly number[]
}

export interface Wanted {
  limit: number
  /** Never proposed, and no source is measured by them. */
  out: Iterable<number>
  /** Whether an item can be had at all; asked of the best alone. */
  isForSale?: (item: number) => boolean
}

export type Proposer = (inquiry: Inquiry, wanted: Wanted) => Candidates

/** Proposes for one question at a time. It has boards of its own, so it must not be shared by threads. */
export function proposerOf(model: Model): Proposer {
  const { graphs, rhythm, items, trends, outside } = model
  const boards = sourceNames.map(() => boardFor(items.count))
  const blend = boardFor(items.count)
  const marks = new Uint8Array(items.count)
  const ask = {
    easeHistory: neighbourRetriever(graphs.ease, { fade: 0.03, last: 40 }),
    easeFocus: neighbourRetriever(graphs.ease, { fade: 0.2, last: 40 }),
    walk: neighbourRetriever(graphs.walk, { fade: 0.05, last: 40 }),
    rules: neighbourRetriever(graphs.rules, { fade: 0.5, last: 20 }),
    baskets: neighbourRetriever(graphs.baskets, { fade: 0.1, last: 20 }),
    alike: neighbourRetriever(graphs.alike, { fade: 0.5, last: 10 }),
    popular: popularityRetriever(model.popularity),
    trends: neighbourRetriever(trends.weights),
    outside: outside && outsideRetriever(outside),
  }
  const rowOfPlace = new Map(trends.places.map((place, row) => [place, row]))
  return (inquiry, { limit, out, isForSale }) => {
    for (const item of out) marks[item] = 1
    const { history, purchases } = inquiry.past
    const focus = focusOf(inquiry)
    ask.easeHistory(history, boards[0]!)
    ask.easeFocus(focus, boards[1]!)
    ask.walk(history, boards[2]!)
    ask.rules(focus, boards[3]!)
    ask.baskets(focus, boards[4]!)
    ask.alike(focus, boards[5]!)
    addDue(rhythm, purchases, inquiry.day, boards[6]!)
    const place = inquiry.place === null ? undefined : rowOfPlace.get(inquiry.place)
    if (place === undefined) ask.popular(history, boards[7]!)
    else ask.trends([place], boards[7]!)
    if (outside && mayAnswer(outside, inquiry.day))
      ask.outside!(inquiry.context.length > 0 ? inquiry.context : history, boards[8]!)

    const tops = boards.map((board) => highest(board, marks))
    weights[inquiry.layer].forEach((weight, at) => {
      if (weight > 0 && tops[at]! > 0) addScaled(boards[at]!, weight / tops[at]!, blend)
    })
    const best = bestOf(blend, limit, (item) => marks[item] === 1 || isForSale?.(item) === false)
    const scores = boards.map((board, at) => sharesOf(board, best.ids, tops[at]!))
    for (const board of boards) clearBoard(board)
    clearBoard(blend)
    for (const item of out) marks[item] = 0
    return { items: best.ids, blend: best.scores, scores, focus }
  }
}

function highest(board: Board, marks: Uint8Array): number {
  let top = 0
  for (let at = 0; at < board.size; at++) {
    const item = board.touched[at]!
    if (board.values[item]! > top && marks[item] === 0) top = board.values[item]!
  }
  return top
}

function sharesOf({ values }: Board, items: Int32Array, top: number): Float32Array {
  const shares = new Float32Array(items.length)
  if (top > 0) for (let at = 0; at < items.length; at++) shares[at] = values[items[at]!]! / top
  return shares
}

function addScaled(from: Board, scale: number, to: Board): void {
  for (let at = 0; at < from.size; at++)
    addScore(to, from.touched[at]!, from.values[from.touched[at]!]! * scale)
}

const lately = 60
const againByNature = 0.15
const nearlyDue = 0.6

/** Whether somebody who bought an item some days ago has no use for another one yet. What nobody knows lasts long. */
export function hadEnough(rhythm: Rhythm | undefined, item: number | undefined, days: number): boolean {
  if (days > lately) return false
  if (!rhythm || item === undefined) return true
  return rhythm.again[item]! < againByNature || days < rhythm.gap[item]! * nearlyDue
}

/** What must not be shown: what the page is about, and what was bought lately and is not due again. */
export function unwelcome({ rhythm }: Model, { past, context, day }: Inquiry): Set<number> {
  const out = new Set(context)
  for (const { item, time } of past.purchases) if (hadEnough(rhythm, item, day - time)) out.add(item)
  return out
}
