// Chooses the family, the training rows and the parameters of every learned source on held-out cases of the shop, by the
// search that `evaluate` uses. A source is asked the question of its page; where a shop has no such cases, the question
// that it has most cases of.

import { climbFamily, type Trial, tryOnce } from '../../ml/selection/choose-blend.ts'
import { familyOf, type Family, type Params, type Tables } from '../../ml/selection/families.ts'
import type { TrainingSet } from '../../ml/selection/training-set.ts'
import { type Case as ListCase, type ListTask, ndcg, recall } from '../../ml/selection/list-task.ts'
import { focusOf, type ModelQuery, mostOnPage, trailOf, visitOf } from '../serving/model-query.ts'
import type { Case } from './cases.ts'
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

/** The present recipes where there are too few cases or no time. */
export async function chooseRecipes(
  cases: readonly Case[],
  start: Recipes,
  search: Search,
): Promise<ChosenRecipes> {
  const chosen: Partial<Record<LearnerName, Recipe>> = { ...start }
  const fitted: Partial<Record<LearnerName, FittedSource>> = {}
  const entrants = affordableSources(await firstTrials(cases, start, search), start, search)
  const end = search.until(fitSecondsOf(entrants, search))
  let shares = entrants.reduce((sum, it) => sum + shareOf(it, entrants), 0)
  const best = new Map<LearnerName, Found>()
  for (const entrant of entrants) {
    const { name, option, family, page } = entrant
    const now = search.elapsed()
    const own = shareOf(entrant, entrants)
    const until = now + ((end - now) * own) / shares
    shares -= own
    const asked = askedOn(cases, page, search)
    const trial = await climbFamily(family, { ...climbOf(entrant, asked), until }, entrant.first)
    const { params, score } = trial
    const found = { recipe: { ...option, params }, score, asked, source: keptOf(trial, entrant, search) }
    if (score > (best.get(name)?.score ?? 0)) best.set(name, found)
  }
  for (const [name, { recipe, score, asked, source }] of best) {
    chosen[name] = { ...recipe, params: withFocusFade(recipe, start[name], asked.cases) }
    if (source) fitted[name] = source
    await search.report(
      `chose ${recipe.kind} on ${recipe.rows} for ${name} (${score.toFixed(4)}): ${shown(chosen[name])}`,
    )
  }
  return { recipes: chosen, fitted }
}

/** The best of a source, and what was fitted by it. */
interface Found {
  recipe: Recipe
  score: number
  asked: Asked
  source: FittedSource | undefined
}

/** The tables of a trial, if it was fitted on all rows. Its time is that of a fit which finds nothing done before. */
const keptOf = ({ tables }: Trial, { first }: Entrant, { everyNth }: Search): FittedSource | undefined =>
  everyNth === 1 && Object.keys(tables).length > 0 ? { tables, seconds: first.fitSeconds } : undefined

/** Of the tables of all first trials together. */
const mostKeptBytes = 400e6

const bytesOf = (tables: Tables): number =>
  Object.values(tables).reduce((sum, { byteLength }) => sum + byteLength, 0)

/**
 * Tries each recipe of every source once, so that most of the time goes to the good ones. The best sources of a page
 * come first; time that one does not use is left to the next ones.
 */
async function firstTrials(
  cases: readonly Case[],
  start: Recipes,
  search: Search,
): Promise<readonly Entrant[]> {
  const entrants: Entrant[] = []
  let keptBytes = 0
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
      const asked = { ...askedOn(cases, page, search), isTooLate: () => isTooLate(search, entrants) }
      const entrant = await bestStart({ name, option, page }, start[name], asked)
      const bytes = bytesOf(entrant.first.tables)
      const isKept = search.everyNth === 1 && keptBytes + bytes <= mostKeptBytes
      if (isKept) keptBytes += bytes
      entrants.push(isKept ? entrant : { ...entrant, first: { ...entrant.first, tables: {} } })
    }
  return entrants.toSorted((a, b) => b.first.score - a.first.score)
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
const fitOverhead = 1.2

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

/** The better of two starts: that of the family, as in `evaluate`, and the recipe that the shop has now. */
async function bestStart(
  entrant: Omit<Entrant, 'family' | 'first'>,
  present: Recipe | undefined,
  asked: Asked & { isTooLate: () => boolean },
): Promise<Entrant> {
  const { kind, rows } = entrant.option
  const isPresent = present?.kind === kind && present.rows === rows
  const tried: Entrant[] = []
  for (const params of [familyOf(kind)!.start, ...(isPresent ? [present.params] : [])]) {
    if (tried.length > 0 && asked.isTooLate()) break
    const family = startingAt(kind, params, entrant.page)
    tried.push({ ...entrant, family, first: await tryOnce(family, climbOf(entrant, asked)) })
  }
  const best = tried.reduce((a, b) => (b.first.score > a.first.score ? b : a))
  // A second trial may use tables of the first, so it says nothing about the cost of others.
  const most = (time: 'seconds' | 'fitSeconds') => Math.max(...tried.map((it) => it.first[time]))
  return { ...best, first: { ...best.first, seconds: most('seconds'), fitSeconds: most('fitSeconds') } }
}

/** The same for the same rows in any order: whole histories and visits are one thing where each buyer came once. */
function fingerprintOf({ rows, alike }: TrainingSet): string {
  let sum = 0
  for (let row = 0; row < rows.rows; row++) {
    const size = rows.offsets[row + 1]! - rows.offsets[row]!
    for (let at = rows.offsets[row]!; at < rows.offsets[row + 1]!; at++) sum += size * (rows.indices[at]! + 1)
  }
  return `${rows.indices.length} ${sum} ${alike?.indices.length ?? 0}`
}

/** Halves from the best of a page to the next, and follows the cost of a trial, so that each gets some trials. */
function shareOf(entrant: Entrant, entrants: readonly Entrant[]): number {
  const { page, first } = entrant
  const rank = entrants.filter((it) => it.page === page && it.first.score > first.score).length
  return (first.seconds + leastSeconds) / 2 ** rank
}

const leastSeconds = 0.1

const askedOn = (cases: readonly Case[], page: ModelQuery['layer'], search: Search): Asked => ({
  ...search,
  cases: sampled(cases.filter((it) => it.query.layer === page)),
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

function sampled(cases: readonly Case[]): readonly Case[] {
  const stride = Math.max(1, cases.length / mostCases)
  return Array.from({ length: Math.min(mostCases, cases.length) }, (_, at) => cases[Math.floor(at * stride)]!)
}

const fewestPairs = 50

/** Whether enough rows hold two items: a source learns nothing from single ones. */
function hasPairs({ rows, alike }: TrainingSet): boolean {
  if (alike) return true
  let count = 0
  for (let row = 0; row < rows.rows && count < fewestPairs; row++)
    if (rows.offsets[row + 1]! - rows.offsets[row]! > 1) count++
  return count >= fewestPairs
}

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

/** What a source reads of a query, as in `candidates.ts`; in the cart all sources but rules and sessions read the page. */
const readsOf = (name: LearnerName, layer: ModelQuery['layer']): keyof typeof inputs =>
  name === 'rules' || name === 'sessions'
    ? layer === 'main_page'
      ? 'trail'
      : 'visit'
    : name === 'baskets' || layer === 'cart_page'
      ? 'focus'
      : 'trail'

const inputs = { visit: visitOf, focus: focusOf, trail: trailOf }

/** Held-out cases as a list task. */
function taskOf(name: LearnerName, { items, repeats, cases }: Asked): ListTask {
  const asked = cases.map(({ query, grades }): ListCase => ({
    label: '',
    history: Int32Array.from(inputs[readsOf(name, query.layer)](query)),
    relevant: Int32Array.from(grades.keys()),
  }))
  return {
    items,
    names: [],
    slice: { fit: [], cases: asked, all: asked },
    fit: [],
    cases: () => asked,
    repeats: cases[0]?.query.layer === 'cart_page' ? 'excluded' : repeats,
    order: 'time',
    rows: 'oldest_first',
    measures: [ndcg(10), recall(20)],
  }
}
