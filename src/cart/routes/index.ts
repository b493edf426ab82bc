import type { Route } from '../../http/route.ts'
import type { Terms } from '../shopper.ts'
import { sharedCartRoutes } from '../shared-carts/routes.ts'
import { wishlistRoutes } from '../wishlists/routes.ts'
import { integrationEventRoutes } from './integration-events.ts'
import { itemRoutes } from './items.ts'
import { limitsRoutes } from './limits.ts'
import { miniAppRoutes } from './mini-app.ts'
import { stockRoutes } from './stock.ts'
import { v1CartRoutes } from './v1-cart.ts'

export const routesOver = (terms: Terms): Route[] => [
  ...itemRoutes(terms),
  ...miniAppRoutes(terms),
  ...v1CartRoutes(terms),
  ...wishlistRoutes(terms),
  ...sharedCartRoutes(terms),
  ...limitsRoutes,
  ...stockRoutes,
  ...integrationEventRoutes,
]
