import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import {
  addGroupInteractions,
  stockTwoGroups,
  train,
  trainAndServe,
} from '../../../test/support/behaviour.ts'
import { openOrdering } from '../../../test/support/orders.ts'
import { assertRefused } from '../../../test/support/refused.ts'
import { openPlatform } from '../../../test/support/shop.ts'
import { waitFor, waitUntil } from '../../../test/support/wait-until.ts'
import { hashShare } from './assignment.ts'
import { buyerKeyOf } from '../interactions/aliases.ts'

const shop = await openPlatform()
const { db, relay } = shop.app.shops.test
const { stock, put, ordered, newClient } = await openOrdering(shop, 5_000)
await stockTwoGroups(stock)
await addGroupInteractions(db)
await trainAndServe(shop)

const path = '/v1/recommendations/experiments'
const main = { from_layer: 'main_page', from_app: 'ios' }
const plan = {
  slug: 'cf-or-sellers',
  name: 'Personal or not',
  layers: ['main_page'],
  groups: [
    { name: 'cf', share: 0.5, method: 'cf' },
    { name: 'sellers', share: 0.5, method: 'popular' },
  ],
}
const create = async (more: object = {}) =>
  (await shop.call('POST', path, { body: { ...plan, ...more } })).body.data.experiment
const ask = async (user_id: string, more: object = {}) => {
  const reply = await shop.call('POST', '/offers/recommended/v3', { body: { user_id, ...main, ...more } })
  equal(reply.status, 200, reply.text)
  return { ...reply.body, id: reply.headers.get('x-recommendation-id')! } as {
    offers: { offer_id: string }[]
    source: string
    id: string
  }
}
/** The state that requests see, after this process has received the start or stop event. */
const groupOf = async (experiment: string, user_id: string) =>
  (await shop.call('GET', `${path}/${experiment}/assignment?user_id=${user_id}`)).body.data.group
const listOf = async (id: string) => {
  let row:
    | { buyer: string | null; group: string | null; experiment: number | null; source: string }
    | undefined
  await waitUntil(async () => {
    row = await db
      .read()
      .maybe(
        `select buyer, group_name as "group", experiment_id as experiment, source, model_id as model, cardinality(offers) as offers from recommendations_lists where id = $1`,
        [id],
      )
    return row !== undefined
  })
  return row!
}
/** A busy machine may reply before the buyer is loaded; then the request is repeated. */
const shownTo = (user_id: string, more: object = {}) =>
  waitFor(
    async () => {
      const list = await ask(user_id, more)
      const row = await listOf(list.id)
      return row.buyer === null ? undefined : { ...list, row }
    },
    { what: 'a list for the loaded buyer' },
  )
const report = (interactions: object[]) => shop.call('POST', '/v1/interactions', { body: { interactions } })
const known = Array.from({ length: 40 }, (_, at) => (at % 2 ? `second-${at}` : `first-${at}`))

let id = ''

test('an experiment is planned, started and stopped, and no other begins on the same page', async () => {
  assertRefused(
    'validation_failed',
    await shop.call('POST', path, { body: { ...plan, groups: [plan.groups[0]] } }),
  )
  assertRefused(
    'validation_failed',
    await shop.call('POST', path, {
      body: { ...plan, groups: plan.groups.map((it) => ({ ...it, share: 0.7 })) },
    }),
  )
  const experiment = await create()
  id = experiment.id
  equal(experiment.status, 'draft')
  assertRefused('validation_failed', await shop.call('POST', path, { body: plan }))
  const rival = await create({ slug: 'rival', layers: ['cart_page', 'main_page'] })
  equal((await shop.call('POST', `${path}/${id}/start`)).body.data.experiment.status, 'running')
  assertRefused('conflict', await shop.call('POST', `${path}/${rival.id}/start`))
  assertRefused('invalid_transition', await shop.call('POST', `${path}/${id}/start`))
  assertRefused(
    'invalid_transition',
    await shop.call('PATCH', `${path}/${id}`, { body: { layers: ['cart_page'] } }),
  )
  equal(
    (await shop.call('PATCH', `${path}/${id}`, { body: { name: 'Renamed' } })).body.data.experiment.name,
    'Renamed',
  )
  equal((await shop.call('DELETE', `${path}/${rival.id}`)).status, 200)
  assertRefused('not_found', await shop.call('GET', `${path}/${rival.id}`))
  const missing = await create({
    slug: 'missing',
    layers: ['cart_page'],
    groups: plan.groups.map((it) => ({ ...it, model_id: '999' })),
  })
  assertRefused('validation_failed', await shop.call('POST', `${path}/${missing.id}/start`))
  const { experiments } = (await shop.call('GET', `${path}?status=running`)).body.data
  deepEqual(
    experiments.map((it: { id: string }) => it.id),
    [id],
  )
})

test('a list follows the group of its buyer on every call, and is logged completely', async () => {
  for (const buyer of known.slice(0, 12)) {
    const group = await groupOf(id, buyer)
    const isPersonal = group === 'cf'
    const source = isPersonal ? 'collaborative_filtering' : 'recommendation_service'
    const { row } = await shownTo(buyer)
    deepEqual(row, {
      buyer: buyerKeyOf(buyer),
      group,
      experiment: Number(id),
      source,
      model: isPersonal ? 1 : null,
      offers: 30,
    })
  }
})

test('callers that choose the method and unknown buyers take part in no experiment', async () => {
  const inCf = await anyIn('cf')
  equal((await shownTo(inCf, { test_group_value: 'prod' })).row.experiment, null)
  const reply = await shop.call('POST', '/web/client/offers/recommended-v3', { body: main })
  equal((await listOf(reply.headers.get('x-recommendation-id')!)).experiment, null)
  const collaborative = await shop.call('POST', '/mobile/cf/v1/recommended', {
    body: { user_id: await anyIn('sellers'), ...main },
  })
  equal(collaborative.body.source, 'cf')
})

test('a guest keeps the group after signing in, and a returning client keeps theirs', async () => {
  for (let round = 0; round < 6; round++) {
    const session = `guest-session-${round}`
    const client = newClient()
    const before = await groupOf(id, session)
    await shownTo(session)
    await shop.call('POST', '/api/cart/merge-carts', { body: { SessionId: session, ...client } })
    await relay.catchUp()
    equal(await groupOf(id, String(client.ClientId)), before)

    const back = `guest-again-${round}`
    await shownTo(back)
    await shownTo(String(client.ClientId))
    await shop.call('POST', '/api/cart/merge-carts', { body: { SessionId: back, ...client } })
    await relay.catchUp()
    equal(await groupOf(id, String(client.ClientId)), before)
    equal(await groupOf(id, back), before)
  }
})

test('clicks and purchases count for the list that they name, or else for the list that led there', async () => {
  const [said, clicked, shown] = [newClient(), newClient(), newClient()]
  const lists = []
  for (const client of [said, clicked, shown]) {
    const name = String(client.ClientId)
    await report([{ user_id: name, offer_id: '5', kind: 'view' }])
    lists.push(await shownTo(name))
  }
  const [one, two, three] = lists.map((it) => it.offers[3]!.offer_id)
  await report([
    { user_id: String(said.ClientId), offer_id: one, kind: 'click', request_id: lists[0]!.id },
    { user_id: String(said.ClientId), offer_id: one, kind: 'purchase', request_id: lists[0]!.id },
    { user_id: String(clicked.ClientId), offer_id: two, kind: 'click', request_id: lists[1]!.id },
  ])
  await shownTo(String(clicked.ClientId))
  for (const [client, offer] of [
    [clicked, two],
    [shown, three],
  ] as const) {
    await put(client, Number(offer))
    await ordered(client)
  }
  await relay.catchUp()
  const rows = await db.read().all(
    `select buyer, request_id as list, via from recommendations_interactions
     where kind = 'purchase' and buyer = any($1) order by buyer`,
    [[said, clicked, shown].map((it) => String(it.ClientId))],
  )
  deepEqual(rows, [
    { buyer: String(said.ClientId), list: lists[0]!.id, via: 'reported' },
    { buyer: String(clicked.ClientId), list: lists[1]!.id, via: 'click' },
    { buyer: String(shown.ClientId), list: lists[2]!.id, via: 'shown' },
  ])
})

test('results are counted from the log, by group and source, with confidence intervals', async () => {
  const { groups, confidence } = (await shop.call('GET', `${path}/${id}/results`)).body.data
  equal(confidence, 0.95)
  deepEqual(
    groups.map((it: { group: string }) => it.group),
    ['cf', 'sellers'],
  )
  const written = await db.read().all<{ group: string; lists: number; buyers: number }>(
    `select group_name as "group", count(*) as lists, count(distinct coalesce(known.buyer, list.buyer)) as buyers
     from recommendations_lists list left join recommendations_aliases known on known.alias = list.buyer
     where experiment_id = $1 group by 1`,
    [Number(id)],
  )
  let [clicks, purchases] = [0, 0]
  for (const group of groups) {
    const { lists, buyers } = written.find((it) => it.group === group.group)!
    deepEqual([group.lists, group.buyers], [lists, buyers])
    equal(
      group.by_source.reduce((sum: number, it: { lists: number }) => sum + it.lists, 0),
      lists,
    )
    clicks += group.clicks
    purchases += group.purchases
    for (const it of [group.ctr, group.conversion, group.revenue_per_list, group.buyers_converted])
      ok(it.low <= it.value && it.value <= it.high)
  }
  deepEqual([clicks, purchases], [2, 3])
  equal(groups[0].differences, null)
  ok(groups[1].differences.ctr.low <= groups[1].differences.ctr.high)
  const { revenue_tiyin: one } = groups[0]
  const { revenue_tiyin: other } = groups[1]
  ok(one + other > 0)
})

test('the effect of recommendations is reported by day and stays after lists are purged', async () => {
  const read = async () => (await shop.call('GET', '/v1/recommendations/metrics')).body.data
  const [today] = (await read()).days.slice(-1)
  const { lists } = await db
    .read()
    .one<{ lists: number }>(`select count(*) as lists from recommendations_lists`)
  deepEqual([today.lists, today.clicks, today.purchases], [lists, 2, 3])
  ok(today.diversity > 1 && today.diversity <= today.coverage + 1e-9, `diversity ${today.diversity}`)
  ok(today.coverage >= 30 && today.duration_ms.p99 >= today.duration_ms.p50 && today.duration_ms.p50 > 0)
  ok(Math.abs(today.sources.reduce((sum: number, it: { share: number }) => sum + it.share, 0) - 1) < 1e-9)

  await shop.call('POST', '/v1/test/clock', { body: { advance: 'P3D' } })
  await waitUntil(async () => (await db.read().all(`select 1 from recommendations_daily_metrics`)).length > 0)
  await db.transaction((tx) => tx.all(`delete from recommendations_lists`))
  const { days } = await read()
  deepEqual(days, [today])
  assertRefused('validation_failed', await shop.call('GET', '/v1/recommendations/metrics?from=2020-01-01'))
  await shop.call('DELETE', '/v1/test/clock')
})

test('a category page uses the group that its caller names', async () => {
  const experiment = await create({
    slug: 'shelves',
    layers: ['categories_page'],
    groups: [
      { name: 'usual', share: 1 },
      { name: 'sellers', share: 0, method: 'popular' },
    ],
  })
  await shop.call('POST', `${path}/${experiment.id}/start`)
  const categoryPage = (more: object) =>
    shop.call('POST', '/mobile/recommended-offers/categories-page', {
      body: { from_app: 'ios', user_id: 'first-0', category_id: 2, ...more },
    })
  const groupOfReply = async (more: object) => {
    const row = await waitFor(
      async () => {
        const shown = await listOf((await categoryPage(more)).headers.get('x-recommendation-id')!)
        return shown.buyer === null ? undefined : shown
      },
      { what: 'a list for the loaded buyer' },
    )
    return [row.experiment, row.group, row.source === 'recommendation_service']
  }
  await waitUntil(async () => (await groupOfReply({}))[0] === Number(experiment.id))
  deepEqual(await groupOfReply({ exp_id: 'sellers' }), [Number(experiment.id), 'sellers', true])
  deepEqual(await groupOfReply({ exp_id: 'shelves:sellers' }), [Number(experiment.id), 'sellers', true])
  deepEqual((await groupOfReply({})).slice(0, 2), [Number(experiment.id), 'usual'])
  deepEqual((await groupOfReply({ exp_id: 'theirs' })).slice(0, 2), [null, 'theirs'])
})

test('a group can be served by another stored model, which is then not deleted', async () => {
  await shop.call('POST', `${path}/${id}/stop`)
  const { modelId } = await train(db)
  notEqual(modelId, 1)
  const experiment = await create({
    slug: 'models',
    groups: [
      { name: 'old', share: 1, model_id: '1' },
      { name: 'new', share: 0 },
    ],
  })
  await shop.call('POST', `${path}/${experiment.id}/start`)
  await waitUntil(async () => {
    const { row } = await shownTo('first-0')
    return (row as unknown as { model: number }).model === 1
  })
  for (let time = 0; time < 6; time++) await train(db)
  const models = (await shop.call('GET', '/v1/recommendations/models')).body.data.models
  ok(models.some((it: { id: string }) => it.id === '1'))
  await shop.call('POST', `${path}/${experiment.id}/stop`)
})

test('the configured share of lists is logged, and all lists of an experiment', async () => {
  const thrifty = await openPlatform({
    connection: shop.connection,
    env: { RECOMMENDATIONS_LOG_SHARE: '0.2' },
  })
  const call = (body: object) =>
    thrifty.call('POST', '/offers/recommended/v3', { body: { ...main, test_group_value: 'prod', ...body } })
  const ids: string[] = []
  for (let time = 0; time < 60; time++)
    ids.push((await call({ user_id: `thrifty-${time}` })).headers.get('x-recommendation-id')!)
  const expected = ids.filter((it) => hashShare('lists', it) < 0.2)
  ok(expected.length > 0 && expected.length < 40, String(expected.length))
  const rows = () =>
    db
      .read()
      .all<{ id: string; weight: number }>(
        `select id, sample_weight as weight from recommendations_lists where id = any($1::uuid[]) order by id`,
        [ids],
      )
  await waitUntil(async () => (await rows()).length >= expected.length)
  deepEqual(
    await rows(),
    expected.toSorted().map((it) => ({ id: it, weight: 5 })),
  )
})

async function anyIn(group: string): Promise<string> {
  for (const buyer of known) if ((await groupOf(id, buyer)) === group) return buyer
  throw new Error('no buyer got this group')
}
