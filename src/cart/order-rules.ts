// What an order is refused for, beyond what a cart is (SPEC-2 4.6): moderation must be over, a guest signs in for large
// purchases, and the way of paying must be open. Loan conditions matter to instalments alone (4.6.3).

import { inSums } from '../base/money.ts'
import { type PaymentMethod, paymentMethods, whyNot } from './payment-methods.ts'
import { isForSale, type Purchase } from './purchase.ts'
import * as rules from './rules.ts'
import type { CartRule, LineRule, Sold, Violation } from './rules.ts'

/** Every rule that ordering these lines in this way would break, in the promised order. Lines not for sale are left out. */
export function brokenAtOrder(purchase: Purchase, method: PaymentMethod): Violation[] {
  const sold = purchase.entries.filter((it): it is Sold => isForSale(it.offer))
  const each = (rule: LineRule) => sold.flatMap((it) => rule(it, purchase) ?? [])
  const whole = (rule: CartRule) => [rule(purchase, sold) ?? []].flat()
  if (sold.length === 0)
    return [{ code: 'cart_empty', remedy: { action: purchase.entries.length > 0 ? 'remove' : 'add' } }]
  const inInstalments = method.isInstallment
  return [
    ...each(rules.moderationIsNotOver),
    ...each(rules.unitsExceedStock),
    ...each(rules.unitsExceedWhatOneOrderMayHold),
    ...each(rules.unitsExceedWhatThirtyDaysMayHold),
    ...each(rules.unitsExceedWhatAGuestMayHold),
    ...whole(rules.amountExceedsWhatAGuestMaySpend),
    ...whole(guestMustSignInForThisAmount),
    ...whole(rules.amountExceedsWhatAnyoneCanCount),
    ...whole(rules.amountExceedsWhatAClientMaySpendADay),
    ...(inInstalments ? whole(rules.creditExceedsWhatAClientMayOwe) : []),
    ...whole(paymentMethodIsNotOpen(method)),
    ...(inInstalments ? each(loanConditionIsMissing) : []),
    ...(inInstalments ? each(rules.loanConditionIsNotTheOffers) : []),
    ...(inInstalments ? each(rules.partnerGrantsNoCredit) : []),
  ]
}

const guestMustSignInForThisAmount: CartRule = ({ buyer, limits, sums }) =>
  buyer.kind === 'guest' && sums.amountTiyin > limits.guestAuthorizationTiyin
    ? {
        code: 'authorization_required',
        limit: inSums(limits.guestAuthorizationTiyin),
        requested: inSums(sums.amountTiyin),
        remedy: { action: 'sign_in' },
      }
    : undefined

const paymentMethodIsNotOpen =
  (method: PaymentMethod): CartRule =>
  (purchase) =>
    whyNot(method, purchase) === 'payment_method_not_allowed'
      ? {
          code: 'payment_method_not_allowed',
          remedy: {
            action: 'choose_payment_method',
            payment_method_ids: paymentMethods.filter((it) => !whyNot(it, purchase)).map((it) => it.id),
          },
        }
      : undefined

const loanConditionIsMissing: LineRule = ({ line, offer }) =>
  line.loanConditionId === null
    ? { code: 'loan_condition_required', ...rules.named(line), remedy: rules.choice(offer) }
    : undefined
