import type { Buyer } from '../base/buyer.ts'
import type { Config } from '../base/config.ts'
import type { Environment } from '../base/db.ts'
import { dayIn } from '../base/zone.ts'

/** What the operator set for carts. */
export interface Terms {
  /** How long the cart of a guest lives after its last change. */
  guestDays: number
  /** After how many days without a change a cart counts as abandoned (SPEC-2 8). */
  abandonedDays: number
  /** The business day of an instant, in the shop's zone. */
  dayOf(at: Date): string
  /** Whether a card can be chosen to pay with. */
  takesCards: Record<Environment, boolean>
}

/** A buyer at the counter, and the terms under which he is served. */
export interface Shopper {
  buyer: Buyer
  terms: Terms
}

export type TermsConfig = Pick<Config, 'guestCartDays' | 'abandonedCartDays' | 'timezone' | 'takesCards'>

export const termsOf = (config: TermsConfig): Terms => ({
  guestDays: config.guestCartDays,
  abandonedDays: config.abandonedCartDays,
  dayOf: dayIn(config.timezone),
  takesCards: config.takesCards,
})

const dayMs = 86_400_000

/** When a cart that was changed now expires; null for clients, whose carts wait for them. */
export const expiryOf = ({ buyer, terms }: Shopper, now: Date): Date | null =>
  buyer.kind === 'guest' ? new Date(now.getTime() + terms.guestDays * dayMs) : null
