// An experiment: groups of buyers whose lists are built differently on some pages.

export const experimentLayers = ['main_page', 'offer_page', 'cart_page', 'categories_page'] as const
export type ExperimentLayer = (typeof experimentLayers)[number]

/** `ranker`: the trees rank the list. `cf`: collaborative filtering alone. `popular`: popular products, not personal. */
export const methods = ['ranker', 'cf', 'popular'] as const
export type Method = (typeof methods)[number]

/** What a group changes; null keeps the default. */
export interface Group {
  name: string
  /** Of all buyers, from 0 to 1. */
  share: number
  method: Method | null
  /** Another stored model. */
  modelId: number | null
  /** The share of a list for products that the model has not seen. */
  explorationShare: number | null
  /** The share of lists whose first places are in a random order, for off-policy estimates. */
  shuffledShare?: number | null
}

export interface Experiment {
  id: number
  /** Part of the assignment hash, so it never changes. */
  slug: string
  name: string
  status: 'draft' | 'running' | 'stopped'
  layers: ExperimentLayer[]
  /** The first is the baseline. */
  groups: Group[]
  /** The largest loss of purchases, as a share of the first group's, before the experiment stops itself; null for no limit. */
  maxHarm: number | null
  /** `operator`, or `harm: group, …`; null while it is not stopped. */
  stopReason: string | null
  version: number
  createdAt: Date
  updatedAt: Date
  startedAt: Date | null
  stoppedAt: Date | null
}

export interface GroupFault {
  path: string
  rule: string
}

/** Tolerates floating-point error in the sum. */
const slack = 1e-6

/** Names that repeat in any letter case, or shares that add up to more than one. */
export function groupFaults(groups: readonly Pick<Group, 'name' | 'share'>[]): GroupFault[] {
  const names = groups.map((it) => it.name.toLowerCase())
  return [
    ...groups.flatMap(({ name }, at) =>
      names.indexOf(name.toLowerCase()) < at ? [{ path: `groups.${at}.name`, rule: 'unique' }] : [],
    ),
    ...(groups.reduce((sum, it) => sum + it.share, 0) > 1 + slack
      ? [{ path: 'groups', rule: 'shares_within_one' }]
      : []),
  ]
}
