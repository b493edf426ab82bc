import type { Config } from '../base/config.ts'
import type { Job } from '../base/jobs.ts'
import { type Reaction, reaction } from '../base/outbox.ts'
import type { Module } from '../http/module.ts'
import { cartAdminRoutes } from './carts/admin-routes.ts'
import { cartJobs } from './carts/jobs.ts'
import { itemRoutes } from './carts/routes.ts'
import { type CartSettings, cartSettings } from './carts/shopper.ts'
import { stockRoutes } from './carts/stock-routes.ts'
import { releaseOffer } from './carts/store.ts'
import { v1CartRoutes } from './carts/v1-routes.ts'
import { couponAdminRoutes } from './coupons/admin-routes.ts'
import { couponRoutes } from './coupons/routes.ts'
import { handleEvent } from './integration/handle-event.ts'
import { integrationEventRoutes } from './integration/routes.ts'
import { recordKinds } from './limits/limits-record.ts'
import { limitsRoutes } from './limits/routes.ts'
import { miniAppRoutes } from './mini-app/routes.ts'
import { sharedCartJobs } from './shared-carts/manage-shared-cart.ts'
import { sharedCartRoutes } from './shared-carts/routes.ts'
import { wishlistJobs } from './wishlists/jobs.ts'
import { wishlistRoutes } from './wishlists/routes.ts'

/** Opens carts, limits, wishlists and shared carts. */
export function openCart({ config }: { config: Config }): Module {
  const settings = cartSettings(config)
  return {
    routes: [
      ...itemRoutes(settings),
      ...miniAppRoutes(settings),
      ...v1CartRoutes(settings),
      ...wishlistRoutes(settings),
      ...sharedCartRoutes(settings),
      ...couponRoutes(settings),
      ...cartAdminRoutes,
      ...couponAdminRoutes,
      ...limitsRoutes,
      ...stockRoutes,
      ...integrationEventRoutes,
    ],
    jobs: cartModuleJobs(config),
    reactions: cartReactions(settings),
    recordKinds,
  }
}

export const cartModuleJobs = (config: Config): Job[] => [
  ...cartJobs(config),
  ...wishlistJobs(config),
  ...sharedCartJobs(config),
]

/**
 * Lines show their offers as they are now, so changes of price, stock and availability need no reaction. Only the
 * reservations of an offer that is no longer sold must end.
 */
export const cartReactions = (settings: CartSettings): Reaction[] => [
  reaction('cart.release-units', 'OfferDeactivated', async (tx, { event, occurredAt }) =>
    releaseOffer(tx, { isModerated: false, offerId: event.offerId }, occurredAt),
  ),
  reaction('cart.release-moderated-units', 'ModerationDecided', async (tx, { event, occurredAt }) => {
    if (event.status === 'rejected')
      releaseOffer(tx, { isModerated: true, offerId: event.moderatedOfferId }, occurredAt)
  }),
  reaction('cart.handle-integration-event', 'IntegrationEventReceived', (tx, { event }) =>
    handleEvent(tx, settings, event),
  ),
]
