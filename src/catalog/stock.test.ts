import { deepEqual, equal, rejects } from 'node:assert/strict'
import { after, test } from 'node:test'
import { freshDatabase } from '../../test/support/database.ts'
import { systemClock } from '../base/clock.ts'
import { Database, type Tx } from '../base/db.ts'
import type { Refusal } from '../base/refusal.ts'
import { createGood } from './create-good.ts'
import { brandKind } from './kinds.ts'
import { createCategory } from './create-category.ts'
import { stockBrands } from './stock-brands.ts'
import { stockCategories } from './stock-categories.ts'

const connection = await freshDatabase()
const db = new Database({ connection, environment: 'test', clock: systemClock(), poolSize: 2 })
after(() => db.close())

const shelf = (id: number, parentId: number | null, slug = `shelf-${id}`) => ({
  id,
  parentId,
  slug,
  name: { ru: `Полка "${id}", \\ {и} 'ещё'` },
  description: {},
  imageUrl: null,
})
const refusedWith = (work: (tx: Tx) => Promise<unknown>, details: object) =>
  rejects(db.rehearse(work), (refusal: Refusal) => {
    deepEqual(JSON.parse(JSON.stringify(refusal.details)), details)
    return true
  })

test('a delivery adds what is missing, keeps what stands, and tells only of what it added', () =>
  db.rehearse(async (tx) => {
    await createGood(tx, brandKind, { id: 2, slug: 'two', name: 'Ours' })
    const added = await stockBrands(
      tx,
      [1, 2, 3].map((id) => ({ id, slug: `brand-${id}`, name: `№ ${id}` })),
    )
    deepEqual(
      added.map((it) => [it.id, it.slug, it.name, it.version]),
      [
        [1, 'brand-1', '№ 1', 1],
        [3, 'brand-3', '№ 3', 1],
      ],
    )
    deepEqual(tx.told.slice(1), [
      { type: 'BrandCreated', brandId: 1, slug: 'brand-1' },
      { type: 'BrandCreated', brandId: 3, slug: 'brand-3' },
    ])
    equal((await createGood(tx, brandKind, { slug: 'next', name: 'Next' })).id, 4)
  }))

test('an empty delivery does nothing', () =>
  db.rehearse(async (tx) => {
    deepEqual([await stockBrands(tx, []), await stockCategories(tx, []), tx.told], [[], [], []])
  }))

test('a new brand or category that wants a taken slug is a conflict that names it', async () => {
  await refusedWith(
    async (tx) => {
      await createGood(tx, brandKind, { id: 9, slug: 'taken', name: 'First' })
      await stockBrands(tx, [{ id: 10, slug: 'taken', name: 'Second' }])
    },
    { field: 'slug', value: 'taken', reason: 'taken' },
  )
  await refusedWith(
    async (tx) => {
      await createCategory(tx, shelf(9, null, 'taken'))
      await stockCategories(tx, [shelf(10, null, 'taken')])
    },
    { field: 'slug', value: 'taken', reason: 'taken' },
  )
  await refusedWith(
    (tx) =>
      stockBrands(
        tx,
        [1, 2].map((id) => ({ id, slug: 'twin', name: 'Twin' })),
      ),
    {
      field: 'slug',
      value: 'twin',
      reason: 'taken',
    },
  )
})

test('categories find their levels below what stands and below each other', () =>
  db.rehearse(async (tx) => {
    await createCategory(tx, shelf(1, null))
    await createCategory(tx, shelf(2, 1))
    const added = await stockCategories(tx, [shelf(3, 2), shelf(4, 3), shelf(5, null)])
    deepEqual(
      added.map((it) => [it.id, it.parentId, it.level]),
      [
        [3, 2, 2],
        [4, 3, 3],
        [5, null, 0],
      ],
    )
    deepEqual(added[0]!.name, shelf(3, 2).name)
  }))

test('a category below nothing, before its parent or too deep is refused', async () => {
  const fault = (rule: string, limit?: number) => ({
    fields: [{ path: 'parent_id', rule, ...(limit && { limit }) }],
  })
  await refusedWith((tx) => stockCategories(tx, [shelf(1, 77)]), fault('exists'))
  await refusedWith((tx) => stockCategories(tx, [shelf(1, 2), shelf(2, null)]), fault('exists'))
  const chain = Array.from({ length: 11 }, (_, at) => shelf(at + 1, at || null))
  await refusedWith((tx) => stockCategories(tx, chain), fault('maximum', 9))
})
