// How a text is read for filing, and how a buyer's words are read for seeking. Both must see the same words in
// a55, A-55 and A 55, in 128гб and 128 GB, in wi-fi and wifi.

import { isEmpty } from './empty-words.ts'
import { keyOf } from './letters.ts'
import { unitOf } from './measures.ts'
import { type Token, tokensOf } from './tokens.ts'

/** More words of one query are not looked at. */
const mostWanted = 12
/** Longer names of models are words of their own, and need no joining with the number that follows. */
const longestSeries = 2

/** Sees every word under which a text is to be found, with the place of its token. */
export function eachWord(text: string, most: number, visit: (word: string, place: number) => void): void {
  const tokens = tokensOf(text, most)
  for (let place = 0; place < tokens.length; place++) {
    const token = tokens[place]!
    const before = tokens[place - 1]
    const measured = before && isNumber(before) && !token.hasDigit ? unitIn(token.text) : undefined
    if (measured) {
      visit(before!.text + measured, place)
      continue
    }
    visit(token.text, place)
    if (token.hasDigit && token.hasLetter) visitParts(token.text, (it) => visit(it, place))
    if (before && (token.isJoined || isSeries(before, token))) visit(before.text + token.text, place)
  }
}

const isNumber = (token: Token) => token.hasDigit && !token.hasLetter
const isSeries = (before: Token, token: Token) =>
  !before.hasDigit && before.text.length <= longestSeries && /^\d/.test(token.text)
const unitIn = (word: string) => unitOf(keyOf(`${word}0`, 'en').slice(0, -1))

const numberThenLetters = /^(\d+(?:\.\d+)?)(\p{L}+)$/u
const lettersThenNumber = /^(\p{L}{3,})(\d+)$/u

function visitParts(word: string, visit: (part: string) => void): void {
  const [, number, letters] = numberThenLetters.exec(word) ?? []
  if (number) {
    visit(number)
    const unit = unitIn(letters!)
    if (unit) visit(number + unit)
  }
  const [, series, model] = lettersThenNumber.exec(word) ?? []
  if (series) {
    visit(series)
    visit(model!)
  }
}

export interface Wanted {
  /** What is sought. */
  word: string
  /** What will do when no product has that. */
  instead: string | undefined
  /** As the buyer wrote it. */
  typed: string
}

/** What a buyer seeks. `isKnown` tells whether any product has a word. */
export function wantedIn(text: string, isKnown: (word: string) => boolean): Wanted[] {
  const tokens = tokensOf(text, 2 * mostWanted)
  const wanted: Wanted[] = []
  for (let place = 0; place < tokens.length; place++) {
    const token = tokens[place]!
    const next = tokens[place + 1]
    const joined = next && joint(token, next, isKnown)
    if (joined) {
      wanted.push({ ...joined, typed: `${token.text}${next.isJoined ? '-' : ' '}${next.text}` })
      place++
    } else wanted.push(...alone(token, isKnown))
  }
  const distinct = wanted.filter((it, at) => wanted.findIndex((other) => other.word === it.word) === at)
  const telling = distinct.filter((it) => !isEmpty(it.word))
  return (telling.length > 0 ? telling : distinct).slice(0, mostWanted)
}

function joint(
  token: Token,
  next: Token,
  isKnown: (word: string) => boolean,
): Omit<Wanted, 'typed'> | undefined {
  const unit = isNumber(token) && !next.hasDigit ? unitIn(next.text) : undefined
  if (unit) return { word: token.text + unit, instead: token.text }
  const whole = token.text + next.text
  return (next.isJoined || isSeries(token, next)) && isKnown(whole)
    ? { word: whole, instead: undefined }
    : undefined
}

/** iphone15 is sought as iphone and 15, unless some product is called so; a55 is never sought as a and 55. */
function alone(token: Token, isKnown: (word: string) => boolean): Wanted[] {
  const { text } = token
  const [, number, letters] = numberThenLetters.exec(text) ?? []
  const unit = letters && unitIn(letters)
  if (unit) return [{ word: number! + unit, instead: number, typed: text }]
  if (!token.hasDigit || !token.hasLetter || isKnown(text))
    return [{ word: text, instead: undefined, typed: text }]
  const parts = text.match(/\d+(?:\.\d+)?|[^\d.]+/g)!
  const isGlued = parts.every((it) => /^\d/.test(it) || it.length > longestSeries)
  return (isGlued ? parts : [text]).map((word) => ({ word, instead: undefined, typed: word }))
}
