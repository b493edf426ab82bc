// The words of an indexed text as entries of the vocabulary. Most tokens are one word that was seen before: these are
// looked up by number, and only numbers, models and joined words are read as strings.

import { CompoundTable } from './compound-table.ts'
import type { NameWords } from './head-words.ts'
import { type Language, languages } from './language.ts'
import { isStopWord } from './lexicon.ts'
import { maxKnown, TokenTable } from './token-table.ts'
import {
  describeToken,
  maxTokens,
  type ScannedTokens,
  scanTokens,
  type Token,
  tokenBits,
  tokenWith,
} from './tokens.ts'
import type { Vocabulary } from './vocabulary.ts'
import { isModel } from './word-key.ts'
import { eachWordAt, maxSeriesLength } from './words.ts'

/** A token is at most itself, two pairs of parts and a joined word. */
const wordsPerToken = 6

const isNumber = (bits: number): boolean => (bits & (tokenBits.digit | tokenBits.letter)) === tokenBits.digit

/** The entries of a number, a model or a joined word. */
interface Compound {
  entries: number[]
  /** The same in texts of every language, with and without stop words. */
  isShared: boolean
}

/** Of one token: what all languages share, and what each has with and without stop words. */
const keysPerToken = 1 + 2 * languages.length
/** In place of an entry: each language has its own. */
const byLanguage = 0xffff_ffff

export class TextWords {
  readonly #vocabulary: Vocabulary
  readonly #table = new TokenTable()
  #version = 0
  /** By number of a token, its entry plus one in a text of the language; 0 for unknown. */
  #known: Record<Language, Int32Array> = noneKnown(0)
  readonly #numbers = new Int32Array(maxTokens)
  readonly #traits = new Uint8Array(maxTokens)
  readonly #compounds = new CompoundTable()
  #scanned: ScannedTokens | undefined
  #tokens: Token[] | undefined
  /** Reused by every text. */
  readonly #pool: Token[] = []

  /** Of the last text, to notice changes. */
  get textHash(): number {
    return this.#scanned!.textHash
  }

  /** Of the last text: how many words it has, their entries, and the positions of their tokens. */
  count = 0
  readonly entries = new Uint32Array(wordsPerToken * maxTokens)
  readonly positions = new Uint16Array(wordsPerToken * maxTokens)

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary
  }

  /** Reads the first `limit` tokens of a text. */
  read(
    text: string,
    language: Language,
    { limit, withStopWords }: { limit: number; withStopWords: boolean },
  ): void {
    const scanned = scanTokens(text, limit)
    this.#number(scanned)
    const { bits, count } = scanned
    const { isStop } = this.#table
    const known = this.#known[language]
    this.count = 0
    this.#tokens = undefined
    this.#scanned = scanned
    for (let position = 0; position < count; position++) {
      const isPlain =
        (bits[position]! & (tokenBits.digit | tokenBits.joined)) === 0 &&
        !(position > 0 && isNumber(bits[position - 1]!))
      if (!isPlain) this.#readCompound(position, language, withStopWords)
      else {
        const number = this.#numbers[position]!
        if (withStopWords || isStop[number] === 0)
          this.#push((known[number]! || this.#learn(number, language)) - 1, position)
      }
    }
  }

  /** What the head of the last text depends on: valid until the next. */
  nameWords(): NameWords {
    const { count, bits } = this.#scanned!
    const { traits } = this.#table
    for (let at = 0; at < count; at++) this.#traits[at] = traits[this.#numbers[at]!]!
    return { count, bits, traits: this.#traits }
  }

  /** The tokens of the last text: valid until the next. */
  #readTokens(): Token[] {
    if (this.#tokens) return this.#tokens
    const { bits, count } = this.#scanned!
    while (this.#pool.length < count) this.#pool.push(tokenWith(0, ''))
    for (let at = 0; at < count; at++)
      describeToken(this.#pool[at]!, bits[at]!, this.#table.texts[this.#numbers[at]!]!)
    return (this.#tokens = this.#pool.slice(0, count))
  }

  /** A number, a model or a joined word: what it is may depend on the token before it, and in a range on those after it. */
  #readCompound(position: number, language: Language, withStopWords: boolean): void {
    const { bits, count } = this.#scanned!
    const isRange =
      isNumber(bits[position]!) &&
      position + 1 < count &&
      (bits[position + 1]! & (tokenBits.joined | tokenBits.divided)) !== 0
    if (isRange) {
      for (const entry of this.#compound(position, language, withStopWords).entries)
        this.#push(entry, position)
      return
    }
    const key = (this.#neighbour(position) * maxKnown + this.#numbers[position]!) * keysPerToken
    const ownKey = key + 1 + languages.indexOf(language) * 2 + (withStopWords ? 1 : 0)
    const compounds = this.#compounds
    let begin = compounds.find(key)
    if (begin >= 0 && compounds.entries[begin + 1] === byLanguage) begin = compounds.find(ownKey)
    if (begin < 0) begin = this.#keep(this.#compound(position, language, withStopWords), key, ownKey)
    const { entries } = compounds
    const end = begin + entries[begin]!
    for (let at = begin + 1; at <= end; at++) this.#push(entries[at]!, position)
  }

  /** Models and amounts are the same words in every language, so these are kept once. */
  #keep({ entries, isShared }: Compound, key: number, ownKey: number): number {
    const compounds = this.#compounds
    if (isShared) return compounds.set(key, entries)
    if (compounds.find(key) < 0) compounds.set(key, [byLanguage])
    return compounds.set(ownKey, entries)
  }

  /** What the words of a token depend on besides itself: the token before it and whether they are joined; 0 for nothing. */
  #neighbour(position: number): number {
    if (position === 0) return 0
    const { bits } = this.#scanned!
    const number = this.#numbers[position - 1]!
    const isJoined = (bits[position]! & tokenBits.joined) !== 0
    const before = bits[position - 1]!
    const mayBeSeries =
      (before & tokenBits.digit) === 0 && this.#table.texts[number]!.length <= maxSeriesLength
    return isJoined || isNumber(before) || mayBeSeries ? 1 + 2 * number + (isJoined ? 1 : 0) : 0
  }

  #compound(position: number, language: Language, withStopWords: boolean): Compound {
    const entries: number[] = []
    let isShared = true
    eachWordAt(this.#readTokens(), position, (word) => {
      isShared &&= isModel(word)
      if (withStopWords || !isStopWord(word)) entries.push(this.#vocabulary.learn(word, language))
    })
    return { entries, isShared }
  }

  #number(scanned: ScannedTokens): void {
    const table = this.#table
    const { version } = table
    for (let at = 0; at < scanned.count; at++) this.#numbers[at] = table.numberOf(scanned, at)
    // The table started again within this text: its first tokens are numbered again.
    if (table.version !== version)
      for (let at = 0; at < scanned.count; at++) this.#numbers[at] = table.numberOf(scanned, at)
    if (this.#version === table.version && this.#known.ru.length === table.capacity) return
    const known = noneKnown(table.capacity)
    if (this.#version === table.version) for (const it of languages) known[it].set(this.#known[it])
    this.#known = known
    if (this.#version !== table.version) this.#compounds.clear()
    this.#version = table.version
  }

  /** The entry plus one. */
  #learn(number: number, language: Language): number {
    return (this.#known[language][number] = this.#vocabulary.learn(this.#table.texts[number]!, language) + 1)
  }

  #push(entry: number, position: number): void {
    this.entries[this.count] = entry
    this.positions[this.count++] = position
  }
}

const noneKnown = (size: number): Record<Language, Int32Array> => ({
  ru: new Int32Array(size),
  uz: new Int32Array(size),
  en: new Int32Array(size),
})
