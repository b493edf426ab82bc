// How the list of one call is made: as usual, or as the buyer's group in an experiment wants it.

import type { About } from '../about.ts'
import type { Ask } from '../ask.ts'
import type { Serving } from '../model-keeper.ts'
import { groupOf, namedGroup } from './assign.ts'
import type { Experiment, ExperimentLayer, Group } from './experiment.ts'
import type { RunningExperiments } from './running-experiments.ts'

/** An experiment, and the group in it that a list was made for. */
export interface Part {
  experiment: Experiment
  group: Group
}

export interface Plan {
  asked: Ask
  serving: Serving | undefined
  explorationShare: number | null
  part: Part | undefined
}

/** Pages of categories are a kind of their own. */
export const layerOf = ({ layer, isCategoriesPage }: Ask): ExperimentLayer =>
  isCategoriesPage ? 'categories_page' : layer

/**
 * The part that a call has in an experiment: the group that it names, else the one that its buyer draws. Whoever chose how
 * his list is made takes part in none, and neither does somebody unknown.
 */
export function partOf(
  running: Pick<RunningExperiments, 'on'> | undefined,
  asked: Ask,
  { lot }: Pick<About, 'lot'>,
): Part | undefined {
  const experiment = running?.on(layerOf(asked))
  if (!experiment || asked.isGroupChosen) return undefined
  const said = asked.experiment === null ? undefined : namedGroup(experiment, asked.experiment)
  const group = said ?? (lot === null || asked.experiment !== null ? undefined : groupOf(experiment, lot))
  return group && { experiment, group }
}

/** What a part changes of a call. */
export function planOf(
  usual: { asked: Ask; serving: Serving | undefined },
  part: Part | undefined,
  running: Pick<RunningExperiments, 'model'> | undefined,
): Plan {
  const { asked, serving } = usual
  if (!part) return { ...usual, explorationShare: null, part }
  const { method, modelId, explorationShare } = part.group
  const own = modelId === null ? serving : running?.model(modelId)
  // Without its own model a group would be measured for something that it did not get.
  if (modelId !== null && !own) return { ...usual, explorationShare: null, part: undefined }
  const isRankedAnyway = method === 'ranker' && asked.group === 'cf'
  return {
    asked: isRankedAnyway ? { ...asked, group: 'prod' } : asked,
    serving: method === 'popular' || !own ? undefined : method === 'cf' ? { ...own, ranker: undefined } : own,
    explorationShare,
    part,
  }
}
