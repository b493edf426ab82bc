// Names by their sound in any script: мишлен sounds like Michelin. A sound is the consonants of a name as a Russian
// speaker pronounces them; names that share it are compared letter by letter.

import { editDistance } from './typos.ts'
import { keyOf } from './word-key.ts'

/** Latin letters and how they are read, the longest first; ch has several readings. */
const latinReadings: [RegExp, string][] = [
  [/sch|sh/g, 'ш'],
  [/tch/g, 'ч'],
  [/ph/g, 'f'],
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

const vowel = /[aeiouyаеёиоуыэюя]/

/** The sounds of a name: usually one, two when it has ch. */
export function soundsOf(word: string): string[] {
  const key = keyOf(word, 'ru')
  return /[a-z]/.test(word) ? latinSounds(word) : [consonants(key)]
}

function latinSounds(word: string): string[] {
  let read = word
  for (const [letters, sound] of latinReadings) read = read.replace(letters, sound)
  if (!read.includes('ch')) return [consonants(read)]
  return [...new Set([consonants(read.replaceAll('ch', 'ш')), consonants(read.replaceAll('ch', 'k'))])]
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
/** Letters that may differ in names of one sound, as a share of their length. */
const maxDifference = 0.45
/** Names up to this length and of few consonants have words that sound alike: ворота is no Varta. */
const shortName = 6
const shortSound = 3

/** Names that can be found by sound. */
export class SoundIndex {
  readonly #entries = new Map<string, Map<number, string>>()

  learn(word: string, entry: number): void {
    for (const sound of soundsOf(word)) {
      if (sound.length < minSound) continue
      const known = this.#entries.get(sound) ?? new Map<number, string>()
      known.set(entry, keyOf(word, 'en'))
      this.#entries.set(sound, known)
    }
  }

  /** The entry of the name that sounds most alike. */
  find(word: string): number | undefined {
    return nearestSound(
      word,
      soundsOf(word).flatMap((sound) => [...(this.#entries.get(sound) ?? [])]),
    )
  }

  each(visit: (sound: string, entry: number, key: string) => void): void {
    for (const [sound, names] of this.#entries) for (const [entry, key] of names) visit(sound, entry, key)
  }
}

/** Of names that share a sound with the word, by their keys, the one that is written most alike. */
export function nearestSound(
  word: string,
  names: readonly (readonly [entry: number, key: string])[],
): number | undefined {
  const key = keyOf(word, 'ru')
  const isShort = soundsOf(word).every((it) => it.length <= shortSound)
  let best: { entry: number; key: string; difference: number } | undefined
  for (const [entry, other] of names) {
    const length = Math.max(key.length, other.length)
    const most = length <= shortName && isShort ? 1 : Math.floor(length * maxDifference)
    const difference = editDistance(key, other, most)
    if (difference > most) continue
    const order = best ? difference - best.difference || (other < best.key ? -1 : 1) : -1
    if (order < 0) best = { entry, key: other, difference }
  }
  return best?.entry
}
