import { dayMs } from '../../base/clock.ts'
import type { Buyer } from '../../base/buyer.ts'
import type { Config } from '../../base/config.ts'
import type { Environment } from '../../base/database.ts'
import { dayIn } from '../../base/time-zone.ts'
import { openVault, type Vault } from '../../base/vault.ts'

/** What the operator configured for carts. */
export interface CartSettings {
  /** How long a guest's cart lives after its last change. */
  guestDays: number
  /** After how many days without a change a cart counts as abandoned (SPEC-2 8). */
  abandonedDays: number
  /** The business day of an instant, in the shop's zone. */
  dayOf(at: Date): string
  /** Encrypts the join tokens of shared carts. */
  vault: Vault
  /** Whether a card can be chosen to pay with. */
  takesCards: Record<Environment, boolean>
}

/** A buyer and the settings that apply to their cart. */
export interface Shopper {
  buyer: Buyer
  settings: CartSettings
  /** The application that a new cart belongs to; null or undefined for none. */
  applicationId?: string | null
}

export type CartSettingsConfig = Pick<
  Config,
  'guestCartDays' | 'abandonedCartDays' | 'timezone' | 'acceptsCards' | 'secretKey' | 'dataDir'
>

export const cartSettings = (config: CartSettingsConfig): CartSettings => ({
  guestDays: config.guestCartDays,
  abandonedDays: config.abandonedCartDays,
  dayOf: dayIn(config.timezone),
  vault: openVault(config),
  takesCards: config.acceptsCards,
})

/** When a cart that is changed now expires; null for clients, whose carts do not expire. */
export const expiryOf = ({ buyer, settings }: Shopper, now: Date): Date | null =>
  buyer.kind === 'guest' ? new Date(now.getTime() + settings.guestDays * dayMs) : null
