// The keys and stems of words, computed once.

import { latinRussianStem, stemsOf } from './stemmers.ts'
import { isCyrillic, isModel, keysOf } from './word-key.ts'

const maxCached = 20_000

export class WordRoots {
  readonly #roots = new Map<string, { keys: string[]; stems: string[]; russian: string | undefined }>()

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
}
