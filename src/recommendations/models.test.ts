import { deepEqual, equal, ok, rejects, throws } from 'node:assert/strict'
import { test } from 'node:test'
import { liveInCircles, stockCircles, train } from '../../test/support/behaviour.ts'
import { refusedWith } from '../../test/support/refused.ts'
import { openPlatform } from '../../test/support/shop.ts'
import { openStock } from '../../test/support/stock.ts'
import { until } from '../../test/support/until.ts'
import { silentLog } from '../base/log.ts'
import { fitModel } from './engine/fit-model.ts'
import { ModelRefused, readFile, writtenFile } from './engine/model-file.ts'
import { ModelKeeper } from './model-keeper.ts'
import * as store from './store/models.ts'
import { readSnapshot } from './training/read-snapshot.ts'
import { activateModel, provenModel } from './training/save-model.ts'
import { faultOf } from './training/train-model.ts'

const shop = await openPlatform()
const { db } = shop.app.shops.test
await stockCircles(await openStock(shop))

test('too few deeds teach nothing, and nothing is changed', async () => {
  equal((await train(db)).outcome, 'nothing')
  deepEqual(await store.listModels(db.read()), [])
})

test('a model that was written, read and written again is the same bytes', async () => {
  await liveInCircles(db)
  const { modelId } = await train(db)
  const bytes = await store.readBytes(db.read(), modelId!)
  const model = readFile(bytes)
  equal(model.items.count, 80)
  deepEqual(writtenFile(model), bytes)
})

test('learning twice from the same gives the same bytes, with any number of threads', async () => {
  const snapshot = await readSnapshot(db)
  const learnt = async (threads: number) =>
    writtenFile((await fitModel(snapshot, { seed: 1, threads, tell: () => {} })).model)
  const first = await learnt(1)
  ok(first.equals(await learnt(1)))
  ok(first.equals(await learnt(2)))
})

test('a file that was cut in half or changed is refused, and what served before goes on', async () => {
  const [before] = await store.listModels(db.read())
  const keeper = new ModelKeeper(shop.app.shops.test, silentLog())
  await keeper.take()
  equal(keeper.serving?.modelId, before!.id)

  const bytes = await store.readBytes(db.read(), before!.id)
  for (const bad of [bytes.subarray(0, bytes.length / 2), Buffer.concat([bytes, bytes]), Buffer.alloc(5)])
    throws(() => readFile(bad), ModelRefused)

  const { modelId } = await train(db)
  await keeper.take()
  await db.transaction((tx) =>
    tx.all(
      `update recommendations_model_pieces set bytes = substr(bytes, 1, length(bytes) / 2) where model_id = $1`,
      [before!.id],
    ),
  )
  await rejects(provenModel(db, before!.id), { code: 'conflict' })
  equal((await shop.call('POST', `/v1/recommendations/models/${before!.id}/activate`)).status, 409)
  await keeper.take()
  equal(keeper.serving?.modelId, modelId)
  equal((await store.findActive(db.read()))?.id, modelId)
})

test('a process that finds the active model broken takes the newest that is whole', async () => {
  const whole = await store.findActive(db.read())
  const { modelId } = await train(db)
  await db.transaction((tx) =>
    tx.all(`delete from recommendations_model_pieces where model_id = $1`, [modelId]),
  )
  const keeper = new ModelKeeper(shop.app.shops.test, silentLog())
  await keeper.take()
  equal(keeper.serving?.modelId, whole!.id)
  const proven = await provenModel(db, whole!.id)
  await db.transaction((tx) => activateModel(tx, proven))
})

test('no more than five models are kept, and the one that serves among them', async () => {
  const first = await store.findActive(db.read())
  for (let time = 0; time < 6; time++) await train(db)
  const newest = await store.listModels(db.read())
  equal(newest.length, 5)
  equal(newest.filter((it) => it.isActive).length, 1)
  ok(!newest.some((it) => it.id === first!.id))
})

test('a model that is let serve on one node serves on the other, and so does the way back', async () => {
  const beside = await openPlatform({ connection: shop.connection })
  const keeper = new ModelKeeper(beside.app.shops.test, silentLog())
  await keeper.take()
  const before = keeper.serving!.modelId
  const other = (await store.listModels(db.read())).find((it) => it.id !== before)!
  equal((await shop.call('POST', `/v1/recommendations/models/${other.id}/activate`)).status, 200)
  await until(() => keeper.serving?.modelId === other.id)
  equal((await shop.call('POST', `/v1/recommendations/models/${before}/activate`)).status, 200)
  await until(() => keeper.serving?.modelId === before)
})

test('a process is ready when it has taken up the model that was there before it', async () => {
  const beside = await openPlatform({ connection: shop.connection })
  const keeper = new ModelKeeper(beside.app.shops.test, silentLog())
  await keeper.start()
  equal(keeper.isReady, false)
  await until(() => keeper.isReady)
  ok(keeper.serving)
  const inLive = new ModelKeeper(beside.app.shops.live, silentLog())
  await inLive.start()
  equal(inLive.isReady, true)
})

test('a model that is much worse than the one that serves does not replace it', async () => {
  const active = await store.findActive(db.read())
  const model = readFile(await store.readBytes(db.read(), active!.id))
  const figures = (ndcg10: number) => ({ ndcg10, hit10: 0, recall30: 0 })
  equal(faultOf(model, null), undefined)
  equal(faultOf(model, { cases: 500, fresh: figures(0.2), live: figures(0.21) }), undefined)
  ok(faultOf(model, { cases: 500, fresh: figures(0.1), live: figures(0.2) })?.includes('worse'))
  equal(faultOf(model, { cases: 5, fresh: figures(0.1), live: figures(0.2) }), undefined)
})

test('whoever runs the shop sees the models, goes back to an older one, and is told why a list is as it is', async () => {
  const { models } = (await shop.call('GET', '/v1/recommendations/models')).body.data
  const older = models.find((it: { is_active: boolean; id: string }) => !it.is_active)
  const back = await shop.call('POST', `/v1/recommendations/models/${older.id}/activate`)
  equal(back.body.data.model.is_active, true)
  equal((await shop.call('POST', '/v1/recommendations/models/999/activate')).status, 404)
  const why = (await shop.call('POST', '/v1/recommendations/explain', { body: { offer_ids: ['3'] } })).body
    .data
  equal(why.offers.length, 30)
  ok(why.offers[0].sources.length > 0 && why.offers[0].rank_before !== null)
  deepEqual(
    why.removed.find((it: { product_id: string }) => it.product_id === '3'),
    { product_id: '3', rule: 'on_the_page' },
  )
  const { trainings } = (await shop.call('GET', '/v1/recommendations/trainings')).body.data
  ok(trainings.some((it: { outcome: string }) => it.outcome === 'activated'))
})

test('of those who want to learn at once one begins, and the others are told of it', async () => {
  const begin = () => shop.call('POST', '/v1/recommendations/trainings')
  const replies = await Promise.all([begin(), begin(), begin()])
  const begun = replies.filter((it) => it.status === 200)
  equal(begun.length, 1)
  const { training_id: id } = begun[0]!.body.data
  for (const it of replies) if (it !== begun[0]) deepEqual(refusedWith('conflict', it), { training_id: id })
  const standing = async () =>
    (await shop.call('GET', '/v1/recommendations/trainings')).body.data.trainings.find(
      (it: { id: string }) => it.id === id,
    ).outcome
  await until(async () => (await standing()) !== 'running')
})

test('a ranker from outside must be CatBoost’s JSON and ask for features that we have', async () => {
  const upload = (raw: string) =>
    shop.call('POST', '/v1/recommendations/models', { raw, headers: { 'content-type': 'application/json' } })
  equal((await upload('{"half": ')).status, 422)
  equal((await upload('{}')).status, 422)
})
