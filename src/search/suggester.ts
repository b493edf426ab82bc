// Completions while a query is typed: phrases from the best matching names, then categories, brands and rows.

import { type Language, languages, translated, type Translations } from './language.ts'
import type { Matcher, SearchOptions } from './matcher.ts'
import type { Synonyms } from './synonyms.ts'
import { tokensOf } from './tokens.ts'
import { TopK } from './top-k.ts'
import { keysOf } from './word-key.ts'

/** The rows whose names, categories and brands are suggested. */
export interface SuggestedRows {
  /** By slot. */
  readonly id: Float64Array
  nameOf(slot: number, language: Language): string
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
  | { kind: 'row'; id: number }

export interface SuggestOptions {
  language: Language
  limit: number
  boost: SearchOptions['boost']
  /** Calls with the same text and group have the same boost, so they share the best rows. */
  group: string
  /** Also the best matching rows themselves. */
  withRows?: boolean
  /** By slot, a factor of the score: what the buyer likes. */
  favour?: (slot: number) => number
}

/** The best rows of what was typed. */
interface BestRows {
  corrected: string | null
  rows: readonly BestRow[]
  madeAt: number
}

interface BestRow {
  slot: number
  /** A slot may be used again. */
  id: number
  score: number
  /** What its name adds to the typed words, by the caller's language; filled on demand. */
  phrases: Partial<Record<Language, readonly string[]>>
}

/** Phrases are taken from the names of this many best rows. */
const maxNames = 60
/** A phrase continues for this many words after what was typed. */
const wordsAhead = 2
const maxTypedWords = 8
/** At most one in four suggestions is a category, one in four a brand, and one in four a row. */
const titleShare = 4

/** The best rows of texts that match many rows are kept until this many rows have changed. */
const minCachedRows = 1_000
const maxCachedTexts = 5_000
const maxChanges = 2_000
const maxCachedKeys = 50_000

interface Title {
  names: Translations
  /** The keys of all words in all languages. */
  keys: string[]
}

export class Suggester {
  readonly #rows: SuggestedRows
  readonly #matcher: Matcher
  #synonyms: Synonyms
  readonly #categories = new Map<number, Title>()
  readonly #brands = new Map<number, Title>()
  readonly #cached = new Map<string, BestRows>()
  readonly #keys = new Map<string, string>()
  #changes = 0

  constructor(rows: SuggestedRows, matcher: Matcher, synonyms: Synonyms) {
    this.#rows = rows
    this.#matcher = matcher
    this.#synonyms = synonyms
  }

  set synonyms(synonyms: Synonyms) {
    this.#synonyms = synonyms
    this.#cached.clear()
  }

  learn(titles: SuggestedTitles): void {
    for (let at = 0; at < titles.categoryPath.length; at++)
      learnTitle(this.#categories, titles.categoryPath[at]!, titles.categoryNames[at] ?? {})
    if (titles.brandId === null || this.#brands.get(titles.brandId)?.names.en === titles.brand) return
    learnTitle(this.#brands, titles.brandId, { en: titles.brand })
  }

  /** Must be called for every row that is added, changed or removed. */
  noteChange(): void {
    this.#changes++
  }

  suggest(typed: string, { language, limit, withRows, ...how }: SuggestOptions): Suggestion[] {
    const best = this.#bestRows(typed, how)
    const ranked = favoured(best.rows, how.favour)
    const keys = tokensOf(best.corrected ?? typed, maxTypedWords).map(
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
    const rows: Suggestion[] = withRows
      ? ranked.slice(0, few).map(({ row: { id } }) => ({ kind: 'row', id }))
      : []
    const others = [...titles, ...rows].slice(0, limit)
    const phrases = this.#phrases(ranked, keys, language).slice(0, limit - others.length)
    return [...phrases.map((text) => ({ kind: 'phrase' as const, text })), ...others]
  }

  #bestRows(typed: string, { boost, group }: Pick<SuggestOptions, 'boost' | 'group'>): BestRows {
    const key = `${group} ${typed}`
    const cached = this.#cached.get(key)
    if (cached && this.#changes - cached.madeAt < maxChanges) return cached
    const { slots, scores, corrected } = this.#matcher.search(typed, { mode: 'typing', boost })
    const { id } = this.#rows
    const best = new TopK(maxNames, (a, b) => scores[b]! - scores[a]! || id[a]! - id[b]!)
    for (const slot of slots) best.add(slot)
    const rows = best
      .sorted()
      .map((slot): BestRow => ({ slot, id: id[slot]!, score: scores[slot]!, phrases: {} }))
    const made = { corrected, rows, madeAt: this.#changes }
    if (slots.length >= minCachedRows) {
      if (this.#cached.size >= maxCachedTexts) this.#cached.clear()
      this.#cached.set(key, made)
    }
    return made
  }

  /** The key of a word of a name; names repeat their words. */
  readonly #wordKey = (word: string): string => {
    const known = this.#keys.get(word)
    if (known !== undefined) return known
    const key = tokensOf(word, 1).map(({ text }) => keysOf(text)[0]!)[0] ?? ''
    if (this.#keys.size >= maxCachedKeys) this.#keys.clear()
    this.#keys.set(word, key)
    return key
  }

  /** The written form of a brand's spoken name. */
  #brandOf(word: string): string | undefined {
    const brand = this.#synonyms.meaningsOf(word).find((it) => it.kind === 'brand')
    return brand?.forms.at(-1)?.[0]
  }

  /** Phrases that complete what was typed, ordered by the scores of the rows they come from. */
  #phrases(ranked: readonly RankedRow[], keys: string[], language: Language): string[] {
    const scoreOf = new Map<string, number>()
    for (const { row, score } of ranked) {
      const phrases = (row.phrases[language] ??= this.#phrasesOf(row, keys, language))
      for (let ahead = 0; ahead < phrases.length; ahead++) {
        const phrase = phrases[ahead]!
        scoreOf.set(phrase, (scoreOf.get(phrase) ?? 0) + score * (1 + ahead / 10))
      }
    }
    return [...scoreOf].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([phrase]) => phrase)
  }

  /** A query in another language than the caller's is completed in its own. */
  #phrasesOf({ slot }: BestRow, keys: string[], language: Language): string[] {
    for (const it of [language, ...languages]) {
      const phrases = completions(this.#rows.nameOf(slot, it), keys, this.#wordKey)
      if (phrases.length > 0) return phrases
    }
    return []
  }
}

interface RankedRow {
  row: BestRow
  score: number
}

/** Stable, so that rows that are liked alike keep their order. */
function favoured(rows: readonly BestRow[], favour: SuggestOptions['favour']): RankedRow[] {
  const ranked = rows.map((row) => ({ row, score: favour ? row.score * favour(row.slot) : row.score }))
  return favour ? ranked.toSorted((a, b) => b.score - a.score) : ranked
}

/** Compared for every row that is added: the same object usually comes again. */
const haveSameTexts = (one: Translations, other: Translations): boolean =>
  one === other || (one.ru === other.ru && one.uz === other.uz && one.en === other.en)

function learnTitle(titles: Map<number, Title>, id: number, names: Translations): void {
  const known = titles.get(id)
  if (known && haveSameTexts(known.names, names)) return
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
function completions(name: string, typed: string[], keyOf: (word: string) => string): string[] {
  const words = name.split(' ')
  const keys = words.map(keyOf)
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
