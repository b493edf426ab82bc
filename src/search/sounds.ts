// Names by their sound in any script: мишлен sounds like Michelin. A sound is the consonants of a name as a Russian
// speaker pronounces them; names that share it are compared letter by letter.

import { editDistance } from './typos.ts'
import { isCyrillic, keyOf } from './word-key.ts'

/** Latin letters and how they are read, the longest first; ch has several readings. */
const latinReadings: [RegExp, string][] = [
  [/sch|sh/g, 'ш'],
  [/tch/g, 'ч'],
  [/dge|(?<=[aeiou])ge$/g, 'j'],
  [/ower/g, 'auer'],
  [/ph/g, 'f'],
  [/igh/g, 'ai'],
  [/gh/g, 'g'],
  [/wh/g, 'v'],
  [/ck|q(u)?/g, 'k'],
  [/x/g, 'ks'],
  [/w/g, 'v'],
  [/zh|dj|j/g, 'j'],
  [/th/g, 't'],
  [/c(?=[eiy])/g, 's'],
  [/c(?!h)/g, 'k'],
  [/ee|ea/g, 'i'],
  [/oo/g, 'u'],
]

/** Names without these letters are written as they are read. */
const readOtherwise = /[chjqwx]|ge|ee|ea|oo/

const vowel = /[aeiouyаеёиоуыэюя]/

/** The sounds of a name: usually one, two when it has ch or begins with h, which is г in older names: Hydrolife. */
export function soundsOf(word: string): string[] {
  const key = keyOf(word, 'ru')
  return /[a-z]/.test(word) ? latinSounds(word) : [consonants(key)]
}

/** A name in Latin letters as a Russian speaker would spell it: bright is brait. */
function readAloud(word: string): string {
  if (!readOtherwise.test(word)) return word
  let read = word.replace(/x+/g, 'x')
  for (const [letters, sound] of latinReadings) read = read.replace(letters, sound)
  return read
}

/** The key of a name as it is read: hyperx is hiperks. */
const keyOfReading = (name: string): string =>
  readAloud(name)
    .replace(/[yi]+/g, 'i')
    .replace(/([^aeiou])\1+/g, '$1')

/** Letters that are read in two ways: charge ends as in чардж or чарг, power is пауэр or павер. */
const otherReadings: [RegExp, string][] = [
  [/g(?=[eiy])/g, 'j'],
  [/ower/g, 'over'],
]

function latinSounds(word: string): string[] {
  const others = otherReadings.map(([letters, other]) => word.replace(letters, other))
  const readings = [...new Set([word, ...others])].map(readAloud).flatMap((read) => {
    const all = read.includes('ch') ? [read.replaceAll('ch', 'ш'), read.replaceAll('ch', 'k')] : [read]
    return read.startsWith('h') ? [...all, `g${read.slice(1)}`] : all
  })
  return [...new Set(readings.map(consonants))]
}

function consonants(read: string): string {
  let sound = vowel.test(read[0] ?? '') ? 'a' : ''
  for (const letter of read.replaceAll('ts', 's')) {
    const plain = letter === 'ч' ? 'ш' : letter === 'z' ? 's' : letter
    if (!vowel.test(plain) && sound.at(-1) !== plain) sound += plain
  }
  return sound
}

const minSound = 3
/** Letters that may differ in names of one sound, as a share of their length: of brands, and of other words of names. */
const maxDifference = { brand: 0.45, series: 0.34 }
const minSeries = 5
/** Names up to this length and of few consonants have words that sound alike: ворота is no Varta. */
const shortName = 6
const shortSound = 3

/** A name that shares a sound with a word. */
export interface SoundingName {
  entry: number
  name: string
  kind: SoundingKind
}

/** Words of names that are no brands must be written more alike; other words are not found by sound. */
export type SoundingKind = keyof typeof maxDifference | 'other'

/** Names that can be found by sound. */
export class SoundIndex {
  /** By sound, its names by their entries. Most sounds have one name, which needs no map. */
  readonly #names = new Map<string, [entry: number, name: string] | Map<number, string>>()

  learn(word: string, entry: number): void {
    for (const sound of soundsOf(word)) {
      if (sound.length < minSound) continue
      const known = this.#names.get(sound)
      if (known instanceof Map) known.set(entry, word)
      else if (!known || known[0] === entry) this.#names.set(sound, [entry, word])
      else this.#names.set(sound, new Map([known, [entry, word]]))
    }
  }

  /** The entry of the name that sounds most alike. */
  find(word: string, kindOf: (entry: number) => SoundingKind): number | undefined {
    return nearestSound(word, this.alike(word, kindOf))
  }

  /** All names that share a sound with the word. */
  alike(word: string, kindOf: (entry: number) => SoundingKind): SoundingName[] {
    const names = soundsOf(word).flatMap((sound) => this.#namesOf(sound))
    return names.map(([entry, name]) => ({ entry, name, kind: kindOf(entry) }))
  }

  each(visit: (sound: string, entry: number, name: string) => void): void {
    for (const sound of this.#names.keys())
      for (const [entry, name] of this.#namesOf(sound)) visit(sound, entry, name)
  }

  #namesOf(sound: string): [entry: number, name: string][] {
    const known = this.#names.get(sound)
    return known instanceof Map ? [...known] : known ? [known] : []
  }
}

/** Of names that share a sound with the word, the one that is written most alike. */
export function nearestSound(word: string, names: readonly SoundingName[]): number | undefined {
  const isShort = soundsOf(word).every((it) => it.length <= shortSound)
  let best: { entry: number; key: string; difference: number } | undefined
  for (const { entry, name, kind } of names) {
    const other = keyOf(name, 'en')
    const length = Math.max(keyOf(word, 'ru').length, other.length)
    if (kind === 'other' || (kind === 'series' && length < minSeries)) continue
    const most = length <= shortName && isShort ? 1 : Math.floor(length * maxDifference[kind])
    const difference = soundDifference(word, name, most)
    if (difference > most) continue
    const order = best ? difference - best.difference || (other < best.key ? -1 : 1) : -1
    if (order < 0) best = { entry, key: other, difference }
  }
  return best?.entry
}

/** How many letters of a word and a name differ, as it is written or read; more than `most` when too many do. */
export function soundDifference(word: string, name: string, most: number): number {
  const key = keyOf(word, 'ru')
  const written = editDistance(key, keyOf(name, 'en'), most)
  return isCyrillic(word) ? Math.min(written, editDistance(key, keyOfReading(name), most)) : written
}
