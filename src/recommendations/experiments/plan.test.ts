import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { mainPageAsk } from '../../../test/support/ask.ts'
import type { Ask } from '../ask.ts'
import type { Serving } from '../model-keeper.ts'
import type { Experiment, Group } from './experiment.ts'
import { partOf, planOf } from './plan.ts'

const asked = mainPageAsk(['1'])
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
// What is planned is which of them serves, and whether its ranker is asked: what they can do does not matter here.
const serving = { modelId: 7, ranker: {} } as unknown as Serving
const another = { modelId: 3, ranker: {} } as unknown as Serving
const models = { model: (id: number) => (id === 3 ? another : undefined) }

const planned = (fields: Partial<Group>, of: Partial<Ask> = {}) =>
  planOf(
    { asked: { ...asked, ...of }, serving },
    { experiment: experiment(fields), group: group(fields) },
    models,
  )

test('a group decides who orders its lists', () => {
  equal(planned({}).serving, serving)
  equal(planned({ method: 'ranker' }).serving, serving)
  deepEqual(planned({ method: 'cf' }).serving, { modelId: 7, ranker: undefined })
  equal(planned({ method: 'popular' }).serving, undefined)
})

test('a channel whose default is collaborative filtering can be ranked by an experiment, and keeps its moderated offers', () => {
  equal(planned({ method: 'ranker' }, { group: 'cf' }).asked.group, 'prod')
  equal(planned({ method: 'cf' }, { group: 'mod_offers' }).asked.group, 'mod_offers')
})

test('a group is served by its own model, and takes no part while that cannot be read', () => {
  equal(planned({ modelId: 3 }).serving, another)
  const { part, serving: usual } = planned({ modelId: 4 })
  deepEqual([part, usual], [undefined, serving])
})

test('a call takes part on the pages of an experiment, if its buyer is known and nobody chose otherwise', () => {
  const running = { on: (layer: string) => (layer === 'main_page' ? experiment() : undefined) }
  const groupIn = (of: Partial<Ask>, lot: string | null = 'somebody') =>
    partOf(running, { ...asked, ...of }, { lot })?.group.name
  equal(groupIn({}), 'one')
  equal(groupIn({ layer: 'offer_page' }), undefined)
  equal(groupIn({ isCategoriesPage: true }), undefined)
  equal(groupIn({ isGroupChosen: true }), undefined)
  equal(groupIn({}, null), undefined)
  equal(groupIn({ experiment: 'one' }, null), 'one')
  equal(groupIn({ experiment: 'unknown' }), undefined)
  equal(partOf(undefined, asked, { lot: 'somebody' }), undefined)
})
