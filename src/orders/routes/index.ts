import type { Environment } from '../../base/db.ts'
import type { Terms } from '../../cart/index.ts'
import type { Route } from '../../http/route.ts'
import type { PaymentDesk } from '../payments/desk.ts'
import { fulfilmentRoutes } from './fulfilments.ts'
import { orderRoutes } from './orders.ts'
import { orderingRoutes } from './ordering.ts'
import { paymentRoutes } from './payments.ts'
import { returnRoutes } from './returns.ts'

export type Desks = Record<Environment, PaymentDesk>

export const routesOver = (terms: Terms, desks: Desks): Route[] => [
  ...orderingRoutes(terms),
  ...orderRoutes(terms, desks),
  ...paymentRoutes(desks),
  ...fulfilmentRoutes,
  ...returnRoutes(desks),
]
