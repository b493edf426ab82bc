import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { openPlatform } from '../../test/support/shop.ts'
import { waitUntil } from '../../test/support/wait-until.ts'
import { allRecordKinds } from '../app.ts'
import type { Database } from '../base/database.ts'
import { categories } from './categories.ts'
import { demoInteractions, historyDays, marketOf } from './interactions.ts'
import { SeededRandom } from './seeded-random.ts'
import { demoRecords, demoSeed } from './demo-records.ts'
import { startDemoHistory, DemoHistory, finishDemoHistory } from './load-demo-history.ts'
import { loanConditions } from './partners.ts'
import { demoProducts } from './product.ts'
import { loadHistory } from '../recommendations/interactions/history.ts'
import { loadDemoCatalog } from './load-demo-catalog.ts'
import { isHistoryLoading } from './store.ts'
import { searchedStock, searchesOf } from './searches.ts'
import { mustFit } from './themes.ts'

const end = new Date('2026-11-15T12:00:00Z')
const chance = new SeededRandom(demoSeed)
const stock = { chance, products: demoProducts(chance), loanConditions: loanConditions(chance) }
const scene = marketOf(stock)
const lives = [...demoInteractions(scene, end)]
const interactions = lives.flat()

test('the same seed and end give the same lives', () => {
  deepEqual([...demoInteractions(marketOf(stock), end)].slice(0, 50), lives.slice(0, 50))
})

test('two thousand buyers live for ninety days, each in the order of time', () => {
  equal(lives.length, 2_000)
  ok(interactions.length > 100_000 && interactions.length < 200_000, String(interactions.length))
  const earliest = new Date(end.getTime() - historyDays * 86_400_000).toISOString()
  for (const life of lives) {
    ok(life.length > 0)
    ok(life.every((it, at) => it.at >= (life[at - 1]?.at ?? earliest) && it.at < end.toISOString()))
  }
})

test('buyers buy only what they viewed, and buy again only what is used up', () => {
  const categoryOf = new Map(stock.products.map((it) => [it.record.id, it.record.category_id]))
  const productOf = new Map(demoRecords(demoSeed).offer.map((it) => [String(it.id), it.product_id]))
  const usedUp = new Set([41, 42, 60, 62, 67, 38])
  for (const life of lives.slice(0, 200)) {
    const products = (kind: string) =>
      life.filter((it) => it.kind === kind).map((it) => productOf.get(it.offer_id)!)
    const seen = new Set(products('view'))
    const bought = products('purchase')
    ok(bought.every((it) => seen.has(it)))
    const durable = bought.filter((it) => !usedUp.has(categoryOf.get(it)!))
    equal(new Set(durable).size, durable.length)
  }
})

test('where a size must fit, a buyer looks at one size', () => {
  const productOf = new Map(demoRecords(demoSeed).offer.map((it) => [String(it.id), it.product_id]))
  const slugOf = new Map(categories.map((it) => [it.id, it.slug]))
  const sizeOf = new Map(
    stock.products.flatMap(({ record, size }) =>
      mustFit.has(slugOf.get(record.category_id)!) && size !== undefined
        ? [[record.id, `${record.category_id} ${size}`] as const]
        : [],
    ),
  )
  ok(new Set(sizeOf.values()).size > 8)
  const looks = lives.flatMap((life) => {
    const sizes = life.flatMap((it) =>
      it.kind === 'view' ? (sizeOf.get(productOf.get(it.offer_id)!) ?? []) : [],
    )
    return sizes
      .slice(1)
      .flatMap((size, at) =>
        size.split(' ')[0] === sizes[at]!.split(' ')[0] ? [Number(size === sizes[at])] : [],
      )
  })
  const share = looks.reduce((sum, it) => sum + it, 0) / looks.length
  ok(looks.length > 500 && share > 0.6, `${share} of ${looks.length}`)
})

test('the time of year decides how often a category is visited, not how much buyers do', () => {
  const slugOf = new Map(categories.map((it) => [it.id, it.slug]))
  const productOf = new Map(demoRecords(demoSeed).offer.map((it) => [String(it.id), it.product_id]))
  const categoryOf = new Map(stock.products.map((it) => [it.record.id, slugOf.get(it.record.category_id)!]))
  const sharesAt = (until: Date) => {
    const all = [...demoInteractions(scene, until, { from: 1, to: 500 })].flat()
    const counts = Map.groupBy(all, (it) => categoryOf.get(productOf.get(it.offer_id)!)!)
    return { size: all.length, of: (slug: string) => (counts.get(slug)?.length ?? 0) / all.length }
  }
  const [spring, autumn] = ['2026-06-01', '2026-12-01'].map((day) => sharesAt(new Date(day)))
  ok(Math.abs(spring!.size / autumn!.size - 1) < 0.05, `${spring!.size} and ${autumn!.size}`)
  for (const slug of ['garden', 'bicycles']) ok(spring!.of(slug) > 2 * autumn!.of(slug), slug)
  for (const slug of ['tyres', 'bedding']) ok(autumn!.of(slug) > 1.2 * spring!.of(slug), slug)
})

test('the most popular products are a small part of what anybody looks at', () => {
  const views = Map.groupBy(interactions, (it) => it.offer_id)
  const best = [...views].toSorted((a, b) => b[1].length - a[1].length).slice(0, 30)
  ok(best.reduce((sum, [, those]) => sum + those.length, 0) < interactions.length * 0.1)
})

const openDemo = async () => {
  const shop = await openPlatform()
  const { db } = shop.app.shops.test
  await db.transaction((tx) => loadDemoCatalog(tx, demoRecords(demoSeed), allRecordKinds))
  await db.transaction(startDemoHistory)
  return { ...shop, db }
}
/** A checksum of all stored interactions. */
const lived = (db: Database) =>
  db
    .read()
    .one<{ count: number; hash: string }>(
      `select count(*) as count, md5(string_agg(buyer || offer || kind || at, ',' order by buyer, at, offer, kind)) as hash from recommendations_interactions`,
    )

test('the demo history is loaded once, also when loading is interrupted again and again', async () => {
  const { db, call, app } = await openDemo()
  // Each process is stopped after a few steps and within the next one; the last one finishes.
  let isOver = false
  for (const steps of [1, 3, Infinity]) {
    const life = new DemoHistory(demoSeed)
    for (let step = 0; step < steps && !isOver; step++)
      isOver = (await db.transaction((tx) => life.loadNext(tx))) === undefined
    ok(isOver === (steps === Infinity), 'the history has more steps than are loaded before the last process')
    if (!isOver)
      await db
        .transaction(async (tx) => {
          await life.loadNext(tx)
          throw new Error('stopped')
        })
        .catch(() => {})
  }
  // The searches follow in steps of their own, which another process may continue.
  const searched = () =>
    db
      .read()
      .one<{ searches: number; interactions: number }>(
        `select (select coalesce(sum(searches), 0)::int8 from catalog_search_queries) as searches, (select coalesce(sum(count), 0)::int8 from catalog_search_interactions) as interactions`,
      )
  equal((await searched()).interactions, 0)
  for (const steps of [2, Infinity]) {
    const history = new DemoHistory(demoSeed)
    for (let step = 0, more = true; step < steps && more; step++)
      more = await db.transaction((tx) => history.loadNextSearches(tx))
  }
  const ofDemo = searchesOf(interactions, { chance, productOf: searchedStock(stock).productOf })
  const share = (await searched()).interactions / ofDemo.length
  ok(share > 0.95 && share <= 1.02, `each is counted once: ${share}`)
  const whole = await lived(db)
  ok(whole.count > 100_000)
  const { ends } = await db.read().one<{ ends: Date }>(`select ends_at as ends from demo_histories`)
  equal(whole.count, [...demoInteractions(scene, ends)].flat().length)
  equal(await db.transaction((tx) => new DemoHistory(demoSeed).loadNext(tx)), undefined)
  ok(await isHistoryLoading(db.read()))
  await db.transaction(finishDemoHistory)
  ok(!(await isHistoryLoading(db.read())))
  await db.transaction(startDemoHistory)
  ok(!(await isHistoryLoading(db.read())))

  const { id } = await db
    .read()
    .one<{ id: number }>(
      `select product_id as id from catalog_popularity order by score desc, product_id limit 1`,
    )
  const first = async () =>
    (await call('GET', '/v1/catalog/products?sort=-popularity&per_page=1')).body.data.products[0].id
  await waitUntil(async () => (await first()) === String(id))

  // The search learns from it at the next poll, not in the next night.
  const learnedAt = async () => (await call('GET', '/v1/admin/search/learning')).body.data.learning.learned_at
  equal(await learnedAt(), null)
  await app.shops.test.jobs.runDue()
  await waitUntil(async () => (await learnedAt()) !== null, { what: 'the search has learned', pollMs: 200 })

  // The external UUID of a client identifies the same buyer.
  await app.shops.test.relay.catchUp()
  for (const { id: client, external_ids } of demoRecords(demoSeed).client.slice(0, 3)) {
    const history = await loadHistory(db.read(), external_ids)
    equal(history!.buyer, String(client))
    ok(history!.interactions.length > 0)
  }
})

test('what a visitor does while the past is loading does not stop it, and a shop with a life of its own gets none', async () => {
  const { db, call } = await openDemo()
  await db.transaction((tx) => new DemoHistory(demoSeed).loadNext(tx))
  await call('POST', '/v1/interactions', {
    body: { interactions: [{ user_id: 'visitor', offer_id: '1', kind: 'view' }] },
  })
  ok((await db.transaction((tx) => new DemoHistory(demoSeed).loadNext(tx)))! > 0)

  const busy = await openPlatform()
  await busy.call('POST', '/v1/interactions', {
    body: { interactions: [{ user_id: 'visitor', offer_id: '1', kind: 'view' }] },
  })
  await busy.app.shops.test.db.transaction(startDemoHistory)
  ok(!(await isHistoryLoading(busy.app.shops.test.db.read())))
})
