// Which products have which words, and where in them. A list of a word names a slot and the fields in one number.

import { type Language, languages, type Words } from '../../http/language.ts'
import type { Columns } from './columns.ts'
import { isEmpty } from './empty-words.ts'
import { fields, leading, slotBits } from './fields.ts'
import type { ShelfItem } from './item.ts'
import { Postings } from './postings.ts'
import { eachWord } from './reading.ts'
import { Vocabulary } from './vocabulary.ts'

/** Of each text so many words are filed: more is not read by buyers either. */
const mostWords = { name: 40, other: 20, description: 300 }
/** The first words of a name say what it is; later ones what it is for. */
const leadingWords = 2
/** Texts that many products share (categories, brands, colours), read once; at most so many. */
const mostShared = 10_000
/** Buried slots are swept out of the lists when they are so many, in steps of so many postings. */
const leastBuried = 1024
const sweepStep = 4_096

export class TextIndex {
  readonly vocabulary = new Vocabulary()
  readonly postings = new Postings()
  readonly #columns: Columns
  /** Of all words of a product, to tell whether they changed. */
  #prints = new Float64Array(1024)
  #masks = new Uint8Array(1024)
  #marks = new Uint32Array(1024)
  #turn = 0
  #met: number[] = []
  readonly #shared: Record<Language, Map<string, Uint32Array>> = {
    ru: new Map(),
    uz: new Map(),
    en: new Map(),
  }
  #buried: number[] = []
  #leaving: { slots: number[]; isLeaving: Uint8Array; next: number } | undefined

  constructor(columns: Columns) {
    this.#columns = columns
  }

  isSame(slot: number, item: ShelfItem): boolean {
    return this.#prints[slot] === printOf(item)
  }

  add(slot: number, item: ShelfItem): void {
    this.#turn++
    this.#met = []
    this.#fileWords(item.name, 'name')
    this.#file(item.brand, 'en', 'brand')
    for (const { name, attributes } of item.variants) {
      this.#fileWords(name, 'variant')
      for (const value of Object.values(attributes)) this.#file(value, 'ru', 'variant')
    }
    for (const names of item.categoryNames) this.#fileWords(names, 'category')
    this.#fileWords(item.description, 'description')
    for (const entry of this.#met) this.postings.add(entry, ((slot << slotBits) | this.#masks[entry]!) >>> 0)
    if (slot >= this.#prints.length) this.#prints = widened(this.#prints, new Float64Array(slot * 2))
    this.#prints[slot] = printOf(item)
    this.#sweepSome()
  }

  /** The words of a product that is gone stay in their lists for a while; its slot is used again after that. */
  bury(slot: number): void {
    this.#buried.push(slot)
    this.#prints[slot] = Number.NaN
    this.#sweepSome()
  }

  #fileWords(words: Words, field: keyof typeof fields): void {
    for (const language of languages) {
      const text = words[language]
      if (text) this.#file(text, language, field)
    }
  }

  #file(text: string, language: Language, field: keyof typeof fields): void {
    const { vocabulary } = this
    if (field === 'name')
      eachWord(text, mostWords.name, (word, place) =>
        this.#meet(
          vocabulary.learn(word, language),
          place < leadingWords ? fields.name | leading : fields.name,
        ),
      )
    else if (field === 'description')
      eachWord(text, mostWords.description, (word) => {
        const entry = vocabulary.learn(word, language)
        if (!vocabulary.isEmpty(entry)) this.#meet(entry, fields.description)
      })
    else for (const entry of this.#entriesOf(text, language)) this.#meet(entry, fields[field])
  }

  #entriesOf(text: string, language: Language): Uint32Array {
    const shared = this.#shared[language]
    const known = shared.get(text)
    if (known) return known
    const entries: number[] = []
    eachWord(text, mostWords.other, (word) => {
      if (!isEmpty(word)) entries.push(this.vocabulary.learn(word, language))
    })
    if (shared.size >= mostShared) shared.clear()
    const kept = Uint32Array.from(entries)
    shared.set(text, kept)
    return kept
  }

  #meet(entry: number, bits: number): void {
    if (entry >= this.#masks.length) this.#widen(entry)
    if (this.#marks[entry] === this.#turn) this.#masks[entry]! |= bits
    else {
      this.#marks[entry] = this.#turn
      this.#masks[entry] = bits
      this.#met.push(entry)
    }
  }

  #widen(entry: number): void {
    this.#masks = widened(this.#masks, new Uint8Array(entry * 2))
    this.#marks = widened(this.#marks, new Uint32Array(entry * 2))
  }

  /** A little at every change, so that no change pays for all. */
  #sweepSome(): void {
    if (!this.#leaving) {
      if (this.#buried.length < Math.max(leastBuried, this.#columns.slots >> 3)) return
      const isLeaving = new Uint8Array(this.#columns.slots)
      for (const slot of this.#buried) isLeaving[slot] = 1
      this.#leaving = { slots: this.#buried, isLeaving, next: 0 }
      this.#buried = []
    }
    const { slots, isLeaving } = this.#leaving
    for (let seen = 0; seen < sweepStep && this.#leaving.next < this.vocabulary.size; this.#leaving.next++) {
      seen += 16 + this.postings.length(this.#leaving.next)
      this.postings.sweep(this.#leaving.next, (value) => isLeaving[value >>> slotBits] === 1)
    }
    if (this.#leaving.next < this.vocabulary.size) return
    for (const slot of slots) this.#columns.release(slot)
    this.#leaving = undefined
  }
}

const widened = <T extends Float64Array | Uint32Array | Uint8Array>(from: T, to: T): T => (to.set(from), to)

/** A number that all but surely differs when any word of the product does. */
function printOf(item: ShelfItem): number {
  let high = 0x9e3779b9 | 0
  let low = 0x85ebca6b | 0
  const add = (text: string) => {
    for (let at = 0; at < text.length; at++) {
      high = Math.imul(high ^ text.charCodeAt(at), 0x85ebca77)
      low = (low + high) | 0
    }
    high = Math.imul(high ^ text.length, 0x27d4eb2f)
  }
  const addWords = (words: Words) => {
    for (const language of languages) add(words[language] ?? '')
  }
  addWords(item.name)
  addWords(item.description)
  add(item.brand)
  for (const names of item.categoryNames) addWords(names)
  for (const { name, attributes } of item.variants) {
    addWords(name)
    for (const value of Object.values(attributes)) add(value)
  }
  return (high >>> 0) * 0x20_0000 + ((low ^ (low >>> 15)) & 0x1f_ffff)
}
