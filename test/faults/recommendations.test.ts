// Lists when something behind them fails: they are full, in time, and say honestly where they came from.

import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { after, test } from 'node:test'
import { silentLog } from '../../src/base/log.ts'
import { openCatalog } from '../../src/catalog/index.ts'
import { featureNames } from '../../src/recommendations/engine/features.ts'
import { readFile } from '../../src/recommendations/engine/model-file.ts'
import { type Ranker, rankerOf } from '../../src/recommendations/engine/ranker.ts'
import { seededNormal } from '../../src/recommendations/ml/random.ts'
import type { TreeModel } from '../../src/recommendations/ml/trees/model.ts'
import { parseModel } from '../../src/recommendations/ml/trees/parse-model.ts'
import { trainTrees } from '../../src/recommendations/ml/trees/train.ts'
import { writtenModel } from '../../src/recommendations/ml/trees/write-model.ts'
import { servingOf } from '../../src/recommendations/model-keeper.ts'
import { guarded } from '../../src/recommendations/ranker-guard.ts'
import { recommend } from '../../src/recommendations/recommend.ts'
import * as store from '../../src/recommendations/store/models.ts'
import { mainPageAsk } from '../support/ask.ts'
import { circleGoods, liveInCircles, stockCircles, train } from '../support/behaviour.ts'
import { freshDatabase } from '../support/database.ts'
import { muteWay } from '../support/mute-way.ts'
import { refusedWith } from '../support/refused.ts'
import { openPlatform } from '../support/shop.ts'
import { openStock } from '../support/stock.ts'
import { until } from '../support/until.ts'

const way = await muteWay(await freshDatabase())
const shop = await openPlatform({ connection: way.connection })
after(() => way.close())
const { db } = shop.app.shops.test
const stock = await openStock(shop)
await stockCircles(stock)
await liveInCircles(db)
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

/** CatBoost's JSON over our features. */
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

test('a ranker from outside serves at once; one whose figures make no numbers is refused, and what served goes on', async () => {
  const sane = await upload(forestWith(() => {}))
  equal(sane.status, 200, sane.text)
  await until(async () => (await sourceOf({ user_id: 'first-0' })) === 'catboost')
  const wild = forestWith((forest) => {
    forest.scale = Number.MAX_VALUE
    forest.forest.leafValues.fill(100)
  })
  refusedWith('validation_failed', await upload(wild))
  equal(await sourceOf({ user_id: 'first-0' }), 'catboost')
})

const goods = openCatalog(shop.app.shops, silentLog())
const active = await store.findActive(db.read())
const model = readFile(await store.readBytes(db.read(), active!.id))
const asked = mainPageAsk(['first-0'])
const faulty = (scores: Ranker['scores']): Ranker => ({ scores, reasons: () => [] })
const brokenForest = (): TreeModel => {
  const forest = parseModel(forestWith(() => {}))
  forest.forest.leafValues.fill(Number.NaN)
  return forest
}
const outOfOrder = () => {
  throw new Error('out of order')
}

/** What may be wrong with a ranker. */
const rankers: [name: string, ranker: Ranker | undefined][] = [
  ['a ranker that is missing', undefined],
  ['a ranker that has scores that are no numbers', guarded(rankerOf(brokenForest()))],
  ['a ranker that is late', guarded(faulty(() => undefined))],
  ['a ranker that answers with ten thousand rows', guarded(faulty(() => new Float64Array(10_000)))],
  ['a ranker that breaks', guarded(faulty(outOfOrder))],
]
for (const [name, ranker] of rankers)
  test(`${name}: the list is full, in the order of its candidates, and says so`, async () => {
    const serving = { ...servingOf(active!.id, model), ranker }
    for (let time = 0; time < 3; time++) {
      const { offers, source } = await recommend(db.read(), asked, { goods, environment: 'test', serving })
      deepEqual([source, offers.length], ['collaborative_filtering', 30])
      ok(offers.filter((it) => it.id <= circleGoods).length >= 27)
    }
  })

test('a database that falls silent in the middle of a call: the list comes in time from what is remembered', async () => {
  // What sells is remembered; what goes with a case is not, and would have to be read.
  const popular = idsOf(await ask({ user_id: 'nobody' }))
  equal(popular.length, 30)
  const more = { from_layer: 'cart_page', offer_ids: ['999999', String(circleGoods + 3)] }
  way.mute()
  try {
    const answered = await ask({ user_id: 'somebody-else', ...more })
    equal(answered.offers.length > 0, true)
    ok(!idsOf(answered).includes(circleGoods + 3))
    ok(['collaborative_filtering', 'recommendation_service'].includes(answered.source), answered.source)
  } finally {
    // Whoever still waits hears that there is nobody.
    await rejects(db.read().one('select 1'))
    way.speak()
  }
  await until(async () => (await ask({ user_id: 'first-0' })).offers.length === 30)
})
