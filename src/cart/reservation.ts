// Units of a line may be kept from others for a while (SPEC-2 4.6.7). A reservation is a date on the line, so whatever
// ends the line ends it too; ADR 0015.

import type { Buyer } from '../base/buyer.ts'
import { isSameOffer, type Line } from './cart.ts'
import type { Entry } from './purchase.ts'

/** Of how many lines a buyer may keep the units from others. Guests cost nothing to invent, so they get fewer. */
const mostReservedLines = { client: 20, guest: 5 }

const guestPart = 3

/**
 * Until when a line that has grown is reserved; null when its offer, or the buyer's share, allows no reservation, and
 * when there are not so many units: a line may hold more than there is since others have reserved.
 */
export function reservedUntil(
  { line, offer, availableUnits }: Entry,
  { buyer, lines, now }: { buyer: Buyer; lines: readonly Line[]; now: Date },
): Date | null {
  if (offer?.reservationMinutes == null || line.quantity > availableUnits) return null
  const others = lines.filter((it) => isReserved(it, now) && !isSameOffer(it, line))
  if (others.length >= mostReservedLines[buyer.kind]) return null
  const ms = offer.reservationMinutes * 60_000
  return new Date(now.getTime() + (buyer.kind === 'guest' ? Math.ceil(ms / guestPart) : ms))
}

export const isReserved = (line: Line, now: Date): boolean =>
  line.reservedUntil !== null && line.reservedUntil > now
