// Checks the variables of an API call against the table of known variables.

import { isDeepStrictEqual } from 'node:util'
import { refuse } from '../../base/refusal.ts'
import { languages } from '../../http/language.ts'
import { webAddress, filledAtSending, maxItems } from './render.ts'
import { knownVariables, type Variable, variableAt, type Variables } from './variables.ts'

const maxTextLength = 5_000

interface Violation {
  path: string
  rule: string
  limit?: string | string[] | number
}

/** The variables of a body; refused unless all are known and of the right kind. */
export function parseVariables(sent: Record<string, Record<string, unknown>>): Variables {
  const fields = Object.entries(sent).flatMap(([group, values]) =>
    Object.entries(values).flatMap(([name, value]) => {
      const path = `${group}.${name}`
      const variable = variableAt(path)
      const at = `variables.${path}`
      if (filledAtSending.has(path)) return [{ path: at, rule: 'reserved' }]
      if (variable) return violationsOf(value, variable, at)
      return [{ path: at, rule: 'known_variable', limit: [path, ...Object.keys(knownVariables)] }]
    }),
  )
  if (fields.length > 0) throw refuse('validation_failed', { fields })
  return sent as Variables
}

function violationsOf(value: unknown, { kind, items = {} }: Variable, path: string): Violation[] {
  if (value === null) return []
  if (kind === 'list') {
    if (!Array.isArray(value)) return [{ path, rule: 'type', limit: kind }]
    if (value.length > maxItems) return [{ path, rule: 'max_items', limit: maxItems }]
    return value.flatMap((item: unknown, at) => itemViolations(item, items, `${path}.${at}`))
  }
  if (kind === 'url')
    return isAddress(value) ? [] : [{ path, rule: 'format', limit: 'https://shop.example/cart' }]
  const isRight = {
    text: isText,
    number: (it: unknown) => typeof it === 'number' && Number.isFinite(it),
    money: (it: unknown) => Number.isSafeInteger(it) && (it as number) >= 0,
  }[kind]
  return isRight(value) ? [] : [{ path, rule: 'type', limit: kind }]
}

function itemViolations(item: unknown, items: Record<string, Variable>, path: string): Violation[] {
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    return [{ path, rule: 'type', limit: 'object' }]
  return Object.entries(item).flatMap(([name, value]) =>
    Object.hasOwn(items, name)
      ? violationsOf(value, items[name]!, `${path}.${name}`)
      : [{ path: `${path}.${name}`, rule: 'known_variable', limit: [name, ...Object.keys(items)] }],
  )
}

const isAddress = (it: unknown): boolean =>
  typeof it === 'string' && it.length <= maxTextLength && webAddress(it) !== ''

/** A text, or an object with a text per supported language. */
const isText = (it: unknown): boolean => {
  if (typeof it === 'string') return it.length <= maxTextLength
  if (typeof it !== 'object' || it === null || Array.isArray(it)) return false
  const names = Object.keys(it)
  const ours = languages.filter((language) => names.includes(language))
  return (
    names.length > 0 &&
    isDeepStrictEqual(names.toSorted(), ours.toSorted()) &&
    Object.values(it).every((text) => typeof text === 'string' && text.length <= maxTextLength)
  )
}
