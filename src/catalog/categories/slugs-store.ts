// Categories by slug. Earlier slugs are kept, so that links to a renamed category still lead to it.

import type { Reader, Tx } from '../../base/database.ts'

/** Keeps the slug that a category had before a change. */
export const keepEarlierSlug = (tx: Tx, { id, slug }: { id: number; slug: string }): void =>
  tx.later(
    `insert into catalog_category_slugs (slug, category_id, renamed_at) values ($1, $2, $3)
     on conflict (slug) do update set category_id = excluded.category_id, renamed_at = excluded.renamed_at`,
    [slug, id, tx.now],
  )

/** The category that has a slug now; otherwise the one that had it last. */
export const categoryWithSlug = async (read: Reader, slug: string): Promise<number | undefined> =>
  (
    await read.maybe<{ id: number }>(
      `select coalesce((select id from catalog_categories where slug = $1),
         (select category_id from catalog_category_slugs where slug = $1)) as id`,
      [slug],
    )
  )?.id ?? undefined
