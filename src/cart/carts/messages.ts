// Messages about a line or a cart that the buyer should see before ordering.

import { type RefusalCode, refusals, ruleCodes } from '../../http/refusals.ts'
import type { Language } from '../../http/language.ts'
import { isSameOffer, type PricedCart, type PricedLine, whyUnavailable } from './cart.ts'
import type { Verdict } from './order-rules.ts'
import { creditExceeded, lineOfViolation, type Violation } from './rules.ts'

export interface Message {
  code: MessageCode
  /** A warning prevents ordering the line; information does not. */
  severity: 'info' | 'warning'
}

/** Why a line cannot be ordered, and what changed about it since it was added. */
export function messagesOf(it: PricedLine, violations: readonly Violation[] = []): Message[] {
  const { line, offer, availableUnits } = it
  const unavailable = whyUnavailable(it)
  if (!offer || unavailable === 'offer_unavailable')
    return [{ code: 'offer_unavailable', severity: 'warning' }]
  const found: Message[] = []
  if (unavailable) found.push({ code: unavailable, severity: 'warning' })
  if (availableUnits > 0 && line.quantity > availableUnits)
    found.push({ code: 'stock_lowered', severity: 'warning' })
  if (offer.priceTiyin !== line.priceAtAddTiyin) found.push({ code: 'price_changed', severity: 'info' })
  if (line.loanConditionId !== null) {
    if (!offer.conditions.some((one) => one.id === line.loanConditionId))
      found.push({ code: 'loan_condition_unavailable', severity: 'info' })
    if (!offer.partner.creditActive) found.push({ code: 'partner_credit_inactive', severity: 'info' })
  }
  const limits = violations.filter((one) => {
    const key = lineOfViolation(one)
    return key && isSameOffer(key, line) && !isAboutStock(one) && one.code !== unavailable
  })
  return [...found, ...codesOf(limits).map(warning)]
}

/** Views report it by `stock_lowered` and `out_of_stock` instead. */
const isAboutStock = ({ code }: Violation): boolean => code === 'stock_exceeded'

const codesOf = (violations: readonly Violation[]): RefusalCode[] => [
  ...new Set(violations.map((it) => it.code)),
]

const warning = (code: MessageCode): Message => ({ code, severity: 'warning' })

/** What prevents ordering the whole cart: limits that it breaks now, although it kept them when it was filled. */
export function cartMessages(priced: PricedCart, { violations, methods }: Verdict): Message[] {
  if (priced.lines.length === 0) return []
  const isEmpty = violations[0]?.code === 'nothing_orderable'
  const codes = codesOf(isEmpty ? violations.slice(0, 1) : violations.filter((it) => !isAboutStock(it)))
  // Only instalments need credit; the cart can be ordered by other methods.
  const credit = !isEmpty && creditExceeded(priced, []) ? ['credit_limit_exceeded' as const] : []
  const canOrder = methods.some((it) => it.reason === undefined)
  return [
    ...codes.map(warning),
    ...credit.map((code): Message => ({ code, severity: canOrder ? 'info' : 'warning' })),
  ]
}

// oxfmt-ignore
const sentences = {
  price_changed: { ru: 'Цена изменилась с тех пор, как товар положили в корзину.', uz: 'Mahsulot savatga solingandan beri narxi o‘zgardi.', en: 'The price has changed since it was added.' },
  stock_lowered: { ru: 'Осталось меньше товара, чем в корзине.', uz: 'Mahsulot savatdagidan kam qoldi.', en: 'Fewer units are left than are in the cart.' },
  loan_condition_cleared: { ru: 'Товар остался в корзине без рассрочки: не хватает кредитного лимита.', uz: 'Mahsulot savatda bo‘lib to‘lashsiz qoldi: kredit limiti yetmaydi.', en: 'The units were kept without the loan condition: the credit limit does not allow it.' },
  out_of_stock:  { ru: 'Товар закончился.', uz: 'Mahsulot tugadi.', en: 'No units are left.' },
  back_in_stock: { ru: 'Товар снова в продаже.', uz: 'Mahsulot yana sotuvda.', en: 'It can be bought again.' },
  price_lowered: { ru: 'Цена стала ниже.', uz: 'Narxi tushdi.', en: 'The price has gone down.' },
  price_raised:  { ru: 'Цена стала выше.', uz: 'Narxi ko‘tarildi.', en: 'The price has gone up.' },
}

/** The text of a message in the reader's language. Codes of refusals use the refusal's text. */
export const messageText = ({ code }: Message, language: Language): string =>
  (code in sentences ? sentences[code as OwnCode] : refusals[code as RefusalCode])[language]

type OwnCode = keyof typeof sentences
export type MessageCode = OwnCode | RefusalCode
/** Every code that a message can have. */
export const messageCodes: MessageCode[] = [...(Object.keys(sentences) as OwnCode[]), ...ruleCodes]
