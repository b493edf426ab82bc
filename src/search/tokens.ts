// The tokenizer: runs of letters and digits, with the apostrophes and points inside them.

import { lowerCodes } from './lower-codes.ts'

const separator = 0
const letter = 1
const digit = 2
const apostrophe = 3
const hyphen = 4
const mark = 5
const point = 6

const apostrophes = "'`´‘’ʻʼʹˊ′＇"
const hyphens = '-‐‑–_'

const kindOf = (character: string): number => {
  if (apostrophes.includes(character)) return apostrophe
  if (hyphens.includes(character)) return hyphen
  if (character === '.' || character === ',') return point
  if (/\p{N}/u.test(character)) return digit
  if (/\p{L}/u.test(character)) return letter
  return /\p{M}/u.test(character) ? mark : separator
}

/**
 * Frequent scripts and punctuation by table, the rest by regular expression. Surrogate halves (emoji, ancient scripts)
 * separate words.
 */
const tableSize = 0x600
const [punctuationFrom, punctuationTo] = [0x2000, 0x2070]
const kinds = Uint8Array.from({ length: tableSize }, (_, code) => kindOf(String.fromCharCode(code)))
const punctuationKinds = Uint8Array.from({ length: punctuationTo - punctuationFrom }, (_, at) =>
  kindOf(String.fromCharCode(punctuationFrom + at)),
)
const kindOfCode = (code: number): number =>
  code < tableSize
    ? kinds[code]!
    : code >= punctuationFrom && code < punctuationTo
      ? punctuationKinds[code - punctuationFrom]!
      : kindOf(String.fromCharCode(code))

export interface Token {
  text: string
  hasDigit: boolean
  hasLetter: boolean
  /** Only a hyphen separates it from the previous token. */
  isJoined: boolean
  /** A comma or a bracket stands before it. */
  startsPart: boolean
  /** It is inside quotation marks, as in the title of a book, and does not name the kind of product. */
  isQuoted: boolean
}

/** What is known of a token before its text is read, as bits. */
export const tokenBits = { digit: 1, letter: 2, joined: 4, part: 8, quoted: 16, unclean: 32 } as const

/** The tokens of one text, without a string for each. */
export interface ScannedTokens {
  codes: Uint16Array
  count: number
  /** By token, where it begins and ends in `codes`, and its bits. */
  begins: Int32Array
  ends: Int32Array
  bits: Uint8Array
}

/** Longer words are cut. */
const maxTokenLength = 40
/** More tokens of one text are never asked for. */
export const maxTokens = 512

/** Reused by every text: all uses are synchronous and end before the next text. */
const scanned: ScannedTokens = {
  codes: new Uint16Array(0),
  count: 0,
  begins: new Int32Array(maxTokens),
  ends: new Int32Array(maxTokens),
  bits: new Uint8Array(maxTokens),
}

/** The first `limit` tokens of a text, in lower case and NFKC. Valid until the next text. */
export function scanTokens(text: string, limit: number): ScannedTokens {
  const { codes, length } = lowerCodes(text)
  const { begins, ends, bits } = scanned
  let count = 0
  let joinedAt = -1
  let end = 0
  let isQuoted = false
  for (let at = 0; at < length && count < limit; at++) {
    const first = kindOfCode(codes[at]!)
    if (first !== letter && first !== digit) continue
    const start = at
    let seen = 1 << first
    let last = first
    for (at++; at < length; at++) {
      const kind = kindOfCode(codes[at]!)
      if (kind !== letter && kind !== digit && kind !== mark && !belongs(codes, at, length, kind, last)) break
      seen |= 1 << kind
      last = kind
    }
    let startsPart = false
    for (let between = end; between < start; between++) {
      const code = codes[between]!
      if (code === space) continue
      if (openingQuotes.includes(code)) isQuoted = true
      else if (closingQuotes.includes(code)) isQuoted = false
      else if (start > end + 1 && partMarks.includes(code)) startsPart = true
    }
    begins[count] = start
    ends[count] = Math.min(at, start + maxTokenLength)
    bits[count++] =
      (seen & (1 << digit) ? tokenBits.digit : 0) |
      (seen & (1 << letter) ? tokenBits.letter : 0) |
      (joinedAt === start ? tokenBits.joined : 0) |
      (startsPart ? tokenBits.part : 0) |
      (isQuoted ? tokenBits.quoted : 0) |
      (seen & ~plainKinds ? tokenBits.unclean : 0)
    end = at
    joinedAt = at < length && kindOfCode(codes[at]!) === hyphen ? at + 1 : -1
  }
  scanned.codes = codes
  scanned.count = count
  return scanned
}

/** The first `limit` tokens of a text, in lower case and NFKC. */
export function tokensOf(text: string, limit: number): Token[] {
  const found = scanTokens(text, limit)
  return Array.from({ length: found.count }, (_, at) => tokenWith(found.bits[at]!, tokenText(found, at)))
}

export const tokenWith = (bits: number, text: string): Token =>
  describeToken(
    { text: '', hasDigit: false, hasLetter: false, isJoined: false, startsPart: false, isQuoted: false },
    bits,
    text,
  )

export function describeToken(token: Token, bits: number, text: string): Token {
  token.text = text
  token.hasDigit = (bits & tokenBits.digit) !== 0
  token.hasLetter = (bits & tokenBits.letter) !== 0
  token.isJoined = (bits & tokenBits.joined) !== 0
  token.startsPart = (bits & tokenBits.part) !== 0
  token.isQuoted = (bits & tokenBits.quoted) !== 0
  return token
}

export function tokenText({ codes, begins, ends, bits }: ScannedTokens, at: number): string {
  const whole = String.fromCharCode(...codes.subarray(begins[at]!, ends[at]!))
  return bits[at]! & tokenBits.unclean ? cleaned(whole) : whole
}

const space = 0x20
const codesIn = (characters: string): number[] => Array.from(characters, (it) => it.charCodeAt(0))
const partMarks = codesIn(',;:()[]—')
const openingQuotes = codesIn('«“')
const closingQuotes = codesIn('»”')

const plainKinds = (1 << letter) | (1 << digit)

/** An apostrophe belongs to a word even at its end; a point belongs only between digits. */
const belongs = (codes: Uint16Array, at: number, length: number, kind: number, last: number): boolean =>
  kind === apostrophe
    ? last === letter
    : kind === point && last === digit && at + 1 < length && kindOfCode(codes[at + 1]!) === digit

const toDrop = new RegExp(`[${apostrophes}]`, 'g')

/** Removes the possessive ’s first, so that children’s equals children. */
const cleaned = (slice: string): string =>
  slice
    .replace(/([a-z]{3})['’]s$/, '$1')
    .replace(toDrop, '')
    .replace(/\p{M}/gu, '')
    .replace(',', '.')
