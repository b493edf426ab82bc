// What orders keep open for each environment while the platform runs.

import type { Environment } from '../base/db.ts'
import type { Log } from '../base/log.ts'
import type { Shop } from '../base/shop.ts'
import { type TermsConfig, termsOf } from '../cart/index.ts'
import type { Route } from '../http/route.ts'
import { type AcquirerSettings, acquirersOf } from './payments/acquirers.ts'
import { PaymentDesk } from './payments/desk.ts'
import { routesOver } from './routes/index.ts'

export function openOrders(
  shops: Record<Environment, Shop>,
  config: TermsConfig & AcquirerSettings,
  log: Log,
): { routes: Route[] } {
  const deskOf = ({ environment, db }: Shop) =>
    new PaymentDesk(db, acquirersOf(environment, db, config), ({ kind, paymentId }, error) =>
      log.warn('an acquirer did not answer; it will be asked again', {
        task: kind,
        payment: paymentId,
        error,
      }),
    )
  return { routes: routesOver(termsOf(config), { live: deskOf(shops.live), test: deskOf(shops.test) }) }
}
