// What a wishlist is. It is a set: wishing twice is wishing once, and merging is a union.

import type { Buyer } from '../../base/buyer.ts'
import { keyOf, type LineKey } from '../cart.ts'

export interface WishedOffer extends LineKey {
  priceAtAddTiyin: number
  /** Whether it could be bought when it was wished for; who wished for it in vain is told when it can. */
  wasAvailable: boolean
  addedAt: Date
}

export interface Wishlist {
  id: string
  buyer: Buyer
  createdAt: Date
  updatedAt: Date
  /** The latest first. */
  wishes: WishedOffer[]
}

export const maxWishes = 500

/**
 * What of a guest's wishes comes to a client's. What both wish for stays as the client has it. When there is not room
 * for all, the latest come.
 */
export function comingOver(
  own: readonly WishedOffer[],
  guests: readonly WishedOffer[],
): { added: WishedOffer[]; dropped: WishedOffer[] } {
  const known = new Set(own.map(keyOf))
  const unknown = guests.filter((it) => !known.has(keyOf(it)))
  const room = Math.max(0, maxWishes - own.length)
  return { added: unknown.slice(0, room), dropped: unknown.slice(room) }
}

/** Both together, the latest first. */
export const union = (own: readonly WishedOffer[], added: readonly WishedOffer[]): WishedOffer[] =>
  [...own, ...added].toSorted(latestFirst)

export const latestFirst = (a: WishedOffer, b: WishedOffer): number =>
  b.addedAt.getTime() - a.addedAt.getTime() ||
  b.offerId - a.offerId ||
  Number(b.isModerated) - Number(a.isModerated)
