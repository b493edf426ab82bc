export { jobsOf } from './jobs.ts'
export { openOrders } from './open-orders.ts'
export { clientsWithOrders } from './store/orders.ts'
