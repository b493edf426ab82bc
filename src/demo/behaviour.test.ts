import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { openPlatform } from '../../test/support/shop.ts'
import { until } from '../../test/support/until.ts'
import { allRecordKinds } from '../app.ts'
import type { Database } from '../base/db.ts'
import { demoBehaviour, lifeDays, sceneOf } from './behaviour.ts'
import { Chance } from './chance.ts'
import { demoRecords, demoSeed } from './demo-records.ts'
import { beginDemoLife, DemoLife, endDemoLife } from './live-demo-life.ts'
import { loanConditions } from './partners.ts'
import { stockedProducts } from './product.ts'
import { historyOf } from '../recommendations/behaviour/history.ts'
import { stockDemoShop } from './stock-demo-shop.ts'
import { isLifeUnderWay } from './store.ts'

const end = new Date('2026-11-15T12:00:00Z')
const chance = new Chance(demoSeed)
const stock = { chance, products: stockedProducts(chance), loanConditions: loanConditions(chance) }
const scene = sceneOf(stock)
const lives = [...demoBehaviour(scene, end)]
const deeds = lives.flat()

test('the same seed and end give the same lives', () => {
  deepEqual([...demoBehaviour(sceneOf(stock), end)].slice(0, 50), lives.slice(0, 50))
})

test('two thousand buyers live for ninety days, each in the order of time', () => {
  equal(lives.length, 2_000)
  ok(deeds.length > 100_000 && deeds.length < 200_000, String(deeds.length))
  const earliest = new Date(end.getTime() - lifeDays * 86_400_000).toISOString()
  for (const life of lives) {
    ok(life.length > 0)
    ok(life.every((it, at) => it.at >= (life[at - 1]?.at ?? earliest) && it.at < end.toISOString()))
  }
})

test('nobody buys what he did not look at, and only what is used up is bought twice', () => {
  const shelfOf = new Map(stock.products.map((it) => [it.record.id, it.record.category_id]))
  const productOf = new Map(demoRecords(demoSeed).offer.map((it) => [String(it.id), it.product_id]))
  const usedUp = new Set([41, 42, 60, 62, 67, 38])
  for (const life of lives.slice(0, 200)) {
    const products = (kind: string) =>
      life.filter((it) => it.kind === kind).map((it) => productOf.get(it.offer_id)!)
    const seen = new Set(products('view'))
    const bought = products('purchase')
    ok(bought.every((it) => seen.has(it)))
    const durable = bought.filter((it) => !usedUp.has(shelfOf.get(it)!))
    equal(new Set(durable).size, durable.length)
  }
})

test('the most popular products are a small part of what anybody looks at', () => {
  const views = Map.groupBy(deeds, (it) => it.offer_id)
  const best = [...views].toSorted((a, b) => b[1].length - a[1].length).slice(0, 30)
  ok(best.reduce((sum, [, those]) => sum + those.length, 0) < deeds.length * 0.1)
})

const openDemo = async () => {
  const shop = await openPlatform()
  const { db } = shop.app.shops.test
  await db.transaction((tx) => stockDemoShop(tx, demoRecords(demoSeed), allRecordKinds))
  await db.transaction(beginDemoLife)
  return { ...shop, db }
}
/** All deeds that are there, as one number. */
const lived = (db: Database) =>
  db
    .read()
    .one<{ count: number; hash: string }>(
      `select count(*) as count, md5(string_agg(buyer || offer || kind || at, ',' order by buyer, at, offer, kind)) as hash from recommendations_interactions`,
    )

test('a demo shop gets its past once, also when whoever loads it is stopped again and again', async () => {
  const { db, call, app } = await openDemo()
  // As many processes begin as it takes; each is stopped after some steps, one of them in the middle of a step.
  let steps = 0
  for (let isOver = false; !isOver;) {
    const life = new DemoLife(demoSeed)
    for (let step = 0; step < 3 && !isOver; step++, steps++)
      isOver = (await db.transaction((tx) => life.goOn(tx))) === undefined
    if (steps === 6)
      await db
        .transaction(async (tx) => {
          await life.goOn(tx)
          throw new Error('stopped')
        })
        .catch(() => {})
  }
  const whole = await lived(db)
  ok(whole.count > 100_000)
  const { ends } = await db.read().one<{ ends: Date }>(`select ends_at as ends from demo_lives`)
  equal(whole.count, [...demoBehaviour(scene, ends)].flat().length)
  equal(await db.transaction((tx) => new DemoLife(demoSeed).goOn(tx)), undefined)
  ok(await isLifeUnderWay(db.read()))
  await db.transaction(endDemoLife)
  ok(!(await isLifeUnderWay(db.read())))
  await db.transaction(beginDemoLife)
  ok(!(await isLifeUnderWay(db.read())))

  const { id } = await db
    .read()
    .one<{ id: number }>(
      `select product_id as id from catalog_popularity order by score desc, product_id limit 1`,
    )
  const first = async () =>
    (await call('GET', '/v1/catalog/products?sort=-popularity&per_page=1')).body.data.products[0].id
  await until(async () => (await first()) === String(id))

  // Every buyer is known by his UUID too.
  await app.shops.test.relay.settle()
  for (const { id: client, external_ids } of demoRecords(demoSeed).client.slice(0, 3)) {
    const history = await historyOf(db.read(), external_ids)
    equal(history!.buyer, String(client))
    ok(history!.deeds.length > 0)
  }
})

test('what a visitor does while the past is loading does not stop it, and a shop with a life of its own gets none', async () => {
  const { db, call } = await openDemo()
  await db.transaction((tx) => new DemoLife(demoSeed).goOn(tx))
  await call('POST', '/v1/interactions', {
    body: { interactions: [{ user_id: 'visitor', offer_id: '1', kind: 'view' }] },
  })
  ok((await db.transaction((tx) => new DemoLife(demoSeed).goOn(tx)))! > 0)

  const busy = await openPlatform()
  await busy.call('POST', '/v1/interactions', {
    body: { interactions: [{ user_id: 'visitor', offer_id: '1', kind: 'view' }] },
  })
  await busy.app.shops.test.db.transaction(beginDemoLife)
  ok(!(await isLifeUnderWay(busy.app.shops.test.db.read())))
})
