// A mandate: what an application may order for a client without asking again. Pure: no I/O, no clock, no SQL.

import { inSums } from '../../base/money.ts'
import { dayMs, hourMs } from '../../base/clock.ts'
import { type LineKey, type Violation } from '../../cart/index.ts'

export interface Mandate {
  id: string
  clientId: number
  /** The application that may order. */
  applicationId: string
  name: string | null
  /** The most that all its orders may cost together, with delivery. */
  budgetTiyin: number
  /** What its orders cost so far; cancelled orders do not count. */
  spentTiyin: number
  /** Products of these categories and of all below them; empty allows every category. */
  categoryIds: number[]
  /** The client confirms each order. */
  needsConfirmation: boolean
  createdAt: Date
  expiresAt: Date
  revokedAt: Date | null
}

/** A client has agreed to order the cart as it is in one version. */
export interface Confirmation {
  id: string
  mandateId: string
  cartVersion: number
  /** The most that the order may cost, with delivery. */
  totalTiyin: number
  createdAt: Date
  expiresAt: Date
  /** The orders that it was used for. */
  checkoutId: string | null
}

export const mandateStatuses = ['active', 'expired', 'revoked'] as const
export type MandateStatus = (typeof mandateStatuses)[number]

export const maxLifetimeMs = 366 * dayMs
/** Active mandates of one client. */
export const maxActive = 50
export const maxCategories = 100
/** A confirmation is used within an hour, or given again. */
export const confirmationMs = hourMs

export const statusAt = (mandate: Pick<Mandate, 'revokedAt' | 'expiresAt'>, now: Date): MandateStatus => {
  if (mandate.revokedAt) return 'revoked'
  return mandate.expiresAt > now ? 'active' : 'expired'
}

export const leftTiyin = ({ budgetTiyin, spentTiyin }: Mandate): number =>
  Math.max(0, budgetTiyin - spentTiyin)

/** The order that a mandate is checked for. */
export interface MandatedOrder {
  lines: readonly (LineKey & { categoryId: number })[]
  /** With delivery. */
  totalTiyin: number
  /** The version of the cart that a confirmation must be for. */
  cartVersion: number
  /** Confirmations that were not used. */
  confirmations: readonly Confirmation[]
  /** Whether the mandate covers products of a category. */
  covers(categoryId: number): boolean
}

/** Why a mandate does not exist for an order: it is missing, of another client or application, or over. */
export function unusable(mandate: Mandate | undefined, mandateId: string, now: Date): Violation | undefined {
  const status = mandate ? statusAt(mandate, now) : 'unknown'
  if (status === 'active') return undefined
  return {
    code: 'mandate_invalid',
    mandate_id: mandateId,
    reason: status,
    ...(status === 'expired' && { expires_at: mandate!.expiresAt.toISOString() }),
    remedy: { action: 'request_mandate' },
  }
}

/** Every rule of a usable mandate that an order breaks. */
export function brokenByMandate(mandate: Mandate, order: MandatedOrder, now: Date): Violation[] {
  const foreign = order.lines.filter((it) => !order.covers(it.categoryId))
  const violations: Violation[] = foreign.map((it) => ({
    code: 'mandate_category_not_allowed',
    ...(it.isModerated ? { moderated_offer_id: it.offerId } : { offer_id: it.offerId }),
    category_id: it.categoryId,
    category_ids: mandate.categoryIds,
    remedy: { action: 'remove' },
  }))
  if (order.totalTiyin > leftTiyin(mandate))
    violations.push({
      code: 'mandate_budget_exceeded',
      limit: inSums(mandate.budgetTiyin),
      used: inSums(mandate.spentTiyin),
      requested: inSums(order.totalTiyin),
      available: inSums(leftTiyin(mandate)),
      remedy: { action: 'remove' },
    })
  if (violations.length > 0 || !mandate.needsConfirmation || confirmationFor(order, now)) return violations
  return [
    {
      code: 'confirmation_required',
      mandate_id: mandate.id,
      requested: inSums(order.totalTiyin),
      remedy: { action: 'request_confirmation', cart_version: order.cartVersion },
    },
  ]
}

/** The confirmation that an order uses: for this version of the cart, for at least this total, and not over. */
export const confirmationFor = (
  { confirmations, cartVersion, totalTiyin }: MandatedOrder,
  now: Date,
): Confirmation | undefined =>
  confirmations.find(
    (it) => it.cartVersion === cartVersion && it.totalTiyin >= totalTiyin && it.expiresAt > now,
  )
