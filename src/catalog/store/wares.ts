import type { Reader } from '../../base/db.ts'
import type { Ware } from '../list-wares.ts'
import { categoryPaths } from './sheets.ts'

export async function loadWares(read: Reader): Promise<Ware[]> {
  const paths = await categoryPaths(read)
  const rows = await read.all<Omit<Ware, 'departmentId'>>(
    `select product.id as "productId", product.category_id as "categoryId", product.brand_id as "brandId",
       coalesce(min(offer.price_tiyin), min(sent_in.price_tiyin), 0) as "priceTiyin",
       concat_ws(' ', product.name->>'ru', product.name->>'en', product.name->>'uz') as words
     from catalog_products product left join catalog_offers offer on offer.product_id = product.id
       left join catalog_moderated_offers sent_in on sent_in.product_id = product.id
     group by product.id order by product.id`,
  )
  return rows.map((it) => ({ ...it, departmentId: paths.get(it.categoryId)?.[0]?.id ?? it.categoryId }))
}

export async function loadProductsOfOffers(read: Reader): Promise<Map<string, number>> {
  const rows = await read.all<{ name: string; productId: number }>(
    `select id::text as name, product_id as "productId" from catalog_offers
     union all select uuid::text, product_id from catalog_moderated_offers`,
  )
  return new Map(rows.map((it) => [it.name, it.productId]))
}

/** The same for a few. */
export async function findProductsOfOffers(
  read: Reader,
  { ids, uuids }: { ids: readonly string[]; uuids: readonly string[] },
): Promise<Map<string, number>> {
  const rows = await read.all<{ name: string; productId: number }>(
    `select id::text as name, product_id as "productId" from catalog_offers where id = any($1::int8[])
     union all select uuid::text, product_id from catalog_moderated_offers where uuid = any($2::uuid[])`,
    [ids, uuids],
  )
  return new Map(rows.map((it) => [it.name, it.productId]))
}
