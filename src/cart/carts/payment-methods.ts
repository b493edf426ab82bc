// The payment methods, and which of them a cart may use (SPEC-2 4.6.2).

import type { Language } from '../../http/language.ts'
import type { BuyableLine, PricedCart } from './cart.ts'

export const paymentMethodCodes = ['card', 'installment', 'cash_on_delivery', 'daily_payment'] as const

export interface PaymentMethod {
  id: number
  code: (typeof paymentMethodCodes)[number]
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

/** Whether the shop, the buyer and the offers allow a method, apart from loan conditions and limits. */
export function isMethodAllowed(
  { code, isInstallment }: PaymentMethod,
  { buyer, takesCards }: PricedCart,
  sold: readonly BuyableLine[],
): boolean {
  if (code === 'card' && !takesCards) return false
  if (isInstallment && buyer.kind === 'guest') return false
  return code !== 'daily_payment' || sold.every(({ offer }) => offer.hasDailyPayment)
}
