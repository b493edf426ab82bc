// What another model would have earned, from the lists of a group with a random order of first places.

import { Type } from 'typebox'
import type { Environment, Reader } from '../../base/database.ts'
import { refuse } from '../../base/refusal.ts'
import type { Catalog } from '../../catalog/index.ts'
import { get, type Route } from '../../http/route.ts'
import { idText, integer, oneOf, strict, text } from '../../http/schema.ts'
import { assumedFrom, type RebuildDeps, rebuildList, shownOffers } from '../explain/rebuild-list.ts'
import type { ActiveModel, ServingModel } from '../models/active-model.ts'
import { findModel } from '../models/store.ts'
import { explorationShareOf } from './assignment.ts'
import { type Method, methods } from './experiment.ts'
import { confidence } from './intervals.ts'
import * as lists from './list-store.ts'
import { estimateOffPolicy, type LoggedOutcome } from './off-policy.ts'
import type { ShownList } from './shown-list.ts'
import { offerRefOf } from './shown-list.ts'
import * as store from './store.ts'
import { difference, differenceView, estimate, estimateView } from './wire.ts'

const rewards = ['click', 'purchase'] as const
const usualLists = 500
/** Each list is built again by the other model. */
const mostLists = 2_000
/** The offers of so many lists are held in memory. */
const listsAtOnce = 50

export interface OffPolicyDeps {
  catalog: Catalog
  models: Record<Environment, ActiveModel>
}

export const offPolicyRoutes = ({ catalog, models }: OffPolicyDeps): Route[] => [
  get('/v1/recommendations/experiments/{experiment_id}/off-policy', {
    summary: 'Estimate what another model would have earned',
    description:
      'From the latest lists of a group with `shuffled_share`: their first six places were partly in a random order, and the probability of every place is logged. Each list is built again by the other model for the same buyer and instant. `present` is the ranking of the group without shuffling, `inverse_propensity` and `doubly_robust` are the other model, each as rewards per list on the first six places, with a 95 % interval over buyers. `difference` is doubly robust. `support` is the share of the other model’s first places whose offer the shown list had among its first; the outcome of the rest is unknown, so inverse propensities count it as 0, and the doubly robust estimate as an average offer of that place. Both take the outcome of an offer to depend on its place and not on its neighbours.',
    scope: 'admin:read',
    mayLag: true,
    params: { experiment_id: idText },
    query: strict({
      group: text({ max: 50, examples: ['control'] }),
      model_id: Type.Optional(idText),
      method: Type.Optional(oneOf(methods)),
      reward: Type.Optional(oneOf(rewards, { description: '`click` by default.' })),
      lists: Type.Optional(integer(1, mostLists)),
    }),
    reply: Type.Object({
      confidence: Type.Number({ examples: [confidence] }),
      reward: oneOf(rewards),
      lists: Type.Integer(),
      buyers: Type.Integer(),
      support: Type.Number(),
      logged: estimate,
      present: estimate,
      inverse_propensity: estimate,
      doubly_robust: estimate,
      difference,
    }),
    refusals: ['not_found', 'validation_failed'],
    run: async ({ read, params, query, environment }) => {
      const experiment = await store.findExperiment(read, Number(params.experiment_id))
      if (!experiment) throw refuse('not_found')
      if (!experiment.groups.some((it) => it.name === query.group))
        throw refuse('validation_failed', { fields: [{ path: 'group', rule: 'exists' }] })
      const serving = await otherModel(read, models[environment], query)
      const reward = query.reward ?? 'click'
      const shown = await lists.shuffledLists(read, {
        experimentId: experiment.id,
        group: query.group,
        limit: query.lists ?? usualLists,
      })
      const explorationShare = explorationShareOf(experiment, query.group)
      const replay = { reward, serving, explorationShare, catalog, environment }
      const outcomes = await outcomesOf(read, shown, replay)
      const found = estimateOffPolicy(outcomes)
      return {
        data: {
          confidence,
          reward,
          lists: found.lists,
          buyers: found.buyers,
          support: found.support,
          logged: estimateView(found.logged),
          present: estimateView(found.present),
          inverse_propensity: estimateView(found.inversePropensity),
          doubly_robust: estimateView(found.doublyRobust),
          difference: differenceView(found.difference),
        },
      }
    },
  }),
]

/** A stored model or the active one, ranked as the method says; undefined for popular products. */
async function otherModel(
  read: Reader,
  models: ActiveModel,
  { model_id: id, method }: { model_id?: string | undefined; method?: Method | undefined },
): Promise<ServingModel | undefined> {
  if (id !== undefined && !(await findModel(read, Number(id))))
    throw refuse('validation_failed', { fields: [{ path: 'model_id', rule: 'exists' }] })
  if (method === 'popular') return undefined
  const serving = id === undefined ? models.serving : await models.load(Number(id))
  return method === 'cf' && serving ? { ...serving, ranker: undefined } : serving
}

interface ReplayDeps extends Pick<OffPolicyDeps, 'catalog'>, Pick<RebuildDeps, 'explorationShare'> {
  environment: Environment
  reward: (typeof rewards)[number]
  serving: ServingModel | undefined
}

async function outcomesOf(
  read: Reader,
  shown: readonly ShownList[],
  { reward, ...deps }: ReplayDeps,
): Promise<LoggedOutcome[]> {
  const rewarded = await lists.offersWith(
    read,
    reward,
    shown.map((it) => it.id),
  )
  const outcomes: LoggedOutcome[] = []
  let offers: Awaited<ReturnType<typeof shownOffers>> = new Map()
  for (const [at, list] of shown.entries()) {
    if (at % listsAtOnce === 0) offers = await shownOffers(read, shown.slice(at, at + listsAtOnce))
    const shuffle = list.request.shuffle!
    const first = list.offers.slice(0, shuffle.order.length).map((it) => it.ref)
    const other = await rebuildList(read, list, { ...deps, assumedForSale: assumedFrom(list, offers) })
    outcomes.push({
      buyer: list.buyer!,
      shuffle,
      rewards: first.map((ref) => Number(rewarded.has(`${list.id} ${ref}`))),
      target: shuffle.order.map((_, place) => {
        const offer = other.offers[place]
        return offer ? (shuffle.order[first.indexOf(offerRefOf(offer))] ?? -1) : -1
      }),
    })
  }
  return outcomes
}
