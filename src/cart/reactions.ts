import { type Reaction, reaction } from '../base/outbox.ts'
import { hearEvent } from './hear-event.ts'
import type { Terms } from './shopper.ts'
import { releaseOffer } from './store/items.ts'

/**
 * What the cart does when others speak. Lines show their offers as they are, so a new price, another stock and the end
 * or the beginning of a sale need no deed of ours; only what an offer's lines keep from others must be given up.
 */
export const reactionsOver = (terms: Terms): Reaction[] => [
  reaction('cart.release-units', 'OfferDeactivated', async (tx, { event, occurredAt }) =>
    releaseOffer(tx, { isModerated: false, offerId: event.offerId }, occurredAt),
  ),
  reaction('cart.release-moderated-units', 'ModerationDecided', async (tx, { event, occurredAt }) => {
    if (event.status === 'rejected')
      releaseOffer(tx, { isModerated: true, offerId: event.moderatedOfferId }, occurredAt)
  }),
  reaction('cart.hear-outside', 'IntegrationEventReceived', (tx, { event }) => hearEvent(tx, terms, event)),
]
