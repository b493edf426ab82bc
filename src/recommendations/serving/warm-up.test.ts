import { equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { addGroupInteractions, groupSize, stockTwoGroups, train } from '../../../test/support/behaviour.ts'
import { mainPageRequest } from '../../../test/support/recommendation-request.ts'
import { openPlatform } from '../../../test/support/shop.ts'
import { openStock } from '../../../test/support/stock.ts'
import { cacheOnly } from '../../base/cache-only.ts'
import { systemClock } from '../../base/clock.ts'
import type { Reader } from '../../base/database.ts'
import { silentLog } from '../../base/log.ts'
import { TaskQueue } from '../../base/task-queue.ts'
import { findOffers, openCatalog } from '../../catalog/index.ts'
import { ActiveModel } from '../models/active-model.ts'
import { recommend } from './recommend.ts'
import { warmUp } from './warm-up.ts'

const shop = await openPlatform()
const { db } = shop.app.shops.test
await stockTwoGroups(await openStock(shop))
await addGroupInteractions(db)
await train(db)
await shop.app.loaded()
const catalog = openCatalog(shop.app.shops, {
  log: silentLog(),
  dataDir: './data',
  picturesS3: undefined,
  searchEngine: { kind: 'memory' },
  taskQueue: new TaskQueue(),
  clock: systemClock(),
})
await catalog.loaded!()
const models = new ActiveModel(shop.app.shops.test, silentLog())
await models.reload()
const { serving } = models
const deps = { catalog, environment: 'test' } as const
const listOf = (buyer: string) =>
  recommend(cacheOnly(db.read()), mainPageRequest([buyer]), { ...deps, serving })

test('after the warm-up the offers of a list need not be read', async () => {
  db.cache!.clear()
  const cold = await listOf('first-1').catch(() => undefined)
  equal(cold?.offers.length ?? 0, 0)
  db.cache!.clear()
  await warmUp(db, ['first-0', 'first-1'], { ...deps, serving: () => serving })
  const { offers } = await listOf('first-1')
  equal(offers.length, 30)
})

test('a list whose offers cannot be read does not visit the whole catalog', async () => {
  db.cache!.clear()
  // Only this offer and what prices depend on are cached.
  await findOffers(db.read(), [1])
  const cached = cacheOnly(db.read())
  let lookups = 0
  const unreadable: Reader = {
    ...cached,
    cached: (kind, keys, load) => {
      lookups++
      return cached.cached(kind, keys, load)
    },
  }
  const request = { ...mainPageRequest([]), limit: 1 }
  const { offers } = await recommend(unreadable, request, { ...deps, serving: undefined })
  equal(offers.length, 0)
  ok(lookups < groupSize, `${lookups} lookups for ${2 * groupSize} products`)
})

test('the warm-up of a model ends when another one is loaded', async () => {
  const states = [serving, serving, undefined]
  await warmUp(db, ['first-0', 'first-1', 'first-2', 'first-3'], { ...deps, serving: () => states.shift() })
  equal(states.length, 0)
  await warmUp(db, ['first-0'], { ...deps, serving: () => undefined })
})
