// Completions as one types: pieces of the best products' names, and the categories and brands that begin so.

import { inLanguage, type Language, languages, type Words } from '../../http/language.ts'
import type { Columns } from './columns.ts'
import type { ShelfItem } from './item.ts'
import { keysOf } from './letters.ts'
import type { Matcher, Matches } from './matching.ts'
import type { Asking, Suggestion } from './question.ts'
import { Selection } from './selection.ts'
import { meantBy } from './spoken-words.ts'
import { tokensOf } from './tokens.ts'

/** Names of so many products are looked at for phrases. */
const mostNames = 60
/** A phrase goes on for so many words after what was typed. */
const wordsAhead = 2
const mostTyped = 8
/** Of all suggestions, at most so large a part are categories, and as many brands. */
const placesPart = 4

interface Titled {
  words: Words
  /** Every word of every language, to be compared with what is typed. */
  keys: string[]
}

export class Suggester {
  readonly #columns: Columns
  readonly #matcher: Matcher
  readonly #categories = new Map<number, Titled>()
  readonly #brands = new Map<number, Titled>()

  constructor(columns: Columns, matcher: Matcher) {
    this.#columns = columns
    this.#matcher = matcher
  }

  learn(item: ShelfItem): void {
    for (const [at, id] of item.categoryPath.entries())
      learnTitle(this.#categories, id, item.categoryNames[at] ?? {})
    if (item.brandId !== null) learnTitle(this.#brands, item.brandId, { en: item.brand })
  }

  suggest(typed: string, asking: Asking): Suggestion[] {
    const found = this.#matcher.search(typed, asking.region, 'typed')
    const keys = tokensOf(found.didYouMean ?? typed, mostTyped).map(
      ({ text }) => keysOf(meantBy(text) ?? text)[0]!,
    )
    if (keys.length === 0) return []
    const { language, limit } = asking
    const columns = this.#columns
    const few = Math.ceil(limit / placesPart)
    const categories = matching(this.#categories, keys, (id) =>
      columns.inCategory.length(columns.categoryIds.find(id)),
    )
    const brands = matching(this.#brands, keys, (id) => columns.ofBrand.length(columns.brandIds.find(id)))
    const places: Suggestion[] = [
      ...categories
        .slice(0, few)
        .map(({ id, words }) => ({ kind: 'category' as const, text: inLanguage(words, language), id })),
      ...brands
        .slice(0, few)
        .map(({ id, words }) => ({ kind: 'brand' as const, text: inLanguage(words, 'en'), id })),
    ].slice(0, limit)
    const phrases = this.#phrases(found, keys, language).slice(0, limit - places.length)
    return [...phrases.map((text) => ({ kind: 'phrase' as const, text })), ...places]
  }

  /** Phrases that complete what was typed, by the worth of the products they lead to. */
  #phrases({ slots, scores }: Matches, keys: string[], language: Language): string[] {
    const { id, names } = this.#columns
    const best = new Selection(mostNames, (a, b) => scores[b]! - scores[a]! || id[a]! - id[b]!)
    for (const slot of slots) best.add(slot)
    const worths = new Map<string, number>()
    for (const slot of best.inOrder()) {
      // Who types in another language than he reads is completed in that one.
      const phrases = [language, ...languages]
        .map((it) => completions(names[it][slot]!, keys))
        .find((it) => it.length > 0)
      for (const [ahead, phrase] of phrases?.entries() ?? [])
        worths.set(phrase, (worths.get(phrase) ?? 0) + scores[slot]! * (1 + ahead / 10))
    }
    return [...worths].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([phrase]) => phrase)
  }
}

function learnTitle(titles: Map<number, Titled>, id: number, words: Words): void {
  const known = titles.get(id)
  if (known && languages.every((it) => known.words[it] === words[it])) return
  const keys = languages.flatMap((it) =>
    tokensOf(words[it] ?? '', mostTyped).map(({ text }) => keysOf(text)[0]!),
  )
  titles.set(id, { words, keys: [...new Set(keys)] })
}

/** Titles that have every typed word, the last perhaps only begun; those with the most products first. */
function matching(titles: Map<number, Titled>, typed: string[], size: (id: number) => number) {
  const whole = typed.slice(0, -1)
  const begun = typed.at(-1)!
  return [...titles]
    .filter(
      ([, { keys }]) => keys.some((it) => it.startsWith(begun)) && whole.every((it) => keys.includes(it)),
    )
    .map(([id, { words }]) => ({ id, words, size: size(id) }))
    .filter((it) => it.size > 0)
    .toSorted((a, b) => b.size - a.size || a.id - b.id)
}

/** From the first typed word in the name to the last, and on by a word or two. */
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
