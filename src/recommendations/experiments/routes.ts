// Routes of experiments.

import { Type } from 'typebox'
import type { Reader } from '../../base/database.ts'
import { refuse } from '../../base/refusal.ts'
import { listingOf, listQuery, pagination, paginationView } from '../../http/listing.ts'
import { del, get, patch, post, type Route } from '../../http/route.ts'
import { changes, idText, list, nullable, oneOf, strict, text } from '../../http/schema.ts'
import { loadHistory } from '../interactions/history.ts'
import { assignedGroup } from './assignment.ts'
import type { Experiment } from './experiment.ts'
import { confidence } from './intervals.ts'
import {
  changeExperiment,
  createExperiment,
  deleteExperiment,
  startExperiment,
  stopExperiment,
} from './manage-experiments.ts'
import { sumsOfExperiment } from './metrics-store.ts'
import { resultsOf } from './results.ts'
import * as store from './store.ts'
import {
  experimentReply,
  experimentView,
  groupOf,
  maxHarm,
  maxHarmField,
  maxHarmOf,
  planFields,
  resultsReply,
  resultView,
  slugField,
} from './wire.ts'

const path = '/v1/recommendations/experiments'
const params = { experiment_id: idText }
const oneExperiment = Type.Object({ experiment: experimentReply })
const reply = (it: Experiment) => ({ data: { experiment: experimentView(it) }, version: it.version })

export const experimentRoutes: Route[] = [
  get(path, {
    summary: 'List experiments',
    scope: 'admin:read',
    query: listQuery(store.experimentSorts, {
      status: Type.Optional(oneOf(['draft', 'running', 'stopped'])),
    }),
    reply: Type.Object({ experiments: list(experimentReply, 100), pagination }),
    run: async ({ read, query }) => {
      const listing = listingOf(query, 'created_at')
      const slice = await store.listExperiments(read, { status: query.status }, listing)
      return {
        data: { experiments: slice.rows.map(experimentView), pagination: paginationView(listing, slice) },
      }
    },
  }),
  post(path, {
    summary: 'Create an experiment',
    description:
      'Groups of buyers get differently built lists: ranked by the ranker, by collaborative filtering alone, or by popularity (`method`); by another stored model (`model_id`); with another share of new products (`exploration_share`). A hash of the slug and the buyer’s key decides the group, so it is the same on every call and node, and a guest keeps it after signing in. The experiment changes nothing until it is started.',
    scope: 'admin:write',
    body: strict({ slug: slugField, ...planFields, max_harm: maxHarmField }),
    reply: oneExperiment,
    creates: true,
    run: async ({ tx, body: { max_harm, ...body } }) =>
      reply(
        await createExperiment(tx, {
          ...body,
          groups: body.groups.map(groupOf),
          maxHarm: maxHarmOf(max_harm),
        }),
      ),
  }),
  get(`${path}/{experiment_id}`, {
    summary: 'Get an experiment',
    scope: 'admin:read',
    params,
    reply: oneExperiment,
    run: async ({ read, params }) => reply(await found(read, params.experiment_id)),
  }),
  patch(`${path}/{experiment_id}`, {
    summary: 'Change an experiment',
    description:
      'A draft can be changed freely, `max_harm` included; after the start only the name can change, because the bound holds for one limit over all checks.',
    scope: 'admin:write',
    params,
    body: changes({ ...planFields, max_harm: maxHarm }),
    reply: oneExperiment,
    versioned: true,
    refusals: ['invalid_transition'],
    run: async ({ tx, params, body: { groups, max_harm, ...rest }, ifMatch }) => {
      const changed = {
        ...rest,
        ...(groups && { groups: groups.map(groupOf) }),
        ...(max_harm !== undefined && { maxHarm: max_harm }),
      }
      return reply(await changeExperiment(tx, Number(params.experiment_id), { changes: changed, ifMatch }))
    },
  }),
  del(`${path}/{experiment_id}`, {
    summary: 'Delete an experiment',
    description: 'Only a draft.',
    scope: 'admin:write',
    params,
    reply: oneExperiment,
    versioned: true,
    refusals: ['invalid_transition'],
    run: async ({ tx, params, ifMatch }) =>
      reply(await deleteExperiment(tx, Number(params.experiment_id), ifMatch)),
  }),
  ...stateRoutes(),
  ...insightRoutes(),
]

function stateRoutes(): Route[] {
  return [
    post(`${path}/{experiment_id}/start`, {
      summary: 'Start an experiment',
      description:
        'Buyers are assigned to groups from now on, on every node within a second. A page takes part in one experiment at a time.',
      scope: 'admin:write',
      params,
      reply: oneExperiment,
      refusals: ['conflict', 'invalid_transition'],
      run: async ({ tx, params }) => reply(await startExperiment(tx, Number(params.experiment_id))),
    }),
    post(`${path}/{experiment_id}/stop`, {
      summary: 'Stop an experiment',
      description: 'All buyers get the default lists again. A stopped experiment cannot be restarted.',
      scope: 'admin:write',
      params,
      reply: oneExperiment,
      refusals: ['invalid_transition'],
      run: async ({ tx, params }) =>
        reply(await stopExperiment(tx, Number(params.experiment_id), 'operator')),
    }),
  ]
}

function insightRoutes(): Route[] {
  return [
    get(`${path}/{experiment_id}/results`, {
      summary: 'Get the results of an experiment',
      description:
        'By group, and by group and source. `ctr`: lists with a click; `conversion`: lists with a purchase; `revenue_per_list` in tiyin: each per list, with a 95 % normal interval over buyers (delta method), because the lists of one buyer are correlated. `buyers_converted`: the share of buyers who bought, with Wilson’s interval. Differences from the first group have a normal interval and a two-sided p-value. A purchase counts for the list that it names, else for the last one from which the buyer clicked the offer within seven days, else for the last list that showed it within one day.',
      scope: 'admin:read',
      mayLag: true,
      params,
      reply: resultsReply,
      run: async ({ read, params }) => {
        const experiment = await found(read, params.experiment_id)
        const sums = await sumsOfExperiment(read, experiment.id)
        return { data: { confidence, groups: resultsOf(experiment, sums).map(resultView) } }
      },
    }),
    get(`${path}/{experiment_id}/assignment`, {
      summary: 'Get the group of a buyer',
      scope: 'admin:read',
      params,
      query: strict({ user_id: text({ examples: ['1'] }) }),
      reply: Type.Object({ group: nullable(Type.String({ examples: ['control'] })) }),
      run: async ({ read, params, query }) => {
        const experiment = await found(read, params.experiment_id)
        const { experimentKey } = (await loadHistory(read, [query.user_id]))!
        return { data: { group: assignedGroup(experiment, experimentKey)?.name ?? null } }
      },
    }),
  ]
}

async function found(read: Reader, id: string): Promise<Experiment> {
  const experiment = await store.findExperiment(read, Number(id))
  if (!experiment) throw refuse('not_found')
  return experiment
}
