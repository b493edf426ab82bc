import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { mainPageRequest } from '../../../test/support/recommendation-request.ts'
import type { ServingModel } from '../models/active-model.ts'
import type { RecommendationRequest } from '../serving/request.ts'
import { participationOf, planOf } from './assignment.ts'
import type { Experiment, Group } from './experiment.ts'

const request = mainPageRequest(['1'])
const group = (fields: Partial<Group>): Group => ({
  name: 'one',
  share: 1,
  method: null,
  modelId: null,
  explorationShare: null,
  ...fields,
})
const experiment = (fields: Partial<Group> = {}) =>
  ({ id: 1, slug: 'e', layers: ['main_page'], groups: [group(fields)] }) as unknown as Experiment
// The plan only selects a model and its ranker, so their content does not matter here.
const serving = { modelId: 7, ranker: {} } as unknown as ServingModel
const another = { modelId: 3, ranker: {} } as unknown as ServingModel
const models = { model: (id: number) => (id === 3 ? another : undefined) }

const planned = (fields: Partial<Group>, of: Partial<RecommendationRequest> = {}) =>
  planOf(
    { request: { ...request, ...of }, serving },
    { experiment: experiment(fields), group: group(fields) },
    models,
  )

test('a group decides what ranks its lists', () => {
  equal(planned({}).serving, serving)
  equal(planned({ method: 'ranker' }).serving, serving)
  deepEqual(planned({ method: 'cf' }).serving, { modelId: 7, ranker: undefined })
  equal(planned({ method: 'popular' }).serving, undefined)
})

test('a channel whose default is collaborative filtering can be ranked by an experiment, and keeps its moderated offers', () => {
  equal(planned({ method: 'ranker' }, { group: 'cf' }).request.group, 'prod')
  equal(planned({ method: 'cf' }, { group: 'mod_offers' }).request.group, 'mod_offers')
})

test('a group is served by its own model, and does not participate while that cannot be read', () => {
  equal(planned({ modelId: 3 }).serving, another)
  const { participation: part, serving: usual } = planned({ modelId: 4 })
  deepEqual([part, usual], [undefined, serving])
})

test('a call participates on the pages of an experiment, if its buyer is known and no group was chosen', () => {
  const running = { runningOn: (layer: string) => (layer === 'main_page' ? experiment() : undefined) }
  const groupIn = (of: Partial<RecommendationRequest>, key: string | null = 'somebody') =>
    participationOf(running, { ...request, ...of }, { experimentKey: key })?.group.name
  equal(groupIn({}), 'one')
  equal(groupIn({ layer: 'offer_page' }), undefined)
  equal(groupIn({ isCategoriesPage: true }), undefined)
  equal(groupIn({ isGroupChosen: true }), undefined)
  equal(groupIn({}, null), undefined)
  equal(groupIn({ experimentGroup: 'one' }, null), 'one')
  equal(groupIn({ experimentGroup: 'unknown' }), undefined)
  equal(participationOf(undefined, request, { experimentKey: 'somebody' }), undefined)
})
