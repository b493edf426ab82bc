import { deepEqual, equal, rejects } from 'node:assert/strict'
import { after, test } from 'node:test'
import { freshDatabase } from '../../test/support/database.ts'
import { systemClock } from '../base/clock.ts'
import { Database, type Tx } from '../base/db.ts'
import type { Refusal } from '../base/refusal.ts'
import { createCategory } from './create-category.ts'
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
    await createCategory(tx, shelf(2, null, 'ours'))
    const added = await stockCategories(tx, [shelf(1, null), shelf(2, null), shelf(3, 1)])
    deepEqual(
      added.map((it) => [it.id, it.slug, it.version]),
      [
        [1, 'shelf-1', 1],
        [3, 'shelf-3', 1],
      ],
    )
    deepEqual(
      tx.told.slice(1).map((it) => it.event),
      [
        { type: 'CategoryCreated', categoryId: 1, slug: 'shelf-1' },
        { type: 'CategoryCreated', categoryId: 3, slug: 'shelf-3' },
      ],
    )
    const { id: _id, ...next } = shelf(0, null, 'next')
    equal((await createCategory(tx, next)).id, 4)
  }))

test('an empty delivery does nothing', () =>
  db.rehearse(async (tx) => {
    deepEqual([await stockCategories(tx, []), tx.told], [[], []])
  }))

test('a new category that wants a taken slug is a conflict that names it', async () => {
  await refusedWith(
    async (tx) => {
      await createCategory(tx, shelf(9, null, 'taken'))
      await stockCategories(tx, [shelf(10, null, 'taken')])
    },
    { field: 'slug', value: 'taken', reason: 'taken' },
  )
})

test('two new categories that want one slug are a conflict that names it', () =>
  refusedWith((tx) => stockCategories(tx, [shelf(1, null, 'wanted'), shelf(2, null, 'wanted')]), {
    field: 'slug',
    value: 'wanted',
    reason: 'taken',
  }))

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
