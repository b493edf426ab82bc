// Buyer interactions with offers, and their weight.

import { maxAheadMs } from '../../base/clock.ts'
import { instantExample, isInstant } from '../../http/instant.ts'

export const interactionKinds = ['view', 'click', 'wishlist', 'cart', 'purchase'] as const
export type InteractionKind = (typeof interactionKinds)[number]

export interface Interaction {
  /** The buyer's key (`aliases.ts`). */
  buyer: string
  /** The identifier as it was reported, where it differs from the key. */
  originalBuyer: string | null
  /** Digits for an ordinary offer, a UUID for a moderated one. */
  offer: string
  kind: InteractionKind
  at: Date
  /** The recommended list that led to it. */
  requestId: string | null
  /** The query of the search that led to it. */
  searchId?: string | null
  source: string | null
}

/** An interaction that the shop observed itself, with units and amount for a purchase. */
export interface ObservedInteraction extends Pick<Interaction, 'buyer' | 'offer' | 'kind' | 'at'> {
  units: number | null
  amountTiyin: number | null
}

const numberForm = /^[1-9]\d{0,15}$/

/** Whether a text is the id of an ordinary offer. */
export const isOrdinary = (offer: string): boolean => numberForm.test(offer)

/** How strongly an interaction expresses interest, relative to a view. */
export const interactionWeight: Record<InteractionKind, number> = {
  view: 1,
  click: 2,
  wishlist: 4,
  cart: 5,
  purchase: 8,
}

/** Kinds that the shop observes itself, so a report may duplicate one. */
export const observableKinds: ReadonlySet<InteractionKind> = new Set(['wishlist', 'cart', 'purchase'])

/** A report and an observation at most this far apart are one interaction (ADR 0028). */
export const sameInteractionSeconds = 900

/** One interaction of a buyer's history, as lists use it. Hundreds of thousands are cached, so they are small. */
export interface PastInteraction extends Pick<Interaction, 'offer' | 'kind'> {
  /** Milliseconds of the epoch. */
  atMs: number
  /** Null for an unknown offer. */
  productId: number | null
}

/** How many of a buyer's last interactions are used. */
export const historyLength = 200

export interface BuyerHistory {
  buyer: string
  /** All aliases of the buyer, including the buyer's key. */
  aliases: string[]
  /** The key that assigns the buyer to experiment groups. */
  experimentKey: string
  /** Newest first. */
  interactions: PastInteraction[]
}

export interface TimeFault {
  rule: 'format' | 'past'
  limit: string
}

/** When an interaction happened; a time that a fast clock has put into the future is now, but not a later one. */
export function happenedAt(sent: string, now: Date): Date | TimeFault {
  if (!isInstant(sent)) return { rule: 'format', limit: instantExample }
  const at = new Date(sent)
  const latest = new Date(now.getTime() + maxAheadMs)
  if (at > latest) return { rule: 'past', limit: latest.toISOString() }
  return at > now ? now : at
}
