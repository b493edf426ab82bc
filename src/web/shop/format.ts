// Money and dates as people read them.

import { languageTags, type ShopLanguage } from './language.ts'

const currencyNames: Record<ShopLanguage, string> = { ru: 'сум', uz: 'so‘m', 'uz-cyrl': 'сўм', en: 'sum' }
const noBreak = '\u00a0'
const tiyinPerSum = 100

export interface Format {
  /** A number in groups of digits. */
  number(value: number): string
  /** An amount in sums, as the cart calls give it; with its tiyin, if any. */
  sums(amount: number): string
  /** Money of the `/v1` calls: whole tiyin. */
  money(money: { amount: number }): string
  /** A monthly payment on a card or a product page, beside no total: in whole sums. */
  about(money: { amount: number }): string
  date(iso: string): string
  dateTime(iso: string): string
}

export function formatOf(language: ShopLanguage, timeZone: string): Format {
  const locale = language === 'en' ? 'en-GB' : languageTags[language]
  const point = language === 'en' ? '.' : ','
  const sums = (amount: number) => `${grouped(amount, point)}${noBreak}${currencyNames[language]}`
  const shown = (iso: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { timeZone, ...options }).format(new Date(iso))
  return {
    sums,
    number: (value) => grouped(value, point),
    money: ({ amount }) => sums(amount / tiyinPerSum),
    about: ({ amount }) => sums(Math.round(amount / tiyinPerSum)),
    date: (iso) => shown(iso, { day: 'numeric', month: 'long', year: 'numeric' }),
    dateTime: (iso) => shown(iso, { day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit' }),
  }
}

function grouped(amount: number, point: string): string {
  const [whole, tiyin] = amount.toFixed(2).split('.') as [string, string]
  const groups = whole.replace(/\B(?=(\d{3})+(?!\d))/g, noBreak)
  return tiyin === '00' ? groups : `${groups}${point}${tiyin}`
}

/** Sums of the cart calls. */
export const inTiyin = (sums: number): number => Math.round(sums * tiyinPerSum)

export const inSums = ({ amount }: { amount: number }): number => amount / tiyinPerSum
