// The ways to pay, and which of them are open to a purchase (SPEC-2 4.6.2, 4.6.3, 4.6.5).

import type { RefusalCode } from '../http/refusals.ts'
import type { Language } from '../http/language.ts'
import { type Entry, isForSale, type Purchase } from './purchase.ts'

export interface PaymentMethod {
  id: number
  code: string
  isInstallment: boolean
  name: Record<Language, string>
}

// oxfmt-ignore
export const paymentMethods: readonly PaymentMethod[] = [
  { id: 1, code: 'card',             isInstallment: false, name: { ru: 'Картой онлайн', uz: 'Karta orqali', en: 'Card' } },
  { id: 2, code: 'installment',      isInstallment: true,  name: { ru: 'В рассрочку', uz: 'Bo‘lib to‘lash', en: 'Instalments' } },
  { id: 3, code: 'cash_on_delivery', isInstallment: false, name: { ru: 'Наличными при получении', uz: 'Yetkazilganda naqd', en: 'Cash on delivery' } },
  { id: 4, code: 'daily_payment',    isInstallment: true,  name: { ru: 'Ежедневными платежами', uz: 'Har kunlik to‘lov', en: 'Daily payment' } },
]

/** Why a purchase cannot be paid in this way; undefined when it can. */
export function whyNot(method: PaymentMethod, purchase: Purchase): RefusalCode | undefined {
  const { buyer, entries, limits, sums } = purchase
  const sold = entries.filter(({ offer }) => isForSale(offer))
  if (sold.length === 0) return 'cart_empty'
  if (method.code === 'card' && !purchase.takesCards) return 'payment_method_not_allowed'
  if (buyer.kind === 'guest') {
    if (method.isInstallment) return 'payment_method_not_allowed'
    if (sums.amountTiyin > limits.guestAuthorizationTiyin) return 'authorization_required'
  }
  return method.isInstallment ? whyNoInstalments(method, purchase, sold) : undefined
}

function whyNoInstalments(
  { code }: PaymentMethod,
  { limits, spent, sums }: Purchase,
  sold: Entry[],
): RefusalCode | undefined {
  const some = (is: (entry: Entry) => boolean) => sold.some(is)
  if (sums.creditTiyin + spent.creditTiyin > limits.creditTiyin) return 'credit_limit_exceeded'
  if (code === 'daily_payment' && some(({ offer }) => !offer!.hasDailyPayment))
    return 'payment_method_not_allowed'
  if (some(({ line }) => line.loanConditionId === null)) return 'loan_condition_required'
  if (some(({ line, offer }) => !offer!.conditions.some((it) => it.id === line.loanConditionId)))
    return 'loan_condition_unavailable'
  if (some(({ offer }) => !offer!.partner.creditActive)) return 'partner_credit_inactive'
  return undefined
}
