import type { Database } from '../../../src/base/database.ts'
import { changeCategory, createCategory } from '../../../src/catalog/categories/edit-categories.ts'
import { changeEntity, deleteEntity } from '../../../src/catalog/entities/edit-entities.ts'
import type { Brand } from '../../../src/catalog/entities/entities.ts'
import { brandKind } from '../../../src/catalog/entities/entity-kinds.ts'
import { setExchangeRate } from '../../../src/catalog/exchange-rates/exchange-rates.ts'
import { recordKinds } from '../../../src/catalog/index.ts'
import { changeShopProfile } from '../../../src/catalog/shop-profile/routes.ts'
import { setSearchSynonyms } from '../../../src/catalog/search-synonyms/search-synonyms.ts'
import { setLimits } from '../../../src/cart/limits/limits-record.ts'
import { publishStages } from '../../../src/catalog/promotions/publish-stages.ts'
import { removeFromPromotions } from '../../../src/catalog/promotions/leave-promotions.ts'
import { beginTraining } from '../../../src/recommendations/models/run-training.ts'
import {
  changeExperiment,
  createExperiment,
  startExperiment,
} from '../../../src/recommendations/experiments/manage-experiments.ts'
import { advanceClock, resetClock } from '../../../src/base/test-clock.ts'
import { exactly } from '../../../src/http/version.ts'
import type { NewPair } from '../pairs.ts'

let last = 1_000_000
export const newId = (): number => ++last

const category = (parentId: number | null) => {
  const id = newId()
  return {
    id,
    parentId,
    slug: `category-${id}`,
    name: { ru: 'Раздел' },
    description: {},
    imageUrl: null,
  }
}
export const newCategory = (db: Database, parentId: number | null = null) =>
  db.transaction((tx) => createCategory(tx, category(parentId)))

const twoFieldsOfCategory: NewPair = async (db) => {
  const { id } = await newCategory(db)
  const change = (changes: object) => ({ changes, ifMatch: undefined })
  const url = 'https://shop.example/a.webp'
  return {
    works: [
      async (tx) => void (await changeCategory(tx, id, change({ name: { ru: 'Новый' } }))),
      async (tx) => void (await changeCategory(tx, id, change({ imageUrl: url }))),
    ],
    observe: () =>
      db.read().one(`select name, image_url, version from catalog_categories where id = $1`, [id]),
  }
}

/**
 * Each moves below the other; together they would make a cycle. One of them keeps its level, so that it does not wait for
 * the rows below it.
 */
const movesIntoEachOther: NewPair = async (db) => {
  const [root, other] = [await newCategory(db), await newCategory(db)]
  const between = await newCategory(db, root.id)
  const one = await newCategory(db, between.id)
  const [belowOne, belowOther] = [await newCategory(db, one.id), await newCategory(db, other.id)]
  const below = (parentId: number) => ({ changes: { parentId }, ifMatch: undefined })
  return {
    works: [
      async (tx) => void (await changeCategory(tx, one.id, below(belowOther.id))),
      async (tx) => void (await changeCategory(tx, other.id, below(belowOne.id))),
    ],
  }
}

const newBrand = async (db: Database) => {
  const id = newId()
  const kind = recordKinds.find((it) => it.name === 'brand')!
  await db.transaction((tx) => kind.load(tx, [{ id, slug: `brand-${id}`, name: 'Artel' }]))
  return id
}

const twoChangesOfOneVersion: NewPair = async (db) => {
  const id = await newBrand(db)
  const change = (name: string) => ({
    id,
    ifMatch: exactly(1),
    input: (before: Brand) => ({ ...before, name }),
  })
  return {
    works: [
      async (tx) => void (await changeEntity(tx, brandKind, change('One'))),
      async (tx) => void (await changeEntity(tx, brandKind, change('Two'))),
    ],
    observe: () => db.read().one(`select version from catalog_brands where id = $1`, [id]),
  }
}

/** A product of a brand that is being deleted. */
const referenceAndDeletion: NewPair = async (db) => {
  const [brandId, { id: categoryId }] = [await newBrand(db), await newCategory(db)]
  const id = newId()
  const product = { id, category_id: categoryId, brand_id: brandId, slug: `p-${id}`, name: { ru: 'Товар' } }
  const kind = recordKinds.find((it) => it.name === 'product')!
  return {
    works: [
      async (tx) => (await kind.load(tx, [product])).length,
      async (tx) => void (await deleteEntity(tx, brandKind, { id: brandId, ifMatch: undefined })),
    ],
    observe: () =>
      db.read().one(
        `select (select count(*) from catalog_products where brand_id = $1) as products,
        (select count(*) from catalog_brands where id = $1) as brands`,
        [brandId],
      ),
  }
}

const twoRatesOfOneVersion: NewPair = async (db) => {
  await db.transaction((tx) => tx.all(`delete from catalog_exchange_rates`))
  await db.transaction((tx) => setExchangeRate(tx, { currency: 'USD', tiyin: 1_000 }))
  return {
    works: [
      async (tx) => void (await setExchangeRate(tx, { currency: 'USD', tiyin: 2_000, ifMatch: exactly(1) })),
      async (tx) => void (await setExchangeRate(tx, { currency: 'USD', tiyin: 3_000, ifMatch: exactly(1) })),
    ],
    observe: () => db.read().one(`select tiyin, version from catalog_exchange_rates`),
  }
}

const twoSynonymsOfOneVersion: NewPair = async (db) => {
  await db.transaction((tx) => tx.all(`delete from catalog_search_synonyms`))
  await db.transaction((tx) => setSearchSynonyms(tx, { text: 'phone, smartphone', ifMatch: undefined }))
  return {
    works: [
      async (tx) => void (await setSearchSynonyms(tx, { text: 'tv, television', ifMatch: exactly(1) })),
      async (tx) => void (await setSearchSynonyms(tx, { text: 'pc, computer', ifMatch: exactly(1) })),
    ],
    observe: () => db.read().one(`select text, version from catalog_search_synonyms`),
  }
}

const twoProfilesOfTheShop: NewPair = async (db) => {
  await db.transaction((tx) => tx.all(`update catalog_shop_profile set name = null, colour = null`))
  return {
    works: [
      async (tx) => void (await changeShopProfile(tx, { name: 'Chorsu' }, undefined)),
      async (tx) => void (await changeShopProfile(tx, { colour: '#7a1f5c' }, undefined)),
    ],
    observe: () => db.read().one(`select name, colour from catalog_shop_profile`),
  }
}

const twoLimits: NewPair = async (db) => {
  await db.transaction((tx) => setLimits(tx, { creditTiyin: 1_000, dailyAmountTiyin: 1_000 }))
  return {
    works: [
      async (tx) => void (await setLimits(tx, { creditTiyin: 2_000 })),
      async (tx) => void (await setLimits(tx, { dailyAmountTiyin: 3_000 })),
    ],
    observe: () => db.read().one(`select credit_tiyin, daily_amount_tiyin from cart_limits`),
  }
}

/** A promotion that has begun is published by one of two processes. */
const oneStagePublishedTwice: NewPair = async (db) => {
  await db.transaction((tx) => tx.all(`delete from catalog_promotions`))
  const { id: categoryId } = await newCategory(db)
  const id = await newPromotion(db, [categoryId], new Date(db.clock.now().getTime() + 60_000))
  await db.transaction((tx) =>
    tx.all(`update catalog_promotions set starts_at = starts_at - interval '1 hour' where id = $1`, [id]),
  )
  return { works: [(tx) => publishStages(tx, 10), (tx) => publishStages(tx, 10)] }
}

export const promotionRecord = (id: number, categoryIds: readonly number[], startsAt: Date) => ({
  id,
  slug: `promotion-${id}`,
  title: 'Акция',
  starts_at: startsAt.toISOString(),
  discount_percent: 5,
  category_ids: categoryIds,
})

export const newPromotion = async (
  db: Database,
  categoryIds: readonly number[],
  startsAt: Date,
): Promise<number> => {
  const id = newId()
  const kind = recordKinds.find((it) => it.name === 'promotion')!
  const refused = await db.transaction((tx) => kind.load(tx, [promotionRecord(id, categoryIds, startsAt)]))
  if (refused.length > 0) throw new Error(JSON.stringify(refused))
  return id
}

/** Two categories leave one promotion at once. */
const twoLeaveOnePromotion: NewPair = async (db) => {
  const [one, two, three] = [await newCategory(db), await newCategory(db), await newCategory(db)]
  const id = await newPromotion(db, [one.id, two.id, three.id], db.clock.now())
  return {
    works: [
      (tx) => removeFromPromotions(tx, 'categoryIds', one.id),
      (tx) => removeFromPromotions(tx, 'categoryIds', two.id),
    ],
    observe: () =>
      db.read().one(`select cardinality(category_ids) as left from catalog_promotions where id = $1`, [id]),
  }
}

const twoTrainings: NewPair = async (db) => {
  await db.transaction((tx) => tx.all(`delete from recommendations_trainings`))
  const begin = async (tx: Parameters<typeof beginTraining>[0]) =>
    'id' in (await beginTraining(tx)) ? 'began' : 'is running'
  return { works: [begin, begin] }
}

const newExperiment = (db: Database) => {
  const groups = [{ name: 'all', share: 1, method: null, modelId: null, explorationShare: null }]
  const plan = {
    slug: `e-${newId()}`,
    name: 'Experiment',
    layers: ['main_page' as const],
    groups,
    maxHarm: null,
  }
  return db.transaction((tx) => createExperiment(tx, plan))
}

const twoExperimentChanges: NewPair = async (db) => {
  const { id, groups } = await newExperiment(db)
  return {
    works: [
      async (tx) => void (await changeExperiment(tx, id, { changes: { name: 'New' }, ifMatch: undefined })),
      async (tx) =>
        void (await changeExperiment(tx, id, {
          changes: { groups: groups.map((it) => ({ ...it, share: 0.5 })) },
          ifMatch: undefined,
        })),
    ],
    observe: () => db.read().one(`select name, groups from recommendations_experiments where id = $1`, [id]),
  }
}

/** One layer has one running experiment. */
const twoExperimentStarts: NewPair = async (db) => {
  await db.transaction((tx) => tx.all(`update recommendations_experiments set status = 'stopped'`))
  const [one, two] = [await newExperiment(db), await newExperiment(db)]
  return {
    works: [
      async (tx) => void (await startExperiment(tx, one.id)),
      async (tx) => void (await startExperiment(tx, two.id)),
    ],
  }
}

/** Jobs that ran in the future are due again after a reset, whatever moved the clock meanwhile. */
const clockMoves: NewPair = async (db) => {
  await db.transaction((tx) => tx.all(`update clock_offset set offset_ms = 0`))
  await db.transaction((tx) =>
    tx.all(
      `insert into job_leases (name, last_due_at) values ('pair', $1)
       on conflict (name) do update set last_due_at = excluded.last_due_at`,
      [db.clock.now()],
    ),
  )
  return {
    works: [async (tx) => void (await advanceClock(tx, 3_600_000)), (tx) => resetClock(tx)],
    observe: () =>
      db.read().one(
        `select offset_ms, extract(epoch from $1 - last_due_at)::int8 as "dueBefore" from clock_offset, job_leases
         where name = 'pair'`,
        [db.clock.now()],
      ),
  }
}

export const catalogPairs: Readonly<Record<string, NewPair>> = {
  twoFieldsOfCategory,
  movesIntoEachOther,
  twoChangesOfOneVersion,
  referenceAndDeletion,
  twoRatesOfOneVersion,
  twoSynonymsOfOneVersion,
  twoProfilesOfTheShop,
  twoLimits,
  oneStagePublishedTwice,
  twoLeaveOnePromotion,
  twoTrainings,
  twoExperimentChanges,
  twoExperimentStarts,
  clockMoves,
}
