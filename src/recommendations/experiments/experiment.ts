// What an experiment is: groups of buyers whose lists are made in different ways, on some pages. Nothing here waits or
// knows SQL.

export const experimentLayers = ['main_page', 'offer_page', 'cart_page', 'categories_page'] as const
export type ExperimentLayer = (typeof experimentLayers)[number]

/** `ranker`: the trees order the list. `cf`: collaborative filtering alone does. `popular`: what sells, for everybody. */
export const methods = ['ranker', 'cf', 'popular'] as const
export type Method = (typeof methods)[number]

/** What a group changes; null leaves it as it is for everybody. */
export interface Group {
  name: string
  /** Of all buyers, from 0 to 1. */
  share: number
  method: Method | null
  /** Another kept model. */
  modelId: number | null
  /** How much of a list is given to goods that nobody knows yet. */
  explorationShare: number | null
}

export interface Experiment {
  id: number
  /** Its name in hashes: another slug would put everybody into another group. */
  slug: string
  name: string
  status: 'draft' | 'running' | 'stopped'
  layers: ExperimentLayer[]
  /** The first is what the others are compared with. */
  groups: Group[]
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

/** Shares are told in parts; a thousandth of a thousandth is no buyer's. */
const slack = 1e-6

/** What is wrong with groups: names that repeat, or shares above the whole. */
export function groupFaults(groups: readonly Pick<Group, 'name' | 'share'>[]): GroupFault[] {
  const names = groups.map((it) => it.name)
  return [
    ...groups.flatMap(({ name }, at) =>
      names.indexOf(name) < at ? [{ path: `groups.${at}.name`, rule: 'unique' }] : [],
    ),
    ...(groups.reduce((sum, it) => sum + it.share, 0) > 1 + slack
      ? [{ path: 'groups', rule: 'shares_within_one' }]
      : []),
  ]
}
