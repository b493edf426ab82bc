// Shared carts and their rules (SPEC-2 2.3). Each member has separate lines. Limits of buyers are not checked here: they
// apply to the member who takes the cart, when it is taken.

import type { Buyer } from '../../base/buyer.ts'
import {
  isForSale,
  keyOf,
  type Line,
  type LineKey,
  maxLines,
  maxUnitsPerLine,
  type PricedCart,
  type PricedLine,
} from '../carts/cart.ts'
import { amountTooLarge, named, offerUnavailable, type Violation } from '../carts/rules.ts'

export interface Member {
  /** The creator has place 0. */
  place: number
  buyer: Buyer
  /** Null for a client who was named by the creator and has not joined yet. */
  joinedAt: Date | null
}

export interface SharedLine extends Line {
  /** Place of the member who owns the line. */
  place: number
}

export interface SharedCart {
  id: string
  title: string | null
  tokenHash: Buffer
  /** The join token for the creator, encrypted; null when it was made by an older version. */
  sealedToken: Buffer | null
  version: number
  createdAt: Date
  updatedAt: Date
  expiresAt: Date
  closedAt: Date | null
  /** Place of the member who moved it into their own cart. */
  takenBy: number | null
  members: Member[]
  /** In the order in which they were added. */
  lines: SharedLine[]
}

export const maxSharedLines = maxLines
/** Without the creator. */
export const maxParticipants = 50
export const defaultHours = 72
export const maxHours = 720

export const isSameBuyer = (a: Buyer, b: Buyer): boolean =>
  a.kind === 'client'
    ? b.kind === 'client' && a.clientId === b.clientId
    : b.kind === 'guest' && a.sessionId === b.sessionId

export const memberFor = (cart: SharedCart, buyer: Buyer): Member | undefined =>
  cart.members.find((it) => isSameBuyer(it.buyer, buyer))

/** Public name of a member. A guest's session id is a secret, so guests are named by their place. */
export const nameOf = ({ buyer, place }: Member): number | string =>
  buyer.kind === 'client' ? buyer.clientId : `guest-${place}`

/** Every rule that grown lines break, in the documented order. */
export function brokenWhenShared(
  priced: PricedCart,
  grown: readonly (LineKey & { place: number })[],
): Violation[] {
  const touched = priced.lines.filter(({ line }) =>
    grown.some((it) => it.place === (line as SharedLine).place && keyOf(it) === keyOf(line)),
  )
  const sold = touched.filter(({ offer }) => isForSale(offer))
  const whole = touched.length > 0 ? amountTooLarge(priced, touched) : undefined
  return [
    ...(priced.lines.length > maxSharedLines ? [tooManyLines(priced.lines.length)] : []),
    ...touched.filter(({ offer }) => !isForSale(offer)).map(offerUnavailable),
    ...sold.flatMap((it) => unitsExceedStockTogether(priced, it) ?? []),
    ...sold.flatMap((it) => unitsExceedALine(it) ?? []),
    ...(whole ? [whole] : []),
  ]
}

const tooManyLines = (requested: number): Violation => ({
  code: 'cart_full',
  limit: maxSharedLines,
  requested,
  remedy: { action: 'remove' },
})

/** Lines of all members share one stock (SPEC-2 4.6.4). */
function unitsExceedStockTogether(
  priced: PricedCart,
  { line, availableUnits }: PricedLine,
): Violation | undefined {
  const requested = priced.lines
    .filter((it) => keyOf(it.line) === keyOf(line))
    .reduce((sum, it) => sum + it.line.quantity, 0)
  if (requested <= availableUnits) return undefined
  const quantity = Math.min(maxUnitsPerLine, availableUnits - (requested - line.quantity))
  return {
    code: 'stock_exceeded',
    ...named(line),
    requested,
    available: availableUnits,
    remedy: quantity > 0 ? { action: 'set_quantity', quantity } : { action: 'remove' },
  }
}

const unitsExceedALine = ({ line }: PricedLine): Violation | undefined =>
  line.quantity > maxUnitsPerLine
    ? {
        code: 'product_limit_exceeded',
        ...named(line),
        limit: maxUnitsPerLine,
        requested: line.quantity,
        remedy: { action: 'set_quantity', quantity: maxUnitsPerLine },
      }
    : undefined
