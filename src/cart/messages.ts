// What a buyer should know about a line before he orders it.

import { refusals } from '../http/refusals.ts'
import type { Language } from '../http/language.ts'
import { type Entry, isForSale, isPending, type Purchase } from './purchase.ts'
import { brokenRules } from './rules.ts'

export interface Message {
  code: string
  /** A warning keeps the line from being ordered; information does not. */
  severity: 'info' | 'warning'
}

/** What has happened to a line since it was added. */
export function messagesOf({ line, offer, availableUnits }: Entry): Message[] {
  if (!isForSale(offer)) return [{ code: 'offer_unavailable', severity: 'warning' }]
  const found: Message[] = []
  if (isPending(offer)) found.push({ code: 'moderation_pending', severity: 'warning' })
  if (line.quantity > availableUnits) found.push({ code: 'stock_lowered', severity: 'warning' })
  if (offer.priceTiyin !== line.priceAtAddTiyin) found.push({ code: 'price_changed', severity: 'info' })
  if (line.loanConditionId !== null) {
    if (!offer.conditions.some((it) => it.id === line.loanConditionId))
      found.push({ code: 'loan_condition_unavailable', severity: 'info' })
    if (!offer.partner.creditActive) found.push({ code: 'partner_credit_inactive', severity: 'info' })
  }
  return found
}

/** What stands between the cart as a whole and an order: limits that it has come to break since it was filled. */
export function cartMessages(purchase: Purchase): Message[] {
  const sold = purchase.entries.filter(({ offer }) => isForSale(offer))
  const broken = brokenRules(purchase, { entries: [], grown: sold })
  return [...new Set(broken.map((it) => it.code))].map((code) => ({ code, severity: 'warning' }))
}

// oxfmt-ignore
const sentences: Record<string, Record<Language, string>> = {
  price_changed: { ru: 'Цена изменилась с тех пор, как товар положили в корзину.', uz: 'Mahsulot savatga solingandan beri narxi o‘zgardi.', en: 'The price has changed since it was added.' },
  stock_lowered: { ru: 'Осталось меньше товара, чем в корзине.', uz: 'Mahsulot savatdagidan kam qoldi.', en: 'Fewer units are left than are in the cart.' },
  out_of_stock:  { ru: 'Товар закончился.', uz: 'Mahsulot tugadi.', en: 'No units are left.' },
  back_in_stock: { ru: 'Товар снова в продаже.', uz: 'Mahsulot yana sotuvda.', en: 'It can be bought again.' },
  price_lowered: { ru: 'Цена стала ниже.', uz: 'Narxi tushdi.', en: 'The price has gone down.' },
  price_raised:  { ru: 'Цена стала выше.', uz: 'Narxi ko‘tarildi.', en: 'The price has gone up.' },
}

/** A message in the reader's language; codes of refusals have their sentences already. */
export const spoken = ({ code }: Message, language: Language): string =>
  (sentences[code] ?? refusals[code as keyof typeof refusals])[language]
