// Phrases of the dictionary, and where a query has their words.

import { isAdjective } from './head-words.ts'
import { stemsOf } from './stemmers.ts'
import { isCyrillic, keysOf } from './word-key.ts'

/** What the words of a query mean. */
export interface Meaning {
  kind: 'thing' | 'brand'
  /** All forms, each as its words. */
  forms: readonly (readonly string[])[]
  /** Forms that are meant rather than the word itself; empty when the word means what it says. */
  narrower: readonly (readonly string[])[]
  /** The words say what a shopper wants to do, not what a thing is. */
  isNeed?: boolean
  /** Of the narrower forms, those that the line itself names. */
  named?: readonly string[]
}

export interface Phrase {
  words: readonly string[]
  roots: readonly (readonly string[])[]
  meaning: Meaning
}

/** Words that may stand between the words of a phrase. */
const maxGap = 1
/** Words that may stand between the words of a need: drill a large hole in the wall. */
const maxNeedGap = 3

/** The roots of a word. */
export type Roots = (word: string) => readonly string[]

const maxShortBrand = 3
/** Endings of the singular of a name: дрель боша. */
const caseEnding = /^(?:а|у|ом|ем|е)$/

/** Short names of brands and series have no other forms than their cases: ноты are no Note. */
export const isShortBrand = ({ words: [first], meaning }: Phrase, word: string): boolean =>
  meaning.kind === 'brand' &&
  first!.length <= maxShortBrand &&
  !(word.startsWith(first!) && isCyrillic(first!) && caseEnding.test(word.slice(first!.length)))

const maxShortWord = 3
const maxCaseEnding = 2

/** A short Cyrillic word is no form of a much longer one that begins so: фит is no фитинг. */
const isOfLonger = (first: string, word: string): boolean =>
  isCyrillic(word) && word.length <= maxShortWord && first.length > word.length + maxCaseEnding

/** Where the words of a phrase are in the query, near the given position; undefined when one is missing. */
export function positionsOf(
  { roots, meaning }: Phrase,
  query: {
    words: readonly string[]
    at: number
    rootSets: Map<number, ReadonlySet<string>>
    roots: Roots
  },
): number[] | undefined {
  const { words, at, rootSets } = query
  const taken: number[] = []
  const rootsAt = (position: number) => {
    const known = rootSets.get(position) ?? new Set(query.roots(words[position]!))
    rootSets.set(position, known)
    return known
  }
  const reach = roots.length - 1 + (meaning.isNeed ? maxNeedGap : maxGap)
  for (const wanted of roots) {
    let found = taken.length === 0 ? at : -1
    for (let step = 1; step <= reach && found < 0; step++)
      for (const position of [at + step, at - step])
        if (found < 0 && position >= 0 && position < words.length && !taken.includes(position))
          if (wanted.some((it) => rootsAt(position).has(it))) found = position
    // A need is no mixture of languages: "washing mashine" washes no машина.
    if (
      found < 0 ||
      (meaning.isNeed &&
        !(hasOwnRoot(words[found]!, wanted) && isCyrillic(words[found]!) === isCyrillic(words[at]!)))
    )
      return undefined
    taken.push(found)
  }
  return taken
}

/** Whether a word has one of the roots as it is written, and not only when it is read as Russian in Latin letters. */
const hasOwnRoot = (word: string, wanted: readonly string[]): boolean => {
  const keys = keysOf(word)
  return [...keys, ...stemsOf(word, keys[0]!)].some((it) => wanted.includes(it))
}

/** An adjective is no form of a noun that shares its stem: чёрный, чернила. But бензопилой is a form of бензопила. */
export const isForm = ({ words: [first, ...others] }: Phrase, word: string): boolean =>
  others.length > 0 ||
  (!isOfLonger(first!, word) &&
    (isAdjective(first!) || !isAdjective(word) || word.replace(/ой$/, 'а') === first))

/**
 * A Russian phrase begins with its thing: in «вытяжка над плитой» it is not the плита of «плита с вытяжкой». Phrases of the
 * other languages end with it: «ноутбук с батареей» is no laptop battery.
 */
export function isAboutOther(
  { words: [first] }: Phrase,
  query: { words: readonly string[]; positions: readonly number[]; isFor: (at: number) => boolean },
): boolean {
  const { positions, isFor } = query
  const [thing, ...others] = positions
  if (!isCyrillic(first!)) {
    const last = positions.at(-1)!
    return isCyrillic(query.words[thing!]!) && thing! < last && isFor(last) && !isFor(thing!)
  }
  return !isAdjective(first!) && isFor(thing!) && others.some((it) => it < thing! && !isFor(it))
}

/** Russian phrases begin with their noun, those of the other languages end with it. */
export function isTurned(
  { words: own }: Phrase,
  words: readonly string[],
  positions: readonly number[],
): boolean {
  if (own.length < 2) return false
  const isRussian = isCyrillic(own[0]!)
  const head = isRussian ? own.findIndex((it) => !isAdjective(it)) : own.length - 1
  const at = positions[Math.max(head, 0)]!
  return at !== (isCyrillic(words[at]!) ? Math.min(...positions) : Math.max(...positions))
}

export const isTyped = (
  { words: own }: Phrase,
  words: readonly string[],
  positions: readonly number[],
): boolean => own.every((word, at) => word === words[positions[at]!])

export const isExact = (phrase: Phrase, words: readonly string[], positions: readonly number[]): boolean =>
  phrase.words.every((word, at) => keysOf(word)[0] === keysOf(words[positions[at]!]!)[0])
