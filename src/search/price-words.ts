// Reads how much a shopper wants to spend: до 3 млн, 500 ming so‘mgacha, under 2 million. Amounts are in the shop's main
// currency unit.

import { pricesInDigits } from './number-words.ts'

export interface PriceLimits {
  min?: number
  max?: number
}

export interface ReadPrice {
  /** The text without the words about the price. */
  text: string
  /** The words that were read, as typed. */
  words: string
  limits: PriceLimits
}

const apostrophe = `['‘’ʻʼ\`]?`
const number = String.raw`(\d{1,3}(?:[ \u00a0]\d{3})+|\d{1,10}(?:[.,]\d{1,3})?)`
const thousand = 'тыс(?:яч(?:и|а|у)?)?|минг|ming|thousand|k|к'
const million = 'млн|миллион(?:а|ов)?|лям(?:а|ов)?|mln|million'
const currency = String.raw`сум(?:ов|а|м)?|с[уў]м|so${apostrophe}m|sum|uzs`
const amount = String.raw`${number} ?(${thousand}|${million})?\.? ?(${currency})?`
const upTo =
  'до|не дороже|не больше|не более|дешевле|меньше|менее|максимум|в пределах|under|below|up to|less than|cheaper than|max'
const fromOn = 'от|дороже|больше|более|не дешевле|over|above|from|more than'
const until = 'гача|gacha'
const since = 'дан|dan'
const begin = String.raw`(?<![\p{L}\p{N}])`
const end = String.raw`(?![\p{L}\p{N}])`

const both = new RegExp(`${begin}(?:от|from) ${amount} ?(?:до|to) ${amount}${end}`, 'iu')
const bothAfter = new RegExp(`${begin}${amount} ?(?:${since}) ${amount} ?(?:${until})${end}`, 'iu')
const atMost = [
  new RegExp(`${begin}(?:${upTo}) ${amount}${end}`, 'iu'),
  new RegExp(`${begin}${amount} ?(?:${until})${end}`, 'iu'),
]
const atLeast = [
  new RegExp(`${begin}(?:${fromOn}) ${amount}${end}`, 'iu'),
  new RegExp(`${begin}${amount} ?(?:${since})${end}`, 'iu'),
]

/** Smaller numbers without a currency are sizes. */
const leastPrice = 10_000
const maxTextLength = 300

/** What a text says about the price; undefined when it says nothing, or nothing else. */
export function readPrice(typed: string): ReadPrice | undefined {
  const text = pricesInDigits(typed.slice(0, maxTextLength))
  if (!/\d/.test(text)) return undefined
  for (const form of [both, bothAfter]) {
    const found = form.exec(text)
    if (!found) continue
    const [max, min] = [
      amountIn(found, 4),
      amountIn(found, 1) ?? amountIn([...found.slice(0, 2), found[5], found[6]], 1),
    ]
    if (max !== undefined && min !== undefined && min <= max) return without(text, found, { min, max })
  }
  for (const [forms, side] of [
    [atMost, 'max'],
    [atLeast, 'min'],
  ] as const)
    for (const form of forms) {
      const found = form.exec(text)
      const limit = found && amountIn(found, 1)
      if (found && limit !== null && limit !== undefined) return without(text, found, { [side]: limit })
    }
  return undefined
}

function amountIn(found: readonly (string | undefined)[], at: number): number | undefined {
  const [digits, scale, unit] = [found[at]!, found[at + 1]?.toLowerCase(), found[at + 2]]
  const factor = scale === undefined ? 1 : new RegExp(`^(?:${million})$`, 'u').test(scale) ? 1_000_000 : 1_000
  const value = Number(digits.replaceAll(/[ \u00a0]/g, '').replace(',', '.')) * factor
  return value >= leastPrice || (unit !== undefined && value > 0) ? value : undefined
}

function without(text: string, found: RegExpExecArray, limits: PriceLimits): ReadPrice | undefined {
  const rest = `${text.slice(0, found.index)} ${text.slice(found.index + found[0].length)}`
    .replaceAll(/\s+/g, ' ')
    .trim()
  return rest === '' ? undefined : { text: rest, words: found[0].trim(), limits }
}
