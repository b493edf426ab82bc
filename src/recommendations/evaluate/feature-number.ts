import { InputError } from './read-lines.ts'

const MISSING = new Set(['', 'nan', 'na', 'null', 'none', '?'])
const INFINITE = /^([+-]?)inf(inity)?$/i

/** A number, infinite ones included, or NaN where a value is missing; undefined for any other text. */
export function featureNumber(text: string): number | undefined {
  const trimmed = text.trim()
  if (MISSING.has(trimmed.toLowerCase())) return Number.NaN
  const infinite = INFINITE.exec(trimmed)
  if (infinite) return infinite[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  const number = Number(trimmed)
  return Number.isNaN(number) ? undefined : number
}

/** The same, refusing other text with the place where it stands. */
export function neededNumber(text: string, place: string): number {
  const number = featureNumber(text)
  if (number !== undefined) return number
  throw new InputError(`${place}: ${JSON.stringify(text.trim().slice(0, 40))} is not a number`)
}
