import type { Reader, Tx } from '../../base/database.ts'
import type { FoundWord, StoredPosting, StoredWord } from '../../search/index.ts'

const word = `id, key, fields, rows, stems, sounds, sound_key as "soundKey", latin, cyrillic`

export const wordsByKey = (read: Reader, keys: string[], stems: string[]): Promise<FoundWord[]> =>
  read.all<FoundWord>(
    `select ${word} from catalog_search_words where (key = any($1) or stems && $2) and rows > 0 order by id`,
    [keys, stems],
  )

/** U+FFFF is above every letter. */
export const wordsByPrefix = (
  read: Reader,
  prefix: string,
  { limit, most }: { limit: number; most: number },
): Promise<FoundWord[]> =>
  read.all<FoundWord>(
    `select ${word} from (select * from catalog_search_words where key > $1 and key < $1 || U&'\\FFFF'
       order by key limit $2) found
     where rows > 0 order by rows desc, key limit $3`,
    [prefix, limit, most],
  )

export const wordsByDeletes = (read: Reader, deletes: number[], limit: number): Promise<FoundWord[]> =>
  read.all<FoundWord>(
    `select ${word} from catalog_search_words where deletes && $1::int4[] and rows > 0 order by id limit $2`,
    [deletes, limit],
  )

export const wordsBySound = (read: Reader, sounds: string[]): Promise<FoundWord[]> =>
  read.all<FoundWord>(
    `select ${word} from catalog_search_words where sounds && $1 and rows > 0 order by id`,
    [sounds],
  )

export interface PackedRows {
  wordId: number
  /** Numbers of eight bytes: the id of a product times 256 plus the fields. */
  rows: Buffer
}

/** Products that have a word of every group, by word. */
export function rowsOf(read: Reader, groups: readonly (readonly number[])[]): Promise<PackedRows[]> {
  const others = groups.slice(1).map(
    (_, at) =>
      ` and exists (select from catalog_search_postings other where other.product_id = rarest.product_id
            and other.word_id = any($${at + 3}::int8[]))`,
  )
  const products = `select rarest.product_id from catalog_search_postings rarest
    where rarest.word_id = any($2::int8[])${others.join('')}`
  return read.all<PackedRows>(
    `select word_id as "wordId", string_agg(int8send(product_id * 256 + fields), ''::bytea) as rows
     from catalog_search_postings
     where word_id = any($1::int8[])${groups.length > 1 ? ` and product_id in (${products})` : ''}
     group by word_id`,
    groups.length > 1 ? [groups.flat(), ...groups] : [groups.flat()],
  )
}

export const hashesOf = (
  read: Reader,
  productIds: readonly number[],
): Promise<{ productId: number; hash: number }[]> =>
  read.all(`select product_id as "productId", hash from catalog_search_rows where product_id = any($1)`, [
    productIds,
  ])

/** Of these products, those whose hash another process has not stored yet; their rows are locked by it. */
export async function saveHashes(
  tx: Tx,
  rows: readonly { productId: number; hash: number }[],
): Promise<Set<number>> {
  const sorted = rows.toSorted((a, b) => a.productId - b.productId)
  const saved = await tx.all<{ id: number }>(
    `insert into catalog_search_rows as known (product_id, hash)
     select * from unnest($1::int8[], $2::int8[])
     on conflict (product_id) do update set hash = excluded.hash where known.hash <> excluded.hash
     returning product_id as id`,
    [sorted.map((it) => it.productId), sorted.map((it) => it.hash)],
  )
  return new Set(saved.map((it) => it.id))
}

/** Words are written in the order of their keys, so that two writers wait for each other in one order. */
export const saveWords = (tx: Tx, words: readonly StoredWord[]): void =>
  tx.later(
    `insert into catalog_search_words as known (key, fields, stems, deletes, sounds, sound_key, latin, cyrillic)
     select key, fields, stems, deletes, sounds, "soundKey", latin, cyrillic
     from jsonb_to_recordset($1) as given(key text, fields int2, stems text[], deletes int4[], sounds text[],
       "soundKey" text, latin text, cyrillic text)
     order by key collate "C"
     on conflict (key) do update set fields = known.fields | excluded.fields,
       stems = array(select unnest(known.stems) union select unnest(excluded.stems)),
       sounds = array(select unnest(known.sounds) union select unnest(excluded.sounds)),
       sound_key = coalesce(known.sound_key, excluded.sound_key),
       latin = coalesce(known.latin, excluded.latin), cyrillic = coalesce(known.cyrillic, excluded.cyrillic)
     where known.fields | excluded.fields <> known.fields or not known.stems @> excluded.stems
       or not known.sounds @> excluded.sounds
       or (known.latin is null and excluded.latin is not null)
       or (known.cyrillic is null and excluded.cyrillic is not null)`,
    [JSON.stringify(words)],
  )

export const savePostings = (tx: Tx, postings: readonly StoredPosting[]): void => {
  tx.later(
    `with added as (
       insert into catalog_search_postings (word_id, product_id, fields)
       select word.id, given.product_id, given.fields
       from unnest($1::text[], $2::int8[], $3::int2[]) as given(key, product_id, fields)
       join catalog_search_words word on word.key = given.key
       returning word_id
     ), counts as (select word_id, count(*) as rows from added group by word_id)
     update catalog_search_words word set rows = word.rows + counts.rows
     from counts where word.id = counts.word_id`,
    [postings.map((it) => it.key), postings.map((it) => it.rowId), postings.map((it) => it.fields)],
  )
}

export const deletePostings = (tx: Tx, productIds: readonly number[]): void =>
  tx.later(
    `with gone as (delete from catalog_search_postings where product_id = any($1) returning word_id),
       counts as (select word_id, count(*) as rows from gone group by word_id)
     update catalog_search_words word set rows = word.rows - counts.rows
     from counts where word.id = counts.word_id`,
    [productIds],
  )

export const deleteHashes = (tx: Tx, productIds: readonly number[]): void =>
  tx.later(`delete from catalog_search_rows where product_id = any($1)`, [productIds])

export async function indexedProducts(read: Reader): Promise<number[]> {
  const rows = await read.all<{ id: number }>(`select product_id as id from catalog_search_rows`)
  return rows.map((it) => it.id)
}
