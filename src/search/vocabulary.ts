// Every indexed word, numbered (an entry), by its key; and the words of every stem.

import { type Language, languages } from './language.ts'
import { stemOf } from './stemmers.ts'
import { type NearEntry, TypoIndex } from './typos.ts'
import { isCyrillic, isModel, keyOf } from './word-key.ts'

/** Cached words per language, so that common words are analysed once. */
const maxCachedWords = 20_000
const minUnsorted = 512
/** Letters that have another key in Uzbek than in the other languages. */
const keyDiffers = /ё|дж/

export class Vocabulary {
  readonly #entries = new Map<string, number>()
  readonly #keys: string[] = []
  /** By the marked stem, the entries of its words. Most stems have one word, which needs no array. */
  readonly #words = new Map<string, number | number[]>()
  readonly #shown: { latin: (string | undefined)[]; cyrillic: (string | undefined)[] } = {
    latin: [],
    cyrillic: [],
  }
  readonly #typos = new TypoIndex()
  readonly #cachedWords: Record<Language, Map<string, number>> = {
    ru: new Map(),
    uz: new Map(),
    en: new Map(),
  }
  /** Entries in the order of their keys; the newest ones are not in it yet. */
  #sorted = new Int32Array(0)
  readonly #onForeign: ((word: string, entry: number) => void) | undefined

  /** `onForeign` is called for words in Latin letters of Russian texts: names of brands and series. */
  constructor(onForeign?: (word: string, entry: number) => void) {
    this.#onForeign = onForeign
  }

  get size(): number {
    return this.#keys.length
  }

  find(key: string): number | undefined {
    return this.#entries.get(key)
  }

  key(entry: number): string {
    return this.#keys[entry]!
  }

  /** The words that have this marked stem. */
  wordsOf(stem: string): readonly number[] {
    const words = this.#words.get(stem) ?? []
    return typeof words === 'number' ? [words] : words
  }

  eachStem(visit: (stem: string, entry: number) => void): void {
    for (const stem of this.#words.keys()) for (const entry of this.wordsOf(stem)) visit(stem, entry)
  }

  /** The entry of a lower-case word of a text in the given language; added when it is new. */
  learn(word: string, language: Language): number {
    const cached = this.#cachedWords[language]
    const known = cached.get(word)
    if (known !== undefined) return known
    const entry = this.#sameKey(word, language) ?? this.#entry(keyOf(word, language))
    if (!isModel(word)) {
      if (!this.#hasStem(word, language)) this.#learnWord(word, entry, language)
      if (language === 'ru' && !isCyrillic(word)) this.#onForeign?.(word, entry)
    }
    if (cached.size >= maxCachedWords) cached.clear()
    cached.set(` ${word}`.slice(1), entry)
    return entry
  }

  /** A spelling of the word for display, in the preferred script if it was ever indexed in it. */
  shown(entry: number, inCyrillic: boolean): string {
    const [preferred, other] = inCyrillic
      ? [this.#shown.cyrillic, this.#shown.latin]
      : [this.#shown.latin, this.#shown.cyrillic]
    return preferred[entry] ?? other[entry] ?? this.#keys[entry]!
  }

  /** Whether some text has the word in this script. */
  isWritten(entry: number, inCyrillic: boolean): boolean {
    return (inCyrillic ? this.#shown.cyrillic : this.#shown.latin)[entry] !== undefined
  }

  near(key: string, most?: 1 | 2): NearEntry[] {
    return this.#typos.find(key, (entry) => this.#keys[entry]!, most)
  }

  /** Visits the entries whose keys are longer and begin with the prefix, in no particular order; at most `limit` sorted ones. */
  eachWithPrefix(prefix: string, limit: number, visit: (entry: number) => void): void {
    this.#sortNew()
    let at = this.#firstFrom(prefix)
    for (let seen = 0; seen < limit && at < this.#sorted.length; at++, seen++) {
      const key = this.#keys[this.#sorted[at]!]!
      if (!key.startsWith(prefix)) break
      if (key.length > prefix.length) visit(this.#sorted[at]!)
    }
    for (let entry = this.#sorted.length; entry < this.#keys.length; entry++) {
      const key = this.#keys[entry]!
      if (key.length > prefix.length && key.startsWith(prefix)) visit(entry)
    }
  }

  #entry(key: string): number {
    const known = this.#entries.get(key)
    if (known !== undefined) return known
    const entry = this.#keys.push(key) - 1
    this.#entries.set(key, entry)
    if (!isModel(key)) this.#typos.add(key, entry)
    return entry
  }

  /** The entry of a word that was learned in another language and has the same key in all of them. */
  #sameKey(word: string, language: Language): number | undefined {
    if (keyDiffers.test(word)) return undefined
    for (const other of languages) {
      const known = other === language ? undefined : this.#cachedWords[other].get(word)
      if (known !== undefined) return known
    }
    return undefined
  }

  /** Whether the stem of a word was learned in another language that has the same stems: Uzbek has its own. */
  #hasStem(word: string, language: Language): boolean {
    return language !== 'uz' && this.#cachedWords[language === 'ru' ? 'en' : 'ru'].has(word)
  }

  #learnWord(word: string, entry: number, language: Language): void {
    const stem = stemOf(word, this.#keys[entry]!, language)
    const words = this.#words.get(stem)
    if (words === undefined) this.#words.set(stem, entry)
    else if (typeof words === 'number') {
      if (words !== entry) this.#words.set(stem, [words, entry])
    } else if (!words.includes(entry)) words.push(entry)
    const shown = isCyrillic(word) ? this.#shown.cyrillic : this.#shown.latin
    shown[entry] ??= ` ${word}`.slice(1)
  }

  #firstFrom(prefix: string): number {
    let low = 0
    let high = this.#sorted.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#keys[this.#sorted[middle]!]! < prefix) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Entries are numbered as they are added, so the unsorted ones follow the sorted. */
  #sortNew(): void {
    const unsorted = this.#keys.length - this.#sorted.length
    if (unsorted <= Math.max(minUnsorted, this.#sorted.length >> 6)) return
    const keys = this.#keys
    const ordered = (a: number, b: number) => (keys[a]! < keys[b]! ? -1 : 1)
    const from = this.#sorted.length
    const late = Int32Array.from({ length: unsorted }, (_, at) => from + at).sort(ordered)
    const merged = new Int32Array(keys.length)
    let at = 0
    let beside = 0
    for (let to = 0; to < merged.length; to++) {
      const takesOld = beside === unsorted || (at < from && ordered(this.#sorted[at]!, late[beside]!) < 0)
      merged[to] = takesOld ? this.#sorted[at++]! : late[beside++]!
    }
    this.#sorted = merged
  }
}
