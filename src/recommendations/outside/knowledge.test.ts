// What another engine has learnt is joined to the model that serves, proposes under its own name, and goes again.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import {
  circleGoods,
  liveInCircles,
  nameOf,
  stockCircles,
  train,
  trainAndServe,
} from '../../../test/support/behaviour.ts'
import { refusedWith } from '../../../test/support/refused.ts'
import { openPlatform } from '../../../test/support/shop.ts'
import { openStock } from '../../../test/support/stock.ts'
import { until } from '../../../test/support/until.ts'
import { silentLog } from '../../base/log.ts'
import { proposerOf, sourceNames } from '../engine/candidates.ts'
import { readFile, writtenFile } from '../engine/model-file.ts'
import { pastOf } from '../engine/past.ts'
import { ModelKeeper } from '../model-keeper.ts'
import * as store from '../store/models.ts'

const shop = await openPlatform()
const { db } = shop.app.shops.test
const path = '/v1/recommendations/models/outside'
const bring = (raw: string, query = '', at = shop) =>
  at.call('POST', `${path}${query}`, { raw, headers: { 'content-type': 'application/x-ndjson' } })
const lines = (...them: object[]) => them.map((it) => `${JSON.stringify(it)}\n`).join('')
const activeModel = async () =>
  readFile(await store.readBytes(db.read(), (await store.findActive(db.read()))!.id))

await stockCircles(await openStock(shop))
await liveInCircles(db)
await trainAndServe(shop)

interface Why {
  offers: { product_id: string; sources: { source: string; score: number }[] }[]
  model_id: string
}
const explained = async (body: object): Promise<Why> =>
  (await shop.call('POST', '/v1/recommendations/explain', { body })).body.data
const fromOutside = ({ offers }: Why) =>
  offers.filter((it) => it.sources.some((one) => one.source === 'outside')).map((it) => Number(it.product_id))
const served = (id: string) => until(async () => (await explained({ offer_ids: ['3'] })).model_id === id)

/** Product 3 goes with three of the other circle, which nobody of the first has ever touched. */
const strangers = [circleGoods + 5, circleGoods + 6, circleGoods + 7]
const neighbours = lines(
  { id: 3, neighbours: [...strangers.map((id) => ({ id, score: 0.5 })), { id: 9_999, score: 0.4 }] },
  { id: '4', neighbours: [] },
  { id: 8_888, neighbours: [] },
)

test('neighbours from outside are proposed under their own name, on every node, and counted', async () => {
  const beside = await openPlatform({ connection: shop.connection })
  const keeper = new ModelKeeper(beside.app.shops.test, silentLog())
  await keeper.take()
  equal(fromOutside(await explained({ offer_ids: ['3'] })).length, 0)

  const { status, body, text } = await bring(neighbours)
  equal(status, 200, text)
  const { model, ...counts } = body.data
  deepEqual(counts, { read: 3, known: 2, unknown: 1, unknown_neighbours: 1 })
  deepEqual(
    [model.origin, model.is_active, model.outside.kind, model.outside.products],
    ['imported', true, 'neighbours', 1],
  )
  await served(model.id)
  deepEqual(fromOutside(await explained({ offer_ids: ['3'] })).toSorted(), strangers)
  await until(() => String(keeper.serving?.modelId) === model.id)
})

test('a model with something from outside is the same bytes when it is read and written again', async () => {
  const { id } = (await store.findActive(db.read()))!
  const bytes = await store.readBytes(db.read(), id)
  deepEqual(writtenFile(readFile(bytes)), bytes)
})

test('a training leaves it in its place; forgetting takes it away, and the way back brings it again', async () => {
  const { modelId } = await train(db)
  await served(String(modelId))
  deepEqual(fromOutside(await explained({ offer_ids: ['3'] })).toSorted(), strangers)

  const { model } = (await shop.call('DELETE', path)).body.data
  equal(model.outside, null)
  await served(model.id)
  equal(fromOutside(await explained({ offer_ids: ['3'] })).length, 0)
  refusedWith('not_found', await shop.call('DELETE', path))

  equal((await shop.call('POST', `/v1/recommendations/models/${modelId}/activate`)).status, 200)
  await served(String(modelId))
  deepEqual(fromOutside(await explained({ offer_ids: ['3'] })).toSorted(), strangers)
})

/** Factors that turn tastes round: the goods of both circles with an even number are alike, and so are the odd ones. */
const factors = lines(
  ...Array.from({ length: 2 * circleGoods }, (_, at) => ({
    id: at + 1,
    features: at % 2 === 0 ? [1, 0.01 * at, 0] : [0, 0.01 * at, 1],
  })),
)

test('into factors from outside a buyer’s history is folded when he asks', async () => {
  const { status, body, text } = await bring(factors, '?alpha=40&regularisation=0.05')
  equal(status, 200, text)
  deepEqual([body.data.model.outside.kind, body.data.model.outside.dimensions], ['factors', 3])
  await served(body.data.model.id)
  const { offers } = await explained({ offer_ids: ['4'] })
  const best = offers
    .flatMap(({ product_id, sources }) =>
      sources.filter((it) => it.source === 'outside').map(({ score }) => ({ id: Number(product_id), score })),
    )
    .toSorted((a, b) => b.score - a.score)
    .slice(0, 10)
  equal(best.length, 10)
  ok(best.every((it) => it.id % 2 === 0))
})

test('a question of before the other engine had finished learning is answered without it', async () => {
  const model = await activeModel()
  const propose = proposerOf(model)
  const now = model.outside!.until.getTime() / 86_400_000
  const best = (day: number) => {
    const past = pastOf(model.items, [{ item: 1, kind: 'view', day: day - 1 }])
    const asked = { layer: 'main_page' as const, past, context: [], day, place: null }
    const { scores } = propose(asked, { limit: 50, out: [] })
    return Math.max(...scores[sourceNames.indexOf('outside')]!)
  }
  deepEqual([best(now), best(now - 1)], [1, 0])
})

const wrong: [name: string, raw: string, path: string, rule: string][] = [
  [
    'of unequal lengths',
    lines({ id: 1, features: [1, 2] }, { id: 2, features: [1] }),
    'lines.2.features',
    'dimensions',
  ],
  ['beyond all numbers', '{"id":1,"features":[1e999]}', 'lines.1.features.0', 'maximum'],
  ['that is a text', '{"id":1,"features":["0.1"]}', 'lines.1.features.0', 'type'],
  ['that would drown all others', lines({ id: 1, features: [1e9] }), 'lines.1.features.0', 'maximum'],
  ['with no numbers', lines({ id: 1, features: [] }), 'lines.1.features', 'min_items'],
  [
    'with more than 256 numbers',
    lines({ id: 1, features: Array.from({ length: 257 }, () => 1) }),
    'lines.1.features',
    'max_items',
  ],
  ['said twice', lines({ id: 1, features: [1] }, { id: '1', features: [2] }), 'lines.2.id', 'taken'],
  [
    'mixed with neighbours',
    lines({ id: 1, features: [1] }, { id: 2, neighbours: [] }),
    'lines.2.features',
    'required',
  ],
  ['that is no JSON', '{"id":1,"features":[1]}\n{"id":2,', 'lines.2', 'syntax'],
  ['without an id', lines({ features: [1] }), 'lines.1.id', 'required'],
  [
    'with a neighbour of negative score',
    lines({ id: 1, neighbours: [{ id: 2, score: -1 }] }),
    'lines.1.neighbours.0.score',
    'minimum',
  ],
  [
    'with a neighbour twice',
    lines({
      id: 1,
      neighbours: [
        { id: 2, score: 1 },
        { id: 2, score: 1 },
      ],
    }),
    'lines.1.neighbours.1.id',
    'taken',
  ],
  ['of nothing that the shop has', lines({ id: 70_000, features: [1] }), '', 'exists'],
  ['of no lines at all', '\n\n', '', 'exists'],
]
for (const [name, raw, where, rule] of wrong)
  test(`factors or neighbours ${name}: all of it is refused, and what serves goes on`, async () => {
    const before = (await store.findActive(db.read()))!.id
    const { fields } = refusedWith('validation_failed', await bring(raw))
    ok(
      fields.some((it: { path: string; rule: string }) => it.path === where && it.rule === rule),
      JSON.stringify(fields),
    )
    equal((await store.findActive(db.read()))!.id, before)
  })

test('nobody has learnt from what is still to come, and terms must be numbers above nought', async () => {
  const late = await bring(factors, '?learnt_until=2999-01-01T00:00:00Z')
  equal(refusedWith('validation_failed', late).fields[0].rule, 'past')
  equal(refusedWith('validation_failed', await bring(factors, '?alpha=0')).fields[0].path, 'alpha')
  equal((await bring(factors, '?learnt_until=yesterday')).status, 422)
  const typed = await shop.call('POST', path, {
    raw: factors,
    headers: { 'content-type': 'application/json' },
  })
  equal(typed.status, 415)
  const reader = await shop.makeKey({ scopes: ['admin:read'] })
  equal((await shop.call('DELETE', path, { key: reader })).status, 403)
})

test('a list is full and in its usual order for whom nothing is known outside', async () => {
  const reply = await shop.call('POST', '/offers/recommended/v3', {
    body: { from_layer: 'main_page', from_app: 'ios', user_id: nameOf(1) },
  })
  equal(reply.body.offers.length, 30)
})

test('without a model there is nothing that it could be joined to', async () => {
  const empty = await openPlatform()
  refusedWith('conflict', await bring(factors, '', empty))
  refusedWith('conflict', await empty.call('DELETE', path))
})
