import { deepEqual, equal, ok, rejects, throws } from 'node:assert/strict'
import { test } from 'node:test'
import { addGroupInteractions, stockTwoGroups, train } from '../../../test/support/behaviour.ts'
import { assertRefused } from '../../../test/support/refused.ts'
import { openPlatform } from '../../../test/support/shop.ts'
import { openStock } from '../../../test/support/stock.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { silentLog } from '../../base/log.ts'
import { fitModel } from './fit-model.ts'
import { ModelRejected, parseModelFile, modelFileBytes } from './model-file.ts'
import { ActiveModel } from './active-model.ts'
import * as store from './store.ts'
import { readSnapshot } from './read-snapshot.ts'
import { activateModel, verifyModel } from './save-model.ts'
import { faultOf } from './train-model.ts'

const shop = await openPlatform()
const { db } = shop.app.shops.test
await stockTwoGroups(await openStock(shop))

test('training with too few interactions is refused and changes nothing', async () => {
  equal((await train(db)).outcome, 'skipped')
  deepEqual(await store.listModels(db.read()), [])
})

test('a model has the same bytes after writing, reading and writing again', async () => {
  await addGroupInteractions(db)
  const { modelId } = await train(db)
  const bytes = await store.readBytes(db.read(), modelId!)
  const model = parseModelFile(bytes)
  equal(model.items.count, 80)
  deepEqual(modelFileBytes(model), bytes)
})

test('the learned source alike and the similarity of products are two tables of a file', async () => {
  const { id } = (await store.findActive(db.read()))!
  const model = parseModelFile(await store.readBytes(db.read(), id))
  const tables = {
    offsets: new Int32Array(model.items.count + 1).fill(1, 1),
    indices: Int32Array.of(7),
    values: Float32Array.of(0.25),
  }
  const alike = { kind: 'alike', rows: 'attributes', params: { fade: 0.5 }, tables } as const
  const read = parseModelFile(modelFileBytes({ ...model, learned: { ...model.learned, alike } }))
  deepEqual(read.learned.alike, alike)
  deepEqual(read.alike, model.alike)
})

test('training twice on the same data gives the same bytes, with any number of threads', async () => {
  const snapshot = await readSnapshot(db)
  const learnt = async (threads: number) =>
    modelFileBytes((await fitModel(snapshot, { seed: 1, threads, report: () => {} })).model)
  const first = await learnt(1)
  ok(first.equals(await learnt(1)))
  ok(first.equals(await learnt(2)))
})

test('a first model whose later fits run on another thread has the same bytes', async () => {
  const snapshot = await readSnapshot(db)
  const learnt = async (threads: number) => {
    const options = { seed: 1, threads, strides: 'long', report: () => {} } as const
    return modelFileBytes((await fitModel(snapshot, options)).model)
  }
  ok((await learnt(2)).equals(await learnt(1)))
})

test('what clients owe is not copied to the thread that fits', async () => {
  const snapshot = await readSnapshot(db)
  let copies = 0
  const limits = {
    get creditTiyin() {
      copies++
      return 1_000
    },
  }
  const options = { seed: 1, threads: 2, strides: 'long', report: () => {} } as const
  await fitModel({ ...snapshot, credit: { limits, histories: new Map() } }, options)
  equal(copies, 0)
})

test('a truncated or changed file is refused, and the previous model stays active', async () => {
  const [before] = await store.listModels(db.read())
  const activeModel = new ActiveModel(shop.app.shops.test, silentLog())
  await activeModel.reload()
  equal(activeModel.serving?.modelId, before!.id)

  const bytes = await store.readBytes(db.read(), before!.id)
  for (const bad of [bytes.subarray(0, bytes.length / 2), Buffer.concat([bytes, bytes]), Buffer.alloc(5)])
    throws(() => parseModelFile(bad), ModelRejected)

  const { modelId } = await train(db)
  await activeModel.reload()
  await db.transaction((tx) =>
    tx.all(
      `update recommendations_model_chunks set bytes = substr(bytes, 1, length(bytes) / 2) where model_id = $1`,
      [before!.id],
    ),
  )
  await rejects(verifyModel(db, before!.id), { code: 'conflict' })
  equal((await shop.call('POST', `/v1/recommendations/models/${before!.id}/activate`)).status, 409)
  await activeModel.reload()
  equal(activeModel.serving?.modelId, modelId)
  equal((await store.findActive(db.read()))?.id, modelId)
})

test('a process that finds the active model damaged uses the newest valid one', async () => {
  const whole = await store.findActive(db.read())
  const { modelId } = await train(db)
  await db.transaction((tx) =>
    tx.all(`delete from recommendations_model_chunks where model_id = $1`, [modelId]),
  )
  const activeModel = new ActiveModel(shop.app.shops.test, silentLog())
  await activeModel.reload()
  equal(activeModel.serving?.modelId, whole!.id)
  const proven = await verifyModel(db, whole!.id)
  await db.transaction((tx) => activateModel(tx, proven))
})

test('five models are stored, the active one among them', async () => {
  const first = await store.findActive(db.read())
  for (let time = 0; time < 6; time++) await train(db)
  const newest = await store.listModels(db.read())
  equal(newest.length, 5)
  equal(newest.filter((it) => it.isActive).length, 1)
  ok(!newest.some((it) => it.id === first!.id))
})

test('activating a model on one node activates it on the other, and so does going back', async () => {
  const beside = await openPlatform({ connection: shop.connection })
  const activeModel = new ActiveModel(beside.app.shops.test, silentLog())
  await activeModel.reload()
  const before = activeModel.serving!.modelId
  const other = (await store.listModels(db.read())).find((it) => it.id !== before)!
  equal((await shop.call('POST', `/v1/recommendations/models/${other.id}/activate`)).status, 200)
  await waitUntil(() => activeModel.serving?.modelId === other.id)
  equal((await shop.call('POST', `/v1/recommendations/models/${before}/activate`)).status, 200)
  await waitUntil(() => activeModel.serving?.modelId === before)
})

test('a process is ready when it has loaded the active model', async () => {
  const beside = await openPlatform({ connection: shop.connection })
  const activeModel = new ActiveModel(beside.app.shops.test, silentLog())
  await activeModel.start()
  equal(activeModel.isReady, false)
  await waitUntil(() => activeModel.isReady)
  ok(activeModel.serving)
  const inLive = new ActiveModel(beside.app.shops.live, silentLog())
  await inLive.start()
  equal(inLive.isReady, true)
})

test('a model that is much worse than the active one does not replace it', async () => {
  const active = await store.findActive(db.read())
  const model = parseModelFile(await store.readBytes(db.read(), active!.id))
  const figures = (ndcg10: number) => ({ ndcg10, hit10: 0, recall30: 0 })
  equal(faultOf(model, null), undefined)
  equal(faultOf(model, { cases: 500, fresh: figures(0.2), live: figures(0.21) }), undefined)
  ok(faultOf(model, { cases: 500, fresh: figures(0.1), live: figures(0.2) })?.includes('worse'))
  equal(faultOf(model, { cases: 5, fresh: figures(0.1), live: figures(0.2) }), undefined)
})

test('a model that does without all sources that may be dropped can serve', async () => {
  const active = await store.findActive(db.read())
  const model = parseModelFile(await store.readBytes(db.read(), active!.id))
  const { regression } = model.learned
  ok(regression && model.learned.walk)
  equal(faultOf({ ...model, learned: { regression } }, null), undefined)
})

test('an operator lists models, activates an older one, and gets the explanation of a list', async () => {
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
    why.excluded.find((it: { product_id: string }) => it.product_id === '3'),
    { product_id: '3', rule: 'on_page' },
  )
  const { trainings } = (await shop.call('GET', '/v1/recommendations/trainings')).body.data
  ok(trainings.some((it: { outcome: string }) => it.outcome === 'activated'))
})

test('of simultaneous training requests one starts, and the others learn that one is running', async () => {
  const begin = () => shop.call('POST', '/v1/recommendations/trainings')
  const replies = await Promise.all([begin(), begin(), begin()])
  const begun = replies.filter((it) => it.status === 200)
  equal(begun.length, 1)
  const { training_id: id } = begun[0]!.body.data
  for (const it of replies)
    if (it !== begun[0])
      deepEqual(assertRefused('conflict', it), { reason: 'training_running', training_id: id })
  const standing = async () =>
    (await shop.call('GET', '/v1/recommendations/trainings')).body.data.trainings.find(
      (it: { id: string }) => it.id === id,
    ).outcome
  await waitUntil(async () => (await standing()) !== 'running')
})

test('an imported ranker must be CatBoost JSON with known features', async () => {
  const upload = (raw: string) =>
    shop.call('POST', '/v1/recommendations/models', { raw, headers: { 'content-type': 'application/json' } })
  equal((await upload('{"half": ')).status, 422)
  equal((await upload('{}')).status, 422)
})
