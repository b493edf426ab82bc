// `evaluate --engine live`: trains the served engine on the data of a list task and queries it through the ranking that
// answers R1 to R8. The files have no timestamps, so the data is spread evenly over the days before a fixed instant, in a
// random order unless the rows are known to stand in time order.

import { dayMs } from '../../base/clock.ts'
import { shuffled } from '../../ml/random.ts'
import { exclusionsFor, figuresOf, filled } from '../../ml/selection/case-evaluator.ts'
import { listLength, type Case, type ListTask } from '../../ml/selection/list-task.ts'
import { topK } from '../../ml/top-k.ts'
import { historyLength, type InteractionKind } from '../interactions/interaction.ts'
import { prepareModel } from '../models/active-model.ts'
import type { Snapshot } from '../models/fit-parts.ts'
import { fitModel } from '../models/fit-model.ts'
import type { Model } from '../models/model.ts'
import type { ItemInteraction } from '../serving/buyer-profile.ts'
import { sourceNames } from '../serving/candidates.ts'
import { rankProducts, type RankingInputs } from '../serving/rank-products.ts'
import { type Layer, type RecommendationRequest, requestWith } from '../serving/request.ts'
import { type ListTaskOptions, type ListTaskResult, measureLists } from './run-list-task.ts'

const end = new Date('2026-01-01T00:00:00Z')
const endDay = end.getTime() / dayMs
/** Two weeks of it are held out for the ranker and the figures of a training. */
const spanDays = 60
const minuteDays = 1 / 1440
/** The share of the budget for the training; the rest is for the queries. */
const trainingShare = 0.85

/** How the rows of a task map to visits, and its cases to a page. */
export interface LiveShape {
  layer: Layer
  kind: InteractionKind
  /** A row is one visit (a session or an order), or the whole history of a buyer. */
  row: 'visit' | 'history'
}

export const liveShapes: Partial<Record<string, LiveShape>> = {
  users: { layer: 'main_page', kind: 'view', row: 'history' },
  sequences: { layer: 'main_page', kind: 'view', row: 'history' },
  sessions: { layer: 'main_page', kind: 'view', row: 'visit' },
  baskets: { layer: 'cart_page', kind: 'cart', row: 'visit' },
}

export async function runLiveTask(
  listTask: ListTask,
  shape: LiveShape,
  { budgetSeconds, seed, threads, elapsed, report, write }: ListTaskOptions,
): Promise<ListTaskResult> {
  const started = elapsed()
  const { model } = await fitModel(snapshotOf(listTask, shape, seed), {
    seed,
    threads,
    searchSeconds: budgetSeconds - started,
    budgetSeconds: (budgetSeconds - started) * trainingShare,
    elapsed,
    report,
  })
  const fittedAt = elapsed()
  const { cases: heldOut, candidates, ranker } = model.metrics
  report(
    `ndcg@10 on ${heldOut} held-out cases: candidates ${candidates.ndcg10.toFixed(4)}, ranker ${ranker?.ndcg10.toFixed(4) ?? 'none'}`,
  )
  report(`trained the engine in ${(fittedAt - started).toFixed(1)} s`)
  const measured = queryModel(listTask, shape, { model, write })
  return {
    ...measured,
    chosen: sourceNames
      .map((kind, at) => ({ kind, params: {}, weight: model.weights[shape.layer][at]! }))
      .filter(({ weight }) => weight > 0),
    ranker: model.ranker !== undefined,
    chooseSeconds: 0,
    fitSeconds: fittedAt - started,
    listsPerSecond: measured.cases / Math.max(1e-9, elapsed() - fittedAt),
  }
}

/** Lists every test case with a model through the ranking that serves. */
export function queryModel(
  listTask: ListTask,
  shape: LiveShape,
  { model, write }: { model: Model; write: ListTaskOptions['write'] },
): Pick<ListTaskResult, 'metrics' | 'cases' | 'candidates'> {
  const serving = prepareModel(0, model)
  const exclusions = exclusionsFor(listTask)
  const popular = topK(model.popularity, listTask.items).ids
  const { metrics, cases, candidates } = measureLists(
    listTask,
    (testCase) => {
      exclusions.set(testCase.history)
      const found = rankProducts(
        serving,
        requestOf(shape),
        inputsOf(withoutOrder(testCase, listTask), shape, listTask),
      )
      const listOf = (productIds: readonly number[]) => {
        const items = Int32Array.from(productIds, (id) => id - 1).filter((item) => !exclusions.skip(item))
        return filled(items.subarray(0, listLength), popular, exclusions)
      }
      const figures = (list: Int32Array) => figuresOf(listTask.measures, list, testCase.relevant)
      const list = listOf(found.productIds)
      return {
        list,
        figures: figures(list),
        ...(model.ranker && { before: figures(listOf(found.candidateIds)) }),
      }
    },
    write,
  )
  return { metrics, cases, ...(candidates && { candidates }) }
}

/** Every item has a category of its own, and its attributes, if any, as words. */
export function snapshotOf(listTask: ListTask, shape: LiveShape, seed: number): Snapshot {
  const words = listTask.names.map((): string[] => [])
  listTask.alike?.forEach((group, attribute) => {
    for (const item of group) words[item]?.push(`a${attribute}`)
  })
  const places = placesIn(listTask, seed)
  const inOrder = (items: Int32Array, row: number) =>
    listTask.order === 'time' ? items : reordered(items, seed + row)
  return {
    until: end,
    products: listTask.names.map((_, item) => ({
      productId: item + 1,
      categoryId: item + 1,
      departmentId: 1,
      brandId: 0,
      priceTiyin: 1,
      words: words[item]!.join(' '),
    })),
    buyers: listTask.fit.map((items, row) =>
      shape.row === 'visit'
        ? visitOf(
            inOrder(items, row),
            shape.kind,
            endDay - spanDays + (spanDays * places[row]!) / listTask.fit.length,
          )
        : historyOf(inOrder(items, row), shape.kind),
    ),
    places: listTask.fit.map(() => null),
  }
}

/** The place of each row in time: a random one where the order of the rows means nothing. */
const placesIn = ({ fit, rows }: ListTask, seed: number): Int32Array =>
  rows === 'oldest_first' ? Int32Array.from(fit, (_, row) => row) : shuffled(fit.length, seed)

/** Items of one visit, a minute apart. */
const visitOf = (items: ArrayLike<number>, kind: InteractionKind, day: number): ItemInteraction[] =>
  Array.from(items, (item, at) => ({ item, kind, day: day + at * minuteDays }))

/** Items of one buyer, evenly spread until the end. */
const historyOf = (items: ArrayLike<number>, kind: InteractionKind): ItemInteraction[] =>
  Array.from(items, (item, at) => ({
    item,
    kind,
    day: endDay - (spanDays * (items.length - at - 0.5)) / items.length,
  }))

/** As long after the last item of a buyer as the items are apart: rankers know how long a visit is after the one before. */
const nextVisit = (items: number): Date =>
  new Date(end.getTime() + (spanDays * dayMs) / (2 * Math.max(1, items)))

/** Where items have no order, training had none either. */
const withoutOrder = (testCase: Case, { order }: ListTask): Case =>
  order === 'time' ? testCase : { ...testCase, history: reordered(testCase.history, testCase.history.length) }

const reordered = (items: Int32Array, seed: number): Int32Array =>
  shuffled(items.length, seed).map((at) => items[at]!)

const requestOf = ({ layer }: LiveShape): RecommendationRequest =>
  requestWith({ channel: 'evaluate', layer, limit: listLength })

/** Every item is for sale. */
const everythingForSale: Pick<RankingInputs['buyable'], 'isAt' | 'slotOf' | 'has'> = {
  isAt: (slot) => slot === 0,
  slotOf: () => 0,
  has: () => true,
}

/** A case as the serving path sees it: in the cart all items are on the page, else they are the buyer's history. */
function inputsOf({ history }: Case, { layer, kind, row }: LiveShape, { items }: ListTask): RankingInputs {
  const known = Array.from(history).filter((item) => item < items)
  const interactions =
    row === 'visit' ? visitOf(known, kind, endDay - known.length * minuteDays) : historyOf(known, kind)
  const context = layer === 'cart_page' ? known : []
  return {
    buyer: {
      buyer: null,
      experimentKey: null,
      interactions: interactions
        .slice(-historyLength)
        .reverse()
        .map(({ item, day }) => ({
          offer: String(item + 1),
          productId: item + 1,
          kind,
          atMs: day * dayMs,
        })),
      pageProductIds: context.map((item) => item + 1),
      cartProductIds: new Set(),
    },
    excluded: new Map(context.map((item) => [item + 1, 'on_page'])),
    now: row === 'visit' ? end : nextVisit(known.length),
    buyable: everythingForSale as RankingInputs['buyable'],
    trace: undefined,
  }
}
