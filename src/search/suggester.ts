// Completions while a query is typed: phrases from the best matching names, then categories and brands.

import { type Language, languages, translated, type Translations } from './language.ts'
import type { Matcher, Matches, SearchOptions } from './matcher.ts'
import type { Synonyms } from './synonyms.ts'
import { tokensOf } from './tokens.ts'
import { TopK } from './top-k.ts'
import { keysOf } from './word-key.ts'

/** The rows whose names, categories and brands are suggested. */
export interface SuggestedRows {
  /** By slot. */
  readonly id: Float64Array
  readonly names: Readonly<Record<Language, readonly string[]>>
  countInCategory(categoryId: number): number
  countOfBrand(brandId: number): number
}

/** What a row adds to the suggested titles. */
export interface SuggestedTitles {
  categoryPath: readonly number[]
  /** Names of `categoryPath`, in its order. */
  categoryNames: readonly Translations[]
  brandId: number | null
  brand: string
}

export type Suggestion =
  | { kind: 'phrase'; text: string }
  | { kind: 'category'; text: string; id: number }
  | { kind: 'brand'; text: string; id: number }

export interface SuggestOptions {
  language: Language
  limit: number
  boost: SearchOptions['boost']
}

/** Names that are read for phrases. */
const maxNames = 60
/** A phrase continues for this many words after what was typed. */
const wordsAhead = 2
const maxTypedWords = 8
/** At most one in four suggestions is a category, and one in four a brand. */
const titleShare = 4

interface Title {
  names: Translations
  /** The keys of all words in all languages. */
  keys: string[]
}

export class Suggester {
  readonly #rows: SuggestedRows
  readonly #matcher: Matcher
  synonyms: Synonyms
  readonly #categories = new Map<number, Title>()
  readonly #brands = new Map<number, Title>()

  constructor(rows: SuggestedRows, matcher: Matcher, synonyms: Synonyms) {
    this.#rows = rows
    this.#matcher = matcher
    this.synonyms = synonyms
  }

  learn(titles: SuggestedTitles): void {
    for (const [at, id] of titles.categoryPath.entries())
      learnTitle(this.#categories, id, titles.categoryNames[at] ?? {})
    if (titles.brandId !== null) learnTitle(this.#brands, titles.brandId, { en: titles.brand })
  }

  suggest(typed: string, { language, limit, boost }: SuggestOptions): Suggestion[] {
    const found = this.#matcher.search(typed, { mode: 'typing', boost })
    const keys = tokensOf(found.corrected ?? typed, maxTypedWords).map(
      ({ text }) => keysOf(this.#brandOf(text) ?? text)[0]!,
    )
    if (keys.length === 0) return []
    const few = Math.ceil(limit / titleShare)
    const categories = matchingTitles(this.#categories, keys, (id) => this.#rows.countInCategory(id))
    const brands = matchingTitles(this.#brands, keys, (id) => this.#rows.countOfBrand(id))
    const titles: Suggestion[] = [
      ...categories
        .slice(0, few)
        .map(({ id, names }) => ({ kind: 'category' as const, text: translated(names, language), id })),
      ...brands
        .slice(0, few)
        .map(({ id, names }) => ({ kind: 'brand' as const, text: translated(names, 'en'), id })),
    ].slice(0, limit)
    const phrases = this.#phrases(found, keys, language).slice(0, limit - titles.length)
    return [...phrases.map((text) => ({ kind: 'phrase' as const, text })), ...titles]
  }

  /** The written form of a brand's spoken name. */
  #brandOf(word: string): string | undefined {
    const brand = this.synonyms.find([word], 0)?.meanings.find((it) => it.kind === 'brand')
    return brand?.forms.at(-1)?.[0]
  }

  /** Phrases that complete what was typed, ordered by the scores of the rows they come from. */
  #phrases({ slots, scores }: Matches, keys: string[], language: Language): string[] {
    const { id, names } = this.#rows
    const best = new TopK(maxNames, (a, b) => scores[b]! - scores[a]! || id[a]! - id[b]!)
    for (const slot of slots) best.add(slot)
    const scoreOf = new Map<string, number>()
    for (const slot of best.sorted()) {
      // A query in another language than the caller's is completed in its own.
      const phrases = [language, ...languages]
        .map((it) => completions(names[it][slot]!, keys))
        .find((it) => it.length > 0)
      for (const [ahead, phrase] of phrases?.entries() ?? [])
        scoreOf.set(phrase, (scoreOf.get(phrase) ?? 0) + scores[slot]! * (1 + ahead / 10))
    }
    return [...scoreOf].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([phrase]) => phrase)
  }
}

function learnTitle(titles: Map<number, Title>, id: number, names: Translations): void {
  const known = titles.get(id)
  if (known && languages.every((it) => known.names[it] === names[it])) return
  const keys = languages.flatMap((it) =>
    tokensOf(names[it] ?? '', maxTypedWords).map(({ text }) => keysOf(text)[0]!),
  )
  titles.set(id, { names, keys: [...new Set(keys)] })
}

/** Titles that have every typed word, the last as a prefix; those with the most rows first. */
function matchingTitles(titles: Map<number, Title>, typed: string[], countRows: (id: number) => number) {
  const complete = typed.slice(0, -1)
  const prefix = typed.at(-1)!
  return [...titles]
    .filter(
      ([, { keys }]) => keys.some((it) => it.startsWith(prefix)) && complete.every((it) => keys.includes(it)),
    )
    .map(([id, { names }]) => ({ id, names, rows: countRows(id) }))
    .filter((it) => it.rows > 0)
    .toSorted((a, b) => b.rows - a.rows || a.id - b.id)
}

/** The part of a name from the first to the last typed word, and the same with one and two words more. */
function completions(name: string, typed: string[]): string[] {
  const words = name.split(' ')
  const keys = words.map((it) => tokensOf(it, 1).map(({ text }) => keysOf(text)[0]!)[0] ?? '')
  const last = keys.findIndex((it) => it.startsWith(typed.at(-1)!))
  if (last < 0) return []
  const starts = typed.slice(0, -1).map((it) => keys.indexOf(it))
  if (starts.includes(-1)) return []
  const from = Math.min(last, ...starts)
  const to = Math.max(last, ...starts)
  return Array.from({ length: wordsAhead + 1 }, (_, ahead) => to + ahead)
    .filter((end) => end < words.length && /[\p{L}\p{N}]{2}$/u.test(words[end]!))
    .map((end) => words.slice(from, end + 1).join(' '))
}
