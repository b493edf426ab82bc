// From a snapshot to a model: candidate sources are fitted at three instants. The ranker is trained on the visits between
// the first two and measured on the visits between the last two. The serving model is compared on visits that are not in
// its own training data.

import type { TreeModel } from '../../ml/trees/model.ts'
import { trainTrees } from '../../ml/trees/train.ts'
import { elapsedMs } from '../../base/clock.ts'
import { defaultWeights, type SourceName, sourceNames } from '../serving/candidates.ts'
import type { BlendWeights } from '../serving/model-query.ts'
import type { ItemInteraction } from '../serving/buyer-profile.ts'
import { type Case, casesBetween } from './cases.ts'
import { chooseWeights, decidedPages } from './choose-weights.ts'
import { chooseRecipes } from './choose-recipes.ts'
import { chooseRuleShares } from './choose-rule-shares.ts'
import { fitParts, type FitOptions, similarityGraph, type Snapshot } from './fit-parts.ts'
import {
  type LearnerName,
  type Recipes,
  recipesOf,
  repeatsIn,
  startRecipes,
  trainingRowsOf,
} from './sources.ts'
import { itemsOf } from './items.ts'
import { mentionsOf } from './mentions.ts'
import { sizesOf } from './sizes.ts'
import { twinGroups } from './twins.ts'
import { exampleOf, exampleBuilderOf, rankerTrainingData } from './training-examples.ts'
import { compareModels, measureModel } from './measure.ts'
import type { Comparison, Figures, Metrics, Model } from './model.ts'
import { rankerCurve } from './training-progress.ts'
import { remapTo } from './external-model.ts'
import { rankerOf } from '../serving/ranker.ts'

const week = 7
const dayMs = 86_400_000
const learningCases = 4_000
/** With time for a search there is time for more. */
const searchedCases = 12_000
const measuredCases = 3_000
/** With fewer visits no ranker is trained. */
const fewestCases = 200
/** Every fifth example ends the training of a ranker early; the last week decides whether it is used. */
const heldOutEvery = 5
const trees = {
  loss: 'YetiRank',
  iterations: 300,
  learningRate: 0.12,
  depth: 6,
  l2: 5,
  earlyStoppingRounds: 20,
} as const
/** With time for a search both losses are tried, and the last week decides between them. */
const slowTrees = {
  loss: 'QueryRMSE',
  iterations: 400,
  learningRate: 0.06,
  depth: 6,
  l2: 10,
  earlyStoppingRounds: 30,
} as const
const fastTrees = { ...trees, learningRate: 0.2, earlyStoppingRounds: 10 } as const

/** The serving model, and whether its uploaded ranker must be kept. */
export interface ServingBaseline {
  model: Model
  keepsRanker: boolean
}

export interface Fitted {
  model: Model
  /** Null when no model serves. */
  comparison: Comparison | null
  /** The figures of the ranker trained here, when an uploaded one is kept. */
  spareRanker: Figures | null
}

/** The same snapshot, seed and serving model give the same model. */
export async function fitModel(
  given: Snapshot,
  options: FitOptions,
  baseline?: ServingBaseline,
): Promise<Fitted> {
  const snapshot = { ...given, buyers: given.buyers.map(withoutFalseOrder) }
  const today = snapshot.until.getTime() / dayMs
  const data = { ...snapshot, items: itemsOf(snapshot.products) }
  const most = options.searchSeconds ? searchedCases : learningCases
  const training = casesBetween(data, { from: today - 2 * week, to: today - week, most })
  const fitted = await fitter(snapshot, options, baseline?.model)
  await options.report('computed product similarity')

  if (options.searchSeconds) await options.onProgress?.({ stage: 'search' })
  const wanted = await searched(beforeDay(snapshot, today - 2 * week), training, { options, baseline })
  const repeats = repeatsIn(snapshot.buyers)
  const first: Model = { ...(await fitted(today - 2 * week, wanted)), repeats, weights: defaultWeights }
  await options.report('fitted candidate sources until two weeks ago')
  await options.onProgress?.({ stage: 'weights' })
  const weights = chooseWeights(first, training, options.searchSeconds ? 'searched' : 'quick')
  await options.report('chose the weights of the candidate sources')
  const recipes = withoutUnused(wanted, weights, training)
  const weightedFit = async (day: number): Promise<Model> => ({
    ...(await fitted(day, recipes)),
    repeats,
    weights,
  })
  const forests =
    training.length < fewestCases
      ? []
      : await trainRankers({ ...first, learned: only(first.learned, recipes), weights }, training, options)

  await options.onProgress?.({ stage: 'held_out' })
  const second = await weightedFit(today - week)
  await options.report('fitted candidate sources until a week ago')
  const heldOut = casesBetween(data, { from: today - week, to: today, most: measuredCases })
  const { ranker, metrics, spareRanker } = chooseRanker(second, heldOut, { forests, baseline })
  const { popularity, candidates, ranker: ranked } = metrics
  await reportFigures(options, 'held_out', { popularity, candidates, ranker: ranked })
  const ruleShares = await chooseRuleShares({ ...second, ranker }, heldOut, options.report)

  if (baseline) await options.onProgress?.({ stage: 'compared' })
  const from = Math.max(today - week, (baseline?.model.until.getTime() ?? 0) / dayMs)
  const since = baseline ? casesBetween(data, { from, to: today, most: measuredCases }) : []
  const level = from > today - week && since.length > 0 ? await weightedFit(from) : second
  const comparison = baseline ? compareModels({ ...level, ranker }, baseline.model, since) : null

  if (comparison && comparison.cases > 0)
    await reportFigures(options, 'compared', { new_model: comparison.fresh, serving_model: comparison.live })

  await options.onProgress?.({ stage: 'final' })
  const last = await weightedFit(today)
  await options.report('fitted candidate sources until now')
  return { model: { ...last, ruleShares, ranker, metrics }, comparison, spareRanker }
}

/** Returns a function that fits everything but the ranker on interactions before a day; an imported model is carried over. */
export async function fitter(
  snapshot: Snapshot,
  { seed = 1, threads }: Partial<FitOptions> & Pick<FitOptions, 'threads'>,
  live: Model | undefined,
): Promise<(day: number, recipes?: Recipes) => Promise<Model>> {
  const ofProducts = {
    alike: similarityGraph(snapshot.products),
    twins: twinGroups(snapshot.products),
    sizes: sizesOf(snapshot.products),
    mentions: mentionsOf(snapshot.products),
  }
  const external = live?.external && remapTo(live.external, live.items, itemsOf(snapshot.products))
  const weights = live?.weights ?? defaultWeights
  const present = recipesFor(snapshot, live)
  return async (day, recipes = present) => ({
    ...(await fitParts(beforeDay(snapshot, day), { ...ofProducts, recipes, seed, threads })),
    repeats: live?.repeats ?? 'allowed',
    weights,
    external,
  })
}

/**
 * Interactions of one instant have no order, for example the lines of an imported order. A hash puts them in an order that
 * depends on nothing else, so that no model learns the order of a file.
 */
function withoutFalseOrder(steps: readonly ItemInteraction[], buyer: number): readonly ItemInteraction[] {
  const places = steps.map((it) => hashOf(it.item, buyer))
  return Array.from(steps.keys())
    .sort(
      (a, b) =>
        steps[a]!.day - steps[b]!.day ||
        places[a]! - places[b]! ||
        (steps[a]!.kind < steps[b]!.kind ? -1 : Number(steps[a]!.kind > steps[b]!.kind)),
    )
    .map((at) => steps[at]!)
}

const hashOf = (item: number, buyer: number): number =>
  Math.imul(Math.imul(item + 1, 0x9e3779b1) ^ (buyer + 1), 0x85ebca6b) >>> 0

/** Those of the active model, so that a search of one night is the start of the next. */
const recipesFor = ({ products }: Snapshot, live: Model | undefined): Recipes =>
  live ? recipesOf(live.learned) : startRecipes(products.length)

async function searched(
  until: Snapshot,
  cases: readonly Case[],
  { options, baseline }: { options: FitOptions; baseline: ServingBaseline | undefined },
): Promise<Recipes> {
  const start = recipesFor(until, baseline?.model)
  if (!options.searchSeconds) return start
  const items = until.products.length
  const elapsed = options.elapsed ?? (() => elapsedMs() / 1_000)
  return chooseRecipes(cases, start, {
    rows: trainingRowsOf(until.buyers, until.products, options),
    items,
    repeats: repeatsIn(until.buyers),
    elapsed,
    until: elapsed() + options.searchSeconds,
    report: options.report,
    ...(options.onProgress && { onTrial: options.onProgress }),
  })
}

async function reportFigures(
  { onProgress }: FitOptions,
  stage: 'held_out' | 'compared',
  figures: Record<string, Figures | null>,
): Promise<void> {
  for (const [source, it] of Object.entries(figures))
    if (it) await onProgress?.({ stage, source, score: it.ndcg10 })
}

/** Sources that the blend can do without, if no page gives them weight: each costs time in every request and misleads the ranker. */
const droppable = {
  walk: 'walk_history',
  rules: 'rules_focus',
  baskets: 'baskets_focus',
  sessions: 'sessions_visit',
  factors: 'factors_history',
  alike: 'alike_history',
} as const satisfies Partial<Record<LearnerName, SourceName>>

/** Pages with too few cases for weights of their own do not count. */
function withoutUnused(recipes: Recipes, weights: BlendWeights, cases: readonly Case[]): Recipes {
  const pages = decidedPages(cases)
  const isUnused = (source: SourceName) =>
    pages.length > 0 && pages.every((page) => weights[page][sourceNames.indexOf(source)] === 0)
  const isKept = (name: string) => !(name in droppable && isUnused(droppable[name as keyof typeof droppable]))
  return Object.fromEntries(Object.entries(recipes).filter(([name]) => isKept(name)))
}

const only = (learned: Model['learned'], recipes: Recipes): Model['learned'] =>
  Object.fromEntries(Object.entries(learned).filter(([name]) => name in recipes))

const beforeDay = (snapshot: Snapshot, day: number): Snapshot => ({
  ...snapshot,
  until: new Date(day * dayMs),
  buyers: snapshot.buyers.map((steps) => steps.filter((it) => it.day < day)),
})

/** An uploaded ranker is kept; else the best of ours is used when it ranks better than the blend alone. */
function chooseRanker(
  model: Model,
  cases: readonly Case[],
  { forests, baseline }: { forests: readonly TreeModel[]; baseline: ServingBaseline | undefined },
): { ranker: TreeModel | undefined; metrics: Metrics; spareRanker: Figures | null } {
  const none = { forest: undefined, metrics: measureModel(model, cases, undefined) }
  const { forest, metrics: ours } = forests
    .map((it) => ({ forest: it, metrics: measureModel(model, cases, rankerOf(it)) }))
    .reduce<{ forest: TreeModel | undefined; metrics: Metrics }>(
      (a, b) => (b.metrics.ranker!.ndcg10 > (a.metrics.ranker?.ndcg10 ?? -1) ? b : a),
      none,
    )
  const kept = baseline?.keepsRanker ? baseline.model.ranker : undefined
  if (kept)
    return { ranker: kept, metrics: measureModel(model, cases, rankerOf(kept)), spareRanker: ours.ranker }
  const wins = ours.ranker !== null && ours.ranker.ndcg10 > ours.candidates.ndcg10
  return { ranker: wins ? forest : undefined, metrics: ours, spareRanker: null }
}

async function trainRankers(
  model: Model,
  cases: readonly Case[],
  { seed, threads, strides, searchSeconds, report, onProgress }: FitOptions,
): Promise<TreeModel[]> {
  await onProgress?.({ stage: 'ranker' })
  const builder = exampleBuilderOf(model)
  const examples = cases
    .map((it) => exampleOf(builder, it))
    .filter((it) => it.labels.some((label) => label > 0))
  const [learnt, heldOut] = [false, true].map((isHeldOut) =>
    examples.filter((_, at) => (at % heldOutEvery === 0) === isHeldOut),
  )
  if (learnt!.length < fewestCases / 2) return []
  const data = rankerTrainingData(learnt!)
  const validation = rankerTrainingData(heldOut!)
  const forests: TreeModel[] = []
  for (const options of searchSeconds ? [trees, slowTrees] : [strides === 'long' ? fastTrees : trees]) {
    const { model: forest, errors } = trainTrees(data, { ...options, seed, threads }, { validation })
    forests.push(forest)
    for (const it of rankerCurve(options.loss, errors)) await onProgress?.(it)
    await report(`trained a ranker of ${errors.length} trees on ${learnt!.length} visits by ${options.loss}`)
  }
  return forests
}
