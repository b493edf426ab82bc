// From a template and values to what a person reads. The same values give the same text at any time, so what was sent
// can be shown again.

import { inWholeSums } from '../../base/money.ts'
import { refuse } from '../../base/refusal.ts'
import { escaped } from '../../http/docs-html.ts'
import { inLanguage, type Language, type Words } from '../../http/language.ts'
import { filled, partsOf, type Scope } from './placeholders.ts'
import { languageFor, type Text, type Texts, variableIn, variablesOf } from './template.ts'
import { type Item, type Value, type Variable, type Variables } from './variables.ts'

/** What goes out: a text in the language that was found. */
export interface Rendered extends Text {
  language: Language
}

const longestSubject = 250
/** As many as the lines of a cart. */
export const mostItems = 200

/** Renders texts in the wished language, or the next that there is. Values that are missing altogether are refused. */
export function renderTemplate(
  texts: Texts,
  { language: wished, variables }: { language: Language; variables: Variables },
): Rendered {
  refuseMissing(texts, variables)
  const language = languageFor(texts, wished)
  const it = texts[language]!
  const scope = scopeOf(variables, language)
  return {
    language,
    subject: it.subject === null ? null : oneLine(begun(it.subject, scope)),
    text: begun(it.text, scope),
    html: it.html === null ? null : filled(partsOf(it.html), scope, escaped),
  }
}

/** A text that begins with a value which nobody knows, such as a name, begins with what follows: no comma, a capital. */
function begun(source: string, scope: Scope): string {
  const parts = partsOf(source)
  const text = filled(parts, scope, String)
  const first = parts.find((it) => it.kind !== 'text' || it.text !== '')
  if (first?.kind !== 'value' || scope.written(first.path) !== '') return text
  return text.replace(/^[\s,;:.!?–—-]+/, '').replace(/^\p{Ll}/u, (it) => it.toUpperCase())
}

/** The variables of a template for which there is no value. */
export const missingIn = (texts: Texts, variables: Variables): string[] =>
  variablesOf(texts).filter((path) => valueAt(path, [], variables) === undefined)

/** Given by us when it is sent, not by whoever asks for it. */
export const givenWhenSent = new Set(['unsubscribe.url', 'shop.url'])

export function refuseMissing(texts: Texts, variables: Variables): void {
  const missing = missingIn(texts, variables).filter((it) => !givenWhenSent.has(it))
  if (missing.length > 0)
    throw refuse('validation_failed', {
      fields: missing.map((it) => ({ path: `variables.${it}`, rule: 'required' })),
    })
}

function scopeOf(
  variables: Variables,
  language: Language,
  items: readonly { item: Item; of: Record<string, Variable> }[] = [],
): Scope {
  const lists = items.map((it) => it.of)
  const find = (path: string) => ({
    value: valueAt(
      path,
      items.map((it) => it.item),
      variables,
    ),
    variable: variableIn(path, lists),
  })
  return {
    written: (path) => {
      const { value, variable } = find(path)
      return written(value ?? null, variable, language)
    },
    within: (path) => {
      const { value, variable } = find(path)
      const of = variable?.items
      if (Array.isArray(value) && of)
        return value
          .slice(0, mostItems)
          .map((item: Item) => scopeOf(variables, language, [{ item, of }, ...items]))
      const isThere = value !== undefined && value !== null && value !== ''
      return isThere ? [scopeOf(variables, language, items)] : []
    },
  }
}

function valueAt(path: string, items: readonly Item[], variables: Variables): Value | undefined {
  const item = items.find((it) => Object.hasOwn(it, path))
  if (item) return item[path]
  const [group = '', name = ''] = path.split('.')
  const of = Object.hasOwn(variables, group) ? variables[group]! : {}
  return Object.hasOwn(of, name) ? of[name] : undefined
}

function written(value: Value, variable: Variable | undefined, language: Language): string {
  if (value === null || Array.isArray(value)) return ''
  const kind = variable?.kind ?? 'text'
  if (typeof value === 'object') return plain(inLanguage(value as Words, language))
  if (kind === 'money') return `${grouped(inWholeSums(Number(value)), language)} ${sum[language]}`
  if (kind === 'number') return grouped(Number(value), language)
  if (kind === 'url') return addressOf(String(value))
  return plain(String(value))
}

const sum: Record<Language, string> = { ru: 'сум', uz: 'so‘m', en: 'UZS' }
/** Uzbek groups digits by a blank as Russian does; not every build of the runtime knows it. */
const locales: Record<Language, string> = { ru: 'ru-RU', uz: 'ru-RU', en: 'en-US' }
const grouped = (value: number, language: Language): string =>
  new Intl.NumberFormat(locales[language], { maximumFractionDigits: 2 }).format(value)

/** Only addresses of the web: nothing that a program would run. Empty when it is none. */
export function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url && ['http:', 'https:'].includes(url.protocol) ? url.href : ''
}

/** Without what no eye sees and what a terminal or a mail header would take for a command. */
const plain = (text: string): string => text.replace(/[^\P{Cc}\n\r\t]|[\u2028\u2029]/gu, ' ')

/** A header is one line: whatever would begin another becomes a blank. */
export const oneLine = (text: string): string =>
  [...text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()].slice(0, longestSubject).join('')
