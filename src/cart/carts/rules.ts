// The rules of a cart (SPEC-2 4.6). They check the resulting cart and not the request, so adding, changing, merging and
// ordering share them. The codes and their order are part of the API. Limits are checked only for lines that have grown,
// so a change that makes a cart smaller is never refused for a limit.

import { inSums } from '../../base/money.ts'
import { Refusal, refuse } from '../../base/refusal.ts'
import { type OfferDetails, openConditions } from '../../catalog/index.ts'
import type { RemedyAction } from '../../http/openapi-details.ts'
import type { RefusalCode } from '../../http/refusals.ts'
import {
  type BuyableLine,
  buyableLines,
  isAvailable,
  isForSale,
  lineAmountTiyin,
  lineCreditTiyin,
  type LineKey,
  maxLines,
  maxUnits,
  type PricedCart,
  type PricedLine,
  productUnits,
} from './cart.ts'
import { amountAllowed, unitsPerOrder } from '../limits/limits.ts'

/** A broken rule as shown in replies; money is in sums. */
export interface Violation {
  code: RefusalCode
  offer_id?: number
  moderated_offer_id?: number
  partner_id?: number
  limit?: number
  used?: number
  requested?: number
  available?: number
  /** The mandate under which an application orders. */
  mandate_id?: string
  reason?: string
  expires_at?: string
  category_id?: number
  category_ids?: number[]
  /** The code of the coupon that the rule is about. */
  coupon?: string
  starts_at?: string
  /** A change that would be accepted. */
  remedy: Remedy
}

export type Remedy = { action: RemedyAction } & (
  | { action: 'set_quantity'; quantity: number }
  | { action: 'remove' }
  | { action: 'add' }
  | { action: 'create_shared_cart' }
  | { action: 'wait' }
  | { action: 'sign_in' }
  | { action: 'choose_loan_condition'; loan_condition_ids: number[] }
  | { action: 'clear_loan_condition' }
  | { action: 'choose_payment_method'; payment_method_ids: number[] }
  | { action: 'remove_coupon' }
  | { action: 'choose_delivery'; delivery_method_ids: number[] }
  | { action: 'name_mandate' }
  | { action: 'request_mandate' }
  | { action: 'request_confirmation'; cart_version: number }
)

/** The lines that a request has changed; those that grew are also checked against the limits. */
export interface ChangedLines {
  changed: PricedLine[]
  grown: PricedLine[]
}

export type LineRule = (it: BuyableLine, cart: PricedCart) => Violation | undefined
export type CartRule = (cart: PricedCart, grown: PricedLine[]) => Violation | undefined

/** Every rule that the resulting cart breaks, in the documented order. */
export function brokenRules(cart: PricedCart, { changed, grown }: ChangedLines): Violation[] {
  const each = (lines: PricedLine[], rule: LineRule) =>
    buyableLines(lines).flatMap((it) => rule(it, cart) ?? [])
  const whole = (rule: CartRule) => (grown.length > 0 ? [rule(cart, grown) ?? []].flat() : [])
  return [
    ...whole(tooManyLines),
    ...changed.filter(({ offer }) => !isForSale(offer)).map(offerUnavailable),
    ...each(changed, stockExceeded),
    ...each(grown, unitsPerOrderExceeded),
    ...each(grown, unitsPer30DaysExceeded),
    ...each(grown, guestUnitsExceeded),
    ...whole(guestAmountExceeded),
    ...whole(amountTooLarge),
    ...whole(dailyAmountExceeded),
    ...whole(creditExceeded),
    ...each(changed, loanConditionUnavailable),
    ...each(changed, partnerCreditInactive),
  ]
}

/** Throws all broken rules as one refusal with the code of the first. */
export function refuseIf(violations: readonly Violation[]): void {
  if (violations.length > 0) throw violated(violations)
}

export const violated = (violations: readonly Violation[]): Refusal =>
  refuse(violations[0]!.code, { violations })

export const named = ({ isModerated, offerId }: LineKey) =>
  isModerated ? { moderated_offer_id: offerId } : { offer_id: offerId }

/** The refusal of an offer that does not exist or is not where the request looks for it. */
export const offerNotFound = (
  { isModerated, offerId }: LineKey,
  where: { position?: number; place?: 'cart' | 'wishlist' | 'shared_cart' } = {},
) =>
  refuse('not_found', { resource: isModerated ? 'moderated_offer' : 'offer', id: String(offerId), ...where })

/** The line that a violation is about; undefined when it is about the cart. */
export function lineOfViolation({ offer_id, moderated_offer_id }: Violation): LineKey | undefined {
  if (offer_id !== undefined) return { isModerated: false, offerId: offer_id }
  return moderated_offer_id === undefined ? undefined : { isModerated: true, offerId: moderated_offer_id }
}

const tooManyLines: CartRule = ({ lines }) =>
  lines.length > maxLines
    ? { code: 'cart_full', limit: maxLines, requested: lines.length, remedy: { action: 'remove' } }
    : undefined

export const offerUnavailable = ({ line }: PricedLine): Violation => ({
  code: 'offer_unavailable',
  ...named(line),
  remedy: { action: 'remove' },
})

export const stockExceeded: LineRule = (it, cart) => {
  const { line, availableUnits } = it
  return line.quantity > availableUnits
    ? {
        code: 'stock_exceeded',
        ...named(line),
        requested: line.quantity,
        available: availableUnits,
        remedy: fewerUnits(it, cart),
      }
    : undefined
}

export const unitsPerOrderExceeded: LineRule = (it, cart) => {
  const { buyer, limits } = cart
  const limit = unitsPerOrder(buyer, limits)
  const units = productUnits(cart, it)
  return buyer.kind === 'client' && units > limit
    ? {
        code: 'product_limit_exceeded',
        ...named(it.line),
        limit,
        requested: units,
        remedy: fewerUnits(it, cart),
      }
    : undefined
}

export const unitsPer30DaysExceeded: LineRule = (it, cart) => {
  const { buyer, limits, spent } = cart
  const limit = limits.productUnitsPer30Days
  const used = spent.units.get(it.offer.productId) ?? 0
  const units = productUnits(cart, it)
  return buyer.kind === 'client' && used + units > limit
    ? {
        code: 'product_limit_exceeded',
        ...named(it.line),
        limit,
        used,
        requested: units,
        remedy: fewerUnits(it, cart),
      }
    : undefined
}

export const guestUnitsExceeded: LineRule = (it, cart) => {
  const { buyer, limits } = cart
  const limit = unitsPerOrder(buyer, limits)
  const units = productUnits(cart, it)
  return buyer.kind === 'guest' && units > limit
    ? {
        code: 'guest_limit_exceeded',
        ...named(it.line),
        limit,
        requested: units,
        remedy: { action: 'sign_in' },
      }
    : undefined
}

/** What the lines that can be ordered cost, and those that a request adds to: they may wait for moderation. */
const amountWith = ({ totals }: PricedCart, grown: readonly PricedLine[]): number =>
  grown.filter((it) => !isAvailable(it)).reduce((sum, it) => sum + lineAmountTiyin(it), totals.amountTiyin)

/** The same of what would be owed. */
const creditWith = ({ totals }: PricedCart, grown: readonly PricedLine[]): number =>
  grown.filter((it) => !isAvailable(it)).reduce((sum, it) => sum + lineCreditTiyin(it), totals.creditTiyin)

export const guestAmountExceeded: CartRule = (cart, grown) => {
  const { buyer, limits, spent } = cart
  const amount = amountWith(cart, grown)
  const limit = amountAllowed(buyer, limits, spent)
  return buyer.kind === 'guest' && amount > limit && isCountable(amount)
    ? {
        code: 'guest_limit_exceeded',
        limit: inSums(limit),
        requested: inSums(amount),
        remedy: { action: 'sign_in' },
      }
    : undefined
}

/** Larger amounts are not exact in a JSON number, so only `amount_too_large` is reported for them. */
const isCountable = (tiyin: number): boolean => tiyin <= Number.MAX_SAFE_INTEGER

export const amountTooLarge: CartRule = (cart, grown) =>
  !isCountable(amountWith(cart, grown))
    ? {
        code: 'amount_too_large',
        limit: inSums(Number.MAX_SAFE_INTEGER),
        remedy: smallerAmount(cart, grown),
      }
    : undefined

export const dailyAmountExceeded: CartRule = (cart, grown) => {
  const { buyer, limits, spent } = cart
  const amount = amountWith(cart, grown)
  return buyer.kind === 'client' && amount > amountAllowed(buyer, limits, spent) && isCountable(amount)
    ? {
        code: 'purchase_limit_exceeded',
        limit: inSums(limits.dailyAmountTiyin),
        used: inSums(spent.todayTiyin),
        requested: inSums(amount),
        remedy: smallerAmount(cart, grown),
      }
    : undefined
}

export const creditExceeded: CartRule = (cart, grown) => {
  const { buyer, limits, spent } = cart
  const credit = creditWith(cart, grown)
  return buyer.kind === 'client' &&
    credit + spent.creditTiyin > limits.creditTiyin &&
    credit > 0 &&
    isCountable(credit)
    ? {
        code: 'credit_limit_exceeded',
        limit: inSums(limits.creditTiyin),
        used: inSums(spent.creditTiyin),
        requested: inSums(credit),
        remedy: { action: 'clear_loan_condition' },
      }
    : undefined
}

export const loanConditionUnavailable: LineRule = ({ line, offer }) =>
  line.loanConditionId !== null && !offer.conditions.some((it) => it.id === line.loanConditionId)
    ? {
        code: 'loan_condition_unavailable',
        ...named(line),
        remedy: conditionChoice(offer),
      }
    : undefined

export const partnerCreditInactive: LineRule = ({ line, offer }) =>
  line.loanConditionId !== null && !offer.partner.creditActive
    ? { code: 'partner_credit_inactive', ...named(line), remedy: { action: 'clear_loan_condition' } }
    : undefined

export function conditionChoice(offer: OfferDetails): Remedy {
  const open = openConditions(offer).map((it) => it.id)
  return open.length > 0
    ? { action: 'choose_loan_condition', loan_condition_ids: open }
    : { action: 'clear_loan_condition' }
}

function fewerUnits(it: PricedLine, cart: PricedCart): Remedy {
  const quantity = maxUnits(cart, it)
  return quantity > 0 ? { action: 'set_quantity', quantity } : { action: 'remove' }
}

/** With one grown line the remedy is a smaller quantity; with several, the buyer has to choose. */
const smallerAmount = (cart: PricedCart, grown: PricedLine[]): Remedy =>
  grown.length === 1 ? fewerUnits(grown[0]!, cart) : { action: 'remove' }
