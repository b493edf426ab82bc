// The model that serves while another one is trained: what the new one inherits of it, and the comparison of both.

import { dayMs } from '../../base/clock.ts'
import type { Case } from './cases.ts'
import { remapTo, withServingTables } from './external-model.ts'
import { itemsOf, type TrainingProduct } from './items.ts'
import { compareModels } from './measure.ts'
import type { Comparison, Model } from './model.ts'
import { type Recipes, recipesOf } from './sources.ts'

/** What a new model starts from. Without the tables of the serving model, which are large. */
export interface Inherited extends Pick<Model, 'until' | 'repeats' | 'weights' | 'ranker' | 'external'> {
  recipes: Recipes
}

export interface ServingBaseline {
  inherited: Inherited
  /** Whether its uploaded ranker must be kept. */
  keepsRanker: boolean
  /** Reads the whole model for the comparison; undefined when it cannot be read any more. */
  load: () => Promise<Model | undefined>
}

/** An imported model is carried over to the present products. */
export const inheritedFrom = (
  { until, repeats, weights, ranker, external, items, learned }: Model,
  products: readonly TrainingProduct[],
): Inherited => ({
  until,
  repeats,
  weights,
  ranker,
  external: external && withServingTables(remapTo(external, items, itemsOf(products))),
  recipes: recipesOf(learned),
})

/** The first day that is not in the training data of the serving model, at most a week ago. */
export const comparedFrom = (weekAgo: number, baseline: ServingBaseline | undefined): number =>
  Math.max(weekAgo, (baseline?.inherited.until.getTime() ?? 0) / dayMs)

/** Compares a new model and the serving one on cases that neither has seen. */
export async function compareWithServing(
  fresh: Model,
  { load }: ServingBaseline,
  cases: readonly Case[],
): Promise<Comparison | null> {
  const live = await load()
  return live ? compareModels(fresh, live, cases) : null
}
