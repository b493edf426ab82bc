import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { mainPageRequest } from '../../../test/support/recommendation-request.ts'
import { openPlatform } from '../../../test/support/shop.ts'
import { openLog, silentLog } from '../../base/log.ts'
import { timedUuid } from '../../base/random.ts'
import { ListLog } from './list-log.ts'
import type { ServedList } from './shown-list.ts'

const shop = await openPlatform()
const { test: room } = shop.app.shops
const { db } = room

const made = (buyer: string): ServedList => ({
  id: timedUuid(db.clock.now()),
  at: db.clock.now(),
  request: mainPageRequest([buyer]),
  buyer: { buyer, experimentKey: buyer, interactions: [], pageProductIds: [], cartProductIds: new Set() },
  participation: undefined,
  source: 'catboost',
  modelId: 1,
  offers: [],
  ranking: { before: [], after: [], exploration: [] },
  durationMs: 1,
})
const countOf = async (buyer: string) =>
  (
    await db
      .read()
      .one<{ count: number }>(`select count(*) as count from recommendations_lists where buyer = $1`, [buyer])
  ).count

test('drops lists beyond ten thousand queued ones, and warns', async () => {
  const warned: string[] = []
  const log = { ...silentLog(), warn: (message: string) => void warned.push(message) }
  const lists = new ListLog(room, log as ReturnType<typeof openLog>, 1)
  for (let at = 0; at < 10_300; at++) lists.add(made('flood'))
  await lists.flush()
  equal(await countOf('flood'), 10_000)
  deepEqual(warned, ['the queue of shown lists is full; lists are dropped'])
  lists.add(made('flood'))
  await lists.flush()
  equal(await countOf('flood'), 10_001)
})

test('what could not be written down is written when it can be, once', async () => {
  const lists = new ListLog(room, silentLog(), 1)
  for (let at = 0; at < 20; at++) lists.add(made('later'))
  await db.transaction((tx) =>
    tx.all(`alter table recommendations_lists add constraint shut check (buyer <> 'later') not valid`),
  )
  await lists.flush().catch(() => {})
  equal(await countOf('later'), 0)
  await db.transaction((tx) => tx.all(`alter table recommendations_lists drop constraint shut`))
  await Promise.all([lists.flush(), lists.flush()])
  equal(await countOf('later'), 20)
})

test('a server that stops writes down what waits', async () => {
  const lists = new ListLog(room, silentLog(), 1)
  lists.start()
  lists.add(made('last'))
  await lists.close()
  equal(await countOf('last'), 1)
})
