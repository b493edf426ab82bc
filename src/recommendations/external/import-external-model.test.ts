// Data from another engine is joined to the active model, proposes candidates under its own source, and can be removed.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import {
  groupSize,
  addGroupInteractions,
  nameOf,
  stockTwoGroups,
  train,
  trainAndServe,
} from '../../../test/support/behaviour.ts'
import { assertRefused } from '../../../test/support/refused.ts'
import { openPlatform } from '../../../test/support/shop.ts'
import { openStock } from '../../../test/support/stock.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { silentLog } from '../../base/log.ts'
import { proposerOf, sourceNames } from '../serving/candidates.ts'
import { parseModelFile, modelFileBytes } from '../models/model-file.ts'
import { profileOf } from '../serving/buyer-profile.ts'
import { ActiveModel } from '../models/active-model.ts'
import * as store from '../models/store.ts'

const shop = await openPlatform()
const { db } = shop.app.shops.test
const path = '/v1/recommendations/models/external'
const bring = (raw: string, query = '', at = shop) =>
  at.call('POST', `${path}${query}`, { raw, headers: { 'content-type': 'application/x-ndjson' } })
const lines = (...them: object[]) => them.map((it) => `${JSON.stringify(it)}\n`).join('')
const activeModel = async () =>
  parseModelFile(await store.readBytes(db.read(), (await store.findActive(db.read()))!.id))

await stockTwoGroups(await openStock(shop))
await addGroupInteractions(db)
await trainAndServe(shop)

interface Why {
  offers: { product_id: string; sources: { source: string; score: number }[] }[]
  model_id: string
}
const explained = async (body: object): Promise<Why> =>
  (await shop.call('POST', '/v1/recommendations/explain', { body })).body.data
const fromOutside = ({ offers }: Why) =>
  offers
    .filter((it) => it.sources.some((one) => one.source === 'external'))
    .map((it) => Number(it.product_id))
const served = (id: string) => waitUntil(async () => (await explained({ offer_ids: ['3'] })).model_id === id)

/** Product 3 has three neighbours in the other group, which no buyer of the first group has touched. */
const otherProducts = [groupSize + 5, groupSize + 6, groupSize + 7]
const neighbours = lines(
  { id: 3, neighbours: [...otherProducts.map((id) => ({ id, score: 0.5 })), { id: 9_999, score: 0.4 }] },
  { id: '4', neighbours: [] },
  { id: 8_888, neighbours: [] },
)

test('external neighbours are proposed under their own source on every node, and counted', async () => {
  const beside = await openPlatform({ connection: shop.connection })
  const activeModel = new ActiveModel(beside.app.shops.test, silentLog())
  await activeModel.reload()
  equal(fromOutside(await explained({ offer_ids: ['3'] })).length, 0)

  const { status, body, text } = await bring(neighbours)
  equal(status, 200, text)
  const { model, ...counts } = body.data
  deepEqual(counts, { read: 3, known: 2, unknown: 1, unknown_neighbours: 1 })
  deepEqual(
    [model.origin, model.is_active, model.external.kind, model.external.products],
    ['imported', true, 'neighbours', 1],
  )
  await served(model.id)
  deepEqual(fromOutside(await explained({ offer_ids: ['3'] })).toSorted(), otherProducts)
  await waitUntil(() => String(activeModel.serving?.modelId) === model.id)
})

test('a model with external data has the same bytes after reading and writing', async () => {
  const { id } = (await store.findActive(db.read()))!
  const bytes = await store.readBytes(db.read(), id)
  deepEqual(modelFileBytes(parseModelFile(bytes)), bytes)
})

test('training keeps external data; removing deletes it, and activating the older model restores it', async () => {
  const { modelId } = await train(db)
  await served(String(modelId))
  deepEqual(fromOutside(await explained({ offer_ids: ['3'] })).toSorted(), otherProducts)

  const { model } = (await shop.call('DELETE', path)).body.data
  equal(model.external, null)
  await served(model.id)
  equal(fromOutside(await explained({ offer_ids: ['3'] })).length, 0)
  assertRefused('not_found', await shop.call('DELETE', path))

  equal((await shop.call('POST', `/v1/recommendations/models/${modelId}/activate`)).status, 200)
  await served(String(modelId))
  deepEqual(fromOutside(await explained({ offer_ids: ['3'] })).toSorted(), otherProducts)
})

/** Factors that contradict the interactions: products with even ids are alike, and so are those with odd ids. */
const factors = lines(
  ...Array.from({ length: 2 * groupSize }, (_, at) => ({
    id: at + 1,
    features: at % 2 === 0 ? [1, 0.01 * at, 0] : [0, 0.01 * at, 1],
  })),
)

test('the history of a buyer is folded into external factors at request time', async () => {
  const { status, body, text } = await bring(factors, '?alpha=40&regularisation=0.05')
  equal(status, 200, text)
  deepEqual([body.data.model.external.kind, body.data.model.external.dimensions], ['factors', 3])
  await served(body.data.model.id)
  const { offers } = await explained({ offer_ids: ['4'] })
  const best = offers
    .flatMap(({ product_id, sources }) =>
      sources
        .filter((it) => it.source === 'external')
        .map(({ score }) => ({ id: Number(product_id), score })),
    )
    .toSorted((a, b) => b.score - a.score)
    .slice(0, 10)
  equal(best.length, 10)
  ok(best.every((it) => it.id % 2 === 0))
})

test('a query dated before the external training is answered without its data', async () => {
  const model = await activeModel()
  const propose = proposerOf(model)
  const now = model.external!.until.getTime() / 86_400_000
  const best = (day: number) => {
    const profile = profileOf(model.items, [{ item: 1, kind: 'view', day: day - 1 }])
    const asked = { layer: 'main_page' as const, profile, context: [], day, place: null }
    const { scores } = propose(asked, { limit: 50, out: [] })
    return Math.max(...scores[sourceNames.indexOf('external')]!)
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
  ['with infinite numbers', '{"id":1,"features":[1e999]}', 'lines.1.features.0', 'maximum'],
  ['that is a text', '{"id":1,"features":["0.1"]}', 'lines.1.features.0', 'type'],
  ['with numbers that are too large', lines({ id: 1, features: [1e9] }), 'lines.1.features.0', 'maximum'],
  ['with no numbers', lines({ id: 1, features: [] }), 'lines.1.features', 'min_items'],
  [
    'with more than 256 numbers',
    lines({ id: 1, features: Array.from({ length: 257 }, () => 1) }),
    'lines.1.features',
    'max_items',
  ],
  ['with a repeated id', lines({ id: 1, features: [1] }, { id: '1', features: [2] }), 'lines.2.id', 'taken'],
  [
    'mixed with neighbours',
    lines({ id: 1, features: [1] }, { id: 2, neighbours: [] }),
    'lines.2.features',
    'required',
  ],
  ['that is not JSON', '{"id":1,"features":[1]}\n{"id":2,', 'lines.2', 'syntax'],
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
  ['of unknown products only', lines({ id: 70_000, features: [1] }), '', 'exists'],
  ['without lines', '\n\n', '', 'exists'],
]
for (const [name, raw, where, rule] of wrong)
  test(`factors or neighbours ${name}: the whole file is refused, and the active model stays`, async () => {
    const before = (await store.findActive(db.read()))!.id
    const { fields } = assertRefused('validation_failed', await bring(raw))
    ok(
      fields.some((it: { path: string; rule: string }) => it.path === where && it.rule === rule),
      JSON.stringify(fields),
    )
    equal((await store.findActive(db.read()))!.id, before)
  })

test('a training date in the future and weights that are not above zero are refused', async () => {
  const late = await bring(factors, '?trained_until=2999-01-01T00:00:00Z')
  equal(assertRefused('validation_failed', late).fields[0].rule, 'past')
  equal(assertRefused('validation_failed', await bring(factors, '?alpha=0')).fields[0].path, 'alpha')
  equal((await bring(factors, '?trained_until=yesterday')).status, 422)
  const typed = await shop.call('POST', path, {
    raw: factors,
    headers: { 'content-type': 'application/json' },
  })
  equal(typed.status, 415)
  const reader = await shop.makeKey({ scopes: ['admin:read'] })
  equal((await shop.call('DELETE', path, { key: reader })).status, 403)
})

test('a buyer without external data gets a full list in the usual order', async () => {
  const reply = await shop.call('POST', '/offers/recommended/v3', {
    body: { from_layer: 'main_page', from_app: 'ios', user_id: nameOf(1) },
  })
  equal(reply.body.offers.length, 30)
})

test('without an active model external data is refused', async () => {
  const empty = await openPlatform()
  assertRefused('conflict', await bring(factors, '', empty))
  assertRefused('conflict', await empty.call('DELETE', path))
})
