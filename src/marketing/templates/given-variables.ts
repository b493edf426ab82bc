// Values as callers of the API send them: checked against the table of variables before anything is written.

import { isDeepStrictEqual } from 'node:util'
import { refuse } from '../../base/refusal.ts'
import { languages } from '../../http/language.ts'
import { addressOf, givenWhenSent, mostItems } from './render.ts'
import { knownVariables, type Variable, variableAt, type Variables } from './variables.ts'

const longestText = 5_000

interface Fault {
  path: string
  rule: string
  limit?: string | string[] | number
}

/** The variables of a body, if every one of them is known and of its kind. */
export function givenVariables(sent: Record<string, Record<string, unknown>>): Variables {
  const fields = Object.entries(sent).flatMap(([group, values]) =>
    Object.entries(values).flatMap(([name, value]) => {
      const path = `${group}.${name}`
      const variable = variableAt(path)
      const at = `variables.${path}`
      if (givenWhenSent.has(path)) return [{ path: at, rule: 'ours' }]
      if (variable) return faultsOf(value, variable, at)
      return [{ path: at, rule: 'known_variable', limit: [path, ...Object.keys(knownVariables)] }]
    }),
  )
  if (fields.length > 0) throw refuse('validation_failed', { fields })
  return sent as Variables
}

function faultsOf(value: unknown, { kind, items = {} }: Variable, path: string): Fault[] {
  if (value === null) return []
  if (kind === 'list') {
    if (!Array.isArray(value)) return [{ path, rule: 'type', limit: kind }]
    if (value.length > mostItems) return [{ path, rule: 'max_items', limit: mostItems }]
    return value.flatMap((item: unknown, at) => faultsOfItem(item, items, `${path}.${at}`))
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

function faultsOfItem(item: unknown, items: Record<string, Variable>, path: string): Fault[] {
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    return [{ path, rule: 'type', limit: 'object' }]
  return Object.entries(item).flatMap(([name, value]) =>
    Object.hasOwn(items, name)
      ? faultsOf(value, items[name]!, `${path}.${name}`)
      : [{ path: `${path}.${name}`, rule: 'known_variable', limit: [name, ...Object.keys(items)] }],
  )
}

const isAddress = (it: unknown): boolean =>
  typeof it === 'string' && it.length <= longestText && addressOf(it) !== ''

/** A text as it is, or in our languages. */
const isText = (it: unknown): boolean => {
  if (typeof it === 'string') return it.length <= longestText
  if (typeof it !== 'object' || it === null || Array.isArray(it)) return false
  const names = Object.keys(it)
  const ours = languages.filter((language) => names.includes(language))
  return (
    names.length > 0 &&
    isDeepStrictEqual(names.toSorted(), ours.toSorted()) &&
    Object.values(it).every((text) => typeof text === 'string' && text.length <= longestText)
  )
}
