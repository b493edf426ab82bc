// What buyers do, and how much it says.

export const kinds = ['view', 'click', 'wishlist', 'cart', 'purchase'] as const
export type InteractionKind = (typeof kinds)[number]

export interface Interaction {
  /** Our name for the buyer (`names.ts`). */
  buyer: string
  /** As he was named, where that is not ours. */
  spelled: string | null
  /** Digits for an ordinary offer, a UUID for a moderated one. */
  offer: string
  kind: InteractionKind
  at: Date
  /** The list that led to it. */
  requestId: string | null
  source: string | null
}

/** A deed that the shop saw itself, with what was paid if it is a purchase. */
export interface SeenDeed extends Pick<Interaction, 'buyer' | 'offer' | 'kind' | 'at'> {
  units: number | null
  amountTiyin: number | null
}

/** How much a deed says of what a buyer wants, against a look. */
export const worth: Record<InteractionKind, number> = { view: 1, click: 2, wishlist: 4, cart: 5, purchase: 8 }

/** Deeds that the shop sees itself, so that a report of one may be a second word on it. */
export const seenKinds: ReadonlySet<InteractionKind> = new Set(['wishlist', 'cart', 'purchase'])

/** A report and what the shop saw are one deed when they are no further apart (ADR 0028). */
export const sameDeedSeconds = 900

/** One deed of a buyer, as lists are made from it. */
export interface Deed extends Pick<Interaction, 'offer' | 'kind' | 'at'> {
  /** Null for an offer that nobody knows. */
  productId: number | null
}

/** So many of a buyer's last deeds are looked at. */
export const historyLength = 200
