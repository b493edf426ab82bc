// Learns all but the ranker from a snapshot of what buyers did.

import { CONTENT_DIMS, contentVectors } from '../ml/retrieval/content.ts'
import { easeGraph } from '../ml/retrieval/ease.ts'
import { meetingsOf } from '../ml/retrieval/meetings.ts'
import { popularity } from '../ml/retrieval/popularity.ts'
import { rhythmOf } from '../ml/retrieval/repeat.ts'
import { ruleGraph } from '../ml/retrieval/rules.ts'
import { binaryRows, type Csr, RowWriter, rowOf } from '../ml/retrieval/sparse.ts'
import { walkGraph } from '../ml/retrieval/walks.ts'
import { topK } from '../ml/top-k.ts'
import { worth } from '../behaviour/interaction.ts'
import { type Items, itemsOf, type Ware } from './items.ts'
import type { Step } from './past.ts'
import { type Model, noMetrics } from './model.ts'
import { trendsOf } from './trends.ts'

/** What is learnt from: goods in the order of their ids, and every buyer's steps, oldest first. */
export interface Snapshot {
  until: Date
  wares: readonly Ware[]
  buyers: readonly (readonly Step[])[]
  /** By buyer, where he was when he last said so. */
  places: readonly (string | null)[]
}

export interface FitOptions {
  seed: number
  threads: number
  /** Long ones end sooner, at a ranker that is a little worse; for a first model that somebody waits for. */
  strides?: 'usual' | 'long'
  /** Says how far it is. It is waited for: what it does would stand still while a step computes. */
  tell: (line: string) => void | Promise<void>
}

/** EASE costs the cube of its side: it learns the most touched items, the walks all of them. */
const easeHead = 4_000
/** A pause of half an hour ends a visit. */
export const sessionGapDays = 1 / 48
const meetingsKept = 2_000
const longHalfLifeDays = 14
const shortHalfLifeDays = 3
const dayMs = 86_400_000

/** Likeness depends on the goods alone, so several fits of one snapshot share it. */
export async function fitGraphs(
  { until, wares, buyers, places }: Snapshot,
  alike: Csr,
  { threads }: Pick<FitOptions, 'threads'>,
): Promise<Model> {
  const items = itemsOf(wares)
  const rows = binaryRows(
    buyers.map((steps) => steps.map((it) => it.item)),
    items.count,
  )
  const bought = binaryRows(
    buyers.map((steps) => steps.filter((it) => worth[it.kind] >= worth.wishlist).map((it) => it.item)),
    items.count,
  )
  const today = until.getTime() / dayMs
  const sought = faded(buyers, items, { today, halfLife: longHalfLifeDays })
  const walk = { fromPower: 0.5, toPower: 0.3, keep: 100 }
  return {
    until,
    items,
    graphs: {
      ease: await easeOfHead(rows, threads),
      walk: walkGraph(meetingsOf(rows, 0.7, meetingsKept), walk),
      rules: ruleGraph(sessionsOf(buyers), items.count, {
        stepPower: 1,
        maxStep: 6,
        toPower: 0.1,
        ageFade: 0.5,
        backward: 0.3,
        itself: 0,
        keep: 80,
      }),
      baskets: walkGraph(meetingsOf(bought, 0.5, meetingsKept), { ...walk, keep: 60 }),
      alike,
    },
    popularity: sought,
    recent: faded(buyers, items, { today, halfLife: shortHalfLifeDays }),
    trends: trendsOf(
      sought,
      Map.groupBy(buyers.keys(), (at) => places[at]!),
      (at) =>
        faded(
          at.map((buyer) => buyers[buyer]!),
          items,
          { today, halfLife: longHalfLifeDays },
        ),
    ),
    rhythm: rhythmOf(
      buyers.map((steps) =>
        steps.filter((it) => it.kind === 'purchase').map(({ item, day }) => ({ item, time: day })),
      ),
      items.count,
    ),
    outside: undefined,
    ranker: undefined,
    metrics: noMetrics,
  }
}

/** Each visit's items in order. */
function sessionsOf(buyers: Snapshot['buyers']): number[][] {
  const sessions = buyers.flatMap((steps) => splitByPause(steps))
  return sessions
    .toSorted((a, b) => a[0]!.day - b[0]!.day)
    .map((session) => session.map((it) => it.item).filter((item, at, all) => item !== all[at - 1]))
}

export function splitByPause(steps: readonly Step[]): Step[][] {
  const sessions: Step[][] = []
  for (const [at, step] of steps.entries()) {
    const before = steps[at - 1]
    if (before && step.day - before.day <= sessionGapDays) sessions.at(-1)!.push(step)
    else sessions.push([step])
  }
  return sessions
}

function faded(
  buyers: Snapshot['buyers'],
  items: Items,
  { today, halfLife }: { today: number; halfLife: number },
): Float64Array {
  const sums = new Float64Array(items.count)
  for (const kind of Object.keys(worth) as (keyof typeof worth)[]) {
    const touches = buyers.flatMap((steps) =>
      steps.filter((it) => it.kind === kind).map((it) => ({ item: it.item, age: today - it.day })),
    )
    popularity(touches, items.count, halfLife).forEach((sum, item) => (sums[item]! += worth[kind] * sum))
  }
  return sums
}

/** EASE among the most touched items, written as rows over all of them. */
async function easeOfHead(rows: Csr, threads: number): Promise<Csr> {
  const counts = new Float64Array(rows.cols)
  for (const item of rows.indices) counts[item]! += 1
  const head = topK(counts, easeHead)
    .ids.filter((item) => counts[item]! > 0)
    .toSorted()
  const placeInHead = new Int32Array(rows.cols).fill(-1)
  head.forEach((item, at) => (placeInHead[item] = at))
  const lists = Array.from({ length: rows.rows }, (_, row) =>
    rowOf(rows, row)
      .map((item) => placeInHead[item]!)
      .filter((place) => place >= 0),
  )
  const graph =
    head.length > 0
      ? await easeGraph(binaryRows(lists, head.length), { lambda: 30, damping: 0.2, keep: 120, threads })
      : undefined
  const writer = new RowWriter()
  for (let item = 0; item < rows.cols; item++) {
    const place = placeInHead[item]!
    if (place < 0 || !graph) writer.add([], [])
    else
      writer.add(
        rowOf(graph, place).map((it) => head[it]!),
        graph.values.subarray(graph.offsets[place], graph.offsets[place + 1]),
      )
  }
  return writer.matrix(rows.cols)
}

const alikeKept = 30
/** Beyond so many goods in a category, each looks at its neighbours by id alone. */
const mostCompared = 1_500
const forSameBrand = 0.3
const againstPriceGap = 0.15

/** The goods of the same category whose words, brand and price are nearest. */
export function alikeGraph(wares: readonly Ware[]): Csr {
  const items = itemsOf(wares)
  const vectors = contentVectors(wares.map((it) => it.words))
  const places = Map.groupBy(items.categories.keys(), (place) => items.categories[place]!)
  const writer = new RowWriter()
  const scores = new Float64Array(items.count)
  for (let item = 0; item < items.count; item++) {
    const all = places.get(items.categories[item]!)!
    const at = all.indexOf(item)
    const near =
      all.length <= mostCompared ? all : all.slice(Math.max(0, at - mostCompared / 2), at + mostCompared / 2)
    for (const other of near)
      scores[other] = other === item ? Number.NaN : likeness(items, vectors, item, other)
    const best = topK(scores, alikeKept, { candidates: near, count: near.length }).ids.toSorted()
    writer.add(
      best,
      Array.from(best, (other) => scores[other]!),
    )
  }
  return writer.matrix(items.count)
}

function likeness(items: Items, vectors: Float32Array, a: number, b: number): number {
  let words = 0
  for (let at = 0; at < CONTENT_DIMS; at++)
    words += vectors[a * CONTENT_DIMS + at]! * vectors[b * CONTENT_DIMS + at]!
  const brand = items.brands[a] !== 0 && items.brands[a] === items.brands[b] ? forSameBrand : 0
  return Math.max(0.01, words + brand - againstPriceGap * Math.abs(items.logPrices[a]! - items.logPrices[b]!))
}
