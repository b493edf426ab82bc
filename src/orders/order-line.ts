// A line of an order: what it holds, how it is made of a cart line and put back into a cart. Pure: no I/O, no clock, no SQL.

import type * as cart from '../cart/index.ts'
import * as catalog from '../catalog/index.ts'
import type { LocalizedText } from '../http/language.ts'

/** The loan terms at the time of ordering. */
export interface Loan {
  conditionId: number
  /** In months. */
  duration: number
  /** In percent. */
  commission: number
  /** How much of the commission is charged for instalments that are repaid before they are due; 100 by default. */
  earlyCommissionPercent?: number
}

export interface OrderLine {
  number: number
  isModerated: boolean
  offerId: number
  productId: number
  name: LocalizedText
  quantity: number
  priceTiyin: number
  /** What a coupon took off the whole line. */
  discountTiyin: number
  /** Not null when the order is paid in instalments. */
  loan: Loan | null
  /** Per unit, due at once when the order is paid in instalments. */
  prepaymentTiyin: number
  /** Null for orders that were placed before pictures were stored. */
  image: catalog.Image | null
}

/** The order line of a cart line that is sold. A loan condition applies only to instalment methods (SPEC-2 4.6.3). */
export function lineFromCart(
  { line, offer }: cart.PricedLine,
  number: number,
  { isInstallment }: cart.PaymentMethod,
): Omit<OrderLine, 'discountTiyin'> {
  const { isModerated, offerId, quantity } = line
  const { productId, name, priceTiyin } = offer!
  const condition = offer!.conditions.find((it) => it.id === line.loanConditionId)
  const loan =
    isInstallment && condition
      ? {
          conditionId: condition.id,
          duration: condition.duration,
          commission: condition.commission,
          earlyCommissionPercent: condition.earlyCommissionPercent ?? 100,
        }
      : null
  const prepaymentTiyin = loan ? (offer!.prepaymentTiyin ?? 0) : 0
  // Own pictures are stored as paths.
  const [image = null] = catalog.offerImageUrls(offer!, '')
  return { number, isModerated, offerId, productId, name, quantity, priceTiyin, loan, prepaymentTiyin, image }
}

/** Units of a line to put back into a cart. */
export const itemForCart = ({ isModerated, offerId, quantity, loan }: OrderLine): cart.AddItem => ({
  isModerated,
  offerId,
  quantity,
  loanConditionId: loan?.conditionId,
})

/** What a line costs after the discount. */
export const amountOf = ({
  priceTiyin,
  quantity,
  discountTiyin,
}: Pick<OrderLine, 'priceTiyin' | 'quantity' | 'discountTiyin'>): number =>
  priceTiyin * quantity - discountTiyin
