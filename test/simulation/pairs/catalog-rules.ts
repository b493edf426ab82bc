// Pairs of rules over many rows of the catalog.

import type { Database, Tx } from '../../../src/base/database.ts'
import { TaskQueue } from '../../../src/base/task-queue.ts'
import { attributeKind } from '../../../src/catalog/entities/entity-kinds.ts'
import { deleteEntity } from '../../../src/catalog/entities/edit-entities.ts'
import { recordKinds } from '../../../src/catalog/index.ts'
import { learnSearch, switchLearning } from '../../../src/catalog/search-learning/learn-search.ts'
import { jobContext } from '../../support/job-context.ts'
import type { NewPair } from '../pairs.ts'
import type { Work } from '../race.ts'
import { newCategory, newId, newPromotion, promotionRecord } from './catalog.ts'

const load = async (tx: Tx, record: string, fields: Record<string, unknown>): Promise<number> =>
  (await recordKinds.find((it) => it.name === record)!.load(tx, [fields])).length

/** A product gets a value of an attribute that is being deleted. */
const attributeUsedAndDeleted: NewPair = async (db) => {
  const { id: categoryId } = await newCategory(db)
  const [id, productId] = [newId(), newId()]
  const [code, name] = [`colour_${id}`, { ru: 'Цвет' }]
  await db.transaction((tx) => load(tx, 'attribute', { id, code, kind: 'text', name }))
  const slug = `product-${productId}`
  const product = { id: productId, category_id: categoryId, slug, name, attributes: { [code]: 'red' } }
  return {
    works: [
      (tx) => load(tx, 'product', product),
      async (tx) => void (await deleteEntity(tx, attributeKind, { id, ifMatch: undefined })),
    ],
    observe: () =>
      db.read().one(
        `select (select count(*) from catalog_products where id = $1) as products,
        (select count(*) from catalog_attributes where id = $2) as attributes`,
        [productId, id],
      ),
  }
}

const maxUnended = 1_000

/** Two promotions compete for the last place in the schedule. */
const lastPromotion: NewPair = async (db) => {
  await db.transaction((tx) => tx.all(`delete from catalog_promotions`))
  const { id: categoryId } = await newCategory(db)
  const later = new Date(db.clock.now().getTime() + 86_400_000)
  const first = await newPromotion(db, [categoryId], later)
  await copyPromotion(db, first, maxUnended - 2)
  const [one, two] = [newId(), newId()].map((id) => promotionRecord(id, [categoryId], later))
  return {
    works: [(tx) => load(tx, 'promotion', one!), (tx) => load(tx, 'promotion', two!)],
    observe: async () => {
      const { count } = await db.read().one<{ count: number }>(`select count(*) from catalog_promotions`)
      // Other pairs must not run with a full schedule.
      await db.transaction((tx) => tx.all(`delete from catalog_promotions`))
      return count
    },
  }
}

const copied = `title, title_uz, title_en, starts_at, ends_at, offer_ids, moderated_offer_ids, category_ids, brand_ids,
  partner_ids, discount_percent, price_tiyin, loan_condition_ids, created_at, updated_at`

const copyPromotion = (db: Database, id: number, times: number) =>
  db.transaction((tx) =>
    tx.all(
      `insert into catalog_promotions (id, uuid, slug, ${copied})
       select 100000000 + n, gen_random_uuid(), 'copy-' || n, ${copied}
       from catalog_promotions, generate_series(1, $2::int8) n where id = $1`,
      [id, times],
    ),
  )

/** Operators switch on what the nightly job is saving. */
const learnedAndSwitched: NewPair = async (db) => {
  await db.transaction((tx) =>
    tx.all(`update catalog_search_learning set is_enabled = false, learned_at = null, version = 1`),
  )
  // Without searches nothing is compared, and no process is started.
  const job = learnSearch({
    connection: db.connection,
    searchEngine: { kind: 'memory' },
    queue: new TaskQueue(),
  })
  const learn: Work<void> = {
    process: async ({ db: own }) => void (await job.run(jobContext(own))),
  }
  return {
    works: [learn, async (tx) => void (await switchLearning(tx, { isEnabled: true, ifMatch: undefined }))],
    observe: () =>
      db
        .read()
        .one(`select is_enabled, learned_at is not null as learned, version from catalog_search_learning`),
  }
}

export const catalogRulePairs: Readonly<Record<string, NewPair>> = {
  attributeUsedAndDeleted,
  lastPromotion,
  learnedAndSwitched,
}
