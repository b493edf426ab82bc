import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { openPlatform } from '../../test/support/shop.ts'
import { until } from '../../test/support/until.ts'
import { allRecordKinds } from '../app.ts'
import { demoBehaviour, lifeDays } from './behaviour.ts'
import { Chance } from './chance.ts'
import { demoRecords, demoSeed } from './demo-records.ts'
import { liveDemoLife } from './live-demo-life.ts'
import { loanConditions } from './partners.ts'
import { stockedProducts } from './product.ts'
import { stockDemoShop } from './stock-demo-shop.ts'

const end = new Date('2026-11-15T12:00:00Z')
const chance = new Chance(demoSeed)
const stock = { chance, products: stockedProducts(chance), loanConditions: loanConditions(chance) }
const lives = [...demoBehaviour(stock, end)]
const deeds = lives.flat()

test('the same seed and end give the same lives', () => {
  deepEqual([...demoBehaviour(stock, end)].slice(0, 50), lives.slice(0, 50))
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

test('a demo shop gets its past once, and what was sought most stands first', async () => {
  const { app, call } = await openPlatform()
  const { db } = app.shops.test
  await db.transaction((tx) => stockDemoShop(tx, demoRecords(demoSeed), allRecordKinds))
  const lived = await db.transaction((tx) => liveDemoLife(tx, demoSeed))
  ok(lived > 100_000)
  equal(await db.transaction((tx) => liveDemoLife(tx, demoSeed)), 0)
  const { count } = await db
    .read()
    .one<{ count: number }>(`select count(*) as count from recommendations_interactions`)
  equal(count, lived)
  const { id } = await db
    .read()
    .one<{ id: number }>(
      `select product_id as id from catalog_popularity order by score desc, product_id limit 1`,
    )
  const first = async () =>
    (await call('GET', '/v1/catalog/products?sort=-popularity&per_page=1')).body.data.products[0].id
  await until(async () => (await first()) === String(id))
})
