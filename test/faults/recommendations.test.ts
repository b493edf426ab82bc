// Recommendation lists when a dependency fails: complete, in time, and with the true source.

import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { after, test } from 'node:test'
import { systemClock } from '../../src/base/clock.ts'
import { silentLog } from '../../src/base/log.ts'
import { TaskQueue } from '../../src/base/task-queue.ts'
import { openCatalog } from '../../src/catalog/index.ts'
import { featureNames } from '../../src/recommendations/serving/features.ts'
import { parseModelFile } from '../../src/recommendations/models/model-file.ts'
import { type Ranker, rankerOf } from '../../src/recommendations/serving/ranker.ts'
import { seededNormal } from '../../src/ml/random.ts'
import type { TreeModel } from '../../src/ml/trees/model.ts'
import { parseModel } from '../../src/ml/trees/parse-model.ts'
import { trainTrees } from '../../src/ml/trees/train.ts'
import { writtenModel } from '../../src/ml/trees/write-model.ts'
import { withCircuitBreaker, prepareModel } from '../../src/recommendations/models/active-model.ts'
import * as store from '../../src/recommendations/models/store.ts'
import { recommend } from '../../src/recommendations/serving/recommend.ts'
import { mainPageRequest } from '../support/recommendation-request.ts'
import { groupSize, addGroupInteractions, stockTwoGroups, train } from '../support/behaviour.ts'
import { freshDatabase } from '../support/database.ts'
import { openDatabaseProxy } from '../support/database-proxy.ts'
import { assertRefused } from '../support/refused.ts'
import { openPlatform } from '../support/shop.ts'
import { openStock } from '../support/stock.ts'
import { waitUntil } from '../support/wait-until.ts'

const proxy = await openDatabaseProxy(await freshDatabase())
const shop = await openPlatform({ connection: proxy.connection })
after(() => proxy.close())
const { db } = shop.app.shops.test
const stock = await openStock(shop)
await stockTwoGroups(stock)
await addGroupInteractions(db)
await train(db)

const ask = async (body: object) => {
  const reply = await shop.call('POST', '/offers/recommended/v3', {
    body: { from_layer: 'main_page', from_app: 'ios', ...body },
  })
  equal(reply.status, 200, reply.text)
  return reply.body as { offers: { offer_id: string }[]; source: string }
}
const sourceOf = async (body: object) => (await ask(body)).source
const idsOf = ({ offers }: { offers: { offer_id: string }[] }) => offers.map((it) => Number(it.offer_id))

/** A CatBoost model in JSON over our features. */
const forestWith = (change: (forest: TreeModel) => void): string => {
  const normal = seededNormal(3)
  const rows = 300
  const floats = featureNames.map(() => Float32Array.from({ length: rows }, normal))
  const labels = Float64Array.from({ length: rows }, normal)
  const { model } = trainTrees(
    { columns: { rows, floats, categories: [] }, labels, floatNames: [...featureNames] },
    { iterations: 5, depth: 3, loss: 'RMSE', seed: 1 },
  )
  change(model)
  return writtenModel(model)
}
const upload = (raw: string) =>
  shop.call('POST', '/v1/recommendations/models', { raw, headers: { 'content-type': 'application/json' } })

test('an uploaded ranker serves at once; one with non-finite scores is refused, and the previous one keeps serving', async () => {
  const sane = await upload(forestWith(() => {}))
  equal(sane.status, 200, sane.text)
  await waitUntil(async () => (await sourceOf({ user_id: 'first-0' })) === 'catboost')
  const wild = forestWith((forest) => {
    forest.scale = Number.MAX_VALUE
    forest.forest.leafValues.fill(100)
  })
  assertRefused('validation_failed', await upload(wild))
  equal(await sourceOf({ user_id: 'first-0' }), 'catboost')
})

const catalog = openCatalog(shop.app.shops, {
  log: silentLog(),
  dataDir: './data',
  picturesS3: undefined,
  searchEngine: { kind: 'memory' },
  taskQueue: new TaskQueue(),
  clock: systemClock(),
})
const active = await store.findActive(db.read())
const model = parseModelFile(await store.readBytes(db.read(), active!.id))
const asked = mainPageRequest(['first-0'])
const faulty = (scores: Ranker['scores']): Ranker => ({ scores, reasons: () => [] })
const brokenForest = (): TreeModel => {
  const forest = parseModel(forestWith(() => {}))
  forest.forest.leafValues.fill(Number.NaN)
  return forest
}
const outOfOrder = () => {
  throw new Error('out of order')
}

/** Faulty rankers. */
const rankers: [name: string, ranker: Ranker | undefined][] = [
  ['a ranker that is missing', undefined],
  ['a ranker that has scores that are no numbers', withCircuitBreaker(rankerOf(brokenForest()))],
  ['a ranker that is late', withCircuitBreaker(faulty(() => undefined))],
  [
    'a ranker that answers with ten thousand rows',
    withCircuitBreaker(faulty(() => new Float64Array(10_000))),
  ],
  ['a ranker that breaks', withCircuitBreaker(faulty(outOfOrder))],
]
for (const [name, ranker] of rankers)
  test(`${name}: the list is complete, in candidate order, with its source`, async () => {
    const serving = { ...prepareModel(active!.id, model), ranker }
    for (let time = 0; time < 3; time++) {
      const { offers, source } = await recommend(db.read(), asked, { catalog, environment: 'test', serving })
      deepEqual([source, offers.length], ['collaborative_filtering', 30])
      ok(offers.filter((it) => it.id <= groupSize).length >= 27)
    }
  })

test('when the database stops replying during a call, the list comes in time from the cache', async () => {
  // The popular list is cached; the complements of a case are not and must be read.
  await shop.app.loaded()
  db.cache!.clear()
  const popular = idsOf(await ask({ user_id: 'nobody' }))
  equal(popular.length, 30)
  const more = { from_layer: 'cart_page', offer_ids: ['999999', String(groupSize + 3)] }
  proxy.block()
  try {
    const answered = await ask({ user_id: 'somebody-else', ...more })
    equal(answered.offers.length > 0, true)
    ok(!idsOf(answered).includes(groupSize + 3))
    ok(['collaborative_filtering', 'recommendation_service'].includes(answered.source), answered.source)
  } finally {
    // Waits until the pending read fails.
    await rejects(db.read().one('select 1'))
    proxy.unblock()
  }
  await waitUntil(async () => (await ask({ user_id: 'first-0' })).offers.length === 30)
})
