import type { Config } from '../base/config.ts'
import type { Environment } from '../base/database.ts'
import type { Log } from '../base/log.ts'
import type { Shop } from '../base/shop.ts'
import { cartSettings } from '../cart/index.ts'
import type { Module } from '../http/module.ts'
import { fulfilmentRoutes } from './fulfilment/routes.ts'
import { orderMetricsRoutes } from './metrics/routes.ts'
import { acquirersOf } from './payments/acquirers.ts'
import { orderJobs } from './payments/jobs.ts'
import { PaymentProcessor } from './payments/payment-processor.ts'
import { paymentRoutes } from './payments/routes.ts'
import { testBankPages } from './payments/test-bank-page.ts'
import { addressRoutes } from './delivery/address-routes.ts'
import { deliveryRoutes } from './delivery/routes.ts'
import { orderingRoutes } from './placing/routes.ts'
import { v1OrderingRoutes } from './placing/v1-routes.ts'
import { mandateAdminRoutes } from './mandates/admin-routes.ts'
import { mandateRoutes } from './mandates/routes.ts'
import { reviewRoutes } from './reviews/routes.ts'
import { returnRoutes } from './returns/routes.ts'
import { orderRoutes } from './routes.ts'

export interface OrdersDeps {
  shops: Record<Environment, Shop>
  config: Config
  log: Log
}

export function openOrders({ shops, config, log }: OrdersDeps): Module {
  const settings = cartSettings(config)
  const processorOf = ({ environment, db }: Shop) =>
    new PaymentProcessor(db, acquirersOf(environment, db, config), ({ kind, paymentId }, error) =>
      log.warn('acquirer did not reply; the request will be repeated', {
        task: kind,
        payment: paymentId,
        error,
      }),
    )
  const processors = { live: processorOf(shops.live), test: processorOf(shops.test) }
  return {
    routes: [
      ...orderingRoutes(settings),
      ...v1OrderingRoutes({ settings, unpaidOrderMinutes: config.unpaidOrderMinutes }),
      ...deliveryRoutes(settings),
      ...addressRoutes,
      ...orderMetricsRoutes,
      ...reviewRoutes,
      ...mandateRoutes(settings),
      ...mandateAdminRoutes,
      ...orderRoutes({ settings, processors, unpaidOrderMinutes: config.unpaidOrderMinutes }),
      ...paymentRoutes(processors, { capture: config.cardCapture, dayOf: settings.dayOf }),
      ...fulfilmentRoutes,
      ...returnRoutes(processors),
    ],
    pages: testBankPages(shops.test, processors.test),
    jobs: orderJobs(config),
  }
}
