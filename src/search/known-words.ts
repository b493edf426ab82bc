// Which words a search knows: those of names, brands, categories and variants, and those of the dictionary.

import { isFiller, isPurpose, isStopWord } from './lexicon.ts'
import { stemsOf } from './stemmers.ts'
import type { Synonyms } from './synonyms.ts'
import { fields, namingFields } from './text-index.ts'
import type { Texts } from './texts.ts'
import { eachForm } from './word-forms.ts'
import { isModel, keysOf } from './word-key.ts'

/** Indexed words that are considered for one prefix. */
const maxPrefixMatches = 200
const minPrefix = 3

export class KnownWords {
  readonly index: Texts
  readonly synonyms: Synonyms

  constructor(index: Texts, synonyms: Synonyms) {
    this.index = index
    this.synonyms = synonyms
  }

  /** The fields of all rows that have the word or another form of it. */
  fieldsOf(word: string): number {
    let bits = 0
    const mayBeRussian = !this.synonyms.knows(word)
    eachForm(this.index, word, { mayBeRussian }, (entry) => (bits |= this.index.fieldsOf(entry)))
    return bits
  }

  /** Whether some name, brand, category or variant has the word. */
  isNamed(word: string): boolean {
    return (this.fieldsOf(word) & (namingFields | fields.variant)) !== 0
  }

  /** Whether the word means something, here or elsewhere; such a word is never corrected. */
  isKnown(word: string): boolean {
    return (
      isModel(word) ||
      isStopWord(word) ||
      isFiller(word) ||
      isPurpose(word) ||
      this.isNamed(word) ||
      this.synonyms.knows(word) ||
      this.synonyms.has(word)
    )
  }

  /** Whether the word alone names something. */
  isWhole(word: string): boolean {
    return this.isNamed(word) || this.synonyms.has(word)
  }

  /** Whether the word as it is written, not another form of it, names something. */
  isExact(word: string): boolean {
    const entry = this.index.vocabulary.find(keysOf(word)[0]!)
    const isIndexed = entry !== undefined && this.index.postings.length(entry) > 0
    return (isIndexed && (this.index.fieldsOf(entry) & namingFields) !== 0) || this.synonyms.hasKey(word)
  }

  /** Whether the word has a known stem as it is written, and not only when it is read as Russian in Latin letters. */
  isWritten(word: string): boolean {
    const stems = stemsOf(word, keysOf(word)[0]!)
    const { vocabulary, postings } = this.index
    return (
      stems.some((it) => vocabulary.wordsOf(it).some((entry) => postings.length(entry) > 0)) ||
      this.synonyms.hasStem(stems)
    )
  }

  /** Whether a known word begins so. */
  isBeginning(word: string): boolean {
    return this.isBeginningHere(word) || this.#isListedBeginning(word)
  }

  /** Whether a word of a name, a brand or a category begins so. */
  isBeginningHere(word: string): boolean {
    const key = keysOf(word)[0]!
    if (key.length < minPrefix) return false
    let found = false
    this.index.vocabulary.eachWithPrefix(key, maxPrefixMatches, (entry) => {
      found ||= (this.index.fieldsOf(entry) & namingFields) !== 0 && this.index.postings.length(entry) > 0
    })
    return found
  }

  #isListedBeginning(word: string): boolean {
    const key = keysOf(word)[0]!
    return key.length >= minPrefix && this.synonyms.completions(key, 1).length > 0
  }
}
