export { orderJobs } from './payments/jobs.ts'
export { openOrders } from './open-orders.ts'
export { amountsOf, boughtSince, clientsSentTo, clientsWithOrdersAfter, spentSince } from './clients-store.ts'
export type { Order } from './order.ts'
export { clientsWithOrders, findOrder, orderedLines } from './store.ts'
export { eraseContacts, moveOrders, ordersOfClient } from './client-data-store.ts'
export {
  type CreditHistory,
  creditHistories,
  creditHistoryOf,
  outstandingBefore,
} from './payments/credit-history.ts'
export { paymentGauges } from './payments/metrics-store.ts'
