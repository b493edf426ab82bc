// The words of an indexed text and the words of a query. Both find the same words in a55, A-55 and A 55, in 128гб and
// 128 GB, in wi-fi and wifi.

import { isFiller, isMemory, isStopWord, unitOf } from './lexicon.ts'
import {
  amountOfAdjective,
  amountsInDigits,
  areasInDigits,
  lettersOfModels,
  radiiInDigits,
  coloursInDigits,
  plainColours,
  sizesInDigits,
  tyresInDigits,
} from './number-words.ts'
import { type Token, tokensOf } from './tokens.ts'
import { isCyrillic, keyOf, lookalike, modelSpellings } from './word-key.ts'

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
  const start = rangeStart(tokens, position)
  if (start !== undefined) visit(start, position)
  if (start === undefined || tokens[position + 1]!.isDivided) visit(token.text, position)
  if (token.hasDigit && token.hasLetter) visitParts(token.text, (it) => visit(it, position))
  if (before && (token.isJoined || isSeries(before, token))) visit(before.text + token.text, position)
}

/**
 * The first number of a range has the unit of the second: 5–9 kg begins with 5 kg, and is no size 5. So has the first of two
 * sizes of memory: 8/256 GB.
 */
function rangeStart(tokens: readonly Token[], position: number): string | undefined {
  const [first, last, unit] = [tokens[position]!, tokens[position + 1], tokens[position + 2]]
  if (!last || !unit || unit.hasDigit || !isNumber(first) || !isNumber(last)) return undefined
  const measured = unitIn(unit.text)
  const isRange = last.isJoined || (last.isDivided && measured === memoryUnit)
  return isRange && measured !== undefined ? first.text + measured : undefined
}

const memoryUnit = 'gb'
const isNumber = (token: Token) => token.hasDigit && !token.hasLetter
const isSeries = (before: Token, token: Token) =>
  !before.hasDigit &&
  before.text.length <= maxSeriesLength &&
  /^\d/.test(token.text) &&
  !isPreposition(before.text)
/** A washing machine for 6 kg is no model. A single letter may be a preposition and the name of a series: с 24. */
const isPreposition = (word: string): boolean => word.length > 1 && isStopWord(word)
const unitIn = (word: string) => unitOf(keyOf(`${word}0`, 'en').slice(0, -1))

const numberThenLetters = /^(\d+(?:\.\d+)?)(\p{L}+)$/u
const lettersThenNumber = /^(\p{L}{3,})(\d+)$/u
const shortSeries = /^\p{L}{1,2}(\d{3,})\p{L}*$/u
const tail = /^\d+(\p{L}+\d+\p{L}*)$/u

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
  // Pieces of a model that people type alone: 2470 of HR2470, XM6 of WH-1000XM6.
  const [, alone] = shortSeries.exec(word) ?? tail.exec(word) ?? []
  if (alone) visit(alone)
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
  /** Whether some row has all the words in its name. */
  areTogether(words: readonly string[]): boolean
}

/** The words of a query. */
export function queryWords(text: string, context: QueryContext): QueryWord[] {
  const { isIndexed } = context
  const read = plainColours(coloursInDigits(sizesInDigits(amountsInDigits(text))))
  const tokens = tokensOf(
    lettersOfModels(areasInDigits(tyresInDigits(radiiInDigits(read)))),
    2 * maxQueryWords,
  )
  const words: QueryWord[] = []
  for (let position = 0; position < tokens.length; position++) {
    const token = tokens[position]!
    const next = tokens[position + 1]
    const joined =
      next && (joinedWord(token, next, context) ?? joinedEnd(token, next, tokens[position + 2], context))
    const model = next && joinedModel(tokens.slice(position, position + 3), isIndexed)
    const age = next && isNumber(token) && isAge(token.text, next.text)
    if (model) {
      words.push({ word: model, fallback: undefined, typed: model })
      position += 2
    } else if (age) {
      words.push({ word: childrenWord, fallback: undefined, typed: `${token.text} ${next.text}` })
      position++
    } else if (joined) {
      words.push({ ...joined, typed: `${token.text}${next.isJoined ? '-' : ' '}${next.text}` })
      position++
    } else words.push(...singleWords(token, context))
  }
  const named = withoutMemory(words, context)
  return named.filter((it, at) => named.findIndex((other) => other.word === it.word) === at)
}

const memorySize = /^\d+[gt]b$/

/** After a name and a size, memory is no thing of its own: redmi 14c 8 гб озу. */
function withoutMemory(words: readonly QueryWord[], { isIndexed }: QueryContext): QueryWord[] {
  const size = words.findIndex((it) => memorySize.test(it.word))
  const isOfName = words.slice(0, Math.max(size, 0)).some(({ word }) => !isFiller(word) && isIndexed(word))
  return isOfName ? words.filter((it, at) => at < size || !isMemory(it.word)) : [...words]
}

/** Three pieces of one model: wh 1000 xm6. */
function joinedModel(tokens: readonly Token[], isIndexed: (word: string) => boolean): string | undefined {
  if (tokens.length < 3 || !tokens.some((it) => it.hasDigit) || tokens.every(isNumber)) return undefined
  const whole = tokens.map((it) => it.text).join('')
  return isIndexed(whole) ? whole : undefined
}

/** What is for this age is for children. */
const childrenWord = 'детям'
const maxChildAge = 14
const ageWords = new Set(
  'год года лет годик годика годиков yosh yoshli yoshga yoshlik year years yo'.split(' '),
)
const isAge = (number: string, word: string): boolean => ageWords.has(word) && Number(number) <= maxChildAge

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
  const model = isOne ? indexedModel(whole, isIndexed) : undefined
  return model === undefined ? undefined : { word: model, fallback: undefined }
}

/** A number and the letter that ends a model: redmi 14 c. A preposition before another word is none. */
function joinedEnd(
  token: Token,
  next: Token,
  after: Token | undefined,
  { isIndexed }: QueryContext,
): Omit<QueryWord, 'typed'> | undefined {
  if (!isNumber(token) || next.hasDigit || next.text.length > maxSeriesLength) return undefined
  if (after && isStopWord(next.text)) return undefined
  const whole = indexedModel(token.text + next.text, isIndexed)
  return whole === undefined ? undefined : { word: whole, fallback: token.text }
}

const maxPieces = 4
const maxGluedLength = 24

/** Words of one name that are written together: zflip7, 17promax. The fewest pieces that some name has together. */
function piecesOf(text: string, { isIndexed, areTogether }: QueryContext): string[] | undefined {
  if (text.length > maxGluedLength) return undefined
  const best: (string[] | undefined)[] = [[]]
  for (let end = 1; end <= text.length; end++)
    for (let start = 0; start < end; start++) {
      const before = best[start]
      const length = (before?.length ?? maxPieces) + 1
      if (!before || length > Math.min(maxPieces, (best[end]?.length ?? Infinity) - 1)) continue
      const piece = text.slice(start, end)
      if (isPiece(text, start, end) && isIndexed(piece)) best[end] = [...before, piece]
    }
  const pieces = best[text.length]
  return pieces && pieces.length > 1 && areTogether(pieces) ? pieces : undefined
}

/** A number is not cut, and a single letter is a piece only at the beginning. */
function isPiece(text: string, start: number, end: number): boolean {
  const isCut = (at: number) => /\d/.test(text[at - 1] ?? '') && /\d/.test(text[at] ?? '')
  return !isCut(start) && !isCut(end) && (end - start > 1 || start === 0 || /\d/.test(text[start]!))
}

/** iphone15 is looked up as iphone and 15 unless some row has it whole; a55 is never split into a and 55. */
function singleWords(token: Token, context: QueryContext): QueryWord[] {
  const { isIndexed, isThing } = context
  const text = modelOf(token, isIndexed)
  const amount = isIndexed(text) ? undefined : amountOfAdjective(text)
  if (amount !== undefined) return [{ word: amount, fallback: undefined, typed: text }]
  const [, number, letters] = numberThenLetters.exec(text) ?? []
  const unit = letters && unitIn(letters)
  if (unit) return [{ word: number! + unit, fallback: number, typed: text }]
  if (!token.hasDigit || !token.hasLetter || isIndexed(text))
    return [{ word: text, fallback: undefined, typed: text }]
  const pieces = piecesOf(text, context)
  if (pieces) return pieces.map((word) => ({ word, fallback: undefined, typed: word }))
  const parts = text.match(/\d+(?:\.\d+)?|[^\d.]+/g)!
  const [series, size, measured] = parts
  const sizeUnit = parts.length === 3 && series!.length > maxSeriesLength ? unitIn(measured!) : undefined
  if (sizeUnit)
    return [
      { word: series!, fallback: undefined, typed: series! },
      { word: size! + sizeUnit, fallback: size, typed: size! + measured! },
    ]
  const isGlued = parts.every((it) => /^\d/.test(it) || it.length > maxSeriesLength || isThing(it))
  if (isGlued) return parts.map((word) => ({ word, fallback: undefined, typed: word }))
  return [{ word: text, fallback: shorterModel(text, isIndexed), typed: text }]
}

const modelOf = ({ text, hasDigit, hasLetter }: Token, isIndexed: (word: string) => boolean): string =>
  hasDigit && hasLetter ? (indexedModel(text, isIndexed) ?? text) : text

/** A model that some row has, also in Cyrillic letters that look or sound like the Latin ones: х8с is X8c. */
function indexedModel(text: string, isIndexed: (word: string) => boolean): string | undefined {
  if (isIndexed(text)) return text
  return isCyrillic(text) ? [lookalike(text), ...modelSpellings(text)].find(isIndexed) : undefined
}

const minModelLength = 4

/** A known model that the unknown one begins with: DF333 of df333d. */
function shorterModel(text: string, isIndexed: (word: string) => boolean): string | undefined {
  const shorter = text.replace(/\p{L}{1,3}$/u, '')
  const isModelName = shorter !== text && shorter.length >= minModelLength && /\p{L}/u.test(shorter)
  return isModelName && isIndexed(shorter) ? shorter : undefined
}
