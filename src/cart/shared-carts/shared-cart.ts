// What a shared cart is and what it refuses (SPEC-2 2.3). Each member has lines of his own. What a buyer may spend is
// not judged here: the cart is nobody's purchase until somebody takes it.

import type { Buyer } from '../../base/buyer.ts'
import { keyOf, type Line, type LineKey, maxLines, maxUnitsPerLine } from '../cart.ts'
import { type Entry, isForSale, type Purchase } from '../purchase.ts'
import { amountExceedsWhatAnyoneCanCount, named, offerIsNotForSale, type Violation } from '../rules.ts'

export interface Member {
  /** The creator has place 0. */
  place: number
  buyer: Buyer
  /** Null for a client whom the creator named and who has not come yet. */
  joinedAt: Date | null
}

export interface SharedLine extends Line {
  /** Whose it is. */
  place: number
}

export interface SharedCart {
  id: string
  title: string | null
  tokenHash: Buffer
  version: number
  createdAt: Date
  updatedAt: Date
  expiresAt: Date
  closedAt: Date | null
  /** The place of the member who took it into his own cart. */
  takenBy: number | null
  members: Member[]
  /** In the order in which they were added. */
  lines: SharedLine[]
}

export const maxSharedLines = maxLines
/** Beside the creator. */
export const maxParticipants = 50
export const defaultHours = 72
export const maxHours = 720

export const isSameBuyer = (a: Buyer, b: Buyer): boolean =>
  a.kind === 'client'
    ? b.kind === 'client' && a.clientId === b.clientId
    : b.kind === 'guest' && a.sessionId === b.sessionId

export const memberFor = (cart: SharedCart, buyer: Buyer): Member | undefined =>
  cart.members.find((it) => isSameBuyer(it.buyer, buyer))

/** What the others call a member. A guest's session opens his own cart, so he goes by his place. */
export const nameOf = ({ buyer, place }: Member): number | string =>
  buyer.kind === 'client' ? buyer.clientId : `guest-${place}`

/** Everything that is wrong with lines that have grown, in the promised order. */
export function brokenWhenShared(
  purchase: Purchase,
  grown: readonly (LineKey & { place: number })[],
): Violation[] {
  const touched = purchase.entries.filter(({ line }) =>
    grown.some((it) => it.place === (line as SharedLine).place && keyOf(it) === keyOf(line)),
  )
  const sold = touched.filter(({ offer }) => isForSale(offer))
  const whole = touched.length > 0 ? amountExceedsWhatAnyoneCanCount(purchase, touched) : undefined
  return [
    ...(purchase.entries.length > maxSharedLines ? [tooManyLines(purchase.entries.length)] : []),
    ...touched.filter(({ offer }) => !isForSale(offer)).map(offerIsNotForSale),
    ...sold.flatMap((it) => unitsExceedStockTogether(purchase, it) ?? []),
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

/** Lines of several members draw on one stock (SPEC-2 4.6.4). */
function unitsExceedStockTogether(
  purchase: Purchase,
  { line, availableUnits }: Entry,
): Violation | undefined {
  const requested = purchase.entries
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

const unitsExceedALine = ({ line }: Entry): Violation | undefined =>
  line.quantity > maxUnitsPerLine
    ? {
        code: 'product_limit_exceeded',
        ...named(line),
        limit: maxUnitsPerLine,
        requested: line.quantity,
        remedy: { action: 'set_quantity', quantity: maxUnitsPerLine },
      }
    : undefined
