// Every word and root the shelf has met, each once, under its key. Words know their roots, roots their words.

import type { Language } from '../../http/language.ts'
import { backToCyrillic, isCyrillic, isModel, keyOf } from './letters.ts'
import { type Near, NearWords } from './near-words.ts'
import { isEmpty } from './empty-words.ts'
import { englishStem } from './stem-english.ts'
import { russianStem } from './stem-russian.ts'
import { uzbekStem } from './stem-uzbek.ts'

const languageBits: Record<Language, number> = { ru: 1, uz: 2, en: 4 }
/** Spellings seen lately, so that common words are read once. */
const mostSpellings = 20_000
const leastFresh = 512

export class Vocabulary {
  readonly #entries = new Map<string, number>()
  readonly #keys: string[] = []
  /** In which languages a word's roots were found already. */
  readonly #read: number[] = []
  /** Whether the word tells nothing, of each entry. */
  readonly #empty: boolean[] = []
  readonly #words = new Map<number, number[]>()
  readonly #shown: { latin: (string | undefined)[]; cyrillic: (string | undefined)[] } = {
    latin: [],
    cyrillic: [],
  }
  readonly #near = new NearWords()
  readonly #spellings: Record<Language, Map<string, number>> = { ru: new Map(), uz: new Map(), en: new Map() }
  /** Entries by key, but for the last few. */
  #sorted = new Int32Array(0)

  get size(): number {
    return this.#keys.length
  }

  find(key: string): number | undefined {
    return this.#entries.get(key)
  }

  key(entry: number): string {
    return this.#keys[entry]!
  }

  /** Whether it is a word that tells nothing of what is sold. */
  isEmpty(entry: number): boolean {
    return this.#empty[entry]!
  }

  /** The words of a root. */
  wordsOf(root: number): readonly number[] {
    return this.#words.get(root) ?? []
  }

  /** The entry of a lower-case word of a text in some language. */
  learn(word: string, language: Language): number {
    const spellings = this.#spellings[language]
    const known = spellings.get(word)
    if (known !== undefined) return known
    const key = keyOf(word, language)
    const entry = this.#entry(key)
    const bit = languageBits[language]
    if ((this.#read[entry]! & bit) === 0) {
      this.#read[entry]! |= bit
      if (isEmpty(word)) this.#empty[entry] = true
      if (!isModel(word)) this.#learnRoot(entry, rootIn(word, key, language))
    }
    if (!isModel(word)) {
      const shown = isCyrillic(word) ? this.#shown.cyrillic : this.#shown.latin
      shown[entry] ??= ` ${word}`.slice(1)
    }
    if (spellings.size >= mostSpellings) spellings.clear()
    spellings.set(` ${word}`.slice(1), entry)
    return entry
  }

  /** How the word is written, in the wished script if it was ever met so. */
  shown(entry: number, inCyrillic: boolean): string {
    const [wished, other] = inCyrillic
      ? [this.#shown.cyrillic, this.#shown.latin]
      : [this.#shown.latin, this.#shown.cyrillic]
    return wished[entry] ?? other[entry] ?? this.#keys[entry]!
  }

  near(key: string): Near[] {
    return this.#near.find(key, (entry) => this.#keys[entry]!)
  }

  /** Sees every entry whose key begins so and is longer, in no promised order. */
  eachBeginning(prefix: string, most: number, visit: (entry: number) => void): void {
    this.#sortFresh()
    let at = this.#firstFrom(prefix)
    for (let seen = 0; seen < most && at < this.#sorted.length; at++, seen++) {
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
    this.#read.push(0)
    this.#empty.push(false)
    if (!isModel(key)) this.#near.add(key, entry)
    return entry
  }

  #learnRoot(entry: number, root: string): void {
    if (root === this.#keys[entry]) return
    const its = this.#entry(root)
    const words = this.#words.get(its)
    if (!words) this.#words.set(its, [entry])
    else if (!words.includes(entry)) words.push(entry)
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

  /** Entries are numbered as they come, so the fresh ones are those above the sorted. */
  #sortFresh(): void {
    const fresh = this.#keys.length - this.#sorted.length
    if (fresh <= Math.max(leastFresh, this.#sorted.length >> 6)) return
    const keys = this.#keys
    const ordered = (a: number, b: number) => (keys[a]! < keys[b]! ? -1 : 1)
    const from = this.#sorted.length
    const late = Int32Array.from({ length: fresh }, (_, at) => from + at).sort(ordered)
    const merged = new Int32Array(keys.length)
    let at = 0
    let beside = 0
    for (let to = 0; to < merged.length; to++) {
      const takesOld = beside === fresh || (at < from && ordered(this.#sorted[at]!, late[beside]!) < 0)
      merged[to] = takesOld ? this.#sorted[at++]! : late[beside++]!
    }
    this.#sorted = merged
  }
}

/** The key of a word's root in the language of its text. A Latin word among Russian ones is read as English. */
function rootIn(word: string, key: string, language: Language): string {
  if (language === 'uz') return uzbekStem(key)
  if (isCyrillic(word)) return keyOf(russianStem(word), 'ru')
  return /^[a-z]+$/.test(word) ? keyOf(englishStem(word), 'en') : key
}

/** The keys of all roots that a word without a known language may have. */
export function rootsOf(word: string, key: string): string[] {
  const russian = isCyrillic(word) ? russianStem(word) : russianStem(backToCyrillic(key))
  const roots = [keyOf(russian, 'ru'), uzbekStem(key)]
  if (/^[a-z]+$/.test(word)) roots.push(keyOf(englishStem(word), 'en'))
  return [...new Set(roots)].filter((it) => it !== key)
}
