// What can be ordered from a cart, and by which payment methods (SPEC-2 4.6). Views and orders use these functions alone:
// what a view shows as payable can be ordered at the same instant for the total that it shows.

import { type Currency, inCurrency, inSums, shownTiyin } from '../../base/money.ts'
import { refuse } from '../../base/refusal.ts'
import type { RefusalCode } from '../../http/refusals.ts'
import { isMethodAllowed, type PaymentMethod, paymentMethods } from './payment-methods.ts'
import {
  type BuyableLine,
  isAddable,
  isAvailable,
  type PricedCart,
  type PricedLine,
  type Unavailable,
  unavailableReasons,
  whyUnavailable,
  withPricedLines,
} from './cart.ts'
import * as rules from './rules.ts'
import type { CartRule, LineRule, Violation } from './rules.ts'

/** The lines that ordering the cart would take, and those that it would leave in the cart. */
export function splitLines(lines: readonly PricedLine[]): { sold: BuyableLine[]; left: LeftLine[] } {
  return {
    sold: lines.filter(isAvailable),
    left: lines.flatMap((it) => {
      const reason = whyUnavailable(it)
      return reason ? [{ ...it, reason }] : []
    }),
  }
}

/** The same of lines to be put into a cart: what waits for moderation can be put into one. */
export function splitAddable(lines: readonly PricedLine[]): { added: BuyableLine[]; left: LeftLine[] } {
  const { left } = splitLines(lines.filter((it) => !isAddable(it)))
  return { added: lines.filter(isAddable), left }
}

export type LeftLine = PricedLine & { reason: Unavailable }

/** What the buyer can do with a cart now. */
export interface Verdict {
  canOrder: boolean
  /** Broken rules that prevent an order by any method. */
  violations: Violation[]
  methods: MethodVerdict[]
}

export interface MethodVerdict {
  method: PaymentMethod
  /** Undefined when an order by this method would be accepted. */
  reason: RefusalCode | undefined
}

export function judgeCart(cart: PricedCart): Verdict {
  const { sold } = splitLines(cart.lines)
  const violations = brokenByAnyMethod(cart, sold)
  const methods = paymentMethods.map((method) => {
    const own = sold.length > 0 ? brokenByMethod(cart, sold, method) : []
    // That a method is not allowed at all is reported before everything else.
    const closed = own.find((it) => it.code === 'payment_method_not_allowed')
    return { method, reason: (closed ?? violations[0] ?? own[0])?.code }
  })
  return { canOrder: methods.some((it) => it.reason === undefined), violations, methods }
}

/** Every rule that ordering these lines by this method would break, in the documented order. */
export function brokenAtOrder(cart: PricedCart, method: PaymentMethod): Violation[] {
  const { sold } = splitLines(cart.lines)
  const common = brokenByAnyMethod(cart, sold)
  return sold.length > 0 ? [...common, ...brokenByMethod(cart, sold, method)] : common
}

function brokenByAnyMethod(cart: PricedCart, sold: BuyableLine[]): Violation[] {
  if (sold.length === 0) return nothingOrderable(splitLines(cart.lines).left)
  const part = withPricedLines(cart, sold)
  const each = (rule: LineRule) => sold.flatMap((it) => rule(it, part) ?? [])
  const whole = (rule: CartRule) => [rule(part, sold) ?? []].flat()
  return [
    ...each(rules.stockExceeded),
    ...each(rules.unitsPerOrderExceeded),
    ...each(rules.unitsPer30DaysExceeded),
    ...each(rules.guestUnitsExceeded),
    ...whole(rules.guestAmountExceeded),
    ...whole(guestMustSignIn),
    ...whole(rules.amountTooLarge),
    ...whole(rules.dailyAmountExceeded),
    ...couponBroken(cart),
  ]
}

/** The buyer decides about a coupon that no longer applies: without this, the order would cost more than they expect. */
export function couponBroken({ coupon }: PricedCart): Violation[] {
  if (!coupon?.reason) return []
  const { reason, eligibleTiyin } = coupon
  const { code: couponCode, minAmountTiyin, startsAt } = coupon.coupon
  const violation = (more: Partial<Violation>, remedy: rules.Remedy): Violation[] => [
    { code: reason, coupon: couponCode, ...more, remedy },
  ]
  switch (reason) {
    case 'coupon_sign_in_required':
      return violation({}, { action: 'sign_in' })
    case 'coupon_amount_too_low':
      return violation({ limit: inSums(minAmountTiyin), requested: inSums(eligibleTiyin) }, { action: 'add' })
    case 'coupon_inactive':
      return violation({ starts_at: startsAt.toISOString() }, { action: 'remove_coupon' })
    default:
      return violation({}, { action: 'remove_coupon' })
  }
}

/** Why nothing can be ordered, when no line is taken and these are left. */
export const nothingOrderable = (left: readonly LeftLine[]): Violation[] =>
  left.length === 0
    ? [{ code: 'cart_empty', remedy: { action: 'add' } }]
    : [{ code: 'nothing_orderable', remedy: { action: 'remove' } }, ...leftOut(left)]

/** Why lines cannot be ordered, as broken rules in the documented order. */
export const leftOut = (left: readonly LeftLine[]): Violation[] =>
  unavailableReasons.flatMap((reason) => left.filter((it) => it.reason === reason).map(brokenBy))

function brokenBy({ line, reason }: LeftLine): Violation {
  if (reason === 'offer_unavailable')
    return { code: reason, ...rules.named(line), remedy: { action: 'remove' } }
  if (reason === 'moderation_pending')
    return { code: reason, ...rules.named(line), remedy: { action: 'wait' } }
  return {
    code: 'stock_exceeded',
    ...rules.named(line),
    requested: line.quantity,
    available: 0,
    remedy: { action: 'remove' },
  }
}

function brokenByMethod(cart: PricedCart, sold: BuyableLine[], method: PaymentMethod): Violation[] {
  const part = withPricedLines(cart, sold)
  const [credit, conditions] = instalmentRules(part, sold, method)
  if (isMethodAllowed(method, part, sold)) return [...credit, ...conditions]
  const open = paymentMethods.filter(
    (it) => isMethodAllowed(it, part, sold) && instalmentRules(part, sold, it).flat().length === 0,
  )
  const closed: Violation = {
    code: 'payment_method_not_allowed',
    remedy: { action: 'choose_payment_method', payment_method_ids: open.map((it) => it.id) },
  }
  return [...credit, closed, ...conditions]
}

/** Loan conditions and credit matter only to instalments (4.6.3). */
function instalmentRules(
  part: PricedCart,
  sold: BuyableLine[],
  { isInstallment }: PaymentMethod,
): [credit: Violation[], conditions: Violation[]] {
  if (!isInstallment) return [[], []]
  const each = (rule: LineRule) => sold.flatMap((it) => rule(it, part) ?? [])
  return [
    [rules.creditExceeded(part, sold) ?? []].flat(),
    [
      ...each(loanConditionRequired),
      ...each(rules.loanConditionUnavailable),
      ...each(rules.partnerCreditInactive),
    ],
  ]
}

const guestMustSignIn: CartRule = ({ buyer, limits, totals }) =>
  buyer.kind === 'guest' && totals.amountTiyin > limits.guestAuthorizationTiyin
    ? {
        code: 'authorization_required',
        limit: inSums(limits.guestAuthorizationTiyin),
        requested: inSums(totals.amountTiyin),
        remedy: { action: 'sign_in' },
      }
    : undefined

/** An offer without a condition to choose can only be paid otherwise. */
const loanConditionRequired: LineRule = ({ line, offer }, cart) => {
  if (line.loanConditionId !== null) return undefined
  const choice = rules.conditionChoice(offer)
  const otherwise = paymentMethods.filter((it) => !it.isInstallment && isMethodAllowed(it, cart, []))
  const remedy: rules.Remedy =
    choice.action === 'choose_loan_condition'
      ? choice
      : { action: 'choose_payment_method', payment_method_ids: otherwise.map((it) => it.id) }
  return { code: 'loan_condition_required', ...rules.named(line), remedy }
}

/** The amount that ordering these lines would charge, without delivery. Amounts above the maximum cannot be ordered. */
export function payableTiyin({ lines, coupon }: Pick<PricedCart, 'lines' | 'coupon'>): number {
  const amounts = lines.filter(isAvailable).map(({ line, offer }) => offer.priceTiyin * line.quantity)
  return shownTiyin(amounts.reduce((sum, it) => sum + it, 0) - (coupon?.discountTiyin ?? 0))
}

/** The total that the buyer has agreed to, in the currency in which the cart was shown. */
export interface ExpectedTotal {
  amount: number
  currency: Currency
}

/** Refuses with `price_changed` when ordering these lines would charge another total than the expected one. */
export function requireTotal(
  priced: Pick<PricedCart, 'lines' | 'coupon'>,
  expected: ExpectedTotal | undefined,
  deliveryTiyin: number,
): void {
  if (!expected) return
  const { amount, currency } = expected
  const { lines, coupon } = priced
  const actual = inCurrency(payableTiyin(priced) + deliveryTiyin, currency)
  const isSame = Math.round(amount * currency.parts) === Math.round(actual * currency.parts)
  if (isSame) return
  // The lines that explain the difference; when none does, quantities or lines have changed: all of them.
  const changed = lines.filter((it) => !isAvailable(it) || it.offer.priceTiyin !== it.line.priceAtAddTiyin)
  throw refuse('price_changed', {
    expected: amount,
    actual,
    currency: currency.code,
    delivery: inCurrency(deliveryTiyin, currency),
    ...(coupon && { discount: inCurrency(coupon.discountTiyin, currency) }),
    lines: (changed.length > 0 ? changed : lines).map((it) => expectedLine(it, currency)),
  })
}

function expectedLine(it: PricedLine, currency: Currency) {
  const { line, offer } = it
  const priceTiyin = offer?.priceTiyin ?? line.priceAtAddTiyin
  return {
    ...rules.named(line),
    quantity: line.quantity,
    price_at_add: inCurrency(line.priceAtAddTiyin, currency),
    price: inCurrency(priceTiyin, currency),
    amount: isAvailable(it) ? inCurrency(priceTiyin * line.quantity, currency) : 0,
    reason: whyUnavailable(it) ?? null,
  }
}
