// The guard rail of experiments: pure bounds, and an experiment that stops itself.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { addGroupInteractions, stockTwoGroups, trainAndServe } from '../../../test/support/behaviour.ts'
import { openOrdering } from '../../../test/support/orders.ts'
import { assertRefused } from '../../../test/support/refused.ts'
import { openPlatform } from '../../../test/support/shop.ts'
import { waitFor } from '../../../test/support/wait-until.ts'
import { seededRandom } from '../../ml/random.ts'
import { certainErrors, harmedGroups } from './guard.ts'
import { shareOf } from './intervals.ts'
import type { GroupResult } from './results.ts'

const group = (name: string, purchasers: number, buyers: number) =>
  ({ group: name, figures: { buyers, buyersConverted: shareOf(purchasers, buyers) } }) as GroupResult

test('a group is harmed when its loss is certainly beyond the bound', () => {
  deepEqual(harmedGroups([group('a', 1_000, 10_000), group('b', 700, 10_000)], 0.1), ['b'])
  deepEqual(harmedGroups([group('a', 1_000, 10_000), group('b', 700, 10_000)], 0.3), [])
  deepEqual(harmedGroups([group('a', 1_000, 10_000), group('b', 950, 10_000)], 0.1), [])
  deepEqual(harmedGroups([group('a', 1_000, 10_000), group('b', 1_400, 10_000)], 0), [])
})

test('few buyers, no buyers and a single group prove nothing', () => {
  deepEqual(harmedGroups([group('a', 50, 100), group('b', 0, 100)], 0.1), [])
  deepEqual(harmedGroups([group('a', 0, 0), group('b', 0, 0)], 0.1), [])
  deepEqual(harmedGroups([group('a', 10, 1_000)], 0.1), [])
  deepEqual(harmedGroups([], 0.1), [])
})

test('a harmless experiment that is checked after every hundred buyers is rarely stopped', () => {
  const random = seededRandom(11)
  const rounds = 300
  let stopped = 0
  for (let round = 0; round < rounds; round++) {
    const bought = [0, 0]
    for (let buyers = 100; buyers <= 5_000; buyers += 100) {
      for (const at of [0, 1]) for (let one = 0; one < 100; one++) bought[at]! += Number(random() < 0.1)
      if (harmedGroups([group('a', bought[0]!, buyers), group('b', bought[1]!, buyers)], 0).length === 0)
        continue
      stopped++
      break
    }
  }
  ok(stopped / rounds <= 0.05, `${stopped} of ${rounds} were stopped`)
  ok(certainErrors(2_000) > 1.96 && certainErrors(200) > certainErrors(2_000))
})

const path = '/v1/recommendations/experiments'

test('an experiment that loses purchases stops itself, and its shuffled lists tell what another model would have earned', async () => {
  const shop = await openPlatform()
  const { db, relay } = shop.app.shops.test
  const { stock } = await openOrdering(shop, 5_000)
  await stockTwoGroups(stock)
  await addGroupInteractions(db)
  await trainAndServe(shop)
  const groups = [
    { name: 'control', share: 1, shuffled_share: 0.5 },
    { name: 'worse', share: 0, method: 'popular' },
  ]
  const create = async (slug: string, more: object) => {
    const body = { slug, name: slug, layers: ['main_page'], groups, ...more }
    return (await shop.call('POST', path, { body })).body.data.experiment
  }
  equal((await create('unlimited', { max_harm: null })).max_harm, null)
  const experiment = await create('harmful', {})
  equal(experiment.max_harm, 0.1)
  const { id } = experiment
  const change = (body: object) => shop.call('PATCH', `${path}/${id}`, { body })
  for (const max_harm of [0.4, null, 0.1])
    equal((await change({ max_harm })).body.data.experiment.max_harm, max_harm)
  equal((await change({ name: 'harmful' })).body.data.experiment.max_harm, 0.1, 'absent means unchanged')
  equal((await change({ max_harm: 2 })).status, 422)
  await shop.call('POST', `${path}/${id}/start`)
  equal((await change({ max_harm: 0.9 })).body.error.code, 'invalid_transition')
  await relay.catchUp()
  await clickFirstOffers(shop, id)
  await assertEstimates(shop, id)

  await sellInBothGroups(db, Number(id))
  await shop.call('POST', '/v1/test/clock', { body: { advance: 'PT30M' } })
  const stopped = await waitFor(
    async () => {
      const { experiment: now } = (await shop.call('GET', `${path}/${id}`)).body.data
      return now.status === 'stopped' ? now : undefined
    },
    { what: 'the experiment to stop itself' },
  )
  deepEqual([stopped.stop_reason, stopped.harmed_groups], ['harm', ['worse']])
})

type Platform = Awaited<ReturnType<typeof openPlatform>>

/** Buyers of the control group click the first offer of their lists; the log must hold the orders that they saw. */
async function clickFirstOffers(shop: Platform, experimentId: string): Promise<void> {
  const { db } = shop.app.shops.test
  const ask = (user_id: string) =>
    shop.call('POST', '/offers/recommended/v3', {
      body: { user_id, from_layer: 'main_page', from_app: 'ios' },
    })
  const shown = new Map<string, string>()
  for (let at = 0; at < 40; at++) {
    const buyer = at % 2 ? `second-${at}` : `first-${at}`
    const reply = await ask(buyer)
    const list = reply.headers.get('x-recommendation-id')!
    const offer_id = reply.body.offers[0].offer_id
    shown.set(list, offer_id)
    const click = { user_id: buyer, offer_id, kind: 'click', request_id: list }
    await shop.call('POST', '/v1/interactions', { body: { interactions: [click] } })
  }
  const rows = await waitFor(
    async () => {
      const found = await db.read().all<{ id: string; first: string; order: number[] }>(
        `select id, offers[1] as first, request -> 'shuffle' -> 'order' as order from recommendations_lists
         where experiment_id = $1 and id = any($2::uuid[])`,
        [Number(experimentId), [...shown.keys()]],
      )
      return found.length >= shown.size ? found : undefined
    },
    { what: 'all lists in the log' },
  )
  for (const row of rows) equal(row.first, shown.get(row.id))
  ok(rows.some((it) => it.order.some((from, place) => from !== place)))
  ok(rows.some((it) => it.order.every((from, place) => from === place)))
}

async function assertEstimates(shop: Platform, experimentId: string): Promise<void> {
  const estimate = (query: string) => shop.call('GET', `${path}/${experimentId}/off-policy?${query}`)
  const same = (await estimate('group=control&method=ranker')).body.data
  equal(same.lists, 40)
  equal(same.logged.value, 1)
  ok(same.support > 0.8, `the same model shows the same offers: ${same.support}`)
  ok(same.doubly_robust.low <= 1 && same.doubly_robust.high >= 1, JSON.stringify(same))
  const popular = (await estimate('group=control&method=popular&reward=purchase&lists=10')).body.data
  deepEqual([popular.lists, popular.reward, popular.logged.value], [10, 'purchase', 0])
  ok(popular.support < same.support)
  assertRefused('validation_failed', await estimate('group=unknown'))
  assertRefused('validation_failed', await estimate('group=control&model_id=999'))
  assertRefused('not_found', await shop.call('GET', `${path}/999/off-policy?group=control`))
}

/** Of the control group twelve of twenty buyers purchase, of the other one five. */
const sellInBothGroups = (db: Platform['app']['shops']['test']['db'], experimentId: number) =>
  db.transaction((tx) =>
    tx.all(
      `with buyer as (
         select at, gen_random_uuid() as list, case when at % 2 = 0 then 'control' else 'worse' end as group_name
         from generate_series(1, 4000) at),
       shown as (
         insert into recommendations_lists (id, at, buyer, channel, layer, source, experiment_id, group_name, offers,
           origins, ranks_before, ranks_after, request, duration_ms)
         select list, $2, 'harm-' || at, 'test', 'main_page', 'catboost', $1, group_name, '{5}', 'c', '{1}', '{1}', '{}', 1
         from buyer)
       insert into recommendations_interactions (buyer, offer, kind, at, request_id, via)
       select 'harm-' || at, '5', 'purchase', $2, list, 'reported' from buyer
       where at % 20 < case group_name when 'control' then 12 else 5 end`,
      [experimentId, tx.now],
    ),
  )
