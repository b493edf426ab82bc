// SQL of uploaded pictures.

import type { Tx } from '../../base/database.ts'

export interface PictureRow {
  id: string
  width: number
  height: number
  bytes: number
}

/** Uploading the same picture again keeps it from being purged. */
export async function savePicture(tx: Tx, it: PictureRow): Promise<void> {
  await tx.all(
    `insert into catalog_pictures (id, width, height, bytes, created_at) values ($1, $2, $3, $4, $5)
     on conflict (id) do update set created_at = excluded.created_at`,
    [it.id, it.width, it.height, it.bytes, tx.now],
  )
}

/** Deletes rows of pictures that were uploaded before an instant and that nothing shows. */
export const deleteUnused = (tx: Tx, before: Date, limit: number) =>
  tx.all<{ id: string }>(
    `with used as (
       select (regexp_matches(images::text, '/pictures/uploads/[a-z]+/([0-9a-f]{32})-', 'g'))[1] as id
       from catalog_products where images::text like '%/pictures/uploads/%'
       union select (regexp_match(image_url, '/pictures/uploads/[a-z]+/([0-9a-f]{32})-'))[1]
       from catalog_categories where image_url like '%/pictures/uploads/%'
       union select (regexp_match(logo_path, '/pictures/uploads/[a-z]+/([0-9a-f]{32})-'))[1]
       from catalog_partners where logo_path like '%/pictures/uploads/%'
       union select (regexp_match(logo_path, '/pictures/uploads/[a-z]+/([0-9a-f]{32})-'))[1]
       from catalog_shop_profile where logo_path is not null
     )
     delete from catalog_pictures where id in (
       select id from catalog_pictures where created_at < $1 and id not in (select id from used) order by created_at limit $2)
     returning id`,
    [before, limit],
  )
