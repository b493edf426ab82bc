// A new model replaces the active one only when it is at least as good on the same queries; imported parts stay.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { dayMs } from '../../base/clock.ts'
import { TaskQueue } from '../../base/task-queue.ts'
import { addGroupInteractions, stockTwoGroups, train } from '../../../test/support/behaviour.ts'
import { jobContext } from '../../../test/support/job-context.ts'
import { assertRefused } from '../../../test/support/refused.ts'
import { openPlatform } from '../../../test/support/shop.ts'
import { openStock } from '../../../test/support/stock.ts'
import { trainModel } from './train-model.ts'
import { casesBetween } from './cases.ts'
import { featureNames } from '../serving/features.ts'
import { fitModel } from './fit-model.ts'
import { compareModels } from './measure.ts'
import type { Model } from './model.ts'
import { parseModelFile } from './model-file.ts'
import { trainTrees } from '../../ml/trees/train.ts'
import { writtenModel } from '../../ml/trees/write-model.ts'
import * as store from './store.ts'
import { beginTraining } from './run-training.ts'
import { readSnapshot } from './read-snapshot.ts'
import { trainingJob } from './run-training.ts'
import type { ProgressPoint } from './training-progress.ts'

const shop = await openPlatform()
const { db } = shop.app.shops.test
await stockTwoGroups(await openStock(shop))
await addGroupInteractions(db)
await train(db)

/** A forest that orders candidates by one feature, ascending or descending. */
const forestBy = (feature: (typeof featureNames)[number], sign: 1 | -1) => {
  const rows = 400
  const floats = featureNames.map((name) =>
    Float32Array.from({ length: rows }, (_, row) => (name === feature ? row : 0)),
  )
  const labels = Float64Array.from({ length: rows }, (_, row) => (sign * row) / rows)
  return trainTrees(
    { columns: { rows, floats, categories: [] }, labels, floatNames: [...featureNames] },
    { iterations: 30, depth: 3, loss: 'RMSE', seed: 1 },
  ).model
}
const upload = (raw: string) =>
  shop.call('POST', '/v1/recommendations/models', { raw, headers: { 'content-type': 'application/json' } })
const liveModel = async (): Promise<{ record: store.ModelRecord; model: Model }> => {
  const record = (await store.findActive(db.read()))!
  return { record, model: parseModelFile(await store.readBytes(db.read(), record.id)) }
}

test('two models get the same queries, whatever products each knows', async () => {
  const snapshot = await readSnapshot(db)
  const today = snapshot.until.getTime() / dayMs
  const { model } = await fitModel(snapshot, { seed: 1, threads: 1, report: () => {} })
  const known = { ...snapshot, items: model.items }
  const cases = casesBetween(known, { from: today - 7, to: today, most: 200 })
  const itself = compareModels(model, model, cases)
  ok(itself.cases > 50)
  deepEqual(itself.fresh, itself.live)

  const worst = { ...model, ranker: forestBy('blend_rank', 1) }
  ok(compareModels(worst, model, cases).fresh.ndcg10 < itself.live.ndcg10 / 2)

  // A model that lacks every second product answers as many queries, with worse results.
  const gone = (item: number) => item % 4 === 0
  const placeOf = new Map(
    snapshot.products.flatMap((_, item) => (gone(item) ? [] : [item])).map((item, place) => [item, place]),
  )
  const fewer = {
    ...snapshot,
    products: snapshot.products.filter((_, item) => !gone(item)),
    buyers: [...snapshot.buyers].map((steps) =>
      steps.flatMap((it) => (gone(it.item) ? [] : [{ ...it, item: placeOf.get(it.item)! }])),
    ),
  }
  const half = (await fitModel(fewer, { seed: 1, threads: 1, report: () => {} })).model
  const { fresh, live } = compareModels(model, half, cases)
  deepEqual(fresh, itself.fresh)
  ok(live.recall30 > 0.2 && live.recall30 < 0.8, String(live.recall30))
})

test('a new model is compared with the active one on interactions after the training of the active one', async () => {
  equal((await shop.call('POST', '/v1/test/clock', { body: { advance: 'P6D' } })).status, 200)
  await addGroupInteractions(db, { days: 6 })
  const { outcome, note } = await train(db)
  equal(outcome, 'activated')
  const [, cases] = /on (\d+) later cases/.exec(note)!
  ok(Number(cases) > 100, note)
})

test('an uploaded ranker stays after training until an operator chooses the trained one', async () => {
  const ours = (await store.findActive(db.read()))!
  const forest = writtenModel(forestBy('blend_rank', -1))
  const uploaded = await upload(forest)
  equal(uploaded.status, 200, uploaded.text)
  deepEqual(
    [uploaded.body.data.model.ranker_origin, uploaded.body.data.model.metrics.ranker],
    ['uploaded', null],
  )

  const { note } = await train(db)
  ok(note.includes('uploaded and kept'), note)
  const kept = await liveModel()
  deepEqual([kept.record.origin, kept.record.rankerOrigin], ['trained', 'uploaded'])
  equal(writtenModel(kept.model.ranker!), forest)
  ok(kept.record.metrics.ranker !== null)
  ok(kept.model.until > ours.trainedUntil)

  await trainModel(db, { seed: 1, threads: 1, replacesRanker: true, report: () => {} })
  const again = await liveModel()
  ok(again.record.rankerOrigin !== 'uploaded')
  ok(!again.model.ranker || writtenModel(again.model.ranker) !== forest)
})

test('a training stores what it measures while it runs, and keeps it', async () => {
  const duringSearch: number[] = []
  const id = await db.transaction((tx) => store.insertTraining(tx))
  const path = `/v1/recommendations/trainings/${id}`
  const measured = async () => (await shop.call('GET', path)).body.data.progress
  const { metrics } = await trainModel(db, {
    seed: 1,
    threads: 1,
    searchSeconds: 2,
    trainingId: id,
    report: async (line) => {
      if (line.includes('until two weeks ago')) duringSearch.push((await measured()).length)
    },
  })
  ok(duringSearch[0]! > 3, `${duringSearch[0]} measurements before the ranker`)
  const points: ProgressPoint[] = await measured()
  const begun = points.filter((it) => it.score === null).map((it) => it.stage)
  deepEqual(begun, ['read', 'search', 'weights', 'ranker', 'held_out', 'compared', 'final', 'done'])
  const trials = points.filter((it) => it.stage === 'search' && it.score !== null)
  ok(trials.every((it) => it.page !== null && it.family !== null && it.score! >= 0 && it.score! <= 1))
  ok(new Set(trials.map((it) => it.family)).size > 1)
  const lastTrees = points.findLast((it) => it.stage === 'ranker')!
  ok(lastTrees.trees! > 0 && lastTrees.score! > 0)
  const heldOut = points.filter((it) => it.stage === 'held_out' && it.score !== null)
  equal(
    heldOut.find((it) => it.source === 'popularity')!.score!.toFixed(3),
    metrics!.popularity.ndcg10.toFixed(3),
  )
  ok(points.every((it, at) => at === 0 || it.seconds >= points[at - 1]!.seconds))
  assertRefused('not_found', await shop.call('GET', '/v1/recommendations/trainings/999999'))
})

test('a model that is activated during a training is not replaced by its result', async () => {
  const outcome = await trainModel(db, {
    seed: 1,
    threads: 1,
    report: async (line) => {
      if (line.includes('until a week ago')) await upload(writtenModel(forestBy('blend_rank', -1)))
    },
  })
  deepEqual([outcome.outcome, outcome.note.includes('activated during')], ['rejected', true])
  equal((await liveModel()).record.rankerOrigin, 'uploaded')
})

test('one training runs at a time, manual or scheduled, and one whose process ended long ago does not block', async () => {
  const begin = () => db.transaction((tx) => beginTraining(tx))
  const both = await Promise.all([begin(), begin()])
  const first = both.find((it) => 'id' in it)!
  deepEqual(
    both.find((it) => it !== first),
    { runningId: first.id },
  )

  const muchIsNew = `update recommendations_models set trained_until = trained_until - interval '90 days'`
  await db.transaction((tx) => tx.all(muchIsNew))
  const night = await trainingJob({ connection: {}, queue: new TaskQueue() }).run(jobContext(db))
  equal(night, `training ${first.id} is already running`)

  const longAgo = `update recommendations_trainings set started_at = started_at - interval '61 minutes' where id = $1`
  await db.transaction((tx) => tx.all(longAgo, [first.id]))
  const second = await begin()
  ok('id' in second && second.id > first.id)
  const ended = { outcome: 'skipped', note: '', modelId: null } as const
  await db.transaction((tx) => store.finishTraining(tx, second.id, ended))
  ok('id' in (await begin()))
})
