import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, test } from 'node:test'
import { freshDatabase } from '../../test/support/database.ts'
import { systemClock } from '../base/clock.ts'
import { Database, type Environment } from '../base/db.ts'
import { brands } from './brands.ts'
import { categories } from './categories.ts'
import { stockDemoShop } from './stock-demo-shop.ts'

const connection = await freshDatabase()
const open = (environment: Environment) => {
  const db = new Database({ connection, environment, clock: systemClock(), poolSize: 4 })
  after(() => db.close())
  return db
}
const [live, sandbox] = [open('live'), open('test')]
const nothing = { categories: 0, brands: 0 }
const everything = { categories: categories.length, brands: brands.length }

/** All that a loading can leave behind, counters too. */
async function traces(db: Database) {
  const read = db.read()
  return {
    categories: await read.all(`select * from catalog_categories order by id`),
    brands: await read.all(`select * from catalog_brands order by id`),
    events: await read.all(`select * from outbox_events order by sequence`),
    counters: await read.all(
      `select sequencename, last_value from pg_sequences
       where schemaname = $1 and sequencename like 'catalog_%' order by 1`,
      [db.environment],
    ),
  }
}

test('every addition is told once, in order', async () => {
  deepEqual(await sandbox.transaction(stockDemoShop), everything)

  const told = await sandbox.read().all(`select type, subject, fields from outbox_events order by sequence`)
  deepEqual(told, [
    ...categories.map((it) => ({
      type: 'CategoryCreated',
      subject: `category/${it.id}`,
      fields: { categoryId: it.id, slug: it.slug },
    })),
    ...brands.map((it) => ({
      type: 'BrandCreated',
      subject: `brand/${it.id}`,
      fields: { brandId: it.id, slug: it.slug },
    })),
  ])
})

test('what stands on the shelves is what the tables say, at its level in the tree', async () => {
  const read = sandbox.read()
  const stored = await read.all(
    `select id, parent_id as "parentId", slug, name, description, image_url as "imageUrl"
     from catalog_categories order by id`,
  )
  deepEqual(stored, categories)
  deepEqual(await read.all(`select id, slug, name from catalog_brands order by id`), brands)
  const crooked = await read.all(
    `select child.slug from catalog_categories child left join catalog_categories parent on parent.id = child.parent_id
     where child.level <> coalesce(parent.level + 1, 0)`,
  )
  deepEqual(crooked, [])
})

test('loading twice changes nothing and tells nothing', async () => {
  const before = await traces(sandbox)
  deepEqual(await sandbox.transaction(stockDemoShop), nothing)
  deepEqual(await traces(sandbox), before)
})

test('both environments get the same', async () => {
  await live.transaction(stockDemoShop)
  const ageless = async (db: Database) => {
    const { categories: tree, brands: names } = await traces(db)
    return [tree, names].map((rows) =>
      rows.map((it) => ({ ...(it as object), created_at: 0, updated_at: 0 })),
    )
  }
  deepEqual(await ageless(live), await ageless(sandbox))
})

test('what was changed or moved stays so, and what was taken away comes back', async () => {
  await sandbox.rehearse(async (tx) => {
    await tx.all(`update catalog_brands set name = 'Our own' where id = 1`)
    await tx.all(`delete from catalog_brands where id = 2`)
    await tx.all(`update catalog_categories set parent_id = 63, level = 1 where slug = 'tea-and-coffee'`)
    deepEqual(await stockDemoShop(tx), { categories: 0, brands: 1 })
    deepEqual(await tx.one(`select name from catalog_brands where id = 1`), { name: 'Our own' })
    deepEqual(await tx.one(`select parent_id from catalog_categories where slug = 'tea-and-coffee'`), {
      parent_id: 63,
    })
    deepEqual(tx.told, [{ type: 'BrandCreated', brandId: 2, slug: brands[1]!.slug }])
  })
})

test('two loadings at once fill the shop once', async () => {
  const db = await emptyShop()
  const counts = await Promise.all([1, 2, 3].map(() => db.transaction(stockDemoShop)))
  deepEqual(
    counts.toSorted((a, b) => a.brands - b.brands),
    [nothing, nothing, everything],
  )
  const { told } = await db.read().one<{ told: number }>(`select count(*) as told from outbox_events`)
  equal(told, categories.length + brands.length)
})

test('the shop hands out ids behind those of the demo', async () => {
  const { next } = await sandbox
    .read()
    .one<{ next: number }>(`select nextval(pg_get_serial_sequence('catalog_brands', 'id')) as next`)
  ok(next > brands.length)
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
