// What words mean: the curated dictionary and a shop's own lines, compiled at first use.

import { CompiledSynonyms, type FoundMeaning, type SynonymSection } from './compiled-synonyms.ts'
import { brandLines, needLines, needRules, thingLines } from './dictionary.ts'
import type { Meaning } from './phrases.ts'
import type { SynonymLine } from './synonym-lines.ts'
import { keysOf } from './word-key.ts'

export type { FoundMeaning, Meaning }

/** Words whose meanings are kept: the completions of one beginning are asked for with every letter. */
const maxKeptWords = 2_000

export class Synonyms {
  readonly #lines: () => SynonymSection[]
  readonly #base: Synonyms | undefined
  #compiled: CompiledSynonyms | undefined
  readonly #meanings = new Map<string, readonly Meaning[]>()

  private constructor(lines: () => SynonymSection[], base?: Synonyms) {
    this.#lines = lines
    this.#base = base
  }

  /** The curated dictionary. */
  static curated(): Synonyms {
    return new Synonyms(() => [
      { kind: 'thing', lines: thingLines() },
      { kind: 'thing', lines: needLines(), rules: needRules(), areNeeds: true },
      { kind: 'brand', lines: brandLines() },
    ])
  }

  static none(): Synonyms {
    return new Synonyms(() => [])
  }

  /** The same with a shop's own lines, which are looked up first. */
  with(lines: readonly SynonymLine[]): Synonyms {
    return lines.length === 0 ? this : new Synonyms(() => [{ kind: 'thing', lines }], this)
  }

  /** Whether some form is this word, also written together. */
  has(word: string): boolean {
    return this.#own.single(word).length > 0 || (this.#base?.has(word) ?? false)
  }

  /** Whether the word is part of some form. */
  knows(word: string): boolean {
    return this.#own.knows(word) || (this.#base?.knows(word) ?? false)
  }

  /** Whether some word of a form has one of the stems. */
  hasStem(stems: readonly string[]): boolean {
    return this.#own.hasStem(stems) || (this.#base?.hasStem(stems) ?? false)
  }

  /** Whether some noun of a form has one of the stems. */
  hasNounStem(stems: readonly string[]): boolean {
    return this.#own.hasNounStem(stems) || (this.#base?.hasNounStem(stems) ?? false)
  }

  /** Whether some form has the word in exactly this spelling. */
  hasForm(word: string): boolean {
    return this.#own.hasForm(word) || (this.#base?.hasForm(word) ?? false)
  }

  /** Whether the word is written exactly so in some form. */
  hasKey(word: string): boolean {
    return this.#own.keys.has(keysOf(word)[0]!) || (this.#base?.hasKey(word) ?? false)
  }

  /** The longest meaning whose first word is at this position; the others are near it, in any order. */
  find(words: readonly string[], at: number, isFor?: (at: number) => boolean): FoundMeaning | undefined {
    const own = this.#own.find(words, at, isFor)
    const base = this.#base?.find(words, at, isFor)
    if (!own || !base) return own ?? base
    if (own.positions.length !== base.positions.length)
      return own.positions.length > base.positions.length ? own : base
    return { meanings: [...own.meanings, ...base.meanings], positions: own.positions }
  }

  /** What a word means alone. */
  meaningsOf(word: string): readonly Meaning[] {
    const known = this.#meanings.get(word)
    if (known) return known
    const meanings = this.find([word], 0)?.meanings ?? []
    if (this.#meanings.size >= maxKeptWords) this.#meanings.clear()
    // A copy: a part of a query would keep all of it in memory.
    this.#meanings.set(` ${word}`.slice(1), meanings)
    return meanings
  }

  /** Phrases that have the word but mean something else. */
  falseFriends(word: string | undefined, meanings: readonly Meaning[]): (readonly string[])[] {
    // A shop decides what its own words mean: curated phrases do not narrow them.
    const curated = meanings.filter((it) => !this.#own.meanings.has(it))
    return [...this.#own.falseFriends(word, meanings), ...(this.#base?.falseFriends(word, curated) ?? [])]
  }

  /** Words of the dictionary within the allowed typos of a word. */
  near(word: string, most?: 1 | 2): { word: string; typos: number }[] {
    return [...this.#own.near(word, most), ...(this.#base?.near(word, most) ?? [])]
  }

  /** The English word of the dictionary that a Cyrillic one sounds like. */
  soundAlike(word: string): string | undefined {
    return this.#own.soundAlike(word) ?? this.#base?.soundAlike(word)
  }

  /** Last words of phrases of two words that begin with one and continue so. */
  phraseEnds(word: string, beginning: string): string[] {
    return [...this.#own.phraseEnds(word, beginning), ...(this.#base?.phraseEnds(word, beginning) ?? [])]
  }

  /** Words of the dictionary that begin so. */
  completions(prefix: string, limit: number): string[] {
    return [...this.#own.completions(prefix, limit), ...(this.#base?.completions(prefix, limit) ?? [])]
  }

  get #own(): CompiledSynonyms {
    return (this.#compiled ??= new CompiledSynonyms(this.#lines()))
  }
}
