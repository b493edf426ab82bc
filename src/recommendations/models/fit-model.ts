// From a snapshot to a model: candidate sources are fitted at three instants. The ranker is trained on the visits between
// the first two and measured on the visits between the last two. The serving model is compared on visits that are not in
// its own training data.

import type { TreeModel } from '../../ml/trees/model.ts'
import { dayMs, elapsedMs } from '../../base/clock.ts'
import { defaultWeights, type SourceName, sourceNames } from '../serving/candidates.ts'
import type { BlendWeights } from '../serving/model-query.ts'
import { historiesOf } from './histories.ts'
import { type Case, casesBetween, evenly } from './cases.ts'
import { chooseWeights, decidedPages } from './choose-weights.ts'
import { chooseRecipes } from './choose-recipes.ts'
import {
  casesOfPage,
  chooseRuleShares,
  type RankedCase,
  ruleFigures,
  undecidedPages,
} from './choose-rule-shares.ts'
import {
  beforeDay,
  fitParts,
  type FitOptions,
  type ProductParts,
  productPartsOf,
  type Snapshot,
  type TrainingData,
} from './fit-parts.ts'
import { fitOnThread } from './fit-on-thread.ts'
import { freeMemory } from './free-memory.ts'
import {
  type LearnerName,
  type Recipes,
  recipesOf,
  repeatsIn,
  startRecipes,
  type TimedFit,
  trainingRowsOf,
} from './sources.ts'
import { type Items, itemsOf } from './items.ts'
import { affordable, type Pace, partOf, TrainingBudget } from './training-budget.ts'
import { exampleOf, exampleBuilderOf } from './training-examples.ts'
import { trainRankers } from './train-rankers.ts'
import { type Answer, answerCases, compareModels, measureAnswers } from './measure.ts'
import type { Comparison, Figures, Metrics, Model, RuleShares } from './model.ts'
import { remapTo, withIndex } from './external-model.ts'
import { rankerOf } from '../serving/ranker.ts'

const week = 7
const learningCases = 4_000
/** With time for a search there is time for more. */
const searchedCases = 12_000
const measuredCases = 3_000
/** Of more interactions, the search fits its trials on every n-th buyer. */
const searchedInteractions = 1_000_000
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
  const budget = budgetFor(options, baseline)
  const snapshot = { ...given, buyers: historiesOf(given.buyers) }
  const today = snapshot.until.getTime() / dayMs
  const parts = productPartsOf(snapshot.products)
  const fitted = fitter(snapshot, { ...options, parts }, baseline?.model, (name, fit) =>
    budget.fitPart(name, fit),
  )
  await options.report('computed product similarity')
  const ahead = isAhead(options, baseline)
    ? fitOnThread({
        data: { ...snapshot, buyers: snapshot.buyers.columns },
        parts: { ...parts, seed: options.seed, recipes: recipesFor(snapshot, undefined) },
        days: [today - week, today],
      })
    : []
  // What it fits is not needed any more afterwards: models of a large shop are large.
  const { weightedFit, ruleShares, ranker, metrics, comparison, spareRanker } = await chooseOnHeldOut(
    { ...snapshot, items: itemsOf(snapshot.products) },
    { options, baseline, budget, fitted, aheadOfWeek: ahead[0] },
  )
  await options.onProgress?.({ stage: 'final' })
  const last = await weightedFit(today, ahead[1])
  await options.report('fitted candidate sources until now')
  return { model: { ...last, ruleShares, ranker, metrics }, comparison, spareRanker }
}

interface HeldOutOptions extends Training {
  fitted: (day: number, recipes?: Recipes) => Promise<Model>
  /** The sources until a week ago, where another thread fits them. */
  aheadOfWeek: Promise<Model> | undefined
}

type WeightedFit = (day: number, ahead?: Promise<Model>) => Promise<Model>

interface Choice extends Pick<Fitted, 'comparison' | 'spareRanker'> {
  weightedFit: WeightedFit
  ruleShares: RuleShares
  ranker: TreeModel | undefined
  metrics: Metrics
}

/** Everything that is decided on held-out weeks: recipes, weights, the ranker and the share of the rules. */
async function chooseOnHeldOut(
  data: TrainingData & { items: Items },
  { options, baseline, budget, fitted, aheadOfWeek }: HeldOutOptions,
): Promise<Choice> {
  const today = data.until.getTime() / dayMs
  const most = options.searchSeconds ? searchedCases : learningCases
  const training = casesBetween(data, { from: today - 2 * week, to: today - week, most })
  const { earlier, recipes } = await chooseSources(data, training, { options, baseline, budget, fitted })
  const { weights, repeats } = earlier
  const weightedFit: WeightedFit = async (day, ahead) => {
    freeMemory()
    const model = await (ahead ?? budget.fit(() => fitted(day, recipes)))
    return { ...model, learned: only(model.learned, recipes), repeats, weights }
  }
  const forests = await trainRankers(earlier, training, { ...options, pace: budget.paceOf('ranker') })

  await options.onProgress?.({ stage: 'held_out' })
  const second = await weightedFit(today - week, aheadOfWeek)
  await options.report('fitted candidate sources until a week ago')
  const lastWeek = casesBetween(data, { from: today - week, to: today, most: measuredCases })
  const heldOut = measurable(second, lastWeek, budget.paceOf('held_out'))
  const { ranker, metrics, spareRanker, rankedCases } = chooseRanker(second, heldOut, { forests, baseline })
  const { popularity, candidates, ranker: ranked } = metrics
  await reportFigures(options, 'held_out', { popularity, candidates, ranker: ranked })
  const figures = ruleFigures(second, rankedCases)
  const before = earlierFigures({ ...earlier, ranker }, training, figures)
  const ruleShares = await chooseRuleShares(figures, before, options.report)

  const since = { data, from: Math.max(today - week, (baseline?.model.until.getTime() ?? 0) / dayMs) }
  const comparison = baseline
    ? await compared({ ...second, ranker }, baseline.model, {
        ...since,
        most: heldOut.length,
        weightedFit,
        options,
      })
    : null
  return { weightedFit, ruleShares, ranker, metrics, comparison, spareRanker }
}

/** The recipes of the sources and their weights, and the model until two weeks ago that they were chosen by. */
async function chooseSources(
  data: TrainingData,
  training: readonly Case[],
  { options, baseline, budget, fitted }: Omit<HeldOutOptions, 'aheadOfWeek'>,
): Promise<{ earlier: Model; recipes: Recipes }> {
  const day = data.until.getTime() / dayMs - 2 * week
  if (options.searchSeconds) await options.onProgress?.({ stage: 'search' })
  const wanted = await searched(beforeDay(data, day), training, { options, baseline, budget })
  freeMemory()
  const first = { ...(await budget.fit(() => fitted(day, wanted))), repeats: repeatsIn(data.buyers) }
  await options.report('fitted candidate sources until two weeks ago')
  await options.onProgress?.({ stage: 'weights' })
  const weights = chooseWeights({ ...first, weights: defaultWeights }, training, {
    effort: options.searchSeconds ? 'searched' : 'quick',
    pace: budget.paceOf('weights'),
  })
  await options.report('chose the weights of the candidate sources')
  const recipes = withoutUnused(wanted, weights, training)
  budget.leaveOut(Object.keys(wanted).filter((name) => !(name in recipes)))
  return { earlier: { ...first, learned: only(first.learned, recipes), weights }, recipes }
}

/** A new model and the serving one on the cases that neither has seen. */
async function compared(
  second: Model,
  live: Model,
  {
    data,
    from,
    most,
    weightedFit,
    options,
  }: {
    data: TrainingData & { items: Items }
    from: number
    most: number
    weightedFit: WeightedFit
    options: FitOptions
  },
): Promise<Comparison> {
  await options.onProgress?.({ stage: 'compared' })
  const to = data.until.getTime() / dayMs
  const since = casesBetween(data, { from, to, most })
  const level = from > to - week && since.length > 0 ? await weightedFit(from) : second
  const comparison = compareModels({ ...level, ranker: second.ranker }, live, since)
  if (comparison.cases > 0)
    await reportFigures(options, 'compared', { new_model: comparison.fresh, serving_model: comparison.live })
  return comparison
}

interface FitterOptions extends Pick<FitOptions, 'threads'>, Partial<Pick<FitOptions, 'seed'>> {
  parts?: ProductParts
}

/** Whether a user waits for the first model: its recipes are known, so the later fits need not wait for the first one. */
const isAhead = ({ strides, threads, searchSeconds }: FitOptions, baseline?: ServingBaseline): boolean =>
  strides === 'long' && threads > 1 && !searchSeconds && !baseline

/** Returns a function that fits everything but the ranker on interactions before a day; an imported model is carried over. */
export function fitter(
  snapshot: Snapshot,
  { seed = 1, threads, parts = productPartsOf(snapshot.products) }: FitterOptions,
  live: Model | undefined,
  timed?: TimedFit,
): (day: number, recipes?: Recipes) => Promise<Model> {
  const data = { ...snapshot, buyers: historiesOf(snapshot.buyers) }
  const external = live?.external && withIndex(remapTo(live.external, live.items, itemsOf(snapshot.products)))
  const weights = live?.weights ?? defaultWeights
  const present = recipesFor(snapshot, live)
  return async (day, recipes = present) => ({
    ...(await fitParts(beforeDay(data, day), { ...parts, recipes, seed, threads, timed })),
    repeats: live?.repeats ?? 'allowed',
    weights,
    external,
  })
}

/** Those of the active model, so that a search of one night is the start of the next. */
const recipesFor = ({ products }: Snapshot, live: Model | undefined): Recipes =>
  live ? recipesOf(live.learned) : startRecipes(products.length)

interface Training {
  options: FitOptions
  baseline: ServingBaseline | undefined
  budget: TrainingBudget
}

const clockOf = ({ elapsed = () => elapsedMs() / 1_000 }: FitOptions): (() => number) => elapsed

/** Sources are fitted until two weeks ago, until a week ago and until now; for a comparison, until the other model's day. */
const budgetFor = (options: FitOptions, baseline: ServingBaseline | undefined): TrainingBudget =>
  new TrainingBudget({
    seconds: options.budgetSeconds ?? Infinity,
    elapsed: clockOf(options),
    fits: baseline ? 4 : 3,
  })

async function searched(
  until: TrainingData,
  cases: readonly Case[],
  { options, baseline, budget }: Training,
): Promise<Recipes> {
  const start = recipesFor(until, baseline?.model)
  if (!options.searchSeconds) return start
  const items = until.products.length
  const elapsed = clockOf(options)
  const [latest, untilOf] = [elapsed() + options.searchSeconds, budget.untilOf('search')]
  const everyNth = Math.max(1, Math.round(until.buyers.size / searchedInteractions))
  return chooseRecipes(cases, start, {
    rows: trainingRowsOf(until.buyers.everyNth(everyNth), until.products, options),
    everyNth,
    items,
    repeats: repeatsIn(until.buyers),
    elapsed,
    until: (fitSeconds) => Math.min(latest, untilOf(fitSeconds)),
    longestFitSeconds: budget.longestFitSeconds(),
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

/** With fewer held-out cases than these the figures say little. */
const fewestMeasured = 300
/** Of the time to measure, the share for the candidates and features of cases; rankers and rules have the rest. */
const answeringShare = 0.5

/** The held-out cases that there is time for. */
function measurable(model: Model, cases: readonly Case[], pace: Pace): Case[] {
  const builder = exampleBuilderOf(model)
  const work = (it: Case) => exampleOf(builder, it)
  return evenly(
    cases,
    affordable(cases, work, { pace: partOf(pace, answeringShare), fewest: fewestMeasured }),
  )
}

/** The pages with few answers in the last week, asked in the week before. */
function earlierFigures(
  model: Model,
  training: readonly Case[],
  lastWeek: ReturnType<typeof ruleFigures>,
): ReturnType<typeof ruleFigures> {
  const ranker = model.ranker && rankerOf(model.ranker)
  const cases = undecidedPages(lastWeek).flatMap((layer) =>
    training.filter((it) => it.query.layer === layer).slice(-casesOfPage),
  )
  return ruleFigures(model, answerCases(model, cases, ranker ? [ranker] : []).map(rankedBy(0)))
}

/** As a ranker orders the candidates, or as the blend does where there is none. */
const rankedBy =
  (ranker: number) =>
  ({ query, relevant, candidates, ranked }: Answer): RankedCase => ({
    query,
    relevant,
    ranked: ranked[ranker] ?? candidates,
  })

interface ChosenRanker {
  ranker: TreeModel | undefined
  metrics: Metrics
  spareRanker: Figures | null
  rankedCases: RankedCase[]
}

/** An uploaded ranker is kept; else the best of ours is used when it ranks better than the blend alone. */
function chooseRanker(
  model: Model,
  cases: readonly Case[],
  { forests, baseline }: { forests: readonly TreeModel[]; baseline: ServingBaseline | undefined },
): ChosenRanker {
  const kept = baseline?.keepsRanker ? baseline.model.ranker : undefined
  const answers = answerCases(model, cases, [...forests, ...(kept ? [kept] : [])].map(rankerOf))
  const { rankers, ...others } = measureAnswers(model, answers)
  const ours = forests.reduce(
    (best, _, at) => (rankers[at]!.ndcg10 > (rankers[best]?.ndcg10 ?? -1) ? at : best),
    0,
  )
  const figures = forests.length > 0 ? (rankers[ours] ?? null) : null
  const wins = figures !== null && figures.ndcg10 > others.candidates.ndcg10
  const used = kept ? forests.length : wins ? ours : -1
  return {
    ranker: kept ?? (wins ? forests[ours] : undefined),
    metrics: { ...others, ranker: kept ? (rankers.at(-1) ?? null) : figures },
    spareRanker: kept ? figures : null,
    rankedCases: answers.map(rankedBy(used)),
  }
}
