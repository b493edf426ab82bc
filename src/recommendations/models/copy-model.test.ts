import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { addGroupInteractions, stockTwoGroups, train } from '../../../test/support/behaviour.ts'
import { openPlatform } from '../../../test/support/shop.ts'
import { openStock } from '../../../test/support/stock.ts'
import { copyModel } from './copy-model.ts'
import * as store from './store.ts'

const shop = await openPlatform()
const { live, test: tested } = shop.app.shops

test('an environment with the same interactions serves a copy of the model, and keeps a model that it has', async () => {
  equal(await copyModel(tested.db, live.db), false)
  for (const environment of ['test', 'live'] as const)
    await stockTwoGroups(await openStock(shop, environment))
  await addGroupInteractions(tested.db)
  const { modelId } = await train(tested.db)
  equal(await copyModel(tested.db, live.db), true)
  const copy = (await store.findActive(live.db.read()))!
  deepEqual(await store.readBytes(live.db.read(), copy.id), await store.readBytes(tested.db.read(), modelId!))
  const { body } = await shop.call('GET', '/v1/recommendations/trainings', { key: shop.keys.live })
  equal(body.data.trainings[0].outcome, 'activated')
  match(body.data.trainings[0].note, /^copied from test/)

  await train(tested.db)
  equal(await copyModel(tested.db, live.db), true)
  equal((await store.findActive(live.db.read()))!.id, copy.id)
})
