// What a search reads of a text index: one in memory, or words and rows that were fetched for the query.

import type { PhraseCache } from './phrase-cache.ts'
import type { SoundingName } from './sounds.ts'
import type { NearEntry } from './typos.ts'
import type { WordRoots } from './word-roots.ts'

export interface Words {
  find(key: string): number | undefined
  key(entry: number): string
  wordsOf(stem: string): readonly number[]
  shown(entry: number, inCyrillic: boolean): string
  isWritten(entry: number, inCyrillic: boolean): boolean
  near(key: string, most?: 1 | 2): NearEntry[]
  eachWithPrefix(prefix: string, limit: number, visit: (entry: number) => void): void
}

export interface Texts {
  readonly vocabulary: Words
  readonly postings: { length(entry: number): number; view(entry: number): Uint32Array }
  readonly sounds: {
    find(word: string): number | undefined
    /** All names that share a sound with the word. */
    alike(word: string): readonly SoundingName[]
  }
  readonly roots: WordRoots
  /** All fields in which some row has had the word. */
  fieldsOf(entry: number): number
  /** Whether a row is a part or an accessory of something else. */
  isAccessory(slot: number): boolean
  /** The postings of all entries, of at least the rows that have an entry of every group. */
  together(groups: readonly (readonly number[])[]): Uint32Array[][]
  /** Rows of phrases that were computed since the texts last changed. Nothing is kept for rows outside of the process. */
  readonly phrases?: PhraseCache
  /** Throws `NotFetched` when something was asked for that has to be fetched first. */
  settle(): void
}

/** A search cannot be answered yet: it is repeated after what it asked for was fetched. */
export class NotFetched extends Error {
  constructor() {
    super('the search needs words or rows that were not fetched')
  }
}
