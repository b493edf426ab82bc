// Chooses the family, the training rows and the parameters of every learned source on held-out cases of the shop, by the
// search that `evaluate` uses. A source is asked the question of its page; where a shop has no such cases, the question
// that it has most cases of.

import type { Retriever } from '../../ml/retrieval/score-board.ts'
import { besideModel } from '../../ml/selection/beside.ts'
import {
  FamilyClimb,
  type Trial,
  tryOnce,
  tryParams,
  type TryingOptions,
  withEvaluator,
} from '../../ml/selection/family-climb.ts'
import { familyOf, type Family, type Params } from '../../ml/selection/families.ts'
import type { ListTask } from '../../ml/selection/list-task.ts'
import { type ModelQuery, mostOnPage } from '../serving/model-query.ts'
import { type Case, evenly } from './cases.ts'
import type { FitOptions } from './fit-parts.ts'
import { freeMemory } from './free-memory.ts'
import {
  type FittedSource,
  type FittedSources,
  type LearnerName,
  type Recipe,
  type Recipes,
  regressionKind,
  type TrainingRows,
} from './sources.ts'
import { climbInTurns } from './climb-in-turns.ts'
import { type KeepTables, keepingTables } from './kept-tables.ts'
import { fingerprintOf, hasPairs, readsOf, taskOf } from './search-tasks.ts'

interface Search {
  rows: TrainingRows
  items: number
  /** The rows are those of every n-th buyer, so a fit on all of them takes longer, and what is fitted serves no model. */
  everyNth: number
  repeats: ListTask['repeats']
  /** Seconds since any moment, and when the search ends in the same seconds, if all sources are fitted in so many. */
  elapsed: () => number
  until: (fitSeconds: number) => number
  /** When all sources take longer, some are left out. */
  longestFitSeconds: number
  report: (line: string) => void | Promise<void>
  onTrial?: FitOptions['onProgress']
}

interface KeepingSearch extends Search {
  keep: KeepTables
}

interface Asked extends Search {
  cases: readonly Case[]
}

const fewestCases = 100
const mostCases = 3_000
/** With time left after them, more trials gain little. */
const maxTrials = 40

const pageOf: Record<LearnerName, ModelQuery['layer']> = {
  regression: 'main_page',
  walk: 'main_page',
  factors: 'main_page',
  alike: 'main_page',
  rules: 'offer_page',
  sessions: 'offer_page',
  baskets: 'cart_page',
}

/** What to try for a source besides its present recipe. */
const alternatives = (items: number): Record<LearnerName, Omit<Recipe, 'params'>[]> => ({
  regression: [{ kind: regressionKind(items), rows: 'buyers' }],
  walk: [{ kind: 'walk', rows: 'buyers' }],
  rules: [
    { kind: 'rules', rows: 'visits' },
    { kind: 'rules', rows: 'buyers' },
  ],
  sessions: [
    { kind: 'sessions', rows: 'visits' },
    { kind: 'sessions', rows: 'buyers' },
  ],
  baskets: [
    { kind: 'walk', rows: 'baskets' },
    { kind: regressionKind(items), rows: 'baskets' },
  ],
  factors: [{ kind: 'ials', rows: 'buyers' }],
  alike: [{ kind: 'alike', rows: 'attributes' }],
})

/**
 * Cheap sources come first, so that a short search tries as many as possible. Of two equal sources the first one is
 * used.
 */
const cheapestFirst = [
  'rules',
  'walk',
  'sessions',
  'alike',
  'regression',
  'baskets',
  'factors',
] as const satisfies LearnerName[]

/** A way to make a source, with the result of its first trial. */
interface Entrant {
  name: LearnerName
  option: Omit<Recipe, 'params'>
  family: Family
  page: ModelQuery['layer']
  first: Trial
}

export interface ChosenRecipes {
  recipes: Recipes
  /** What the search has fitted by these recipes on all rows. */
  fitted: FittedSources
}

/** An entrant, and the search for its best parameters. */
interface Searched extends Entrant {
  asked: Asked
  climb: FamilyClimb<Trial>
}

/** The present recipes where there are too few cases or no time. */
export async function chooseRecipes(
  cases: readonly Case[],
  start: Recipes,
  search: Search,
): Promise<ChosenRecipes> {
  const chosen: Partial<Record<LearnerName, Recipe>> = { ...start }
  const fitted: Partial<Record<LearnerName, FittedSource>> = {}
  const { climbers, until } = await openSearch(cases, start, { ...search, keep: keepingTables(search) })
  await climbInTurns(climbers, { elapsed: search.elapsed, until })
  for (const climber of bestOfSources(climbers)) {
    const { name, option, asked, climb } = climber
    const { params, score } = climb.best
    chosen[name] = { ...option, params: withFocusFade({ ...option, params }, start[name], asked.cases) }
    const source = keptOf(climb.best, climber, search)
    if (source) fitted[name] = source
    await search.report(
      `chose ${option.kind} on ${option.rows} for ${name} (${score.toFixed(4)}): ${shown(chosen[name])}`,
    )
  }
  return { recipes: chosen, fitted }
}

/**
 * The searches from the first trials on, and when they end. The first trials are not held beside them: a function that waits
 * for the searches would keep what was fitted in all of them.
 */
async function openSearch(
  cases: readonly Case[],
  start: Recipes,
  search: KeepingSearch,
): Promise<{ climbers: readonly Searched[]; until: number }> {
  const entrants = affordableSources(await firstTrials(cases, start, search), start, search)
  const climbers = await climbersOf(entrants, cases, search)
  return { climbers, until: search.until(fitSecondsOf(entrants, search)) }
}

/**
 * The best source of the page, if it reads the same of a query: the others are judged by what they add to it. Undefined for
 * itself and for another way to make it, and where its tables were not kept.
 */
function leaderBeside({ name, page, first }: Entrant, entrants: readonly Entrant[]): Entrant | undefined {
  const [leader] = entrants.filter((it) => it.page === page).toSorted((a, b) => b.first.score - a.first.score)
  if (!leader || leader.name === name || first.score === 0) return undefined
  const readsTheSame = readsOf(leader.name, page) === readsOf(name, page)
  return readsTheSame && Object.keys(leader.first.tables).length > 0 ? leader : undefined
}

const retrieverOf = ({ option, first }: Entrant, { items }: Search): Retriever =>
  familyOf(option.kind)!.load(first.tables, first.params, items)

/** The search of each source from its first trial on, beside the best one of its page where there is time for it. */
async function climbersOf(
  entrants: readonly Entrant[],
  cases: readonly Case[],
  search: KeepingSearch,
): Promise<Searched[]> {
  const climbers: Searched[] = []
  /** By source: its alternatives are compared, so all of them are judged alike. */
  const isBeside = new Map<LearnerName, boolean>()
  for (const entrant of entrants) {
    const { name, first: alone } = entrant
    if (!isBeside.has(name)) isBeside.set(name, !isTooLate(search, entrants))
    const asked = askedOn(cases, entrant.page, search)
    const options = withEvaluator({ ...climbOf(entrant, asked), keep: search.keep(entrant) })
    const other = isBeside.get(name)! ? leaderBeside(entrant, entrants) : undefined
    const family = other ? besideModel(entrant.family, retrieverOf(other, search)) : entrant.family
    const first = other
      ? besideTrial(await tryParams(withTablesOf(family, alone), alone.params, options), alone)
      : alone
    const climb = new FamilyClimb(family, options, other ? options.keep(first) : first)
    climbers.push({ ...entrant, asked, first: { ...alone, seconds: first.seconds }, climb })
  }
  return climbers.map((it) => ({ ...it, first: { ...it.first, tables: {} } }))
}

/** The family with what a trial has fitted, if that was kept. */
const withTablesOf = (family: Family, { tables }: Trial): Family =>
  Object.keys(tables).length > 0 ? { ...family, fit: async () => tables } : family

/** A second trial of the same parameters uses what the first one fitted, so the time of its fit is that of the first. */
const besideTrial = <Tried extends Trial>(beside: Tried, { fitSeconds }: Trial): Tried => ({
  ...beside,
  fitSeconds,
  seconds: fitSeconds + beside.seconds - beside.fitSeconds,
})

/** Of several ways to make a source the best one, the first of equal ones. */
const bestOfSources = (climbers: readonly Searched[]): Searched[] =>
  [...Map.groupBy(climbers, (it) => it.name).values()].flatMap((own) => {
    const best = own.reduce((a, b) => (b.climb.best.score > a.climb.best.score ? b : a))
    return best.climb.best.score > 0 ? [best] : []
  })

/** The tables of a trial, if it was fitted on all rows. Its time is that of a fit which finds nothing done before. */
const keptOf = ({ tables }: Trial, { first }: Entrant, { everyNth }: Search): FittedSource | undefined =>
  everyNth === 1 && Object.keys(tables).length > 0 ? { tables, seconds: first.fitSeconds } : undefined

/**
 * Tries each recipe of every source once, with the parameters that the shop has now or else those of its family, and then
 * the parameters of the families where the shop had others: no source is left out because another one is tried twice.
 */
async function firstTrials(
  cases: readonly Case[],
  start: Recipes,
  search: KeepingSearch,
): Promise<readonly Entrant[]> {
  const entrants: Entrant[] = []
  const byPage = Map.groupBy(cases, (it) => it.query.layer)
  const [busiest] = [...byPage].toSorted(([, a], [, b]) => b.length - a.length).map(([page]) => page)
  const tried = new Set<string>()
  for (const name of cheapestFirst)
    for (const option of alternatives(search.items)[name]) {
      const own = byPage.get(pageOf[name])?.length ?? 0
      const page = own >= fewestCases ? pageOf[name] : busiest
      if (!page || byPage.get(page)!.length < fewestCases || isTooLate(search, entrants)) continue
      const rows = search.rows(option.rows)
      const key = [option.kind, page, readsOf(name, page), fingerprintOf(rows)].join(' ')
      if (tried.has(key) || !hasPairs(rows)) continue
      tried.add(key)
      const present = presentParams(option, start[name])
      const family = startingAt(option.kind, present ?? familyOf(option.kind)!.start, page)
      const how = climbOf({ name, option }, askedOn(cases, page, search))
      const keep = search.keep({ name, option })
      const entrant = { name, option, page, family, first: keep(await tryOnce(family, how)) }
      const isFitted = present !== undefined && isFitAlike(option.kind, present)
      entrants.push(isFitted ? await betterStart(entrant, how, keep) : entrant)
    }
  for (const [at, entrant] of entrants.entries()) {
    const present = presentParams(entrant.option, start[entrant.name])
    if (!present || isFitAlike(entrant.option.kind, present) || isTooLate(search, entrants)) continue
    const asked = askedOn(cases, entrant.page, search)
    entrants[at] = await betterStart(entrant, climbOf(entrant, asked), search.keep(entrant))
  }
  return entrants
}

/** Those of the recipe that the shop has now, if it is of this kind. */
const presentParams = (
  { kind, rows }: Omit<Recipe, 'params'>,
  present: Recipe | undefined,
): Params | undefined => (present?.kind === kind && present.rows === rows ? present.params : undefined)

/** Whether the start of the family needs no fit after one by these parameters, so that both are tried at once. */
function isFitAlike(kind: string, params: Params): boolean {
  const { start, cheapAxes } = familyOf(kind)!
  return Object.keys(start).every((name) => cheapAxes.includes(name) || start[name] === params[name])
}

/** The better of two starts: that of the entrant, and that of its family, as in `evaluate`. */
async function betterStart(
  entrant: Entrant,
  how: TryingOptions,
  keep: (trial: Trial) => Trial,
): Promise<Entrant> {
  const { first, option, page } = entrant
  const family = startingAt(option.kind, familyOf(option.kind)!.start, page)
  const other = await tryOnce(family, how)
  // A second trial may use tables of the first, so it says nothing about the cost of others.
  const seconds = Math.max(first.seconds, other.seconds)
  const fitSeconds = Math.max(first.fitSeconds, other.fitSeconds)
  const best = other.score > first.score ? { ...entrant, family, first: keep(other) } : entrant
  return { ...best, first: { ...best.first, seconds, fitSeconds } }
}

/**
 * Without the sources that cost most for what they find, as far as the fits would take time that the blend and the ranker
 * need. Those that the shop has now are kept.
 */
function affordableSources(entrants: readonly Entrant[], start: Recipes, search: Search): readonly Entrant[] {
  let kept = entrants
  while (fitSecondsOf(kept, search) > search.longestFitSeconds) {
    const costOf = ({ first }: Entrant) => first.seconds / Math.max(first.score, Number.EPSILON)
    const [costly] = kept.filter((it) => !(it.name in start)).toSorted((x, y) => costOf(y) - costOf(x))
    if (!costly) break
    kept = kept.filter((it) => it.name !== costly.name)
  }
  return kept
}

/** What a fit takes besides the sources, and more than in their trials, where tables may be there already. */
const fitOverhead = 1.5

/** The time of one fit of all sources, by their first trials. */
function fitSecondsOf(entrants: readonly Entrant[], { everyNth }: Search): number {
  const bySource = Map.groupBy(entrants, (it) => it.name).values()
  return (
    fitOverhead *
    everyNth *
    [...bySource].reduce((sum, own) => sum + Math.max(...own.map((it) => it.first.fitSeconds)), 0)
  )
}

const isTooLate = (search: Search, entrants: readonly Entrant[]): boolean =>
  search.elapsed() >= search.until(fitSecondsOf(entrants, search))

const askedOn = (cases: readonly Case[], page: ModelQuery['layer'], search: Search): Asked => ({
  ...search,
  cases: evenly(
    cases.filter((it) => it.query.layer === page),
    mostCases,
  ),
})

const climbOf = ({ name, option }: Pick<Entrant, 'name' | 'option'>, asked: Asked) => ({
  listTask: taskOf(name, asked),
  trainingSet: asked.rows(option.rows),
  clock: { elapsed: asked.elapsed, report: () => {} },
  trials: maxTrials,
  onTrial: ({ score }: Trial) => {
    freeMemory()
    return asked.onTrial?.({
      stage: 'search',
      page: asked.cases[0]!.query.layer,
      source: name,
      family: option.kind,
      score,
    })
  },
})

const shown = ({ params }: Recipe): string =>
  Object.entries(params)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')

/** The neighbours of a product in the regression; more cost time in every request and gain little. */
const keptInRegression = 300

/** A family that starts from given parameters. */
function startingAt(kind: string, given: Params, page: ModelQuery['layer']): Family {
  const family = familyOf(kind)!
  const readsAll = 'fade' in family.start ? { last: mostOnPage } : {}
  const kept = kind === 'ease' ? { keep: keptInRegression } : {}
  const start = { ...readsAll, ...given, ...kept, ...(page === 'cart_page' ? wholeCart : {}) }
  const last = 'fade' in family.start ? { last: lastAxis } : {}
  return { ...family, start, axes: { ...family.axes, ...last } }
}

const lastAxis = [3, 20, 40, 100, 200, mostOnPage]

/** The products of a cart have no order, and all of them count. */
const wholeCart = { fade: 0, last: mostOnPage }

/** On a cart page a source reads the page alone, so the fade that was found there is that of the page. */
function withFocusFade(
  { params }: Recipe,
  present: Recipe | undefined,
  cases: readonly Case[],
): Recipe['params'] {
  const { focusFade, fade, last } = present?.params ?? {}
  if (focusFade === undefined || fade === undefined || last === undefined) return params
  const isCart = cases[0]!.query.layer === 'cart_page'
  return isCart ? { ...params, fade, last, focusFade: params['fade'] ?? focusFade } : { ...params, focusFade }
}
