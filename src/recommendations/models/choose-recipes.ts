// Chooses the family, the training rows and the parameters of every learned source on held-out cases of the shop, by the
// search that `evaluate` uses. A source is asked the question of its page; where a shop has no such cases, the question
// that it has most cases of.

import { climbFamily } from '../../ml/selection/choose-blend.ts'
import { familyOf, type Family } from '../../ml/selection/families.ts'
import type { TrainingSet } from '../../ml/selection/training-set.ts'
import { type Case as ListCase, type ListTask, ndcg, recall } from '../../ml/selection/list-task.ts'
import { focusOf, type ModelQuery, trailOf, visitOf } from '../serving/model-query.ts'
import type { Case } from './cases.ts'
import {
  type LearnerName,
  learnerNames,
  type Recipe,
  type Recipes,
  regressionKind,
  type TrainingRows,
} from './sources.ts'

interface Search {
  rows: TrainingRows
  items: number
  repeats: ListTask['repeats']
  /** Seconds since any moment, and when the search ends in the same seconds. */
  elapsed: () => number
  until: number
  report: (line: string) => void | Promise<void>
}

interface AskedSearch extends Search {
  cases: readonly Case[]
}

const fewestCases = 100
const mostCases = 1_500
/** With time left after them, more trials gain little. */
const maxTrials = 40

const pageOf: Record<LearnerName, ModelQuery['layer']> = {
  regression: 'main_page',
  walk: 'main_page',
  factors: 'main_page',
  rules: 'offer_page',
  sessions: 'offer_page',
  baskets: 'cart_page',
}

/** Shares of the time; what a source does not use is left to those after it. */
const shareOf: Record<LearnerName, number> = {
  regression: 4,
  sessions: 3,
  walk: 2,
  rules: 2,
  baskets: 2,
  factors: 2,
}

const inSearchOrder = learnerNames.toSorted((a, b) => shareOf[b] - shareOf[a])

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
})

/** The present recipes where there are too few cases or no time. */
export async function chooseRecipes(
  cases: readonly Case[],
  start: Recipes,
  search: Search,
): Promise<Recipes> {
  const chosen: Partial<Record<LearnerName, Recipe>> = { ...start }
  const byPage = Map.groupBy(cases, (it) => it.query.layer)
  const [busiest] = [...byPage.values()].toSorted((a, b) => b.length - a.length)
  let shares = learnerNames.reduce((sum, name) => sum + shareOf[name], 0)
  for (const name of inSearchOrder) {
    const own = byPage.get(pageOf[name]) ?? []
    const used = own.length >= fewestCases ? own : (busiest ?? [])
    if (used.length < fewestCases) continue
    const now = search.elapsed()
    const until = now + ((search.until - now) * shareOf[name]) / shares
    shares -= shareOf[name]
    const found = await bestRecipe(name, start[name], { ...search, until, cases: sampled(used) })
    if (!found) continue
    chosen[name] = found
    await search.report(`chose ${found.kind} on ${found.rows} for ${name}: ${shown(found)}`)
  }
  return chosen
}

const shown = ({ params }: Recipe): string =>
  Object.entries(params)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')

function sampled(cases: readonly Case[]): readonly Case[] {
  const stride = Math.max(1, cases.length / mostCases)
  return Array.from({ length: Math.min(mostCases, cases.length) }, (_, at) => cases[Math.floor(at * stride)]!)
}

async function bestRecipe(
  name: LearnerName,
  present: Recipe | undefined,
  search: AskedSearch,
): Promise<Recipe | undefined> {
  const { rows, items, elapsed, until, cases } = search
  const listTask = taskOf(name, search)
  let best: { recipe: Recipe; score: number } | undefined
  const options = alternatives(items)[name]
  for (const [at, option] of options.entries()) {
    const now = elapsed()
    if (now >= until) break
    if (!hasPairs(rows(option.rows))) continue
    const { params, score } = await climbFamily(startingAt(option, present), {
      listTask,
      trainingSet: rows(option.rows),
      clock: { elapsed, report: () => {} },
      until: now + (until - now) / (options.length - at),
      trials: maxTrials,
    })
    if (!best || score > best.score) best = { recipe: { ...option, params }, score }
  }
  return best && { ...best.recipe, params: withFocusFade(best.recipe, present, cases) }
}

const fewestPairs = 50

/** Whether enough rows hold two items: a source learns nothing from single ones. */
function hasPairs({ rows }: TrainingSet): boolean {
  let count = 0
  for (let row = 0; row < rows.rows && count < fewestPairs; row++)
    if (rows.offsets[row + 1]! - rows.offsets[row]! > 1) count++
  return count >= fewestPairs
}

/** A family that starts where the shop is now. */
function startingAt({ kind, rows }: Omit<Recipe, 'params'>, present: Recipe | undefined): Family {
  const family = familyOf(kind)!
  const start = present?.kind === kind && present.rows === rows ? present.params : family.start
  const last = 'fade' in family.start ? { last: [3, 20, 40, 100] } : {}
  const keep = kind === 'ease' ? { keep: [120, 300] } : {}
  return { ...family, start: { last: 40, ...start }, axes: { ...keep, ...family.axes, ...last } }
}

/** On a cart page a source reads the page alone, so the fade that was found there is that of the page. */
function withFocusFade(
  { params }: Recipe,
  present: Recipe | undefined,
  cases: readonly Case[],
): Recipe['params'] {
  const { focusFade, fade } = present?.params ?? {}
  if (focusFade === undefined || fade === undefined) return params
  const isCart = cases[0]!.query.layer === 'cart_page'
  return isCart ? { ...params, fade, focusFade: params['fade'] ?? focusFade } : { ...params, focusFade }
}

/** What a source reads of a query, as in `candidates.ts`; in the cart all sources but rules and sessions read the page. */
const inputOf = (name: LearnerName, query: ModelQuery): readonly number[] =>
  name === 'rules' || name === 'sessions'
    ? visitOf(query)
    : name === 'baskets' || query.layer === 'cart_page'
      ? focusOf(query)
      : trailOf(query)

/** Held-out cases as a list task. */
function taskOf(name: LearnerName, { items, repeats, cases }: AskedSearch): ListTask {
  const asked = cases.map(({ query, grades }): ListCase => ({
    label: '',
    history: Int32Array.from(inputOf(name, query)),
    relevant: Int32Array.from(grades.keys()),
  }))
  return {
    items,
    names: [],
    slice: { fit: [], cases: asked, all: asked },
    fit: [],
    cases: () => asked,
    repeats,
    order: 'time',
    measures: [ndcg(10), recall(20)],
  }
}
