// Products by where they stand.

import type { Reader } from '../../base/db.ts'

const idsOf = (rows: readonly { id: number }[]): number[] => rows.map((it) => it.id)

export const productsOfCategory = async (
  read: Reader,
  ids: readonly number[],
  categoryId: number,
): Promise<number[]> =>
  idsOf(
    await read.all(
      `with recursive below (id) as (
         select $2::int8 union all
         select child.id from catalog_categories child join below on child.parent_id = below.id)
       select product.id from catalog_products product join below on product.category_id = below.id
       where product.id = any($1)`,
      [ids, categoryId],
    ),
  )

export const productsOfBrand = async (
  read: Reader,
  ids: readonly number[],
  brandId: number,
): Promise<number[]> =>
  idsOf(
    await read.all(`select id from catalog_products where id = any($1) and brand_id = $2`, [ids, brandId]),
  )

const tables = {
  product: 'catalog_products',
  category: 'catalog_categories',
  brand: 'catalog_brands',
  partner: 'catalog_partners',
}
export type Thing = keyof typeof tables

/** Whether something of a kind stands under an id. */
export const stands = async (read: Reader, thing: Thing, id: number): Promise<boolean> =>
  (await read.maybe(`select 1 from ${tables[thing]} where id = $1`, [id])) !== undefined
