// Renders a template with values. The same values always give the same text, so what was sent can be shown again.

import { inWholeSums } from '../../base/money.ts'
import { refuse } from '../../base/refusal.ts'
import { escaped } from '../../http/html.ts'
import { inLanguage, type Language, type LocalizedText } from '../../http/language.ts'
import { fillTemplate, parseTemplate, type Scope } from './placeholders.ts'
import { languageFor, printsAlways, type Text, type Texts, variableIn, variablesOf } from './template.ts'
import { type Item, type Value, type Variable, type Variables } from './variables.ts'

/** The rendered text, in the language that was found. */
export interface Rendered extends Text {
  language: Language
}

const maxSubjectLength = 250
/** The maximum number of cart lines. */
export const maxItems = 200

interface RenderInput {
  language: Language
  variables: Variables
}

/** Renders in the preferred language or its fallback. Missing variables are refused. */
export function renderTemplate(texts: Texts, input: RenderInput): Rendered {
  refuseMissing(texts, input.variables)
  return renderKnown(texts, input)
}

/** Renders with empty texts in place of missing variables, such as those of an erased client. */
export function renderKnown(texts: Texts, { language: preferred, variables }: RenderInput): Rendered {
  const language = languageFor(texts, preferred)
  const it = texts[language]!
  const scope = scopeOf(variables, language)
  return {
    language,
    subject: it.subject === null ? null : oneLine(renderPlain(it.subject, scope)),
    text: renderPlain(it.text, scope),
    html: it.html === null ? null : fillTemplate(parseTemplate(it.html), scope, escaped),
  }
}

/** When the leading value, such as a name, is missing, removes the punctuation after it and capitalises the next word. */
function renderPlain(source: string, scope: Scope): string {
  const parts = parseTemplate(source)
  const text = fillTemplate(parts, scope, String)
  const first = parts.find((it) => it.kind !== 'text' || it.text !== '')
  if (first?.kind !== 'value' || scope.valueText(first.path) !== '') return text
  return text.replace(/^[\s,;:.!?–—-]+/, '').replace(/^\p{Ll}/u, (it) => it.toUpperCase())
}

export const missingVariables = (texts: Texts, variables: Variables): string[] =>
  variablesOf(texts).filter((path) => valueAt(path, [], variables) === undefined)

/** Filled in when the message is sent, not by the caller. */
export const filledAtSending = new Set(['unsubscribe.url', 'shop.url', 'password_reset.url'])

const missingForSending = (texts: Texts, variables: Variables): string[] =>
  missingVariables(texts, variables).filter((it) => !filledAtSending.has(it))

export const hasAllVariables = (texts: Texts, variables: Variables): boolean =>
  missingForSending(texts, variables).length === 0

export function refuseMissing(texts: Texts, variables: Variables): void {
  const missing = missingForSending(texts, variables)
  if (missing.length > 0)
    throw refuse('validation_failed', {
      fields: missing.map((it) => ({ path: `variables.${it}`, rule: 'required' })),
    })
}

/** Refuses texts that always print one of these links, for messages that do not have them: the link would be empty. */
export function refuseEmptyLinks(texts: Texts, absent: readonly string[]): void {
  const printed = absent.filter((it) => printsAlways(texts, it))
  if (printed.length > 0)
    throw refuse('validation_failed', {
      fields: printed.map((limit) => ({ path: 'template', rule: 'empty_link', limit })),
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
    valueText: (path) => {
      const { value, variable } = find(path)
      return formatValue(value ?? null, variable, language)
    },
    sectionScopes: (path) => {
      const { value, variable } = find(path)
      const of = variable?.items
      if (Array.isArray(value) && of)
        return value
          .slice(0, maxItems)
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

function formatValue(value: Value, variable: Variable | undefined, language: Language): string {
  if (value === null || Array.isArray(value)) return ''
  const kind = variable?.kind ?? 'text'
  if (typeof value === 'object') return withoutControls(inLanguage(value as LocalizedText, language))
  if (kind === 'money') return `${grouped(inWholeSums(Number(value)), language)} ${sum[language]}`
  if (kind === 'number') return grouped(Number(value), language)
  if (kind === 'url') return webAddress(String(value))
  return withoutControls(String(value))
}

const sum: Record<Language, string> = { ru: 'сум', uz: 'so‘m', en: 'UZS' }
/** Uzbek groups digits with spaces as Russian does; not every ICU build includes it. */
const locales: Record<Language, string> = { ru: 'ru-RU', uz: 'ru-RU', en: 'en-US' }
const grouped = (value: number, language: Language): string =>
  new Intl.NumberFormat(locales[language], { maximumFractionDigits: 2 }).format(value)

/** Only http and https URLs; empty for anything else. */
export function webAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url && ['http:', 'https:'].includes(url.protocol) ? url.href : ''
}

/** Replaces control characters and line separators. */
const withoutControls = (text: string): string => text.replace(/[^\P{Cc}\n\r\t]|[\u2028\u2029]/gu, ' ')

/** Mail headers are one line: line breaks become spaces. */
export const oneLine = (text: string): string =>
  [...text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()].slice(0, maxSubjectLength).join('')
