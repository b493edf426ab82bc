// The words of an indexed text and the words of a query. Both find the same words in a55, A-55 and A 55, in 128гб and
// 128 GB, in wi-fi and wifi.

import { unitOf } from './lexicon.ts'
import { amountOfAdjective, amountsInDigits, radiiInDigits } from './number-words.ts'
import { type Token, tokensOf } from './tokens.ts'
import { keyOf } from './word-key.ts'

/** Further words of a query are ignored. */
export const maxQueryWords = 12
/** Longer series names are words of their own and are not joined with the number that follows. */
export const maxSeriesLength = 2

/** Visits every word under which a text can be found, with the position of its token. */
export function eachIndexedWord(
  tokens: readonly Token[],
  visit: (word: string, position: number) => void,
): void {
  for (let position = 0; position < tokens.length; position++) eachWordAt(tokens, position, visit)
}

/** Visits the words of one token, with what its neighbours make of it. */
export function eachWordAt(
  tokens: readonly Token[],
  position: number,
  visit: (word: string, position: number) => void,
): void {
  const token = tokens[position]!
  const before = tokens[position - 1]
  const measured = before && isNumber(before) && !token.hasDigit ? unitIn(token.text) : undefined
  if (measured) {
    visit(before!.text + measured, position)
    return
  }
  visit(rangeStart(tokens, position) ?? token.text, position)
  if (token.hasDigit && token.hasLetter) visitParts(token.text, (it) => visit(it, position))
  if (before && (token.isJoined || isSeries(before, token))) visit(before.text + token.text, position)
}

/** The first number of a range has the unit of the second: 5–9 kg begins with 5 kg, and is no size 5. */
function rangeStart(tokens: readonly Token[], position: number): string | undefined {
  const [first, last, unit] = [tokens[position]!, tokens[position + 1], tokens[position + 2]]
  if (!last?.isJoined || !unit || unit.hasDigit || !isNumber(first) || !isNumber(last)) return undefined
  const measured = unitIn(unit.text)
  return measured === undefined ? undefined : first.text + measured
}

const isNumber = (token: Token) => token.hasDigit && !token.hasLetter
const isSeries = (before: Token, token: Token) =>
  !before.hasDigit && before.text.length <= maxSeriesLength && /^\d/.test(token.text)
const unitIn = (word: string) => unitOf(keyOf(`${word}0`, 'en').slice(0, -1))

const numberThenLetters = /^(\d+(?:\.\d+)?)(\p{L}+)$/u
const lettersThenNumber = /^(\p{L}{3,})(\d+)$/u

function visitParts(word: string, visit: (part: string) => void): void {
  const [, number, letters] = numberThenLetters.exec(word) ?? []
  if (number) {
    const unit = unitIn(letters!)
    // The digit of 3D or 4K is no size.
    if (unit !== undefined || number.length > 1) visit(number)
    if (unit) visit(number + unit)
  }
  const [, series, model] = lettersThenNumber.exec(word) ?? []
  if (series) {
    visit(series)
    visit(model!)
  }
}

export interface QueryWord {
  /** The word to look up. */
  word: string
  /** What to look up when no row has the word. */
  fallback: string | undefined
  /** As it was typed. */
  typed: string
}

/** What a query's words are looked up in. */
export interface QueryContext {
  /** Whether any row has a word. */
  isIndexed(word: string): boolean
  /** Whether the dictionary has the word as a thing: "TV 65" is no model. */
  isThing(word: string): boolean
}

/** The words of a query. */
export function queryWords(text: string, context: QueryContext): QueryWord[] {
  const { isIndexed } = context
  const tokens = tokensOf(radiiInDigits(amountsInDigits(text)), 2 * maxQueryWords)
  const words: QueryWord[] = []
  for (let position = 0; position < tokens.length; position++) {
    const token = tokens[position]!
    const next = tokens[position + 1]
    const joined = next && joinedWord(token, next, context)
    if (joined) {
      words.push({ ...joined, typed: `${token.text}${next.isJoined ? '-' : ' '}${next.text}` })
      position++
    } else words.push(...singleWords(token, isIndexed))
  }
  return words.filter((it, at) => words.findIndex((other) => other.word === it.word) === at)
}

function joinedWord(
  token: Token,
  next: Token,
  { isIndexed, isThing }: QueryContext,
): Omit<QueryWord, 'typed'> | undefined {
  const unit = isNumber(token) && !next.hasDigit ? unitIn(next.text) : undefined
  if (unit) return { word: token.text + unit, fallback: token.text }
  const adjective = isNumber(token) ? amountOfAdjective(token.text + next.text) : undefined
  if (adjective) return { word: adjective, fallback: token.text }
  const whole = token.text + next.text
  const isOne = next.isJoined || (isSeries(token, next) && !isThing(token.text))
  return isOne && isIndexed(whole) ? { word: whole, fallback: undefined } : undefined
}

/** iphone15 is looked up as iphone and 15 unless some row has it whole; a55 is never split into a and 55. */
function singleWords(token: Token, isIndexed: (word: string) => boolean): QueryWord[] {
  const { text } = token
  const amount = isIndexed(text) ? undefined : amountOfAdjective(text)
  if (amount !== undefined) return [{ word: amount, fallback: undefined, typed: text }]
  const [, number, letters] = numberThenLetters.exec(text) ?? []
  const unit = letters && unitIn(letters)
  if (unit) return [{ word: number! + unit, fallback: number, typed: text }]
  if (!token.hasDigit || !token.hasLetter || isIndexed(text))
    return [{ word: text, fallback: undefined, typed: text }]
  const parts = text.match(/\d+(?:\.\d+)?|[^\d.]+/g)!
  const [series, size, measured] = parts
  const sizeUnit = parts.length === 3 && series!.length > maxSeriesLength ? unitIn(measured!) : undefined
  if (sizeUnit)
    return [
      { word: series!, fallback: undefined, typed: series! },
      { word: size! + sizeUnit, fallback: size, typed: size! + measured! },
    ]
  const isGlued = parts.every((it) => /^\d/.test(it) || it.length > maxSeriesLength)
  return (isGlued ? parts : [text]).map((word) => ({ word, fallback: undefined, typed: word }))
}
