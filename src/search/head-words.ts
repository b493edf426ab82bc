// Which words of a name say what the thing is. In Russian the noun precedes the brand; in Uzbek and English it ends the
// part before the first comma. "Silicone case for a phone" is a case.

import type { Language } from './language.ts'
import { isAccessory, isContainer, isStopWord, unitOf } from './lexicon.ts'
import { maxTokens, type Token, tokenBits, tokensOf } from './tokens.ts'
import { isCyrillic } from './word-key.ts'

const adjective = /(ый|ий|ой|ая|яя|ое|ее|ые|ие|ого|его|ому|ему|ым|ыми|ими|ых|ную|ую|digan|диган)$/
/** Nouns with the ending of an adjective: питание, удобрение. */
const noun = /[аея]ние$/
const minAdjectiveLength = 5

export const isAdjective = (word: string): boolean =>
  word.length >= minAdjectiveLength && adjective.test(word) && !noun.test(word)

/** What the head of a name depends on in each of its words, as bits. A word's traits are the same in every text. */
const wordTraits = { stop: 1, of: 2, container: 4, cyrillic: 8, adjective: 16, unit: 32 } as const

export const traitsOf = (word: string): number =>
  (isStopWord(word) ? wordTraits.stop : 0) |
  (word === 'of' ? wordTraits.of : 0) |
  (isContainer(word) ? wordTraits.container : 0) |
  (isCyrillic(word) ? wordTraits.cyrillic : 0) |
  (isAdjective(word) ? wordTraits.adjective : 0) |
  (unitOf(word) === undefined ? 0 : wordTraits.unit)

/** The words of a name as numbers: every name of every row is read, so no object is made for a word. */
export interface NameWords {
  count: number
  /** By position, the bits of the token and the traits of its text. */
  bits: Uint8Array
  traits: Uint8Array
}

/** Positions of the head words among those of a product's name: from the first up to, not including, the second. */
export function headOfName(name: NameWords, language: Language): [from: number, end: number] {
  const count = readFirstPart(name)
  const noun = language === 'ru' ? russianHead(name, count) : -1
  const head = noun >= 0 ? noun : lastHead(name, count)
  return head < 0 ? [0, 0] : withHyphens(name, head)
}

/** Positions of the head words of a category's name: each of the things it lists. */
export function headOfCategory(tokens: readonly Token[], language: Language): number[] {
  const heads: number[] = []
  for (const part of listedParts(tokens)) {
    const plain = untilStopWord(tokens, part)
    heads.push(...(language === 'ru' ? plain : plain.slice(-1)))
  }
  return heads
}

/** Whether the name of a category lists several things: what is in "Rice, oil and grains" need not be rice. */
export const listsThings = (tokens: readonly Token[]): boolean => listedParts(tokens).length > 1

const maxCategoryWords = 20

/** Whether the name of a category says that its things are parts or accessories of something else. */
export function namesAccessory(name: string, language: Language): boolean {
  const tokens = tokensOf(name, maxCategoryWords)
  return headOfCategory(tokens, language).some((at) => isAccessory(tokens[at]!.text))
}

/** Reused by every name. */
const firstPart = new Uint16Array(maxTokens)

/** The positions up to the first comma or preposition; a container and its "of" are skipped. Returns how many they are. */
function readFirstPart({ count, bits, traits }: NameWords): number {
  let length = 0
  let containers = 0
  for (let at = 0; at < count; at++) {
    if (at > 0 && (bits[at]! & tokenBits.part) !== 0) break
    if ((bits[at]! & tokenBits.quoted) !== 0) continue
    const its = traits[at]!
    // The inch after a number is no preposition: a 55 in TV.
    const isUnit = (its & wordTraits.unit) !== 0 && at > 0 && (bits[at - 1]! & tokenBits.digit) !== 0
    if ((its & wordTraits.stop) === 0 || isUnit) {
      firstPart[length++] = at
      if (its & wordTraits.container) containers++
    } else if (containers < length) {
      if (containers === 0 || (its & wordTraits.of) === 0) break
      length = 0
      containers = 0
    }
  }
  return length
}

/** The first noun in Cyrillic letters, no container if there is another; −1 when no word is in Cyrillic letters. */
function russianHead({ traits }: NameWords, count: number): number {
  let noun = -1
  let last = -1
  let isContained = true
  for (let place = 0; place < count; place++) {
    const its = traits[firstPart[place]!]!
    if ((its & wordTraits.cyrillic) === 0) continue
    const isContainer = (its & wordTraits.container) !== 0
    if (isContainer && !isContained) continue
    // The first thing: containers before it do not count.
    if (!isContainer && isContained) {
      isContained = false
      noun = -1
    }
    last = firstPart[place]!
    if (noun < 0 && (its & wordTraits.adjective) === 0) noun = last
  }
  return noun >= 0 ? noun : last
}

/** The last word of letters that is no unit, and no container if there is another; −1 for none. */
function lastHead({ bits, traits }: NameWords, count: number): number {
  let last = -1
  for (let place = count - 1; place >= 0; place--) {
    const at = firstPart[place]!
    const isWord = (bits[at]! & (tokenBits.letter | tokenBits.digit)) === tokenBits.letter
    const isAfterNumber = at > 0 && (bits[at - 1]! & tokenBits.digit) !== 0
    if (!isWord || (isAfterNumber && (traits[at]! & wordTraits.unit) !== 0)) continue
    if ((traits[at]! & wordTraits.container) === 0) return at
    if (last < 0) last = at
  }
  return last
}

/** All parts of робот-пылесос are heads. */
function withHyphens({ count, bits }: NameWords, noun: number): [from: number, end: number] {
  let from = noun
  let end = noun + 1
  while (from > 0 && (bits[from]! & tokenBits.joined) !== 0) from--
  while (end < count && (bits[end]! & tokenBits.joined) !== 0) end++
  return [from, end]
}

const conjunctions = new Set(['и', 'va', 'and', 'ва'])

function listedParts(tokens: readonly Token[]): number[][] {
  const parts: number[][] = [[]]
  for (const [at, token] of tokens.entries()) {
    if (token.startsPart || conjunctions.has(token.text)) parts.push([])
    if (!conjunctions.has(token.text)) parts.at(-1)!.push(at)
  }
  return parts
}

function untilStopWord(tokens: readonly Token[], part: readonly number[]): number[] {
  const end = part.findIndex((at) => isStopWord(tokens[at]!.text))
  return end < 0 ? [...part] : part.slice(0, end)
}
