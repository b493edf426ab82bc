// Numbers and their units in three languages. Uzbek nouns have no plural after a number.

import type { Language } from './language.ts'

type Forms = Partial<Record<Intl.LDMLPluralRule, string>>

export type Unit =
  | 'characters'
  | 'items'
  | 'fields'
  | 'bytes'
  | 'days'
  | 'units'
  | 'lines'
  | 'seconds'
  | 'sums'

// oxfmt-ignore
const units: Record<'en' | 'ru', Record<Unit, Forms>> = {
  en: {
    characters: { one: 'character', other: 'characters' },
    items:      { one: 'item', other: 'items' },
    fields:     { one: 'field', other: 'fields' },
    bytes:      { one: 'byte', other: 'bytes' },
    days:       { one: 'day', other: 'days' },
    units:      { one: 'unit', other: 'units' },
    lines:      { one: 'line', other: 'lines' },
    seconds:    { one: 'second', other: 'seconds' },
    sums:       { one: 'sum', other: 'sums' },
  },
  // In the accusative, because messages use them after "через" and as objects of a verb.
  ru: {
    characters: { one: 'символ', few: 'символа', other: 'символов' },
    items:      { one: 'элемент', few: 'элемента', other: 'элементов' },
    fields:     { one: 'поле', few: 'поля', other: 'полей' },
    bytes:      { one: 'байт', few: 'байта', other: 'байт' },
    days:       { one: 'день', few: 'дня', other: 'дней' },
    units:      { one: 'штуку', few: 'штуки', other: 'штук' },
    lines:      { one: 'позицию', few: 'позиции', other: 'позиций' },
    seconds:    { one: 'секунду', few: 'секунды', other: 'секунд' },
    sums:       { other: 'сум' },
  },
}

/** Russian after "не меньше" and "не больше": the genitive. */
// oxfmt-ignore
const genitive: Record<Unit, Forms> = {
  characters: { one: 'символа', other: 'символов' },
  items:      { one: 'элемента', other: 'элементов' },
  fields:     { one: 'поля', other: 'полей' },
  bytes:      { one: 'байта', other: 'байт' },
  days:       { one: 'дня', other: 'дней' },
  units:      { one: 'штуки', other: 'штук' },
  lines:      { one: 'позиции', other: 'позиций' },
  seconds:    { one: 'секунды', other: 'секунд' },
  sums:       { other: 'сум' },
}

// oxfmt-ignore
const uzbek: Record<Unit, string> = {
  characters: 'ta belgi', items: 'ta element', fields: 'ta maydon', bytes: 'bayt', days: 'kun',
  units: 'dona', lines: 'ta qator', seconds: 'soniya', sums: 'so‘m',
}

const rules = { en: new Intl.PluralRules('en'), ru: new Intl.PluralRules('ru') }
const locales: Record<Language, string> = { en: 'en', ru: 'ru', uz: 'uz-Latn-UZ' }
const formats = {
  en: new Intl.NumberFormat(locales.en, { maximumFractionDigits: 2 }),
  ru: new Intl.NumberFormat(locales.ru, { maximumFractionDigits: 2 }),
  uz: new Intl.NumberFormat(locales.uz, { maximumFractionDigits: 2 }),
}

const instantOptions = { dateStyle: 'long', timeStyle: 'medium', timeZone: 'UTC' } as const
const instants = {
  en: new Intl.DateTimeFormat('en-GB', instantOptions),
  ru: new Intl.DateTimeFormat(locales.ru, instantOptions),
  uz: new Intl.DateTimeFormat(locales.uz, instantOptions),
}

/** `18 November 2026 at 10:49:00 UTC`, from an ISO 8601 instant. In UTC, as the details have it. */
export const instantWords = (iso: string, language: Language): string =>
  `${instants[language].format(new Date(iso))} UTC`

/** The number with the separators of the language; spaces do not break the line. */
export const numberText = (value: number, language: Language): string => formats[language].format(value)

/** `3 units`, `3 штуки`, `3 dona`. In Russian, `of` selects the genitive. */
export function countText(
  value: number,
  unit: Unit,
  { language, of = false }: { language: Language; of?: boolean },
): string {
  const number = numberText(value, language)
  if (language === 'uz') return `${number} ${uzbek[unit]}`
  const forms = language === 'ru' && of ? genitive[unit] : units[language][unit]
  return `${number} ${forms[rules[language].select(value)] ?? forms.other}`
}
