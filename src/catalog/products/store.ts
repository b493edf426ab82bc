import type { Reader, Tx } from '../../base/database.ts'
import { categoryPaths } from '../offers/store.ts'

/** A product as training data, whether or not it is sold now. */
export interface SnapshotProduct {
  productId: number
  categoryId: number
  departmentId: number
  brandId: number | null
  /** The price of its cheapest offer; 0 without offers. */
  priceTiyin: number
  words: string
}

/** The popularity of an offer, given by id for ordinary and by UUID for moderated offers. */
export interface OfferScore {
  offer: string
  score: number
}

export async function loadSnapshotProducts(read: Reader): Promise<SnapshotProduct[]> {
  const paths = await categoryPaths(read)
  const rows = await read.all<Omit<SnapshotProduct, 'departmentId'>>(
    `select product.id as "productId", product.category_id as "categoryId", product.brand_id as "brandId",
       coalesce(min(offer.price_tiyin), min(moderated.price_tiyin), 0) as "priceTiyin",
       concat_ws(' ', product.name->>'ru', product.name->>'en', product.name->>'uz') as words
     from catalog_products product left join catalog_offers offer on offer.product_id = product.id
       left join catalog_moderated_offers moderated on moderated.product_id = product.id
     group by product.id order by product.id`,
  )
  return rows.map((it) => ({ ...it, departmentId: paths.get(it.categoryId)?.[0]?.id ?? it.categoryId }))
}

/** The product of every offer, by the offer's id, and of every moderated offer, by its UUID. */
export async function loadProductsOfOffers(read: Reader): Promise<Map<string, number>> {
  const rows = await read.all<{ name: string; productId: number }>(
    `select id::text as name, product_id as "productId" from catalog_offers
     union all select uuid::text, product_id from catalog_moderated_offers`,
  )
  return new Map(rows.map((it) => [it.name, it.productId]))
}

/** The product of each of these offers, by id or UUID. */
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
  promotion: 'catalog_promotions',
}
export type EntityName = keyof typeof tables

export const exists = async (read: Reader, thing: EntityName, id: number): Promise<boolean> =>
  (await read.maybe(`select 1 from ${tables[thing]} where id = $1`, [id])) !== undefined

/** Replaces all scores by the sums over offers; returns how many products have one. */
export async function replacePopularity(tx: Tx, scores: readonly OfferScore[]): Promise<number> {
  const { products } = await tx.one<{ products: number }>(
    `with input as (
       select score,
         case when offer ~ '^[1-9]\\d{0,15}$' then offer::int8 end as id,
         case when offer ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then offer::uuid end as uuid
       from unnest($1::text[], $2::float8[]) as input (offer, score)),
     found as (
       select offer.product_id, input.score from input join catalog_offers offer on offer.id = input.id
       union all
       select offer.product_id, input.score from input join catalog_moderated_offers offer on offer.uuid = input.uuid),
     counted as (select product_id, sum(score) as score from found group by product_id),
     removed as (
       delete from catalog_popularity where product_id not in (select product_id from counted)),
     saved as (
       insert into catalog_popularity as known (product_id, score) select product_id, score from counted
       on conflict (product_id) do update set score = excluded.score where known.score <> excluded.score)
     select count(*) as products from counted`,
    [scores.map((it) => it.offer), scores.map((it) => it.score)],
  )
  return products
}

const pageSize = 5_000

/** Popularity by product, read in pages: one large result would block the event loop. */
export async function loadPopularity(read: Reader): Promise<Map<number, number>> {
  const scores = new Map<number, number>()
  for (let after = 0; ;) {
    const rows = await read.all<{ id: number; score: number }>(
      `select product_id as id, score from catalog_popularity where product_id > $1 order by product_id limit $2`,
      [after, pageSize],
    )
    for (const { id, score } of rows) scores.set(id, score)
    if (rows.length < pageSize) return scores
    after = rows.at(-1)!.id
  }
}
