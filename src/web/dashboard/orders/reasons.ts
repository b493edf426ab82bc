// Reasons that the platform gives, in words. What people wrote stays as it is.

import type { Texts } from '../app/language.ts'

export const reasonTexts = {
  unpaid: ['It was not paid in time', 'Не оплачен вовремя', 'Vaqtida to‘lanmagan'],
  returned: ['For a return', 'За возврат товара', 'Qaytarilgan mahsulot uchun'],
  card_declined: ['The bank declined the card', 'Банк отклонил карту', 'Bank kartani rad etdi'],
  insufficient_funds: [
    'Not enough money on the card',
    'На карте не хватает денег',
    'Kartada mablag‘ yetarli emas',
  ],
  expired_card: ['The card has expired', 'Срок действия карты истёк', 'Karta muddati tugagan'],
} as const

/** A refund for a return names the return by its id. */
const ofReturn = /^return [0-9a-f-]{36}$/

export const reasonIn = (texts: Texts<typeof reasonTexts>, reason: string): string =>
  ofReturn.test(reason)
    ? texts.returned
    : Object.hasOwn(texts, reason)
      ? texts[reason as keyof typeof reasonTexts]
      : reason
