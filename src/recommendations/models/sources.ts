// The learned sources of a served model: model families of `src/ml` with the parameters that training chose for this shop.
// `evaluate` fits the same families.

import { familyOf, type Params, type Tables } from '../../ml/selection/families.ts'
import { newTrainingSet, type TrainingSet } from '../../ml/selection/training-set.ts'
import type { ItemInteraction } from '../serving/buyer-profile.ts'
import { sessionGapDays } from '../serving/model-query.ts'
import { freeMemory } from './free-memory.ts'
import type { Histories, Steps } from './histories.ts'
import { type RowsName, sequencesOf } from './item-sequences.ts'
import type { TrainingProduct } from './items.ts'
import { wordsOf } from './twins.ts'

export const learnerNames = [
  'regression',
  'walk',
  'rules',
  'baskets',
  'sessions',
  'factors',
  'alike',
] as const
export type LearnerName = (typeof learnerNames)[number]

/** A family, its training rows and its parameters. */
export interface Recipe {
  kind: string
  rows: RowsName
  params: Params
}

export interface Learned extends Recipe {
  tables: Tables
}

/** A source without a recipe is not fitted and costs nothing. */
export type Recipes = Readonly<Partial<Record<LearnerName, Recipe>>>
export type LearnedSources = Readonly<Partial<Record<LearnerName, Learned>>>

/** Ridge regressions replace exact EASE, whose time is cubic in the items, at the size where they do in `evaluate`. */
export const regressionKind = (items: number): 'ease' | 'ridge' =>
  familyOf('ease')!.suits({ items, order: 'none', repeats: 'allowed' }) ? 'ease' : 'ridge'

/** Where the search starts, and what a training without a search uses. */
export const startRecipes = (items: number): Recipes => ({
  regression: {
    kind: regressionKind(items),
    rows: 'buyers',
    params: {
      lambda: 30,
      damping: 0.2,
      keep: 120,
      support: 100,
      fromPower: 0,
      toPower: 0,
      fade: 0.02,
      last: 40,
      focusFade: 0.2,
    },
  },
  walk: {
    kind: 'walk',
    rows: 'buyers',
    params: { rowPower: 0.7, fromPower: 0.5, toPower: 0.3, keep: 100, fade: 0.05, last: 40 },
  },
  rules: {
    kind: 'rules',
    rows: 'visits',
    params: {
      stepPower: 1,
      maxStep: 6,
      toPower: 0.1,
      ageFade: 0.5,
      backward: 0.3,
      itself: 0,
      keep: 80,
      fade: 0.5,
      last: 3,
    },
  },
  baskets: {
    kind: 'walk',
    rows: 'baskets',
    params: { rowPower: 0.5, fromPower: 0.5, toPower: 0.3, keep: 60, fade: 0.1, last: 20 },
  },
})

/** The training rows of a shop, made when a family first needs them. */
export type TrainingRows = (rows: RowsName) => TrainingSet

export function trainingRowsOf(
  buyers: Histories,
  products: readonly TrainingProduct[],
  { seed, threads }: { seed: number; threads: number },
): TrainingRows {
  const known = new Map<RowsName, TrainingSet>()
  return (rows) => {
    const found =
      known.get(rows) ??
      newTrainingSet(sequencesOf[rows](buyers), products.length, {
        seed,
        threads,
        alike: rows === 'attributes' ? attributeGroups(products) : undefined,
      })
    known.set(rows, found)
    return found
  }
}

/** Larger groups say little about what is alike and cost the square of their size. */
const largestGroup = 500

/** Products that share a word of their names, a category or a brand. */
function attributeGroups(products: readonly TrainingProduct[]): Int32Array[] {
  const groups = new Map<string, number[]>()
  const put = (key: string, item: number) => {
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  products.forEach(({ words, categoryId, brandId }, item) => {
    for (const word of new Set(wordsOf(words))) put(word, item)
    put(`category ${categoryId}`, item)
    if (brandId !== 0) put(`brand ${brandId}`, item)
  })
  return [...groups.values()]
    .filter((group) => group.length > 1 && group.length <= largestGroup)
    .map((group) => Int32Array.from(group))
}

/** Visits: a pause of half an hour ends one. */
export function splitByPause(steps: Steps): ItemInteraction[][] {
  const visits: ItemInteraction[][] = []
  for (const [at, step] of steps.entries()) {
    const before = steps[at - 1]
    if (before && step.day - before.day <= sessionGapDays) visits.at(-1)!.push(step)
    else visits.push([step])
  }
  return visits
}

/** What was fitted before by the recipe of a source on the same rows, and the time of such a fit. */
export interface FittedSource {
  tables: Tables
  seconds: number
}
export type FittedSources = Readonly<Partial<Record<LearnerName, FittedSource>>>

export type TimedFit = (source: LearnerName, fit: () => Promise<Tables>) => Promise<Tables>

/** `timed` runs the fit of one source, for callers that measure it; those of `fitted` are used as they are. */
export async function fitSources(
  rows: TrainingRows,
  recipes: Recipes,
  { timed = (_, fit) => fit(), fitted = {} }: { timed?: TimedFit | undefined; fitted?: FittedSources } = {},
): Promise<LearnedSources> {
  const learned: Partial<Record<LearnerName, Learned>> = {}
  for (const name of learnerNames) {
    const recipe = recipes[name]
    if (!recipe) continue
    const fit = async () => familyOf(recipe.kind)!.fit(rows(recipe.rows), recipe.params)
    learned[name] = { ...recipe, tables: fitted[name]?.tables ?? (await timed(name, fit)) }
    freeMemory()
  }
  return learned
}

export const recipesOf = (learned: LearnedSources): Recipes =>
  Object.fromEntries(
    Object.entries(learned).map(([name, { kind, rows, params }]) => [name, { kind, rows, params }]),
  )

const fewestSteps = 1_000

/**
 * Whether lists may hold what a buyer has seen: not where no buyer ever touches an item twice, as in data that lists each
 * item of a buyer once.
 */
export function repeatsIn(buyers: Histories): 'allowed' | 'excluded' {
  const returns = (steps: Steps) => new Set(steps.map((it) => it.item)).size < steps.length
  if (buyers.size < fewestSteps) return 'allowed'
  for (const steps of buyers) if (returns(steps)) return 'allowed'
  return 'excluded'
}
