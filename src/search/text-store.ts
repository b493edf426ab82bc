// The port of an engine that keeps words and rows outside of this process, and what is written to it. The engine only
// retrieves; how a query is understood and how rows are ranked is the same for all.

import { slotBits } from './fields.ts'
import { type IndexedTexts, TextIndex } from './text-index.ts'
import { deletionsOf } from './typos.ts'

/** A word of some texts, with everything by which it is looked up. */
export interface StoredWord {
  key: string
  /** All fields in which some row has it. */
  fields: number
  stems: string[]
  /** Hashes of the key with letters deleted, to find it by a misspelt word. */
  deletes: number[]
  /** Of a name in Latin letters: how it sounds, and how it is written. */
  sounds: string[]
  soundKey: string | null
  /** Spellings for display. */
  latin: string | null
  cyrillic: string | null
}

/** A row that has a word, and in which fields. */
export interface StoredPosting {
  rowId: number
  key: string
  fields: number
}

export interface FoundWord extends Omit<StoredWord, 'deletes'> {
  /** The number of the word in the engine, if it has one. */
  id?: number
  /** How many rows have it. */
  rows: number
}

export type WantedWords =
  | { by: 'key'; keys: string[]; stems: string[] }
  /** Longer words that begin so; the first `limit` by key, of them those with the most rows. */
  | { by: 'prefix'; prefix: string; limit: number }
  | { by: 'deletes'; deletes: number[] }
  | { by: 'sound'; sounds: string[] }

/** By key, the rows that have the word, each as its id times 256 plus the fields. */
export type FoundRows = Map<string, ArrayLike<number>>

export interface RowTexts {
  id: number
  texts: IndexedTexts
}

export interface TextStore {
  words(wanted: WantedWords): Promise<FoundWord[]>
  /** The rows that have a word of every group, with the fields of all these words. */
  rows(groups: readonly (readonly FoundWord[])[]): Promise<FoundRows>
  /** Stores the texts of rows that are new or changed. */
  write(rows: readonly RowTexts[]): Promise<void>
  remove(rowIds: readonly number[]): Promise<void>
  /** Called before and after all rows of the shop are written. */
  beginLoad(): Promise<void>
  endLoad(): Promise<void>
  close(): Promise<void>
}

/** Prefixes with more words than this keep the most frequent ones. */
export const maxPrefixWords = 200
/** Words that are compared with one misspelt word. */
export const maxNearWords = 1_500

/** The words and postings of texts, as the index in memory would hold them. */
export function analysed(rows: readonly RowTexts[]): { words: StoredWord[]; postings: StoredPosting[] } {
  const index = new TextIndex({ slots: rows.length, release() {} })
  for (const [at, { texts }] of rows.entries()) index.add(at, texts)
  const { vocabulary } = index
  const words = Array.from({ length: vocabulary.size }, (_, entry): StoredWord => {
    const key = vocabulary.key(entry)
    return {
      key,
      fields: index.fieldsOf(entry),
      stems: [],
      deletes: deletionsOf(key),
      sounds: [],
      soundKey: null,
      latin: vocabulary.isWritten(entry, false) ? vocabulary.shown(entry, false) : null,
      cyrillic: vocabulary.isWritten(entry, true) ? vocabulary.shown(entry, true) : null,
    }
  })
  vocabulary.eachStem((stem, entry) => words[entry]!.stems.push(stem))
  index.sounds.each((sound, entry, name) => {
    words[entry]!.sounds.push(sound)
    words[entry]!.soundKey = name
  })
  const postings = words.flatMap(({ key }, entry) =>
    Array.from(index.postings.view(entry), (value) => ({
      rowId: rows[value >>> slotBits]!.id,
      key,
      fields: value & ((1 << slotBits) - 1),
    })),
  )
  return { words, postings }
}
