// JSON as strict as a contract: fatal UTF-8, no byte order mark, bounded depth, no character a database cannot keep.

import { refuse } from './refusal.ts'

const maxDepth = 32

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The value that bytes mean; refused when they are not exactly one JSON value in UTF-8. */
export const jsonOf = (bytes: Uint8Array): unknown => jsonOfText(textOf(bytes))

/** The value that a text means; refused when it is not exactly one that we can keep. */
export function jsonOfText(text: string): unknown {
  const { depth, mayRound } = looksOf(text)
  const value = parsed(text, mayRound)
  if (depth > maxDepth) throw refuse('invalid_json', { reason: 'too_deep', limit: maxDepth })
  // UTF-8 holds no half characters and JSON no bare NUL, so only an escape can bring in what cannot be kept. To look at
  // every value of all other texts costs more than to parse them.
  if (text.includes('\\u')) checkValue(value, '')
  return value
}

const [quote, backslash, zero, nine, point] = [0x22, 0x5c, 0x30, 0x39, 0x2e]
/** Makes small letters of large ones, and braces of square brackets. */
const smallBit = 0x20
const [openingBrace, closingBrace, exponent] = [0x7b, 0x7d, 0x65]
/** JavaScript keeps any number of fewer digits, with its point. */
const manyDigits = 17

/** What a text is like outside of its strings: how deep it nests, and whether a number in it may be rounded. */
function looksOf(text: string): { depth: number; mayRound: boolean } {
  let [open, depth, digits, mayRound] = [0, 0, 0, false]
  for (let at = 0; at < text.length; at++) {
    const letter = text.charCodeAt(at)
    const small = letter | smallBit
    const isDigit = (letter >= zero && letter <= nine) || letter === point
    if (letter === quote) at = endOfString(text, at)
    else if (small === openingBrace) depth = Math.max(depth, ++open)
    else if (small === closingBrace) open--
    else if (small === exponent && digits > 0) mayRound = true
    digits = isDigit ? digits + 1 : 0
    if (digits === manyDigits) mayRound = true
  }
  return { depth, mayRound }
}

/** A quote ends its string unless an odd number of backslashes stands before it. */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes++
    if (escapes % 2 === 0) return end
  }
  return text.length
}

/** The text that bytes mean in UTF-8, and in nothing else. */
export function textOf(bytes: Uint8Array): string {
  try {
    const text = decoder.decode(bytes)
    if (!text.startsWith('\uFEFF')) return text
  } catch {
    // Falls through to the same refusal: a byte order mark and a broken sequence are one fault to the sender.
  }
  throw refuse('invalid_json', { reason: 'invalid_encoding' })
}

function parsed(text: string, mayRound: boolean): unknown {
  try {
    return mayRound ? JSON.parse(text, withoutRounding as Reviver) : JSON.parse(text)
  } catch {
    throw refuse('invalid_json', { reason: text.trim() === '' ? 'empty' : 'syntax' })
  }
}

type Reviver = Parameters<typeof JSON.parse>[1]

/** A number that only rounding made whole becomes none, so that no check of a shape lets it pass. */
const withoutRounding = (_key: string, value: unknown, { source = '' }: { source?: string }): unknown =>
  typeof value === 'number' && Number.isInteger(value) && isRounded(source, value) ? NaN : value

/** Fifteen significant digits are always kept; a longer number is whole only if it was written so. */
function isRounded(source: string, value: number): boolean {
  const [mantissa = '', exponent] = source.split(/e/i)
  const digits = mantissa.replace(/[-.]/g, '').replace(/^0+|0+$/g, '')
  if (value === 0) return digits !== ''
  return digits.length > 15 && !(Number.isSafeInteger(value) && !exponent && !mantissa.includes('.'))
}

function checkValue(value: unknown, path: string): void {
  if (typeof value === 'string') return checkText(value, path)
  if (typeof value !== 'object' || value === null) return
  for (const key in value) {
    checkText(key, path)
    checkValue((value as Record<string, unknown>)[key], path ? `${path}.${key}` : key)
  }
}

/** Whether a database can keep the text as it is. */
export const isKeepable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** A text as a database can keep it: with a mark in place of every character that it cannot. */
export const keepable = (text: string): string => text.replaceAll('\0', '\uFFFD').toWellFormed()

function checkText(text: string, path: string): void {
  if (!isKeepable(text)) throw refuse('validation_failed', { fields: [{ path, rule: 'characters' }] })
}
