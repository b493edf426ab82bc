import type { Reader, Tx } from '../../base/db.ts'
import type { OfferScore } from '../save-popularity.ts'

/** Brings every product's score to what its offers have together; returns how many have one. */
export async function replacePopularity(tx: Tx, scores: readonly OfferScore[]): Promise<number> {
  const { products } = await tx.one<{ products: number }>(
    `with said as (
       select score,
         case when offer ~ '^[1-9]\\d{0,15}$' then offer::int8 end as id,
         case when offer ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then offer::uuid end as uuid
       from unnest($1::text[], $2::float8[]) as said (offer, score)),
     found as (
       select offer.product_id, said.score from said join catalog_offers offer on offer.id = said.id
       union all
       select offer.product_id, said.score from said join catalog_moderated_offers offer on offer.uuid = said.uuid),
     counted as (select product_id, sum(score) as score from found group by product_id),
     forgotten as (
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

/** By product, how sought after it is, page by page: many rows at once would hold up whoever waits beside. */
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
