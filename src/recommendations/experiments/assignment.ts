// Assigns buyers to experiment groups and derives how the list of one call is built.

import { sha256 } from '../../base/random.ts'
import type { ServingModel } from '../models/active-model.ts'
import type { BuyerContext } from '../serving/buyer-context.ts'
import type { RecommendationRequest } from '../serving/request.ts'
import type { Experiment, ExperimentLayer, Group } from './experiment.ts'
import type { RunningExperiments } from './running-experiments.ts'

/** A uniform share from 0 to 1 for a key, independent between slugs. */
export const hashShare = (slug: string, key: string): number =>
  sha256(`${slug}/${key}`).readUIntBE(0, 6) / 2 ** 48

/**
 * The group of a buyer, or undefined outside all shares. A pure function of slug and key, so all nodes and calls agree
 * without coordination.
 */
export function assignedGroup(
  experiment: Pick<Experiment, 'slug' | 'groups'>,
  experimentKey: string,
): Group | undefined {
  let rest = hashShare(experiment.slug, experimentKey)
  for (const group of experiment.groups) {
    if (rest < group.share) return group
    rest -= group.share
  }
  return undefined
}

/** The group that a caller names: `group`, or `experiment:group`, in any letter case. */
export function namedGroup(
  { slug, groups }: Pick<Experiment, 'slug' | 'groups'>,
  name: string,
): Group | undefined {
  const wanted = name.toLowerCase()
  return groups.find((it) => [it.name, `${slug}:${it.name}`].some((own) => own.toLowerCase() === wanted))
}

/** The share of new products in the lists of a group. Groups never change after the start of their experiment. */
export const explorationShareOf = (experiment: Pick<Experiment, 'groups'>, name: string): number | null =>
  experiment.groups.find((it) => it.name === name)?.explorationShare ?? null

/** The experiment and group that a list was built for. */
export interface Participation {
  experiment: Experiment
  group: Group
}

export interface ListPlan {
  request: RecommendationRequest
  serving: ServingModel | undefined
  explorationShare: number | null
  /** The share of lists whose first places are shuffled; 0 outside experiments. */
  shuffledShare?: number
  participation: Participation | undefined
}

/** Category pages are an experiment layer of their own. */
export const experimentLayerOf = ({ layer, isCategoriesPage }: RecommendationRequest): ExperimentLayer =>
  isCategoriesPage ? 'categories_page' : layer

/**
 * The group that the call names, else the one that the buyer is assigned to. Calls with a chosen ranking group and
 * anonymous callers do not participate.
 */
export function participationOf(
  running: Pick<RunningExperiments, 'runningOn'> | undefined,
  request: RecommendationRequest,
  { experimentKey }: Pick<BuyerContext, 'experimentKey'>,
): Participation | undefined {
  const experiment = running?.runningOn(experimentLayerOf(request))
  if (!experiment || request.isGroupChosen) return undefined
  const { experimentGroup } = request
  if (experimentGroup !== null) {
    const group = namedGroup(experiment, experimentGroup)
    return group && { experiment, group }
  }
  const group = experimentKey === null ? undefined : assignedGroup(experiment, experimentKey)
  return group && { experiment, group }
}

/** What participation changes: ranking method, model, exploration. */
export function planOf(
  usual: { request: RecommendationRequest; serving: ServingModel | undefined },
  participation: Participation | undefined,
  running: Pick<RunningExperiments, 'model'> | undefined,
): ListPlan {
  const { request, serving } = usual
  if (!participation) return { ...usual, explorationShare: null, participation }
  const { method, modelId, explorationShare, shuffledShare } = participation.group
  const own = modelId === null ? serving : running?.model(modelId)
  // Without its own model the group would be measured for lists that it did not get.
  if (modelId !== null && !own) return { ...usual, explorationShare: null, participation: undefined }
  const forcesRanker = method === 'ranker' && request.group === 'cf'
  return {
    request: forcesRanker ? { ...request, group: 'prod' } : request,
    serving: method === 'popular' || !own ? undefined : method === 'cf' ? { ...own, ranker: undefined } : own,
    explorationShare,
    shuffledShare: shuffledShare ?? 0,
    participation,
  }
}
