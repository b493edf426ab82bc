// Words and rows of the text index in PostgreSQL. Every process writes what has changed; the first one stores it, and
// the others find it stored.

import type { Shop } from '../../base/shop.ts'
import {
  analysed,
  type FoundRows,
  type FoundWord,
  hashOf,
  maxNearWords,
  maxPrefixWords,
  type RowTexts,
  type TextStore,
  type WantedWords,
} from '../../search/index.ts'
import * as store from './store.ts'

const removeStep = 500

export class PostgresTexts implements TextStore {
  readonly #shop: Shop
  /** Products that a load has found. */
  #loaded: Set<number> | undefined

  constructor(shop: Shop) {
    this.#shop = shop
  }

  words(wanted: WantedWords): Promise<FoundWord[]> {
    const read = this.#shop.db.read()
    if (wanted.by === 'key') return store.wordsByKey(read, wanted.keys, wanted.stems)
    if (wanted.by === 'sound') return store.wordsBySound(read, wanted.sounds)
    if (wanted.by === 'deletes') return store.wordsByDeletes(read, wanted.deletes, maxNearWords)
    return store.wordsByPrefix(read, wanted.prefix, { limit: wanted.limit, most: maxPrefixWords })
  }

  async rows(groups: readonly (readonly FoundWord[])[]): Promise<FoundRows> {
    const packed = await store.rowsOf(
      this.#shop.db.read(),
      groups.map((it) => it.map(({ id }) => id!)),
    )
    const keys = new Map(groups.flat().map((it) => [it.id, it.key]))
    return new Map(packed.map((it) => [keys.get(it.wordId)!, unpacked(it.rows)]))
  }

  async write(rows: readonly RowTexts[]): Promise<void> {
    const ids = rows.map((it) => it.id)
    for (const id of ids) this.#loaded?.add(id)
    const stored = await store.hashesOf(this.#shop.db.read(), ids)
    const hashes = new Map(stored.map((it) => [it.productId, it.hash]))
    const given = rows.map((it) => ({ ...it, hash: hashOf(it.texts) }))
    const changed = given.filter((it) => hashes.get(it.id) !== it.hash)
    if (changed.length === 0) return
    await this.#shop.db.transaction(async (tx) => {
      const saved = await store.saveHashes(
        tx,
        changed.map((it) => ({ productId: it.id, hash: it.hash })),
      )
      const own = changed.filter((it) => saved.has(it.id))
      if (own.length === 0) return
      const { words, postings } = analysed(own)
      store.saveWords(tx, words)
      store.deletePostings(tx, [...saved])
      store.savePostings(tx, postings)
    })
  }

  async remove(rowIds: readonly number[]): Promise<void> {
    const stored = await store.hashesOf(this.#shop.db.read(), rowIds)
    const ids = stored.map((it) => it.productId)
    if (ids.length === 0) return
    await this.#shop.db.transaction(async (tx) => {
      store.deletePostings(tx, ids)
      store.deleteHashes(tx, ids)
    })
  }

  async beginLoad(): Promise<void> {
    this.#loaded = new Set()
  }

  /** Products may have been deleted while no process followed. */
  async endLoad(): Promise<void> {
    const indexed = await store.indexedProducts(this.#shop.db.read())
    const gone = indexed.filter((id) => !this.#loaded!.has(id))
    this.#loaded = undefined
    for (let at = 0; at < gone.length; at += removeStep) await this.remove(gone.slice(at, at + removeStep))
  }

  async close(): Promise<void> {}
}

function unpacked(packed: Buffer): Float64Array {
  const rows = new Float64Array(packed.length / 8)
  for (let at = 0; at < rows.length; at++)
    rows[at] = packed.readUInt32BE(8 * at) * 2 ** 32 + packed.readUInt32BE(8 * at + 4)
  return rows
}
