// Reads foreign JSON strictly: every reader gets the path of its value, so that a refusal can name it.
import { ModelError } from './model-error.ts'

export type Json = Record<string, unknown>

/** The value as an object. */
export function asObject(value: unknown, place: string): Json {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json
  throw new ModelError(`${place} should be an object, but it is ${shape(value)}.`)
}

/** The value as a list; a missing one is empty where that is allowed. */
export function asList(value: unknown, place: string): unknown[] {
  if (Array.isArray(value)) return value
  throw new ModelError(`${place} should be a list, but it is ${shape(value)}.`)
}

/** The list under a key that may be absent. */
export function optionalList(owner: Json, key: string, place: string): unknown[] {
  return owner[key] === undefined ? [] : asList(owner[key], `${place}.${key}`)
}

/** The value as a finite number. */
export function asNumber(value: unknown, place: string): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw new ModelError(`${place} should be a finite number, but it is ${shape(value)}.`)
}

/** Numbers up to this size, their squares and sums of millions of them stay finite. */
const largestAddend = 1e60

/** The value as a number that may be summed, squared and weighed without an overflow. */
export function asAddend(value: unknown, place: string): number {
  const number = asNumber(value, place)
  if (Math.abs(number) <= largestAddend) return number
  throw new ModelError(`${place} is ${number}, which is too large to be summed.`)
}

/** The value as a weight: no less than nothing. */
export function asWeight(value: unknown, place: string): number {
  const weight = asAddend(value, place)
  if (weight >= 0) return weight
  throw new ModelError(`${place} is ${weight}, but a weight is not negative.`)
}

/** The value as a whole number from 0 up to, and without, a limit. */
export function asIndex(value: unknown, limit: number, place: string): number {
  const index = asNumber(value, place)
  if (Number.isInteger(index) && index >= 0 && index < limit) return index
  throw new ModelError(`${place} is ${index}, but it should be a whole number from 0 to ${limit - 1}.`)
}

/** The value as one of a few words. */
export function asOneOf<Word extends string>(value: unknown, words: readonly Word[], place: string): Word {
  const word = words.find((candidate) => candidate === value)
  if (word !== undefined) return word
  throw new ModelError(`${place} is ${JSON.stringify(value)}, but it should be one of ${words.join(', ')}.`)
}

/** Every value of the list by one of the readers above. */
export function asListOf<Value>(
  read: (value: unknown, place: string) => Value,
  value: unknown,
  place: string,
): Value[] {
  return asList(value, place).map((item, i) => read(item, `${place}[${i}]`))
}

/** Borders as float32, strictly increasing. */
export function asBorders(value: unknown, place: string): Float32Array {
  const borders = Float32Array.from(asListOf(asNumber, value, place))
  for (let i = 1; i < borders.length; i++) {
    if (!(borders[i]! > borders[i - 1]!))
      throw new ModelError(`${place} should increase, but [${i}] does not.`)
  }
  if (borders.some((border) => !Number.isFinite(border))) {
    throw new ModelError(`${place} should hold finite numbers.`)
  }
  return borders
}

/** A signed 32-bit integer; CatBoost writes some hashes unsigned. */
export function asInt32(value: unknown, place: string): number {
  const number = asNumber(value, place)
  if (Number.isInteger(number) && number >= -(2 ** 31) && number < 2 ** 32) return number | 0
  throw new ModelError(`${place} is ${number}, which is not a 32-bit hash.`)
}

function shape(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : JSON.stringify(value).slice(0, 40)
}
