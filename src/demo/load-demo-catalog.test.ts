import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { after, test } from 'node:test'
import { freshDatabase } from '../../test/support/database.ts'
import { systemClock } from '../base/clock.ts'
import { Database, type Environment, type Tx } from '../base/database.ts'
import { retryWhileUnavailable } from '../base/retry.ts'
import { Refusal } from '../base/refusal.ts'
import { validatorCompiler } from '../base/validation.ts'
import { allRecordKinds } from '../app.ts'
import { demoRecords, demoSeed, loadDemoCatalog } from './index.ts'

const connection = await freshDatabase()
const open = (environment: Environment) => {
  const db = new Database({ connection, environment, clock: systemClock(), poolSize: 4 })
  after(() => db.close())
  return db
}
const [live, sandbox] = [open('live'), open('test')]
const shop = demoRecords(demoSeed)
const stocked = (tx: Tx) => loadDemoCatalog(tx, shop, allRecordKinds)
const kindsHere = allRecordKinds.filter((it) => it.name in shop)
const linesOf = (name: string) => shop[name as keyof typeof shop] as { id: number }[]
const everything = Object.fromEntries(kindsHere.map((it) => [it.name, linesOf(it.name).length]))
const nothing = Object.fromEntries(kindsHere.map((it) => [it.name, 0]))

/** The export of every record kind in the demo. */
async function exported(db: Database) {
  const found: Record<string, unknown[]> = {}
  for (const kind of kindsHere) {
    found[kind.name] = []
    for (let after: string | null = null, more = true; more; more = after !== null) {
      const page: Awaited<ReturnType<typeof kind.page>> = await kind.page(db.read(), after, 1_000)
      found[kind.name]!.push(...page.records)
      after = page.last
    }
  }
  return found
}

/** All state that loading can change, counters included. */
const traces = async (db: Database) => ({
  records: await exported(db),
  events: await db.read().one(`select count(*) as published, max(sequence) as last from outbox_events`),
  counters: await db
    .read()
    .all(`select sequencename, last_value from pg_sequences where schemaname = $1 order by 1`, [
      db.environment,
    ]),
})

test('every record has the shape that an import asks for', () => {
  const finder = validatorCompiler()
  ok(kindsHere.length >= 9)
  for (const { name, shape } of kindsHere) {
    const faultsIn = finder(shape)
    for (const { record: _name, ...line } of linesOf(name) as unknown as Record<string, unknown>[])
      deepEqual(faultsIn(line), [], `${name} ${JSON.stringify(line)}`)
  }
})

test('every addition is published once, in order', async () => {
  deepEqual(await sandbox.transaction(stocked), everything)

  const published = await sandbox
    .read()
    .all<{ type: string; published: number }>(
      `select type, count(*) as published from outbox_events where type like '%Created' group by type order by min(sequence)`,
    )
  const created = [
    'Category',
    'Brand',
    'Partner',
    'LoanCondition',
    'Product',
    'Variant',
    'Offer',
    'ModeratedOffer',
    'Promotion',
  ]
  deepEqual(
    published.filter((it) => created.includes(it.type.replace('Created', ''))),
    created.map((it) => ({
      type: `${it}Created`,
      published: everything[it.replaceAll(/(?<!^)[A-Z]/g, '_$&').toLowerCase()],
    })),
  )
})

test('what stands on the shelves is what the records say', async () => {
  const stored = await exported(sandbox)
  for (const { name, key = 'id' } of kindsHere) {
    const byKey = new Map(stored[name]!.map((it) => [(it as Record<string, unknown>)[key], it]))
    for (const { record: _name, ...line } of linesOf(name) as unknown as Record<string, unknown>[]) {
      const kept = byKey.get(line[key]) as Record<string, unknown>
      for (const [field, value] of Object.entries(line)) deepEqual(kept[field], value, `${name}.${field}`)
    }
  }
})

test('loading twice changes nothing and tells nothing', async () => {
  const before = await traces(sandbox)
  deepEqual(await sandbox.transaction(stocked), nothing)
  deepEqual(await traces(sandbox), before)
})

test('both environments get the same', async () => {
  await live.transaction(stocked)
  deepEqual(await exported(live), await exported(sandbox))
})

test('what was changed or moved stays so, and what was taken away comes back', () =>
  sandbox.dryRun(async (tx) => {
    await tx.all(`update catalog_brands set name = 'Our own' where id = 1`)
    await tx.all(`update catalog_categories set parent_id = 63, level = 1 where slug = 'tea-and-coffee'`)
    await tx.all(`update catalog_offers set price_tiyin = 100 where id = 1`)
    await tx.all(`update catalog_exchange_rates set tiyin = 1 where currency = 'USD'`)
    await tx.all(`delete from catalog_offers where id = 6000`)
    deepEqual(await stocked(tx), { ...nothing, offer: 1 })
    deepEqual(await tx.one(`select name from catalog_brands where id = 1`), { name: 'Our own' })
    deepEqual(await tx.one(`select parent_id from catalog_categories where slug = 'tea-and-coffee'`), {
      parent_id: 63,
    })
    deepEqual(await tx.one(`select price_tiyin from catalog_offers where id = 1`), { price_tiyin: 100 })
    deepEqual(await tx.one(`select tiyin from catalog_exchange_rates where currency = 'USD'`), { tiyin: 1 })
    deepEqual(
      tx.published.map((it) => it.event),
      [{ type: 'OfferCreated', offerId: 6000, productId: shop.offer.at(-1)!.product_id }],
    )
  }))

test('a slug that belongs to another is a conflict that names it, and nothing is added', async () => {
  const { slug } = shop.product[0]!
  await rejects(
    sandbox.dryRun(async (tx) => {
      await tx.all(`delete from catalog_offers where product_id = 1`)
      await tx.all(`delete from catalog_moderated_offers where product_id = 1`)
      await tx.all(`update catalog_products set id = 9000 where id = 1`)
      await stocked(tx)
    }),
    (error) =>
      error instanceof Refusal &&
      error.code === 'conflict' &&
      error.details['record'] === 'product' &&
      error.details['value'] === slug,
  )
})

test('two loadings at once fill the shop once', async () => {
  const db = await emptyShop()
  const counts = await Promise.all([1, 2].map(() => retryWhileUnavailable(() => db.transaction(stocked))))
  deepEqual(
    counts.toSorted((a, b) => a['brand']! - b['brand']!),
    [nothing, everything],
  )
  const { published } = await db
    .read()
    .one<{ published: number }>(`select count(*) as published from outbox_events where type = 'OfferCreated'`)
  equal(published, shop.offer.length)
})

test('the shop hands out ids behind those of the demo', async () => {
  const { next } = await sandbox
    .read()
    .one<{ next: number }>(`select nextval(pg_get_serial_sequence('catalog_offers', 'id')) as next`)
  ok(next > shop.offer.length)
})

async function emptyShop(): Promise<Database> {
  const db = new Database({
    connection: await freshDatabase(),
    environment: 'live',
    clock: systemClock(),
    poolSize: 4,
  })
  after(() => db.close())
  return db
}
