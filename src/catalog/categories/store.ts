// SQL of the category tree.

import { violatedUnique, type Reader, type Tx } from '../../base/database.ts'
import { type ListRequest, loadPage, type ListPage } from '../../base/listing.ts'
import { conflict } from '../../base/conflict.ts'
import type { Language } from '../../http/language.ts'
import type { Category, CategoryRecord, ExistingSlug, Identified } from './category.ts'
import { advanceSequence } from '../entities/store.ts'
import { categories } from '../entities/tables.ts'

const categoryColumns = `id, parent_id as "parentId", level, slug, name, description, image_url as "imageUrl", version,
  created_at as "createdAt", updated_at as "updatedAt"`

export const categorySorts = ['id', 'name', 'level', 'created_at'] as const

export interface CategoryFilter {
  parentId: number | undefined
  level: number | undefined
  slug: string | undefined
}

export function listCategories(
  read: Reader,
  listing: ListRequest,
  { filter, language }: { filter: CategoryFilter; language: Language },
): Promise<ListPage<Category>> {
  const conditions = [
    ['parent_id = ', filter.parentId],
    ['level = ', filter.level],
    ['slug = ', filter.slug],
  ].filter(([, value]) => value !== undefined)
  return loadPage<Category>(
    read,
    {
      columns: categoryColumns,
      from: 'catalog_categories',
      where: conditions.map(([column], at) => `${column}$${at + 1}`),
      values: conditions.map(([, value]) => value),
      sorts: {
        id: { by: 'id', type: 'int8' },
        name: { by: `coalesce(name->>'${language}', name->>'ru', name->>'en', name->>'uz')`, type: 'text' },
        level: { by: 'level::int8', type: 'int8' },
        created_at: { by: 'created_at', type: 'timestamptz' },
      },
      key: { by: 'id', type: 'int8' },
    },
    listing,
  )
}

export const findCategory = (read: Reader, id: number): Promise<Category | undefined> =>
  read.maybe<Category>(`select ${categoryColumns} from catalog_categories where id = $1`, [id])

/** Those of the ids that are categories. */
export async function knownCategories(read: Reader, ids: readonly number[]): Promise<Set<number>> {
  const rows = await read.all<{ id: number }>(`select id from catalog_categories where id = any($1)`, [ids])
  return new Set(rows.map((it) => it.id))
}

export const lockCategory = (tx: Tx, id: number): Promise<Category | undefined> =>
  tx.maybe<Category>(`select ${categoryColumns} from catalog_categories where id = $1 for update`, [id])

/**
 * Serialises changes of the tree: two valid moves could together make a cycle, and a move does not see rows that are being
 * added below it. Returns the number of root categories: without one nothing is locked.
 */
export async function lockTree(tx: Tx): Promise<number> {
  // Not `for update`: products may be added to root categories meanwhile.
  const roots = await tx.all(
    `select 1 from catalog_categories where parent_id is null order by id for no key update`,
  )
  return roots.length
}

/** Locks the tree and the parent category, so that the parent is not deleted meanwhile. */
export const lockPlaceBelow = async (tx: Tx, parentId: number | null): Promise<void> => {
  await lockTree(tx)
  if (parentId !== null) await lockCategory(tx, parentId)
}

/** The category and its ancestors, nearest first. */
export const pathUp = (tx: Tx, id: number | null): Promise<Category[]> =>
  tx.all<Category>(
    `with recursive up as (
       select * from catalog_categories where id = $1
       union all select parent.* from catalog_categories parent join up on parent.id = up.parent_id)
     select ${categoryColumns} from up order by level desc`,
    [id],
  )

/** These categories and all below them. */
export const categoriesBelow = async (read: Reader, ids: readonly number[]): Promise<number[]> =>
  (
    await read.all<{ id: number }>(
      `with recursive down as (
         select id from catalog_categories where id = any($1::int8[])
         union select child.id from catalog_categories child join down on child.parent_id = down.id)
       select id from down`,
      [ids],
    )
  ).map((it) => it.id)

/** The depth of the subtree below a category. */
export async function depthBelow(tx: Tx, id: number): Promise<number> {
  const { depth } = await tx.one<{ depth: number }>(
    `with recursive down as (
       select id, 0 as depth from catalog_categories where id = $1
       union all select child.id, down.depth + 1 from catalog_categories child join down on child.parent_id = down.id)
     select max(depth) as depth from down`,
    [id],
  )
  return depth
}

export const hasChildren = async (tx: Tx, id: number): Promise<boolean> =>
  (await tx.maybe(`select 1 from catalog_categories where parent_id = $1 limit 1`, [id])) !== undefined

export const insertCategory = (tx: Tx, record: CategoryRecord & { level: number }): Promise<Category> =>
  insertUnderFreeId(tx, record, (idOrNext) =>
    tx.maybe<Category>(
      `insert into catalog_categories (id, parent_id, level, slug, name, description, image_url, created_at, updated_at)
       values (${idOrNext}, $2, $3, $4, $5, $6, $7, $8, $8) on conflict (id) do nothing returning ${categoryColumns}`,
      [
        record.id ?? null,
        record.parentId,
        record.level,
        record.slug,
        record.name,
        record.description,
        record.imageUrl,
        tx.now,
      ],
    ),
  )

/** Existing categories with these ids or slugs, and the parents of the records. */
export const categoriesAmong = (
  tx: Tx,
  records: readonly Identified<CategoryRecord>[],
): Promise<(ExistingSlug & { level: number })[]> =>
  tx.all(`select id, slug, level from catalog_categories where id = any($1) or slug = any($2)`, [
    records.flatMap((it) => (it.parentId === null ? [it.id] : [it.id, it.parentId])),
    records.map((it) => it.slug),
  ])

/** Inserts many rows. Rows whose id was taken meanwhile are not returned. */
export async function insertCategories(
  tx: Tx,
  records: readonly (Identified<CategoryRecord> & { level: number })[],
): Promise<Category[]> {
  const inserted = await tx
    .all<Category>(
      `insert into catalog_categories (id, parent_id, level, slug, name, description, image_url, created_at, updated_at)
       select id, parent_id, level, slug, name, description, image_url, $8::timestamptz, $8::timestamptz
       from unnest($1::int8[], $2::int8[], $3::int4[], $4::text[], $5::jsonb[], $6::jsonb[], $7::text[])
         as record (id, parent_id, level, slug, name, description, image_url)
       on conflict (id) do nothing returning ${categoryColumns}`,
      [
        records.map((it) => it.id),
        records.map((it) => it.parentId),
        records.map((it) => it.level),
        records.map((it) => it.slug),
        records.map((it) => it.name),
        records.map((it) => it.description),
        records.map((it) => it.imageUrl),
        tx.now,
      ],
    )
    .catch((error: unknown) => refuseTaken(error, {}))
  await advanceSequence(
    tx,
    categories,
    inserted.map((it) => it.id),
  )
  return inserted
}

export const updateCategory = (tx: Tx, category: Category): Promise<Category> =>
  tx
    .one<Category>(
      `update catalog_categories set parent_id = $2, level = $3, slug = $4, name = $5, description = $6, image_url = $7,
         updated_at = $8, version = version + 1 where id = $1 returning ${categoryColumns}`,
      [
        category.id,
        category.parentId,
        category.level,
        category.slug,
        category.name,
        category.description,
        category.imageUrl,
        tx.now,
      ],
    )
    .catch((error: unknown) => refuseTaken(error, category))

/** Shifts the levels of the subtree below a category. */
export const shiftBelow = async (tx: Tx, id: number, levels: number): Promise<void> => {
  await tx.all(
    `with recursive down as (
       select id from catalog_categories where parent_id = $1
       union all select child.id from catalog_categories child join down on child.parent_id = down.id)
     update catalog_categories set level = level + $2, updated_at = $3, version = version + 1
     where id in (select id from down)`,
    [id, levels, tx.now],
  )
}

export const findCategories = (read: Reader, ids: readonly number[]): Promise<Category[]> =>
  read.all<Category>(`select ${categoryColumns} from catalog_categories where id = any($1)`, [ids])

export const pageOfCategories = (read: Reader, after: number, limit: number): Promise<Category[]> =>
  read.all<Category>(`select ${categoryColumns} from catalog_categories where id > $1 order by id limit $2`, [
    after,
    limit,
  ])

/** Inserts with the chosen id or the next free one; the sequence is advanced past chosen ids. */
async function insertUnderFreeId<Row>(
  tx: Tx,
  record: { id?: number; slug: string },
  insert: (idOrNext: string) => Promise<Row | undefined>,
): Promise<Row> {
  for (;;) {
    const idOrNext = `coalesce($1::int8, nextval('catalog_categories_id_seq'))`
    const row = await insert(idOrNext).catch((error: unknown) => refuseTaken(error, record))
    if (record.id === undefined && row) return row
    if (record.id === undefined) continue
    if (!row) throw conflict('taken', { field: 'id', value: record.id })
    await advanceSequence(tx, categories, [record.id])
    return row
  }
}

/** Translates a unique violation into a conflict. With many rows the value is unknown. */
function refuseTaken(error: unknown, { id, slug }: { id?: number; slug?: string }): never {
  const constraint = violatedUnique(error)
  if (!constraint) throw error
  const [field, value] = constraint.endsWith('_slug') ? ['slug', slug] : ['id', id]
  throw conflict('taken', { field, value })
}
