// Which words of a name say what the thing is. In Russian the noun precedes the brand; in Uzbek and English it ends the
// part before the first comma. "Silicone case for a phone" is a case.

import type { Language } from './language.ts'
import { isAccessory, isContainer, isStopWord, unitOf } from './lexicon.ts'
import { type Token, tokensOf } from './tokens.ts'
import { isCyrillic } from './word-key.ts'

const adjective = /(ый|ий|ой|ая|яя|ое|ее|ые|ие|ого|его|ому|ему|ым|ыми|ими|ых|ную|ую|digan|диган)$/
/** Nouns with the ending of an adjective: питание, удобрение. */
const noun = /[аея]ние$/
const minAdjectiveLength = 5

export const isAdjective = (word: string): boolean =>
  word.length >= minAdjectiveLength && adjective.test(word) && !noun.test(word)

/** Positions of the head words among the tokens of a product's name. */
export function headOfName(tokens: readonly Token[], language: Language): number[] {
  const part = firstPart(tokens)
  const russian = part.filter((at) => isCyrillic(tokens[at]!.text))
  if (language === 'ru' && russian.length > 0) return russianHead(tokens, russian)
  return lastHead(tokens, part)
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

/** Up to the first comma or preposition; a container and its "of" are skipped. */
function firstPart(tokens: readonly Token[]): number[] {
  const part: number[] = []
  for (const [at, token] of tokens.entries()) {
    if (at > 0 && token.startsPart) break
    if (token.isQuoted) continue
    if (isStopWord(token.text)) {
      if (part.every((it) => isContainer(tokens[it]!.text))) continue
      if (part.some((it) => isContainer(tokens[it]!.text)) && token.text === 'of') {
        part.length = 0
        continue
      }
      if (part.length > 0) break
      continue
    }
    part.push(at)
  }
  return part
}

function russianHead(tokens: readonly Token[], part: readonly number[]): number[] {
  const things = part.filter((at) => !isContainer(tokens[at]!.text))
  const from = things.length > 0 ? things : [...part]
  const noun = from.find((at) => !isAdjective(tokens[at]!.text)) ?? from.at(-1)!
  return withHyphens(tokens, noun)
}

function lastHead(tokens: readonly Token[], part: readonly number[]): number[] {
  const named = part.filter((at) => {
    const { hasLetter, hasDigit, text } = tokens[at]!
    const isUnit = at > 0 && tokens[at - 1]!.hasDigit && unitOf(text) !== undefined
    return hasLetter && !hasDigit && !isUnit
  })
  const noun = named.findLast((at) => !isContainer(tokens[at]!.text)) ?? named.at(-1)
  return noun === undefined ? [] : withHyphens(tokens, noun)
}

/** All parts of робот-пылесос are heads. */
function withHyphens(tokens: readonly Token[], noun: number): number[] {
  const heads = [noun]
  for (let at = noun; tokens[at]!.isJoined && at > 0; at--) heads.push(at - 1)
  for (let at = noun + 1; at < tokens.length && tokens[at]!.isJoined; at++) heads.push(at)
  return heads
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
