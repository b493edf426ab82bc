// JSON as strict as a contract: fatal UTF-8, no byte order mark, bounded depth, no character a database cannot keep.

import { refuse } from './refusal.ts'

const maxDepth = 32

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The value that bytes mean; refused when they are not exactly one JSON value in UTF-8. */
export const jsonOf = (bytes: Uint8Array): unknown => jsonOfText(textOf(bytes))

/** The value that a text means; refused when it is not exactly one that we can keep. */
export function jsonOfText(text: string): unknown {
  const value = parsed(text)
  if (needsLook(text)) checkValue(value, '', 1)
  return value
}

/**
 * UTF-8 holds no half characters and JSON no bare NUL, so only an escape can bring in a character that cannot be kept;
 * and only many brackets can nest deep. To look at every value of all other texts costs more than to parse them.
 */
const needsLook = (text: string): boolean =>
  text.includes('\\u') || hasMany(text, '{', maxDepth / 2) || hasMany(text, '[', maxDepth / 2)

function hasMany(text: string, bracket: string, many: number): boolean {
  let at = -1
  for (let seen = 0; seen <= many; seen++) if ((at = text.indexOf(bracket, at + 1)) < 0) return false
  return true
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

/** Where a number may stand that JavaScript would round: more digits than it keeps, or an exponent. */
const roundable = /[\d.]{17}|\d[eE]/

function parsed(text: string): unknown {
  try {
    return roundable.test(text) ? JSON.parse(text, withoutRounding as Reviver) : JSON.parse(text)
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

function checkValue(value: unknown, path: string, depth: number): void {
  if (typeof value === 'string') return checkText(value, path)
  if (typeof value !== 'object' || value === null) return
  if (depth > maxDepth) throw refuse('invalid_json', { reason: 'too_deep', limit: maxDepth })
  for (const key in value) {
    checkText(key, path)
    checkValue((value as Record<string, unknown>)[key], path ? `${path}.${key}` : key, depth + 1)
  }
}

/** Whether a database can keep the text as it is. */
export const isKeepable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** A text as a database can keep it: with a mark in place of every character that it cannot. */
export const keepable = (text: string): string => text.replaceAll('\0', '\uFFFD').toWellFormed()

function checkText(text: string, path: string): void {
  if (!isKeepable(text)) throw refuse('validation_failed', { fields: [{ path, rule: 'characters' }] })
}
