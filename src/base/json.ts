// Strict JSON: valid UTF-8, no byte order mark, bounded depth, no characters that PostgreSQL cannot store.

import { refuse } from './refusal.ts'

const maxDepth = 32

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Parses bytes; refuses everything but exactly one JSON value in UTF-8. */
export const parseJsonBytes = (bytes: Uint8Array): unknown => parseJson(decodeUtf8(bytes))

/** Parses a text; refuses values that cannot be stored. */
export function parseJson(text: string): unknown {
  const { depth, mayRound } = scan(text)
  const value = parsed(text, mayRound)
  if (depth > maxDepth) throw refuse('invalid_json', { reason: 'too_deep', limit: maxDepth })
  // Only an escape can produce a lone surrogate or NUL. Checking every value of all texts would cost more than parsing.
  if (text.includes('\\u')) checkValue(value, '')
  return value
}

const [quote, backslash, zero, nine, point] = [0x22, 0x5c, 0x30, 0x39, 0x2e]
/** Maps upper case to lower case, and square brackets to braces. */
const lowerCaseBit = 0x20
const [openingBrace, closingBrace, exponent] = [0x7b, 0x7d, 0x65]
/** Numbers with fewer characters are represented exactly enough. */
const manyDigits = 17

/** The nesting depth outside of strings, and whether a number may be rounded. */
function scan(text: string): { depth: number; mayRound: boolean } {
  let [open, depth, digits, mayRound] = [0, 0, 0, false]
  for (let at = 0; at < text.length; at++) {
    const letter = text.charCodeAt(at)
    const small = letter | lowerCaseBit
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

/** A quote ends its string unless an odd number of backslashes precedes it. */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes++
    if (escapes % 2 === 0) return end
  }
  return text.length
}

/** Decodes UTF-8; refuses anything else. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    const text = decoder.decode(bytes)
    if (!text.startsWith('\uFEFF')) return text
  } catch {
    // Falls through to the same refusal as a byte order mark.
  }
  throw refuse('invalid_json', { reason: 'invalid_encoding' })
}

function parsed(text: string, mayRound: boolean): unknown {
  try {
    return mayRound ? JSON.parse(text, withoutRounding as Reviver) : JSON.parse(text)
  } catch (error) {
    if (text.trim() === '') throw refuse('invalid_json', { reason: 'empty' })
    throw refuse('invalid_json', { reason: 'syntax', ...placeOf(error as SyntaxError, text) })
  }
}

/** The line and column, counted from 1, at which the parser stopped; the engine does not always say it. */
function placeOf({ message }: SyntaxError, text: string): { line?: number; column?: number } {
  const isCutOff = message.startsWith('Unexpected end') || message.startsWith('Unterminated string')
  const at = isCutOff ? text.length : Number(/ at position (\d+)/.exec(message)?.[1] ?? NaN)
  if (Number.isNaN(at)) return {}
  const before = text.slice(0, at)
  return { line: before.split('\n').length, column: at - before.lastIndexOf('\n') }
}

type Reviver = Parameters<typeof JSON.parse>[1]

/**
 * An integer that is the result of rounding becomes NaN, which no schema accepts; one that is larger than all exact ones
 * becomes infinite, so that the limit of its field is reported.
 */
const withoutRounding = (_key: string, value: unknown, { source = '' }: { source?: string }): unknown =>
  typeof value === 'number' && Number.isInteger(value) && isRounded(source, value) ? unrounded(value) : value

const unrounded = (value: number): number => (Number.isSafeInteger(value) ? NaN : Math.sign(value) * Infinity)

/** 15 significant digits are always exact; a longer number counts as an integer only if it was written as one. */
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

/** Whether PostgreSQL can store the text. */
export const isStorableText = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** The text with a replacement character for everything that PostgreSQL cannot store. */
export const toStorableText = (text: string): string => text.replaceAll('\0', '\uFFFD').toWellFormed()

function checkText(text: string, path: string): void {
  if (!isStorableText(text)) throw refuse('validation_failed', { fields: [{ path, rule: 'characters' }] })
}
