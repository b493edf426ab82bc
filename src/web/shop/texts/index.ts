// All texts of the storefront by language.

import { toCyrillic, type ShopLanguage } from '../language.ts'
import { browseTexts } from './browse.ts'
import { buyTexts } from './buy.ts'
import { mandateTexts } from './mandates.ts'
import { orderTexts } from './orders.ts'

const rows = { ...browseTexts, ...buyTexts, ...orderTexts, ...mandateTexts }

export type TextKey = keyof typeof rows
export type Texts = Record<TextKey, string>

const columns = { ru: 0, uz: 1, 'uz-cyrl': 1, en: 2 } as const

export const textsOf = (language: ShopLanguage): Texts =>
  Object.fromEntries(
    Object.entries(rows).map(([key, row]) => {
      const text = row[columns[language]]
      return [key, language === 'uz-cyrl' && key !== 'shopName' ? toCyrillic(text) : text]
    }),
  ) as Texts

/** Replaces `{name}` by its value. */
export const fill = (text: string, values: Record<string, string | number>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
