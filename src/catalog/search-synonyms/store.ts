import type { Reader, Tx } from '../../base/database.ts'

export interface StoredSynonyms {
  text: string
  version: number
  updatedAt: Date
}

const columns = `text, version, updated_at as "updatedAt"`

export const loadSynonyms = (read: Reader): Promise<StoredSynonyms | undefined> =>
  read.maybe<StoredSynonyms>(`select ${columns} from catalog_search_synonyms where id = 1`)

export const lockSynonyms = (tx: Tx): Promise<StoredSynonyms | undefined> =>
  tx.maybe<StoredSynonyms>(`select ${columns} from catalog_search_synonyms where id = 1 for update`)

export const saveSynonyms = (tx: Tx, text: string): Promise<StoredSynonyms> =>
  tx.one<StoredSynonyms>(
    `insert into catalog_search_synonyms as own (id, text, updated_at) values (1, $1, $2)
     on conflict (id) do update set text = excluded.text, version = own.version + 1, updated_at = excluded.updated_at
     returning ${columns}`,
    [text, tx.now],
  )
