// The curated dictionary: forms of one meaning in Russian, Uzbek and English for a general marketplace.

import { readFileSync } from 'node:fs'
import { type NeedRule, parseNeedRules } from './need-rules.ts'
import { parseSynonyms, type SynonymLine } from './synonym-lines.ts'

const departments = [
  'electronics',
  'appliances',
  'clothes-beauty',
  'home-family',
  'groceries-books',
  'further',
  'marketplace',
  'departments',
  'spoken-electronics',
  'spoken-family',
  'assortment',
  'everyday',
  'street',
  'spoken-names',
  'family-words',
  'technology',
]

const textOf = (name: string): string =>
  readFileSync(new URL(`dictionary/${name}.txt`, import.meta.url), 'utf8')

const linesOf = (name: string): SynonymLine[] => {
  const parsed = parseSynonyms(textOf(name))
  if ('problem' in parsed) throw new Error(`dictionary ${name}: ${JSON.stringify(parsed.problem)}`)
  return parsed.lines
}

/** Words for things. */
export const thingLines = (): SynonymLine[] => departments.flatMap(linesOf)

/** Spoken forms of brands and series. */
export const brandLines = (): SynonymLine[] => linesOf('brands')

/** What people want to do, and the things for it: phrases, and rules for groups of words. */
export const needLines = (): SynonymLine[] => linesOf('needs')
export const needRules = (): NeedRule[] =>
  parseNeedRules(
    ['need-rules', 'further-need-rules', 'purposes', 'family-need-rules', 'technology-need-rules']
      .map(textOf)
      .join('\n'),
  )
