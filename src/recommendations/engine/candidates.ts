// Which items come into question: several sources propose, each on its own scale, and a blend chooses among them.

import { ALL_HISTORY, type Recency } from '../ml/retrieval/neighbours.ts'
import { leadersOf } from '../ml/retrieval/popularity.ts'
import { addDue, type Rhythm } from '../ml/retrieval/repeat.ts'
import type { Csr } from '../ml/retrieval/sparse.ts'
import { focusOf, type Inquiry } from './inquiry.ts'
import type { Model } from './model.ts'
import { mayAnswer, outsideSource } from './outside.ts'
import { Slate } from './slate.ts'

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
type SourceName = (typeof sourceNames)[number]
const columnOf = Object.fromEntries(sourceNames.map((name, at) => [name, at])) as Record<SourceName, number>

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
  /** Whether an item can be had at all; asked of the best alone, the best first. */
  isForSale?: (item: number) => boolean
}

export type Proposer = (inquiry: Inquiry, wanted: Wanted) => Candidates

/** Proposes for one question at a time. It has a slate of its own, so it must not be shared by threads. */
export function proposerOf(model: Model): Proposer {
  const { graphs, rhythm, items, trends, outside } = model
  const slate = new Slate(items.count, sourceNames.length)
  const popular = rowOf(leadersOf(model.popularity), model.popularity)
  const addOutside = outside && outsideSource(outside)
  const rowOfPlace = new Map(trends.places.map((place, row) => [place, row]))
  const near = (source: SourceName, graph: Csr, from: readonly number[], recency: Recency) =>
    slate.addNeighbours(columnOf[source], graph, from, recency)
  return (inquiry, { limit, out, isForSale = () => true }) => {
    // Before and not after: whoever failed in the middle leaves nothing to the next.
    slate.clear()
    const { history, purchases } = inquiry.past
    const focus = focusOf(inquiry)
    // Who names the fewest comes first: a slate looks over what was named until then.
    addDue(rhythm, purchases, inquiry.day, (item, amount) => slate.add(columnOf.repeat, item, amount))
    near('alike_focus', graphs.alike, focus, { fade: 0.5, last: 10 })
    near('baskets_focus', graphs.baskets, focus, { fade: 0.1, last: 20 })
    near('ease_focus', graphs.ease, focus, { fade: 0.2, last: 40 })
    near('rules_focus', graphs.rules, focus, { fade: 0.5, last: 20 })
    const place = inquiry.place === null ? undefined : rowOfPlace.get(inquiry.place)
    if (place !== undefined) near('popular', trends.weights, [place], ALL_HISTORY)
    else near('popular', popular, [0], ALL_HISTORY)
    near('ease_history', graphs.ease, history, { fade: 0.03, last: 40 })
    near('walk_history', graphs.walk, history, { fade: 0.05, last: 40 })
    if (outside && mayAnswer(outside, inquiry.day))
      addOutside!(inquiry.context.length > 0 ? inquiry.context : history, slate, columnOf.outside)

    slate.leaveOut(out)
    const tops = sourceNames.map((_, source) => slate.topOf(source))
    weights[inquiry.layer].forEach((weight, source) => {
      if (weight > 0 && tops[source]! > 0) slate.addToBlend(source, weight / tops[source]!)
    })
    const best = slate.best(limit, isForSale)
    const scores = tops.map((top, source) => slate.sharesOf(source, best.ids, top))
    return { items: best.ids, blend: best.scores, scores, focus }
  }
}

/** Items and their weights as the only row of a graph. */
const rowOf = (items: Int32Array, weights: Float64Array): Csr => ({
  rows: 1,
  cols: weights.length,
  offsets: Int32Array.of(0, items.length),
  indices: items,
  values: Float32Array.from(items, (item) => weights[item]!),
})

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
