// An inverted index: for every word, the rows that have it and in which fields. A posting holds the row's slot and the
// fields' bits in one number.

import { codesOf } from './character-codes.ts'
import { type Language, languages, type Translations } from './language.ts'
import { headOfCategory, headOfName, listsThings } from './head-words.ts'
import { isAccessory, isStopWord } from './lexicon.ts'
import { slotBits, fields, soundingKind } from './fields.ts'
import { PhraseCache } from './phrase-cache.ts'
import { Postings } from './postings.ts'
import { SoundIndex } from './sounds.ts'
import { tokensOf } from './tokens.ts'
import { hashOfCodes, RowHash } from './text-hash.ts'
import type { Texts } from './texts.ts'
import { TextWords } from './text-words.ts'
import { Vocabulary } from './vocabulary.ts'
import { WordRoots } from './word-roots.ts'
import { eachIndexedWord } from './words.ts'

/** The texts by which a row is found. */
export interface IndexedTexts {
  name: Translations
  description: Translations
  /** The brand's name; empty when there is none. */
  brand: string
  categoryNames: readonly Translations[]
  variants: readonly { name: Translations; attributes: Record<string, string> }[]
}

/** The owner of the rows. A removed row's slot may be used again after `release`. */
export interface SlotPool {
  /** Slots that were ever in use: rows have numbers below it. */
  readonly slots: number
  release(slot: number): void
}

type Field = 'name' | 'brand' | 'variant' | 'category' | 'description'
type VisitText = (text: string, language: Language, field: Field) => void

/** Whether many rows have the same texts in the field. */
const isShared = (field: Field): boolean => field !== 'name' && field !== 'description'

/** Where a text stands, as a number: a text that moves to another field or language is a change. */
const places = { name: 0, brand: 4, variant: 8, category: 12, description: 16, ru: 0, uz: 1, en: 2 } as const

const textHashOf = (text: string): number => hashOfCodes(codesOf(text), text.length)

const fieldMask = (1 << slotBits) - 1
/** Turns have the bits above those of the fields; after the last one they begin again. */
const maxTurn = 2 ** (32 - slotBits) - 1

/** Words indexed per text; longer texts are cut. */
const nameWords = { limit: 40, withStopWords: true }
const descriptionWords = { limit: 300, withStopWords: false }
const maxSharedWords = 20
/** Cached word lists of texts that many rows share: categories, brands, colours. */
const maxSharedTexts = 10_000
/** Postings of removed rows are swept once there are this many, in steps of `sweepStep` postings. */
const minRemoved = 1024
const sweepStep = 4_096

/** The words of a text that many rows share. */
interface SharedText {
  /** Of the text itself. */
  hash: number
  entries: Uint32Array
  /** 1 for the head words of a category's name. */
  heads: Uint8Array
  isAccessory: boolean
  /** The name of a category that lists several things. */
  isList: boolean
  isBrand: boolean
}

/** A text index that rows are added to and removed from. */
export interface IndexedRows extends Texts {
  isSame(slot: number, texts: IndexedTexts): boolean
  add(slot: number, texts: IndexedTexts): void
  remove(slot: number): void
}

export class TextIndex implements IndexedRows {
  readonly #sounds = new SoundIndex()
  readonly vocabulary = new Vocabulary((word, entry) => this.#sounds.learn(word, entry))
  readonly postings = new Postings()
  readonly #words = new TextWords(this.vocabulary)
  /** Of the row that is being read. */
  readonly #rowHash = new RowHash()
  readonly #pool: SlotPool
  /** A hash of all texts of a row, to detect changes. */
  #hashes = new Float64Array(1024)
  /** By slot, 1 for a part or an accessory of something else. */
  #accessories = new Uint8Array(1024)
  /** By entry, all fields in which some row has had the word. */
  #fieldsEver = new Uint8Array(1024)
  /** By entry, the last row that had the word, by its turn, and in which fields. */
  #noted = new Uint32Array(1024)
  #turn = 0
  #seen = new Uint32Array(1024)
  #seenCount = 0
  /** Of the category that is being indexed. */
  #headBit: number = fields.leaf
  #isAccessory = false
  readonly sounds = {
    find: (word: string) => this.#sounds.find(word, (entry) => soundingKind(this.fieldsOf(entry))),
    alike: (word: string) => this.#sounds.alike(word, (entry) => soundingKind(this.fieldsOf(entry))),
    each: (visit: (sound: string, entry: number, name: string) => void) => this.#sounds.each(visit),
  }
  readonly roots = new WordRoots()
  readonly phrases = new PhraseCache()
  readonly #shared: Record<Language, Map<string, SharedText>> = {
    ru: new Map(),
    uz: new Map(),
    en: new Map(),
  }
  #removed: number[] = []
  #sweeping: { slots: number[]; isRemoved: Uint8Array; next: number } | undefined

  constructor(pool: SlotPool) {
    this.#pool = pool
  }

  /** Whether the row is indexed with exactly these texts. */
  isSame(slot: number, texts: IndexedTexts): boolean {
    const hash = this.#rowHash
    hash.clear()
    this.#eachText(texts, (text, language, field) => {
      const known = isShared(field) ? this.#shared[language].get(text) : undefined
      hash.add(known?.hash ?? textHashOf(text), places[field] + places[language])
    })
    return this.#hashes[slot] === hash.value
  }

  add(slot: number, texts: IndexedTexts): void {
    this.phrases.clear()
    this.#nextTurn()
    this.#seenCount = 0
    this.#isAccessory = false
    this.#rowHash.clear()
    this.#eachText(texts, this.#indexText)
    for (let at = 0; at < this.#seenCount; at++) {
      const entry = this.#seen[at]!
      const bits = this.#noted[entry]! & fieldMask
      this.#fieldsEver[entry]! |= bits
      this.postings.add(entry, ((slot << slotBits) | bits) >>> 0)
    }
    if (slot >= this.#hashes.length) {
      this.#hashes = widened(this.#hashes, new Float64Array(slot * 2))
      this.#accessories = widened(this.#accessories, new Uint8Array(slot * 2))
    }
    this.#accessories[slot] = this.#isAccessory ? 1 : 0
    this.#hashes[slot] = this.#rowHash.value
    this.#sweepSome()
  }

  /** The row's postings are swept later; the slot is released after that. */
  remove(slot: number): void {
    this.phrases.clear()
    this.#removed.push(slot)
    this.#hashes[slot] = Number.NaN
    this.#sweepSome()
  }

  /** Visits the texts of a row, always in the same order. */
  #eachText({ name, brand, variants, categoryNames, description }: IndexedTexts, visit: VisitText): void {
    eachTranslation(name, 'name', visit)
    if (brand) visit(brand, 'en', 'brand')
    for (const it of variants) {
      eachTranslation(it.name, 'variant', visit)
      for (const code in it.attributes) visit(it.attributes[code]!, 'ru', 'variant')
    }
    const last = categoryNames.length - 1
    for (let at = 0; at <= last; at++) {
      this.#headBit = at === last ? fields.leaf : fields.upper
      eachTranslation(categoryNames[at]!, 'category', visit)
    }
    eachTranslation(description, 'description', visit)
  }

  readonly #indexText: VisitText = (text, language, field) => {
    const place = places[field] + places[language]
    if (isShared(field)) {
      const shared = this.#sharedText(text, language, field)
      this.#noteShared(shared, field)
      this.#rowHash.add(shared.hash, place)
      return
    }
    if (field === 'name') this.#indexName(text, language)
    else this.#indexDescription(text, language)
    this.#rowHash.add(this.#words.textHash, place)
  }

  #indexName(text: string, language: Language): void {
    const words = this.#words
    words.read(text, language, nameWords)
    const [from, end] = headOfName(words.nameWords(), language)
    for (let at = 0; at < words.count; at++) {
      const position = words.positions[at]!
      const isHead = position >= from && position < end
      this.#note(words.entries[at]!, isHead ? fields.name | fields.head : fields.name)
    }
  }

  #indexDescription(text: string, language: Language): void {
    const words = this.#words
    words.read(text, language, descriptionWords)
    for (let at = 0; at < words.count; at++) this.#note(words.entries[at]!, fields.description)
  }

  #noteShared({ entries, heads, isAccessory, isList }: SharedText, field: Field): void {
    const bit = fields[field]
    const headBit = isList ? fields.upper : this.#headBit
    for (let at = 0; at < entries.length; at++)
      this.#note(entries[at]!, heads[at] === 1 && field === 'category' ? bit | headBit : bit)
    if (field === 'category' && this.#headBit === fields.leaf && isAccessory) this.#isAccessory = true
  }

  #sharedText(text: string, language: Language, field: Field): SharedText {
    const shared = this.#shared[language]
    const known = shared.get(text)
    if (known && (field !== 'brand' || known.isBrand)) return known
    const entries: number[] = []
    const heads: number[] = []
    const tokens = tokensOf(text, maxSharedWords)
    const headPositions = headOfCategory(tokens, language)
    eachIndexedWord(tokens, (word, position) => {
      if (isStopWord(word)) return
      const entry = this.vocabulary.learn(word, language)
      entries.push(entry)
      heads.push(headPositions.includes(position) ? 1 : 0)
      if (field === 'brand') this.#sounds.learn(word, entry)
    })
    if (shared.size >= maxSharedTexts) shared.clear()
    const kept: SharedText = {
      hash: textHashOf(text),
      entries: Uint32Array.from(entries),
      heads: Uint8Array.from(heads),
      isAccessory: headPositions.some((at) => isAccessory(tokens[at]!.text)),
      isList: listsThings(tokens),
      isBrand: field === 'brand',
    }
    shared.set(text, kept)
    return kept
  }

  /** All fields in which some row has had the word. */
  fieldsOf(entry: number): number {
    return this.#fieldsEver[entry] ?? 0
  }

  /** Whether a row is a part or an accessory of something else. */
  isAccessory(slot: number): boolean {
    return this.#accessories[slot] === 1
  }

  together(groups: readonly (readonly number[])[]): Uint32Array[][] {
    return groups.map((entries) => entries.map((it) => this.postings.view(it)))
  }

  /** Everything is in memory. */
  settle(): void {}

  /** Adds the field bits of one word of the row that is being indexed. */
  #note(entry: number, bits: number): void {
    if (entry >= this.#noted.length) this.#widen(entry)
    const noted = this.#noted[entry]!
    if (noted >>> slotBits === this.#turn) this.#noted[entry] = noted | bits
    else {
      this.#noted[entry] = (this.#turn << slotBits) | bits
      if (this.#seenCount === this.#seen.length)
        this.#seen = widened(this.#seen, new Uint32Array(2 * this.#seenCount))
      this.#seen[this.#seenCount++] = entry
    }
  }

  #nextTurn(): void {
    if (++this.#turn <= maxTurn) return
    this.#noted.fill(0)
    this.#turn = 1
  }

  #widen(entry: number): void {
    this.#noted = widened(this.#noted, new Uint32Array(entry * 2))
    this.#fieldsEver = widened(this.#fieldsEver, new Uint8Array(entry * 2))
  }

  /** Spreads the sweep over many changes, so that no single change pays for all of it. */
  #sweepSome(): void {
    if (!this.#sweeping) {
      if (this.#removed.length < Math.max(minRemoved, this.#pool.slots >> 3)) return
      const isRemoved = new Uint8Array(this.#pool.slots)
      for (const slot of this.#removed) isRemoved[slot] = 1
      this.#sweeping = { slots: this.#removed, isRemoved, next: 0 }
      this.#removed = []
    }
    const { slots, isRemoved } = this.#sweeping
    for (
      let seen = 0;
      seen < sweepStep && this.#sweeping.next < this.vocabulary.size;
      this.#sweeping.next++
    ) {
      seen += 16 + this.postings.length(this.#sweeping.next)
      this.postings.sweep(this.#sweeping.next, (value) => isRemoved[value >>> slotBits] === 1)
    }
    if (this.#sweeping.next < this.vocabulary.size) return
    for (const slot of slots) this.#pool.release(slot)
    this.#sweeping = undefined
  }
}

function eachTranslation(texts: Translations, field: Field, visit: VisitText): void {
  for (let at = 0; at < languages.length; at++) {
    const language = languages[at]!
    const text = texts[language]
    if (text) visit(text, language, field)
  }
}

const widened = <T extends Float64Array | Uint32Array | Uint8Array>(from: T, to: T): T => (to.set(from), to)

/** Higher when words or stems of a text change: engines outside of the process then write all rows again. */
const wordsVersion = '7'

/** A 53-bit hash of all texts; collisions are accepted as too rare to matter. */
export function hashOf(texts: IndexedTexts): number {
  const hash = new TextHash()
  hash.add(wordsVersion)
  hash.addTranslations(texts.name)
  hash.addTranslations(texts.description)
  hash.addText(texts.brand)
  for (const names of texts.categoryNames) hash.addTranslations(names)
  for (const { name, attributes } of texts.variants) {
    hash.addTranslations(name)
    for (const code in attributes) hash.addText(attributes[code]!)
  }
  return hash.value
}

/** Texts are read one by one: joined to one string, they would be copied first. */
class TextHash {
  #high = 0x9e3779b9 | 0
  #low = 0x85ebca6b | 0
  #length = 0

  add(text: string): void {
    const codes = codesOf(text)
    let [high, low] = [this.#high, this.#low]
    for (let at = 0; at < text.length; at++) {
      high = Math.imul(high ^ codes[at]!, 0x85ebca77)
      low = (low + high) | 0
    }
    this.#high = high
    this.#low = low
    this.#length += text.length
  }

  /** A text after a zero, which no text has. */
  addText(text: string): void {
    this.#high = Math.imul(this.#high, 0x85ebca77)
    this.#low = (this.#low + this.#high) | 0
    this.#length++
    if (text.length > 0) this.add(text)
  }

  addTranslations(texts: Translations): void {
    for (const language of languages) this.addText(texts[language] ?? '')
  }

  get value(): number {
    const high = Math.imul(this.#high ^ this.#length, 0x27d4eb2f)
    return (high >>> 0) * 0x20_0000 + ((this.#low ^ (this.#low >>> 15)) & 0x1f_ffff)
  }
}
