// The keys and stems of words, computed once.

import { latinRussianStem, stemsOf } from './stemmers.ts'
import { isCyrillic, isModel, keyOf, keysOf } from './word-key.ts'

const maxCached = 20_000

export class WordRoots {
  readonly #roots = new Map<string, { keys: string[]; stems: string[]; russian: string | undefined }>()
  readonly #stemKeys = new Map<string, string>()

  of(word: string) {
    const known = this.#roots.get(word)
    if (known) return known
    const keys = keysOf(word)
    const stems = isModel(word) ? [] : [...new Set(keys.flatMap((key) => stemsOf(word, key)))]
    const russian = isModel(word) || isCyrillic(word) ? undefined : latinRussianStem(keys[0]!)
    const roots = { keys, stems, russian }
    if (this.#roots.size >= maxCached) this.#roots.clear()
    this.#roots.set(` ${word}`.slice(1), roots)
    return roots
  }

  /** The key of a marked stem as a word. */
  keyOfStem(stem: string): string {
    const known = this.#stemKeys.get(stem)
    if (known !== undefined) return known
    const key = keyOf(stem.slice(2), 'ru')
    if (this.#stemKeys.size >= maxCached) this.#stemKeys.clear()
    this.#stemKeys.set(stem, key)
    return key
  }
}

/** All keys under which forms of one word meet: its own, and its stem in each language. */
const rootsOf = (word: string): string[] => {
  const keys = keysOf(word)
  if (isModel(word)) return keys
  const roots = [...keys, ...stemsOf(word, keys[0]!)]
  if (!isCyrillic(word)) roots.push(latinRussianStem(keys[0]!))
  return roots
}

/** The steps ask for the roots of a word many times. */
export function cachedRoots(): (word: string) => readonly string[] {
  const known = new Map<string, readonly string[]>()
  return (word) => {
    const cached = known.get(word)
    if (cached) return cached
    const roots = rootsOf(word)
    if (known.size >= maxCachedRoots) known.clear()
    known.set(` ${word}`.slice(1), roots)
    return roots
  }
}

const maxCachedRoots = 2_000
