// Products by slug. Earlier slugs are kept, so that links to a renamed product still lead to it.

import type { Reader, Tx } from '../../base/database.ts'
import type { Product } from '../entities/entities.ts'

/** Keeps the slugs that products had before a change. */
export function keepEarlierSlugs(tx: Tx, changes: readonly { before?: Product; after?: Product }[]): void {
  const renamed = changes.flatMap(({ before, after }) =>
    before && after && before.slug !== after.slug ? [{ slug: before.slug, id: after.id }] : [],
  )
  if (renamed.length === 0) return
  tx.later(
    `insert into catalog_product_slugs (slug, product_id, renamed_at) select slug, product_id, $3
     from unnest($1::text[], $2::int8[]) as earlier (slug, product_id) order by slug
     on conflict (slug) do update set product_id = excluded.product_id, renamed_at = excluded.renamed_at`,
    [renamed.map((it) => it.slug), renamed.map((it) => it.id), tx.now],
  )
}

/** The product that has a slug now; otherwise the one that had it last. */
export const productWithSlug = async (read: Reader, slug: string): Promise<number | undefined> =>
  (
    await read.maybe<{ id: number }>(
      `select coalesce((select id from catalog_products where slug = $1),
         (select product_id from catalog_product_slugs where slug = $1)) as id`,
      [slug],
    )
  )?.id ?? undefined
