import { deepEqual, equal, rejects } from 'node:assert/strict'
import { after, test } from 'node:test'
import { freshDatabase } from '../../../test/support/database.ts'
import { systemClock } from '../../base/clock.ts'
import { Database, type Tx } from '../../base/database.ts'
import type { Refusal } from '../../base/refusal.ts'
import { addCategories, createCategory } from '../categories/edit-categories.ts'

const connection = await freshDatabase()
const db = new Database({ connection, environment: 'test', clock: systemClock(), poolSize: 2 })
after(() => db.close())

const category = (id: number, parentId: number | null, slug = `category-${id}`) => ({
  id,
  parentId,
  slug,
  name: { ru: `Полка "${id}", \\ {и} 'ещё'` },
  description: {},
  imageUrl: null,
})
const refusedWith = (work: (tx: Tx) => Promise<unknown>, details: object) =>
  rejects(db.dryRun(work), (refusal: Refusal) => {
    deepEqual(JSON.parse(JSON.stringify(refusal.details)), details)
    return true
  })

test('adds missing categories, keeps existing ones, and publishes events only for the added', () =>
  db.dryRun(async (tx) => {
    await createCategory(tx, category(2, null, 'ours'))
    const added = await addCategories(tx, [category(1, null), category(2, null), category(3, 1)])
    deepEqual(
      added.map((it) => [it.id, it.slug, it.version]),
      [
        [1, 'category-1', 1],
        [3, 'category-3', 1],
      ],
    )
    deepEqual(
      tx.published.slice(1).map((it) => it.event),
      [
        { type: 'CategoryCreated', categoryId: 1, slug: 'category-1' },
        { type: 'CategoryCreated', categoryId: 3, slug: 'category-3' },
      ],
    )
    const { id: _id, ...next } = category(0, null, 'next')
    equal((await createCategory(tx, next)).id, 4)
  }))

test('adding no categories does nothing', () =>
  db.dryRun(async (tx) => {
    deepEqual([await addCategories(tx, []), tx.published], [[], []])
  }))

test('a new category with a taken slug is a conflict that names the slug', async () => {
  await refusedWith(
    async (tx) => {
      await createCategory(tx, category(9, null, 'taken'))
      await addCategories(tx, [category(10, null, 'taken')])
    },
    { field: 'slug', value: 'taken', reason: 'taken' },
  )
})

test('two new categories with one slug are a conflict that names the slug', () =>
  refusedWith((tx) => addCategories(tx, [category(1, null, 'wanted'), category(2, null, 'wanted')]), {
    field: 'slug',
    value: 'wanted',
    reason: 'taken',
  }))

test('new categories get their levels below existing ones and below each other', () =>
  db.dryRun(async (tx) => {
    await createCategory(tx, category(1, null))
    await createCategory(tx, category(2, 1))
    const added = await addCategories(tx, [category(3, 2), category(4, 3), category(5, null)])
    deepEqual(
      added.map((it) => [it.id, it.parentId, it.level]),
      [
        [3, 2, 2],
        [4, 3, 3],
        [5, null, 0],
      ],
    )
    deepEqual(added[0]!.name, category(3, 2).name)
  }))

test('refuses a category with an unknown parent, before its parent, or too deep', async () => {
  const fault = (rule: string, limit?: number) => ({
    fields: [{ path: 'parent_id', rule, ...(limit && { limit }) }],
  })
  await refusedWith((tx) => addCategories(tx, [category(1, 77)]), fault('exists'))
  await refusedWith((tx) => addCategories(tx, [category(1, 2), category(2, null)]), fault('exists'))
  const chain = Array.from({ length: 11 }, (_, at) => category(at + 1, at || null))
  await refusedWith((tx) => addCategories(tx, chain), fault('maximum', 9))
})
