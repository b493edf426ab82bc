// A few places of a list are for goods that no model has met: without them nobody would ever learn whom they please.

import { type Shelves } from '../catalog/index.ts'
import type { About } from './about.ts'
import { buyingOf } from './ask.ts'
import { placeOf } from './experiments/assign.ts'
import type { Plan } from './experiments/plan.ts'
import type { Rule } from './trace.ts'

/** They are tried at these places, unless an experiment wants it otherwise. */
const usualPlaces = [9, 19]
/** So many of the newest take turns. */
const mostInTurn = 40
const dayMs = 86_400_000

/** The new goods that get a place: near what the buyer is about, and others tomorrow than today. */
export async function trialsFor(
  { asked, serving, explorationShare }: Plan,
  goods: Shelves,
  known: { about: About; leaning: number | null; now: Date; unwanted: ReadonlyMap<number, Rule> },
): Promise<number[]> {
  const categoryId = asked.categoryId ?? known.leaning
  const places = placesFor(asked.limit, explorationShare)
  if (!serving || categoryId === null || places.length === 0) return []
  if (goods.newestMs() <= serving.model.until.getTime()) return []
  const newest = await goods.newestProducts({ ...buyingOf(asked), categoryId, limit: mostInTurn })
  const unmet = newest.filter((it) => !serving.placeOf.has(it) && !known.unwanted.has(it))
  const today = Math.floor(known.now.getTime() / dayMs)
  const first = Math.floor(placeOf('trials', `${known.about.buyer} ${today}`) * unmet.length)
  return [...unmet.slice(first), ...unmet.slice(0, first)].slice(0, places.length)
}

/** They get their places among those that a model would show. */
export function withTrials(
  productIds: readonly number[],
  trials: readonly number[],
  { asked, explorationShare }: Plan,
): readonly number[] {
  if (trials.length === 0) return productIds
  const places = placesFor(asked.limit, explorationShare)
  const mixed = [...productIds]
  trials.forEach((id, at) => mixed.splice(Math.min(mixed.length, places[at]!), 0, id))
  return mixed
}

/** Spread evenly, the first never first. */
function placesFor(limit: number, share: number | null): readonly number[] {
  if (share === null) return usualPlaces
  const count = Math.round(limit * share)
  return Array.from({ length: count }, (_, at) => Math.floor(((at + 1) * limit) / (count + 1)))
}
