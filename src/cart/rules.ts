// What a cart refuses (SPEC-2 4.6). The rules judge the outcome and not the request, so adding, changing, merging and
// ordering share them. Clients see the codes, and their order is a promise. What makes a cart smaller is never refused
// for what it leaves behind: limits are judged only where a line has grown.

import { inSums } from '../base/money.ts'
import { Refusal, refuse } from '../base/refusal.ts'
import type { OfferSheet } from '../catalog/index.ts'
import type { RefusalCode } from '../http/refusals.ts'
import { type LineKey, maxLines } from './cart.ts'
import { amountAllowed, unitsPerOrder } from './limits.ts'
import { type Entry, isForSale, isPending, mostUnits, type Purchase } from './purchase.ts'

/** A broken rule, as a caller is told of it; sums of money are in sums. */
export interface Violation {
  code: RefusalCode
  offer_id?: number
  moderated_offer_id?: number
  limit?: number
  used?: number
  requested?: number
  available?: number
  /** What would pass. */
  remedy: Remedy
}

export type Remedy =
  | { action: 'set_quantity'; quantity: number }
  | { action: 'remove' }
  | { action: 'add' }
  | { action: 'create_shared_cart' }
  | { action: 'wait' }
  | { action: 'sign_in' }
  | { action: 'choose_loan_condition'; loan_condition_ids: number[] }
  | { action: 'clear_loan_condition' }
  | { action: 'choose_payment_method'; payment_method_ids: number[] }

/** The lines that a call has changed; those that grew are held against the limits too. */
export interface Touched {
  entries: Entry[]
  grown: Entry[]
}

export type LineRule = (entry: Entry & { offer: OfferSheet }, purchase: Purchase) => Violation | undefined
export type CartRule = (purchase: Purchase, grown: Entry[]) => Violation | undefined

/** Every rule that the outcome breaks, in the promised order. */
export function brokenRules(purchase: Purchase, { entries, grown }: Touched): Violation[] {
  const gone = entries.filter(({ offer }) => !isForSale(offer)).map(offerIsNotForSale)
  const forSale = (them: Entry[]) => them.filter((it): it is Sold => isForSale(it.offer))
  const each = (them: Entry[], rule: LineRule) =>
    forSale(them).flatMap((entry) => rule(entry, purchase) ?? [])
  const whole = (rule: CartRule) => (grown.length > 0 ? [rule(purchase, grown) ?? []].flat() : [])
  return [
    ...whole(cartHoldsTooManyLines),
    ...gone,
    ...each(entries, unitsExceedStock),
    ...each(grown, unitsExceedWhatOneOrderMayHold),
    ...each(grown, unitsExceedWhatThirtyDaysMayHold),
    ...each(grown, unitsExceedWhatAGuestMayHold),
    ...whole(amountExceedsWhatAGuestMaySpend),
    ...whole(amountExceedsWhatAnyoneCanCount),
    ...whole(amountExceedsWhatAClientMaySpendADay),
    ...whole(creditExceedsWhatAClientMayOwe),
    ...each(entries, loanConditionIsNotTheOffers),
    ...each(entries, partnerGrantsNoCredit),
  ]
}

export type Sold = Entry & { offer: OfferSheet }

/** Throws all broken rules as one refusal, named after the first. */
export function refuseIf(violations: readonly Violation[]): void {
  if (violations.length > 0) throw violated(violations)
}

export const violated = (violations: readonly Violation[]): Refusal =>
  refuse(violations[0]!.code, { violations })

export const named = ({ isModerated, offerId }: LineKey) =>
  isModerated ? { moderated_offer_id: offerId } : { offer_id: offerId }

const cartHoldsTooManyLines: CartRule = ({ entries }) =>
  entries.length > maxLines
    ? { code: 'cart_full', limit: maxLines, requested: entries.length, remedy: { action: 'remove' } }
    : undefined

export const offerIsNotForSale = ({ line }: Entry): Violation => ({
  code: 'offer_unavailable',
  ...named(line),
  remedy: { action: 'remove' },
})

/** Pending offers may lie in a cart; they are refused when they are ordered. */
export const moderationIsNotOver: LineRule = ({ line, offer }) =>
  isPending(offer) ? { code: 'moderation_pending', ...named(line), remedy: { action: 'wait' } } : undefined

export const unitsExceedStock: LineRule = (entry, purchase) => {
  const { line, availableUnits } = entry
  return line.quantity > availableUnits
    ? {
        code: 'stock_exceeded',
        ...named(line),
        requested: line.quantity,
        available: availableUnits,
        remedy: fewer(entry, purchase),
      }
    : undefined
}

export const unitsExceedWhatOneOrderMayHold: LineRule = (entry, purchase) => {
  const { buyer, limits, sums } = purchase
  const limit = unitsPerOrder(buyer, limits)
  const units = sums.units.get(entry.offer.productId)!
  return buyer.kind === 'client' && units > limit
    ? {
        code: 'product_limit_exceeded',
        ...named(entry.line),
        limit,
        requested: units,
        remedy: fewer(entry, purchase),
      }
    : undefined
}

export const unitsExceedWhatThirtyDaysMayHold: LineRule = (entry, purchase) => {
  const { buyer, limits, spent, sums } = purchase
  const limit = limits.productUnitsPer30Days
  const used = spent.units.get(entry.offer.productId) ?? 0
  const units = sums.units.get(entry.offer.productId)!
  return buyer.kind === 'client' && used + units > limit
    ? {
        code: 'product_limit_exceeded',
        ...named(entry.line),
        limit,
        used,
        requested: units,
        remedy: fewer(entry, purchase),
      }
    : undefined
}

export const unitsExceedWhatAGuestMayHold: LineRule = (entry, purchase) => {
  const { buyer, limits, sums } = purchase
  const limit = unitsPerOrder(buyer, limits)
  const units = sums.units.get(entry.offer.productId)!
  return buyer.kind === 'guest' && units > limit
    ? {
        code: 'guest_limit_exceeded',
        ...named(entry.line),
        limit,
        requested: units,
        remedy: { action: 'sign_in' },
      }
    : undefined
}

export const amountExceedsWhatAGuestMaySpend: CartRule = ({ buyer, limits, spent, sums }) => {
  const amount = sums.amountTiyin
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

/** A JSON number carries no more exactly, so nothing else is said of such an amount. */
const isCountable = (tiyin: number): boolean => tiyin <= Number.MAX_SAFE_INTEGER

export const amountExceedsWhatAnyoneCanCount: CartRule = (purchase, grown) =>
  !isCountable(purchase.sums.amountTiyin)
    ? {
        code: 'amount_too_large',
        limit: inSums(Number.MAX_SAFE_INTEGER),
        remedy: less(purchase, grown),
      }
    : undefined

export const amountExceedsWhatAClientMaySpendADay: CartRule = (purchase, grown) => {
  const { buyer, limits, spent, sums } = purchase
  const amount = sums.amountTiyin
  return buyer.kind === 'client' && amount > amountAllowed(buyer, limits, spent) && isCountable(amount)
    ? {
        code: 'purchase_limit_exceeded',
        limit: inSums(limits.dailyAmountTiyin),
        used: inSums(spent.todayTiyin),
        requested: inSums(amount),
        remedy: less(purchase, grown),
      }
    : undefined
}

export const creditExceedsWhatAClientMayOwe: CartRule = ({ buyer, limits, spent, sums }) => {
  const credit = sums.creditTiyin
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

export const loanConditionIsNotTheOffers: LineRule = ({ line, offer }) =>
  line.loanConditionId !== null && !offer.conditions.some((it) => it.id === line.loanConditionId)
    ? {
        code: 'loan_condition_unavailable',
        ...named(line),
        remedy: choice(offer),
      }
    : undefined

export const partnerGrantsNoCredit: LineRule = ({ line, offer }) =>
  line.loanConditionId !== null && !offer.partner.creditActive
    ? { code: 'partner_credit_inactive', ...named(line), remedy: { action: 'clear_loan_condition' } }
    : undefined

export const choice = (offer: OfferSheet): Remedy =>
  offer.conditions.length > 0 && offer.partner.creditActive
    ? { action: 'choose_loan_condition', loan_condition_ids: offer.conditions.map((it) => it.id) }
    : { action: 'clear_loan_condition' }

function fewer(entry: Entry, purchase: Purchase): Remedy {
  const quantity = mostUnits(purchase, entry)
  return quantity > 0 ? { action: 'set_quantity', quantity } : { action: 'remove' }
}

/** When one line has grown, it can shrink again; of several, the buyer chooses. */
const less = (purchase: Purchase, grown: Entry[]): Remedy =>
  grown.length === 1 ? fewer(grown[0]!, purchase) : { action: 'remove' }
