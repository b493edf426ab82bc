// The tokenizer: runs of letters and digits, with the apostrophes and points inside them.

import { codesOf } from './character-codes.ts'
import {
  apostrophe,
  apostrophes,
  closingQuote,
  codeMask,
  dependent,
  dependsOnNeighbours,
  digit,
  hyphen,
  letter,
  mark,
  openingQuote,
  ordinary,
  otherCharacter,
  partMark,
  plainText,
  point,
  tableFor,
  tableSize,
} from './character-table.ts'
import { hashOfCodes } from './text-hash.ts'

export interface Token {
  text: string
  hasDigit: boolean
  hasLetter: boolean
  /** Only a hyphen separates it from the previous token. */
  isJoined: boolean
  /** Only a slash separates it from the previous token. */
  isDivided: boolean
  /** A comma or a bracket stands before it. */
  startsPart: boolean
  /** It is inside quotation marks, as in the title of a book, and does not name the kind of product. */
  isQuoted: boolean
}

/** What is known of a token before its text is read, as bits. */
export const tokenBits = {
  digit: 1,
  letter: 2,
  joined: 4,
  part: 8,
  quoted: 16,
  unclean: 32,
  divided: 64,
} as const

/** The tokens of one text, without a string for each. */
export interface ScannedTokens {
  /** Of the text as it is given. */
  textHash: number
  codes: Uint16Array
  count: number
  /** By token, where it begins and ends in `codes`, a hash of these codes, and its bits. */
  begins: Int32Array
  ends: Int32Array
  hashes: Int32Array
  bits: Uint8Array
}

/** Longer words are cut. */
const maxTokenLength = 40
/** More tokens of one text are never asked for. */
export const maxTokens = 512

/** Reused by every text: all uses are synchronous and end before the next text. */
const scanned: ScannedTokens = {
  textHash: 0,
  codes: new Uint16Array(0),
  count: 0,
  begins: new Int32Array(maxTokens),
  ends: new Int32Array(maxTokens),
  hashes: new Int32Array(maxTokens),
  bits: new Uint8Array(maxTokens),
}

/** The first `limit` tokens of a text, in lower case and NFKC. Valid until the next text. */
export function scanTokens(text: string, limit: number): ScannedTokens {
  scanned.codes = codesOf(text)
  scanned.textHash = hashOfCodes(scanned.codes, text.length)
  if (scan(text.length, limit, 'any')) return scanned
  const plain = plainText(text)
  scanned.codes = codesOf(plain)
  scan(plain.length, limit, 'plain')
  return scanned
}

/**
 * Reads the tokens of `scanned.codes` in one pass, which also puts the codes of any text into lower case. False when a
 * character needs more than a table.
 */
function scan(length: number, limit: number, form: 'any' | 'plain'): boolean {
  const { codes } = scanned
  const isPlain = form === 'plain'
  const table = tableFor(isPlain)
  let count = 0
  /** Of the token that is being read; there is none when it begins at −1. */
  let start = -1
  let bits = 0
  let hash = 0
  let seen = 0
  let last = 0
  /** Of the token before it, and of what is between them. */
  let end = 0
  let joinedAt = -1
  let dividedAt = -1
  let startsPart = false
  let isQuoted = false
  for (let at = 0; at < length && count < limit; at++) {
    const given = codes[at]!
    const character = given < tableSize ? table[given]! : otherCharacter(given, isPlain)
    if (character === 0) return false
    const code = character & codeMask
    codes[at] = code
    if ((character & dependent) !== 0 && !isPlain && dependsOnNeighbours(codes, at, length)) return false
    if ((character & wordKinds) !== 0) {
      if (start < 0) {
        start = at
        bits =
          (joinedAt === at ? tokenBits.joined : 0) |
          (dividedAt === at ? tokenBits.divided : 0) |
          (startsPart && at > end + 1 ? tokenBits.part : 0) |
          (isQuoted ? tokenBits.quoted : 0)
        hash = 0
        seen = 0
      }
    } else if (start < 0 || !belongs(character, last, at + 1 < length ? codes[at + 1]! : space, isPlain)) {
      if (start >= 0) {
        endToken(count++, start, at, hash, bits | bitsOf(seen))
        joinedAt = (character & hyphen) !== 0 ? at + 1 : -1
        dividedAt = code === slash ? at + 1 : -1
        start = -1
        end = at
        startsPart = false
      }
      if ((character & openingQuote) !== 0) isQuoted = true
      else if ((character & closingQuote) !== 0) isQuoted = false
      else if ((character & partMark) !== 0) startsPart = true
      continue
    }
    hash = Math.imul(hash ^ code, hashFactor)
    seen |= character
    last = character
    // Most characters of a token are ordinary: they are read in a loop that asks nothing else.
    while (at + 1 < length) {
      const next = codes[at + 1]!
      const following = next < tableSize ? table[next]! : 0
      if ((following & ordinary) === 0) break
      at++
      last = following
      seen |= following
      codes[at] = following & codeMask
      hash = Math.imul(hash ^ (following & codeMask), hashFactor)
    }
  }
  if (start >= 0 && count < limit) endToken(count++, start, length, hash, bits | bitsOf(seen))
  scanned.count = count
  return true
}

function endToken(at: number, start: number, end: number, hash: number, bits: number): void {
  const length = Math.min(end - start, maxTokenLength)
  scanned.begins[at] = start
  scanned.ends[at] = start + length
  scanned.hashes[at] = hash ^ (hash >>> 15) ^ length
  scanned.bits[at] = bits
}

/** The bits of a token by its characters. */
const bitsOf = (seen: number): number =>
  ((seen & digit) !== 0 ? tokenBits.digit : 0) |
  ((seen & letter) !== 0 ? tokenBits.letter : 0) |
  ((seen & (apostrophe | mark | point)) !== 0 ? tokenBits.unclean : 0)

/** The first `limit` tokens of a text, in lower case and NFKC. */
export function tokensOf(text: string, limit: number): Token[] {
  const found = scanTokens(text, limit)
  return Array.from({ length: found.count }, (_, at) => tokenWith(found.bits[at]!, tokenText(found, at)))
}

export const tokenWith = (bits: number, text: string): Token =>
  describeToken(
    {
      text: '',
      hasDigit: false,
      hasLetter: false,
      isJoined: false,
      isDivided: false,
      startsPart: false,
      isQuoted: false,
    },
    bits,
    text,
  )

export function describeToken(token: Token, bits: number, text: string): Token {
  token.text = text
  token.hasDigit = (bits & tokenBits.digit) !== 0
  token.hasLetter = (bits & tokenBits.letter) !== 0
  token.isJoined = (bits & tokenBits.joined) !== 0
  token.isDivided = (bits & tokenBits.divided) !== 0
  token.startsPart = (bits & tokenBits.part) !== 0
  token.isQuoted = (bits & tokenBits.quoted) !== 0
  return token
}

export function tokenText({ codes, begins, ends, bits }: ScannedTokens, at: number): string {
  const whole = String.fromCharCode(...codes.subarray(begins[at]!, ends[at]!))
  return bits[at]! & tokenBits.unclean ? cleaned(whole) : whole
}

const space = 0x20
const hashFactor = 0x01000193
const slash = 0x2f
const wordKinds = letter | digit

/**
 * Whether a character that is no letter and no digit continues the word before it. An apostrophe belongs to a word even at
 * its end, a point only between digits. A next character that needs more than a table ends the pass in any case.
 */
function belongs(character: number, last: number, next: number, isPlain: boolean): boolean {
  if ((character & mark) !== 0) return true
  if ((character & apostrophe) !== 0) return (last & letter) !== 0
  if ((character & point) === 0 || (last & digit) === 0) return false
  const after = next < tableSize ? tableFor(isPlain)[next]! : otherCharacter(next, isPlain)
  return after === 0 || (after & digit) !== 0
}

const toDrop = new RegExp(`[${apostrophes}]`, 'g')

/** Removes the possessive ’s first, so that children’s equals children. */
const cleaned = (slice: string): string =>
  slice
    .replace(/([a-z]{3})['’]s$/, '$1')
    .replace(toDrop, '')
    .replace(/\p{M}/gu, '')
    .replace(',', '.')
