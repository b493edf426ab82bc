// From a snapshot to a model: candidate sources are fitted at three instants. The ranker is trained on the visits between
// the first two and measured on the visits between the last two. The serving model is compared on visits that are not in
// its own training data.

import type { TreeModel } from '../../ml/trees/model.ts'
import { dayMs, elapsedMs } from '../../base/clock.ts'
import { defaultWeights, type SourceName, sourceNames } from '../serving/candidates.ts'
import type { BlendWeights } from '../serving/model-query.ts'
import { historiesOf } from './histories.ts'
import { type Case, casesBetween } from './cases.ts'
import { chooseWeights, decidedPages } from './choose-weights.ts'
import { type ChosenRecipes, chooseRecipes } from './choose-recipes.ts'
import { chooseRanker, type RankedCases, rankedCasesOf, type Rankers } from './choose-ranker.ts'
import { chooseRuleShares, ruleFigures, undecidedPages } from './choose-rule-shares.ts'
import {
  beforeDay,
  fitParts,
  type FitOptions,
  type ProductParts,
  productPartsOf,
  type Snapshot,
  type TrainingData,
} from './fit-parts.ts'
import { type FitOrder, fitOnThread } from './fit-on-thread.ts'
import { freeMemory } from './free-memory.ts'
import {
  type FittedSources,
  type LearnerName,
  type Recipes,
  repeatsIn,
  startRecipes,
  type TimedFit,
  trainingRowsOf,
} from './sources.ts'
import { type Items, itemsOf } from './items.ts'
import { comparedFrom, compareWithServing, type Inherited, type ServingBaseline } from './serving-baseline.ts'
import { TrainingBudget } from './training-budget.ts'
import { trainRankers } from './train-rankers.ts'
import type { Comparison, Figures, Metrics, Model, RuleShares } from './model.ts'

const week = 7
const learningCases = 4_000
/** With time for a search there is time for more. */
const searchedCases = 12_000
const measuredCases = { quick: 3_000, searched: 10_000 }
/** Of more interactions, the search fits its trials on every n-th buyer. */
const searchedInteractions = 1_000_000

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
  const fitted = fitter(snapshot, { ...options, parts }, baseline?.inherited, (name, fit) =>
    budget.fitPart(name, fit),
  )
  await options.report('computed product similarity')
  const ahead = isAhead(options, baseline)
    ? fitOnThread({
        data: copiedOf(snapshot),
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

/** What a fit on another thread reads. */
const copiedOf = ({ credit: _credit, buyers, ...data }: TrainingData): FitOrder['data'] => ({
  ...data,
  buyers: buyers.columns,
})

/** Fits everything but the ranker on interactions before a day. */
type FitUntil = (day: number, recipes?: Recipes, sources?: FittedSources) => Promise<Model>

interface HeldOutOptions extends Training {
  fitted: FitUntil
  /** The sources until a week ago, where another thread fits them. */
  aheadOfWeek: Promise<Model> | undefined
}

type HeldOutData = TrainingData & { items: Items }
type WeightedFit = (day: number, ahead?: Promise<Model>) => Promise<Model>

interface Choice extends Pick<Fitted, 'comparison' | 'spareRanker'> {
  weightedFit: WeightedFit
  ruleShares: RuleShares
  ranker: TreeModel | undefined
  metrics: Metrics
}

/** Everything that is decided on held-out weeks: recipes, weights, the ranker and the share of the rules. */
async function chooseOnHeldOut(data: HeldOutData, given: HeldOutOptions): Promise<Choice> {
  const { options, baseline, budget, fitted } = given
  const today = data.until.getTime() / dayMs
  const earlier = await learnFromWeekBefore(data, given)
  const { recipes, repeats, weights } = earlier
  const weightedFit: WeightedFit = async (day, ahead) => {
    freeMemory()
    const model = await (ahead ?? budget.fit(() => fitted(day, recipes)))
    return { ...model, learned: only(model.learned, recipes), repeats, weights }
  }
  const from = comparedFrom(today - week, baseline)
  const { level, since, ...chosen } = await measureLastWeek(data, { ...given, earlier, weightedFit, from })
  if (!baseline) return { ...chosen, weightedFit, comparison: null }
  await options.onProgress?.({ stage: 'compared' })
  const fresh = { ...(level ?? (await weightedFit(from))), ranker: chosen.ranker }
  const comparison = await compareWithServing(fresh, baseline, since)
  if (comparison && comparison.cases > 0)
    await reportFigures(options, 'compared', { new_model: comparison.fresh, serving_model: comparison.live })
  return { ...chosen, weightedFit, comparison }
}

/** What the week before the last one decides. Of the model that it needs nothing large is kept. */
interface Earlier extends Pick<Model, 'repeats' | 'weights'> {
  recipes: Recipes
  rankers: Rankers
  rankedCases: RankedCases
  /** For the rules of pages, without sources. */
  model: Model
}

async function learnFromWeekBefore(data: HeldOutData, given: HeldOutOptions): Promise<Earlier> {
  const { options, baseline, budget } = given
  const today = data.until.getTime() / dayMs
  const most = options.searchSeconds ? searchedCases : learningCases
  const cases = casesBetween(data, { from: today - 2 * week, to: today - week, most })
  const { model, recipes } = await chooseSources(data, cases, given)
  const rankers = {
    forests: await trainRankers(model, cases, { ...options, pace: budget.paceOf('ranker') }),
    kept: baseline?.keepsRanker ? baseline.inherited.ranker : undefined,
  }
  const { repeats, weights } = model
  const rankedCases = rankedCasesOf(model, cases, rankers)
  return { recipes, repeats, weights, rankers, rankedCases, model: { ...model, learned: {} } }
}

interface LastWeekOptions extends HeldOutOptions {
  earlier: Earlier
  weightedFit: WeightedFit
  /** The first day of the cases for the comparison with the serving model. */
  from: number
}

type LastWeek = Omit<Choice, 'weightedFit' | 'comparison'> & {
  since: Case[]
  /** The model for the comparison, unless one of later days must be fitted. */
  level: Model | undefined
}

async function measureLastWeek(
  data: HeldOutData,
  { options, budget, aheadOfWeek, earlier, weightedFit, from }: LastWeekOptions,
): Promise<LastWeek> {
  const today = data.until.getTime() / dayMs
  await options.onProgress?.({ stage: 'held_out' })
  const model = await weightedFit(today - week, aheadOfWeek)
  await options.report('fitted candidate sources until a week ago')
  const lastWeek = casesBetween(data, {
    from: today - week,
    to: today,
    most: measuredCases[options.searchSeconds ? 'searched' : 'quick'],
  })
  const pace = budget.paceOf('held_out')
  const { used, note, rankedCases, ...chosen } = chooseRanker(model, lastWeek, { ...earlier.rankers, pace })
  const { popularity, candidates, ranker: ranked } = chosen.metrics
  await reportFigures(options, 'held_out', { popularity, candidates, ranker: ranked })
  if (note) await options.report(note)
  const figures = ruleFigures(model, rankedCases)
  const before = ruleFigures(earlier.model, earlier.rankedCases(undecidedPages(figures), used, pace))
  const ruleShares = await chooseRuleShares(figures, before, options.report)
  const since = casesBetween(data, { from, to: today, most: rankedCases.length })
  const isLater = from > today - week && since.length > 0
  return { ...chosen, ruleShares, since, level: isLater ? undefined : model }
}

/** The recipes of the sources and their weights, and the model until two weeks ago that they were chosen by. */
async function chooseSources(
  data: TrainingData,
  training: readonly Case[],
  { options, baseline, budget, fitted }: Omit<HeldOutOptions, 'aheadOfWeek'>,
): Promise<{ model: Model; recipes: Recipes }> {
  const day = data.until.getTime() / dayMs - 2 * week
  if (options.searchSeconds) await options.onProgress?.({ stage: 'search' })
  const { recipes: wanted, fitted: known } = await searched(beforeDay(data, day), training, {
    options,
    baseline,
    budget,
  })
  freeMemory()
  const knownSeconds = Object.entries(known).map(([name, { seconds }]) => [name, seconds] as const)
  const model = await budget.fitAround(knownSeconds, () => fitted(day, wanted, known))
  const first = { ...model, repeats: repeatsIn(data.buyers) }
  await options.report('fitted candidate sources until two weeks ago')
  await options.onProgress?.({ stage: 'weights' })
  const weights = chooseWeights({ ...first, weights: defaultWeights }, training, {
    effort: options.searchSeconds ? 'searched' : 'quick',
    pace: budget.paceOf('weights'),
  })
  await options.report('chose the weights of the candidate sources')
  const recipes = withoutUnused(wanted, weights, training)
  budget.leaveOut(Object.keys(wanted).filter((name) => !(name in recipes)))
  return { model: { ...first, learned: only(first.learned, recipes), weights }, recipes }
}

interface FitterOptions extends Pick<FitOptions, 'threads'>, Partial<Pick<FitOptions, 'seed'>> {
  parts?: ProductParts
}

/** Whether a user waits for the first model: its recipes are known, so the later fits need not wait for the first one. */
const isAhead = ({ strides, threads, searchSeconds }: FitOptions, baseline?: ServingBaseline): boolean =>
  strides === 'long' && threads > 1 && !searchSeconds && !baseline

/** An imported model stays. */
export function fitter(
  snapshot: Snapshot,
  { seed = 1, threads, parts = productPartsOf(snapshot.products) }: FitterOptions,
  inherited: Inherited | undefined,
  timed?: TimedFit,
): FitUntil {
  const data = { ...snapshot, buyers: historiesOf(snapshot.buyers) }
  const { external, weights = defaultWeights, repeats = 'allowed' } = inherited ?? {}
  const present = recipesFor(snapshot, inherited)
  return async (day, recipes = present, sources = {}) => ({
    ...(await fitParts(beforeDay(data, day), { ...parts, recipes, seed, threads, timed, fitted: sources })),
    repeats,
    weights,
    external,
  })
}

/** Those of the active model, so that a search of one night is the start of the next. */
const recipesFor = ({ products }: Snapshot, inherited: Inherited | undefined): Recipes =>
  inherited?.recipes ?? startRecipes(products.length)

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
): Promise<ChosenRecipes> {
  const start = recipesFor(until, baseline?.inherited)
  if (!options.searchSeconds) return { recipes: start, fitted: {} }
  const items = until.products.length
  const elapsed = clockOf(options)
  const everyNth = Math.max(1, Math.round(until.buyers.size / searchedInteractions))
  const fits = { isFirstFitted: everyNth === 1 }
  const [latest, untilOf] = [elapsed() + options.searchSeconds, budget.untilOf('search', fits)]
  return chooseRecipes(cases, start, {
    rows: trainingRowsOf(until.buyers.everyNth(everyNth), until.products, options),
    everyNth,
    items,
    repeats: repeatsIn(until.buyers),
    elapsed,
    until: (fitSeconds) => Math.min(latest, untilOf(fitSeconds)),
    longestFitSeconds: budget.longestFitSeconds(fits),
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
