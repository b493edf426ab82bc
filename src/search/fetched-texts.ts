// A text index whose words and rows are in a store outside of this process. A search runs over what was fetched for it;
// when it asks for more, that is fetched and the search, which has no effects, runs again.

import type { IndexedRows, IndexedTexts, SlotPool } from './text-index.ts'
import { slotBits, soundingKind } from './fields.ts'
import { hashOf } from './text-index.ts'
import { namesAccessory } from './head-words.ts'
import { languages } from './language.ts'
import { nearestSound, type SoundingName, soundsOf } from './sounds.ts'
import type { FoundRows, FoundWord, TextStore } from './text-store.ts'
import { NotFetched, type Words } from './texts.ts'
import { allowedTypos, deletionsFor, editDistance, type NearEntry } from './typos.ts'
import { WordRoots } from './word-roots.ts'

/** A usual search needs five. */
const maxRounds = 60
const noPostings = new Uint32Array(0)

export interface FetchedRows extends SlotPool {
  slotOf(id: number): number | undefined
}

/** What one search has fetched, and what it still needs. */
class Session {
  /** By entry. */
  readonly words: FoundWord[] = []
  /** By key; undefined for a word that does not exist. */
  readonly entries = new Map<string, number | undefined>()
  readonly stems = new Map<string, number[]>()
  readonly prefixes = new Map<string, number[]>()
  readonly near = new Map<string, NearEntry[]>()
  readonly sounds = new Map<string, SoundingName[]>()
  readonly lists = new Map<number, Uint32Array>()
  readonly phrases = new Map<string, Uint32Array[][]>()
  wanted = nothingWanted()

  entryOf(word: FoundWord): number {
    const known = this.entries.get(word.key)
    if (known !== undefined) return known
    const entry = this.words.push(word) - 1
    this.entries.set(word.key, entry)
    return entry
  }

  get isWanting(): boolean {
    return Object.values(this.wanted).some((it) => it.size > 0)
  }
}

const nothingWanted = () => ({
  keys: new Set<string>(),
  stems: new Set<string>(),
  prefixes: new Map<string, number>(),
  near: new Map<string, { key: string; allowed: 1 | 2 }>(),
  sounds: new Set<string>(),
  lists: new Set<number>(),
  phrases: new Map<string, readonly (readonly number[])[]>(),
})

export class FetchedTexts implements IndexedRows {
  readonly roots = new WordRoots()
  readonly #store: TextStore
  readonly #rows: FetchedRows
  #session = new Session()
  #hashes = new Float64Array(1024)
  #accessories = new Uint8Array(1024)
  /** Names of categories that are parts or accessories of something else. */
  readonly #isAccessory = new Map<string, boolean>()

  constructor(store: TextStore, rows: FetchedRows) {
    this.#store = store
    this.#rows = rows
  }

  /** Runs a search as often as it needs something more. */
  async ask<T>(run: () => T): Promise<T> {
    const session = new Session()
    for (let round = 0; round < maxRounds; round++) {
      this.#session = session
      try {
        return run()
      } catch (error) {
        if (!(error instanceof NotFetched)) throw error
      }
      await this.#fetch(session)
    }
    throw new Error(`a search was not answered after ${maxRounds} rounds of fetching`)
  }

  readonly vocabulary: Words = {
    find: (key) => this.#asked(this.#session.entries, key, (wanted) => wanted.keys.add(key)),
    key: (entry) => this.#session.words[entry]!.key,
    wordsOf: (stem) => this.#asked(this.#session.stems, stem, (wanted) => wanted.stems.add(stem)) ?? [],
    shown: (entry, inCyrillic) => {
      const { key, latin, cyrillic } = this.#session.words[entry]!
      return (inCyrillic ? (cyrillic ?? latin) : (latin ?? cyrillic)) ?? key
    },
    isWritten: (entry, inCyrillic) => {
      const { latin, cyrillic } = this.#session.words[entry]!
      return (inCyrillic ? cyrillic : latin) !== null
    },
    near: (key, most) => {
      const allowed = most ?? allowedTypos(key.length)
      if (allowed === 0) return []
      const name = `${allowed} ${key}`
      return this.#asked(this.#session.near, name, (wanted) => wanted.near.set(name, { key, allowed })) ?? []
    },
    eachWithPrefix: (prefix, limit, visit) => {
      const { prefixes } = this.#session
      const found = this.#asked(prefixes, prefix, (wanted) => wanted.prefixes.set(prefix, limit))
      for (const entry of found ?? []) visit(entry)
    },
  }

  readonly postings = {
    length: (entry: number): number => this.#session.words[entry]!.rows,
    view: (entry: number): Uint32Array =>
      this.#asked(this.#session.lists, entry, (wanted) => wanted.lists.add(entry)) ?? noPostings,
  }

  readonly sounds = {
    find: (word: string) => nearestSound(word, this.sounds.alike(word)),
    alike: (word: string): readonly SoundingName[] =>
      this.#asked(this.#session.sounds, word, (wanted) => wanted.sounds.add(word)) ?? [],
  }

  fieldsOf(entry: number): number {
    return this.#session.words[entry]!.fields
  }

  isAccessory(slot: number): boolean {
    return this.#accessories[slot] === 1
  }

  together(groups: readonly (readonly number[])[]): Uint32Array[][] {
    const name = groups.map((it) => it.join()).join(' ')
    const found = this.#asked(this.#session.phrases, name, (wanted) => wanted.phrases.set(name, groups))
    return found ?? groups.map((it) => it.map(() => noPostings))
  }

  settle(): void {
    if (this.#session.isWanting) throw new NotFetched()
  }

  isSame(slot: number, texts: IndexedTexts): boolean {
    return this.#hashes[slot] === hashOf(texts)
  }

  add(slot: number, texts: IndexedTexts): void {
    if (slot >= this.#hashes.length) {
      const [hashes, accessories] = [this.#hashes, this.#accessories]
      this.#hashes = new Float64Array(slot * 2)
      this.#hashes.set(hashes)
      this.#accessories = new Uint8Array(slot * 2)
      this.#accessories.set(accessories)
    }
    this.#hashes[slot] = hashOf(texts)
    const own = texts.categoryNames.at(-1) ?? {}
    this.#accessories[slot] = languages.some((it) => this.#namesAccessory(own[it] ?? '', it)) ? 1 : 0
  }

  remove(slot: number): void {
    this.#hashes[slot] = Number.NaN
    this.#rows.release(slot)
  }

  #namesAccessory(name: string, language: (typeof languages)[number]): boolean {
    const key = `${language} ${name}`
    const known = this.#isAccessory.get(key)
    if (known !== undefined) return known
    const isAccessory = namesAccessory(name, language)
    this.#isAccessory.set(key, isAccessory)
    return isAccessory
  }

  /** What was fetched; else it is noted as wanted. */
  #asked<K, V>(
    fetched: Map<K, V>,
    key: K,
    note: (wanted: ReturnType<typeof nothingWanted>) => void,
  ): V | undefined {
    if (!fetched.has(key)) note(this.#session.wanted)
    return fetched.get(key)
  }

  /** Fetches the cheapest of what is wanted: it often makes the rest unnecessary. */
  async #fetch(session: Session): Promise<void> {
    const { wanted } = session
    session.wanted = nothingWanted()
    if (wanted.keys.size + wanted.stems.size > 0)
      await this.#fetchKeys(session, [...wanted.keys], [...wanted.stems])
    else if (wanted.prefixes.size > 0)
      await eachOf(wanted.prefixes, async ([prefix, limit]) => {
        const found = await this.#store.words({ by: 'prefix', prefix, limit })
        session.prefixes.set(prefix, entriesOf(session, found))
      })
    else if (wanted.near.size + wanted.sounds.size > 0) await this.#fetchAlike(session, wanted)
    else await this.#fetchRows(session, wanted)
  }

  async #fetchKeys(session: Session, keys: string[], stems: string[]): Promise<void> {
    const found = await this.#store.words({ by: 'key', keys, stems })
    const entries = entriesOf(session, found)
    for (const key of keys) if (!session.entries.has(key)) session.entries.set(key, undefined)
    for (const stem of stems) session.stems.set(stem, [])
    for (const [at, word] of found.entries())
      for (const stem of word.stems) if (stems.includes(stem)) session.stems.get(stem)!.push(entries[at]!)
  }

  async #fetchAlike(session: Session, { near, sounds }: ReturnType<typeof nothingWanted>): Promise<void> {
    const misspelt = eachOf(near, async ([name, { key, allowed }]) => {
      const deletes = deletionsFor(key, allowed)
      const found = deletes.length > 0 ? await this.#store.words({ by: 'deletes', deletes }) : []
      const close = found
        .map((word) => ({ entry: session.entryOf(word), typos: editDistance(key, word.key, allowed) }))
        .filter((it) => it.typos <= allowed)
      session.near.set(name, close)
    })
    const alike = eachOf(sounds, async (word) => {
      const found = await this.#store.words({ by: 'sound', sounds: soundsOf(word) })
      const named = found.filter((it) => it.soundKey !== null)
      session.sounds.set(
        word,
        named.map((it) => ({
          entry: session.entryOf(it),
          name: it.soundKey!,
          kind: soundingKind(it.fields),
        })),
      )
    })
    await Promise.all([misspelt, alike])
  }

  async #fetchRows(session: Session, { lists, phrases }: ReturnType<typeof nothingWanted>): Promise<void> {
    const wordsOf = (entries: Iterable<number>) => Array.from(entries, (it) => session.words[it]!)
    const single = async () => {
      const found = await this.#store.rows([wordsOf(lists)])
      for (const entry of lists) session.lists.set(entry, this.#postingsOf(found, session.words[entry]!))
    }
    const several = eachOf(phrases, async ([name, groups]) => {
      const found = await this.#store.rows(groups.map(wordsOf))
      const views = groups.map((it) => it.map((entry) => this.#postingsOf(found, session.words[entry]!)))
      session.phrases.set(name, views)
    })
    await Promise.all([lists.size > 0 ? single() : undefined, several])
  }

  /** Rows that are not, or no longer, in the index of this process are left out. */
  #postingsOf(found: FoundRows, { key }: FoundWord): Uint32Array {
    const rows = found.get(key) ?? []
    const values = new Uint32Array(rows.length)
    let kept = 0
    for (let at = 0; at < rows.length; at++) {
      const slot = this.#rows.slotOf(Math.floor(rows[at]! / (1 << slotBits)))
      if (slot !== undefined) values[kept++] = ((slot << slotBits) | (rows[at]! % (1 << slotBits))) >>> 0
    }
    return values.subarray(0, kept).sort()
  }
}

const entriesOf = (session: Session, words: readonly FoundWord[]): number[] =>
  words.map((it) => session.entryOf(it))

const eachOf = <T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void[]> =>
  Promise.all(Array.from(items, work))
