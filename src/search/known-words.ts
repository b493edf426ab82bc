// Which words a search knows: those of names, brands, categories and variants, and those of the dictionary.

import { isAdjective } from './head-words.ts'
import { isFiller, isPurpose, isStopWord } from './lexicon.ts'
import { phraseRows } from './phrase-rows.ts'
import { russianRoot, stemsOf } from './stemmers.ts'
import type { Synonyms } from './synonyms.ts'
import { fields, headFields, namingFields } from './fields.ts'
import type { Texts } from './texts.ts'
import type { NearEntry } from './typos.ts'
import { eachForm } from './word-forms.ts'
import { isCyrillic, isModel } from './word-key.ts'

/** Indexed words that are considered for one prefix. */
const maxPrefixMatches = 200
const minPrefix = 3

/** Endings of Uzbek and English nouns, of which another one may follow the base. */
const endings = 'ning dan ni ga da lar lari larni larga si sini siga i ini iga im ing s es ed'.split(' ')

/** Serves one search, in which the steps ask the same of a word many times: an answer is computed once. */
export class KnownWords {
  readonly index: Texts
  readonly synonyms: Synonyms
  readonly #fields = new Map<string, number>()
  readonly #known = new Map<string, boolean>()
  readonly #beginnings = new Map<string, boolean>()
  readonly #nearHere = new Map<string, NearEntry[]>()
  readonly #nearListed = new Map<string, { word: string; typos: number }[]>()

  constructor(index: Texts, synonyms: Synonyms) {
    this.index = index
    this.synonyms = synonyms
  }

  /** The fields of all rows that have the word or another form of it. */
  fieldsOf(word: string): number {
    return once(this.#fields, word, () => {
      let bits = 0
      const mayBeRussian = !this.synonyms.knows(word)
      eachForm(this.index, word, { mayBeRussian }, (entry) => (bits |= this.index.fieldsOf(entry)))
      return bits
    })
  }

  /** Indexed words within the allowed typos of a key, or `most` of them. */
  near(key: string, most?: 1 | 2): readonly NearEntry[] {
    return once(this.#nearHere, `${most} ${key}`, () => this.index.vocabulary.near(key, most))
  }

  /** The same of the dictionary. */
  nearListed(word: string, most?: 1 | 2): readonly { word: string; typos: number }[] {
    return once(this.#nearListed, `${most} ${word}`, () => this.synonyms.near(word, most))
  }

  /** The fields among head, name and brand of the rows that have the word itself. */
  exactFieldsOf(word: string): number {
    const entry = this.index.vocabulary.find(this.#keyOf(word))
    return entry === undefined ? 0 : this.index.fieldsOf(entry) & (headFields | fields.name | fields.brand)
  }

  /** Whether some name, brand, category or variant has the word. */
  isNamed(word: string): boolean {
    return (this.fieldsOf(word) & (namingFields | fields.variant)) !== 0
  }

  /** Whether the word means something, here or elsewhere; such a word is never corrected. */
  isKnown(word: string): boolean {
    return once(
      this.#known,
      word,
      () =>
        isModel(word) ||
        isStopWord(word) ||
        isFiller(word) ||
        isPurpose(word) ||
        this.isNamed(word) ||
        this.synonyms.knows(word) ||
        this.synonyms.has(word),
    )
  }

  /** Whether the word alone names something. */
  isWhole(word: string): boolean {
    return this.isNamed(word) || this.synonyms.has(word)
  }

  /** Whether the word as it is written, not another form of it, names something. */
  isExact(word: string): boolean {
    const entry = this.index.vocabulary.find(this.#keyOf(word))
    const isIndexed = entry !== undefined && this.index.postings.length(entry) > 0
    return (isIndexed && (this.index.fieldsOf(entry) & namingFields) !== 0) || this.synonyms.hasKey(word)
  }

  /** Whether the word has a known stem as it is written, and not only when it is read as Russian in Latin letters. */
  isWritten(word: string): boolean {
    const stems = stemsOf(word, this.#keyOf(word))
    const { vocabulary, postings } = this.index
    return (
      stems.some((it) => vocabulary.wordsOf(it).some((entry) => postings.length(entry) > 0)) ||
      this.synonyms.hasStem(stems)
    )
  }

  /**
   * Whether the word is known only as a part of a phrase, and only by an ending of Uzbek words: тонаьный has the ending of
   * тона, as in «выровнять тон лица».
   */
  isKnownByEnding(word: string): boolean {
    if (isStopWord(word) || isFiller(word) || isPurpose(word) || this.isNamed(word)) return false
    if (!this.synonyms.knows(word) || this.synonyms.has(word) || this.synonyms.hasKey(word)) return false
    const [own] = stemsOf(word, this.#keyOf(word))
    return !this.synonyms.hasStem([own!])
  }

  /**
   * Whether the dictionary or, in one of the fields, some text has the word in this spelling: in this script, and not as
   * the form of another word.
   */
  hasForm(word: string, where: number): boolean {
    return this.isWrittenIn(word, where) || this.synonyms.hasForm(word)
  }

  /** Whether some text has the word in this spelling in one of the fields. */
  isWrittenIn(word: string, where: number): boolean {
    const entry = this.index.vocabulary.find(this.#keyOf(word))
    return (
      entry !== undefined &&
      this.index.postings.length(entry) > 0 &&
      (this.index.fieldsOf(entry) & where & ~fields.description) !== 0 &&
      this.index.vocabulary.shown(entry, isCyrillic(word)) === word
    )
  }

  /** Whether the word is another form of a known noun: of its stem in Russian, else of it with an ending. */
  isInflected(word: string): boolean {
    if (!isCyrillic(word))
      return endings.some((it) => word.endsWith(it) && this.#isBase(word.slice(0, word.length - it.length)))
    const stem = `r ${russianRoot(word)}`
    const { vocabulary, postings } = this.index
    const isNoun = (entry: number) =>
      postings.length(entry) > 0 && !isAdjective(vocabulary.shown(entry, true))
    return vocabulary.wordsOf(stem).some(isNoun) || this.synonyms.hasNounStem([stem])
  }

  #isBase(base: string): boolean {
    if (base.length < minPrefix) return false
    const hard = base.replace(/g$/, 'k')
    return this.hasForm(base, ~0) || (hard !== base && this.hasForm(hard, ~0))
  }

  /** Whether the dictionary has the word alone, in this spelling. */
  isListed(word: string): boolean {
    return (
      this.synonyms
        .find([word], 0)
        ?.meanings.some((it) => it.forms.some((form) => form.length === 1 && form[0] === word)) ?? false
    )
  }

  /** Whether two words are one phrase of the dictionary. */
  isPhrase(one: string, other: string): boolean {
    return this.synonyms.find([one, other], 0)?.positions.length === 2
  }

  /** Whether the dictionary knows the word as a brand or a thing that is sold here. */
  isSold(word: string): boolean {
    return this.synonyms
      .meaningsOf(word)
      .some(({ forms, narrower }) =>
        (narrower.length > 0 ? narrower : forms).some((it) => phraseRows(this.index, it).length > 0),
      )
  }

  /** Whether a known word begins so. */
  isBeginning(word: string): boolean {
    return once(this.#beginnings, word, () => this.isBeginningHere(word) || this.#isListedBeginning(word))
  }

  /** Whether a word of a name, a brand or a category begins so. */
  isBeginningHere(word: string): boolean {
    const key = this.#keyOf(word)
    if (key.length < minPrefix) return false
    let found = false
    this.index.vocabulary.eachWithPrefix(key, maxPrefixMatches, (entry) => {
      found ||= (this.index.fieldsOf(entry) & namingFields) !== 0 && this.index.postings.length(entry) > 0
    })
    return found
  }

  #isListedBeginning(word: string): boolean {
    const key = this.#keyOf(word)
    return key.length >= minPrefix && this.synonyms.completions(key, 1).length > 0
  }

  /** The likeliest key of a word. */
  #keyOf(word: string): string {
    return this.index.roots.of(word).keys[0]!
  }
}

/** What is known for a key; computed and kept the first time. */
function once<T>(kept: Map<string, T>, key: string, compute: () => T): T {
  const known = kept.get(key)
  if (known !== undefined) return known
  const made = compute()
  kept.set(key, made)
  return made
}
