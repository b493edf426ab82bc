// A wishlist is a set of offers: adding is idempotent, merging is a union. Pure: no clock, no SQL.

import type { Buyer } from '../../base/buyer.ts'
import { keyOf, type LineKey } from '../carts/cart.ts'

export interface WishlistItem extends LineKey {
  priceAtAddTiyin: number
  /** Whether it could be bought when it was added, or at the last check; false makes `back_in_stock` possible. */
  wasAvailable: boolean
  addedAt: Date
}

export interface Wishlist {
  id: string
  buyer: Buyer
  createdAt: Date
  updatedAt: Date
  /** Latest first. */
  items: WishlistItem[]
}

export const maxWishlistItems = 500

/**
 * Which items of a guest are added to a client's wishlist. Items on both lists stay as the client has them. Beyond the
 * maximum, the guest's latest items are added and the others dropped.
 */
export function mergeItems(
  own: readonly WishlistItem[],
  guests: readonly WishlistItem[],
): { added: WishlistItem[]; dropped: WishlistItem[] } {
  const known = new Set(own.map(keyOf))
  const unknown = guests.filter((it) => !known.has(keyOf(it)))
  const room = Math.max(0, maxWishlistItems - own.length)
  return { added: unknown.slice(0, room), dropped: unknown.slice(room) }
}

/** Both lists, latest first. */
export const unionOf = (own: readonly WishlistItem[], added: readonly WishlistItem[]): WishlistItem[] =>
  [...own, ...added].toSorted(latestFirst)

export const latestFirst = (a: WishlistItem, b: WishlistItem): number =>
  b.addedAt.getTime() - a.addedAt.getTime() ||
  b.offerId - a.offerId ||
  Number(b.isModerated) - Number(a.isModerated)
