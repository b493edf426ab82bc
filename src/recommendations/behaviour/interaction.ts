// What buyers do, and how much it says.

export const kinds = ['view', 'click', 'wishlist', 'cart', 'purchase'] as const
export type InteractionKind = (typeof kinds)[number]

export interface Interaction {
  /** The buyer's name: a client's id, a session's, or one from outside. */
  buyer: string
  /** Digits for an ordinary offer, a UUID for a moderated one. */
  offer: string
  kind: InteractionKind
  at: Date
  /** The list that led to it. */
  requestId: string | null
  source: string | null
}

/** How much a deed says of what a buyer wants, against a look. */
export const worth: Record<InteractionKind, number> = { view: 1, click: 2, wishlist: 4, cart: 5, purchase: 8 }

/** One deed of a buyer, as lists are made from it. */
export interface Deed extends Pick<Interaction, 'offer' | 'kind' | 'at'> {
  /** Null for an offer that nobody knows. */
  productId: number | null
}

/** So many of a buyer's last deeds are looked at. */
export const historyLength = 200
