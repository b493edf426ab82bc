// The names of the indexed products as sort keys, in bytes: as strings they would take twice the memory, and every
// garbage collection would visit them.

import { codesOf, type Language, languages, translated, type Translations } from '../../search/index.ts'
import { maxKeyLength, nameKey } from './name-key.ts'

/** A key of these characters, in the order of their codes, takes a byte for each; any other takes two. */
const alphabet = [
  ...Array.from({ length: 0x60 }, (_, at) => String.fromCharCode(0x20 + at)),
  ...'абвгдежзийклмнопрстуфхцчшщъыьэюяўғқҳ‘',
]
const codesOfBytes = Uint16Array.from(alphabet, (it) => it.charCodeAt(0))
const bytesOfCodes = new Map(alphabet.map((it, at) => [it.charCodeAt(0), at]))
const space = 0

/** By code, the byte of a character in a key, for names of frequent characters alone. */
const separator = 0xfe
const unknown = 0xff
const tableSize = 0x460
const keyBytes = Uint8Array.from({ length: tableSize }, (_, code) => keyByte(String.fromCharCode(code)))

function keyByte(character: string): number {
  const isFrequent = /^[\x20-\x7eА-яЁё«»]$/.test(character)
  if (!isFrequent) return unknown
  const key = nameKey(character)
  return key === '' ? separator : bytesOfCodes.get(key.charCodeAt(0))!
}

const apostropheCodes = [0x2018, 0x2019]
const apostrophe = bytesOfCodes.get(0x2018)!

const chunkBits = 20
const chunkSize = 1 << chunkBits
/** Marks the length of a key whose characters take two bytes. */
const wide = 0x8000

export class NameColumns {
  readonly #chunks: Uint8Array[] = []
  #filled = chunkSize
  /** Places that are free again, by their length: the next key of this length is written there. */
  readonly #free = new Map<number, number[]>()
  /** By slot and language, where the key is and how long. Equal keys of a slot are stored once. */
  #addresses = new Uint32Array(0)
  #lengths = new Uint16Array(0)
  /** Reused by every name. */
  #key = new Uint8Array(2 * maxKeyLength)
  #keyLength = 0

  write(slot: number, name: Translations): void {
    const first = slot * languages.length
    if (first + languages.length > this.#lengths.length) this.#widen(first + languages.length)
    this.drop(slot)
    for (let at = 0; at < languages.length; at++) {
      this.#encode(translated(name, languages[at]!))
      const same = this.#sameKey(first, at)
      this.#lengths[first + at] = this.#keyLength
      this.#addresses[first + at] = same >= 0 ? this.#addresses[same]! : this.#store()
    }
  }

  drop(slot: number): void {
    const first = slot * languages.length
    for (let at = first; at < first + languages.length; at++) {
      const size = this.#lengths[at]! & ~wide
      if (size > 0 && !this.#isStoredBefore(first, at)) {
        const places = this.#free.get(size)
        if (places) places.push(this.#addresses[at]!)
        else this.#free.set(size, [this.#addresses[at]!])
      }
    }
    for (let at = first; at < first + languages.length; at++) this.#lengths[at] = 0
  }

  /** Whether an earlier language of the slot has the same key. */
  #isStoredBefore(first: number, at: number): boolean {
    for (let other = first; other < at; other++)
      if (this.#lengths[other]! > 0 && this.#addresses[other] === this.#addresses[at]) return true
    return false
  }

  at(slot: number, language: Language): string {
    const at = slot * languages.length + languages.indexOf(language)
    const key = this.#view(at)
    if (this.#lengths[at]! & wide) return Buffer.from(key).toString('utf16le')
    let text = ''
    for (let place = 0; place < key.length; place++) text += String.fromCharCode(codesOfBytes[key[place]!]!)
    return text
  }

  /** How many words the Russian key has. Every change of a product asks, so no view is made. */
  countWords(slot: number): number {
    const at = slot * languages.length
    const length = this.#lengths[at]! & ~wide
    if (length === 0) return 1
    const chunk = this.#chunks[this.#addresses[at]! >>> chunkBits]!
    const begin = this.#addresses[at]! & (chunkSize - 1)
    const step = this.#lengths[at]! & wide ? 2 : 1
    let words = 1
    for (let place = begin; place < begin + length; place += step)
      if (step === 1 ? chunk[place] === space : chunk[place] === 0x20 && chunk[place + 1] === 0) words++
    return words
  }

  /** The order of strings, by code. */
  compare(one: number, other: number, language: Language): number {
    const which = languages.indexOf(language)
    const [first, second] = [one * languages.length + which, other * languages.length + which]
    const isPlain = ((this.#lengths[first]! | this.#lengths[second]!) & wide) === 0
    return isPlain
      ? compareBytes(this.#view(first), this.#view(second))
      : compareTexts(this.at(one, language), this.at(other, language))
  }

  #view(at: number): Uint8Array {
    const length = this.#lengths[at]! & ~wide
    if (length === 0) return noBytes
    const address = this.#addresses[at]!
    const begin = address & (chunkSize - 1)
    return this.#chunks[address >>> chunkBits]!.subarray(begin, begin + length)
  }

  /** Writes the key of a name into `#key`. Names of frequent characters need no string. */
  #encode(name: string): void {
    const length = Math.min(name.length, maxKeyLength)
    const codes = codesOf(name)
    let end = 0
    // A separator counts only between two other characters.
    let isApart = false
    for (let at = 0; at < length; at++) {
      const code = codes[at]!
      const byte = code < tableSize ? keyBytes[code]! : apostropheCodes.includes(code) ? apostrophe : unknown
      if (byte === unknown) return this.#encodeText(nameKey(name))
      if (byte === separator) isApart = end > 0
      else {
        if (isApart) this.#key[end++] = space
        isApart = false
        this.#key[end++] = byte
      }
    }
    this.#keyLength = end
  }

  #encodeText(key: string): void {
    if (this.#key.length < 2 * key.length) this.#key = new Uint8Array(2 * key.length)
    for (let at = 0; at < key.length; at++) {
      const byte = bytesOfCodes.get(key.charCodeAt(at))
      if (byte === undefined) {
        Buffer.from(this.#key.buffer).write(key, 'utf16le')
        this.#keyLength = (2 * key.length) | wide
        return
      }
      this.#key[at] = byte
    }
    this.#keyLength = key.length
  }

  /** Where an earlier language of the slot has the key; −1 for nowhere. */
  #sameKey(first: number, count: number): number {
    const size = this.#keyLength & ~wide
    for (let at = first; at < first + count; at++) {
      if (this.#lengths[at] !== this.#keyLength) continue
      if (size === 0) return at
      const chunk = this.#chunks[this.#addresses[at]! >>> chunkBits]!
      const begin = this.#addresses[at]! & (chunkSize - 1)
      let same = 0
      while (same < size && chunk[begin + same] === this.#key[same]) same++
      if (same === size) return at
    }
    return -1
  }

  #store(): number {
    const size = this.#keyLength & ~wide
    if (size === 0) return 0
    const free = this.#free.get(size)?.pop()
    if (free === undefined && this.#filled + size > chunkSize) {
      this.#chunks.push(new Uint8Array(chunkSize))
      this.#filled = 0
    }
    const address = free ?? (((this.#chunks.length - 1) << chunkBits) | this.#filled) >>> 0
    if (free === undefined) this.#filled += size
    const chunk = this.#chunks[address >>> chunkBits]!
    const begin = address & (chunkSize - 1)
    for (let at = 0; at < size; at++) chunk[begin + at] = this.#key[at]!
    return address
  }

  #widen(minSize: number): void {
    const size = Math.max(minSize, Math.ceil(this.#lengths.length * 1.25), 1_024)
    const [addresses, lengths] = [new Uint32Array(size), new Uint16Array(size)]
    addresses.set(this.#addresses)
    lengths.set(this.#lengths)
    this.#addresses = addresses
    this.#lengths = lengths
  }
}

const noBytes = new Uint8Array(0)

function compareBytes(one: Uint8Array, other: Uint8Array): number {
  const length = Math.min(one.length, other.length)
  for (let at = 0; at < length; at++) if (one[at] !== other[at]) return one[at]! - other[at]!
  return one.length - other.length
}

export const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
