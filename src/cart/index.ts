export { recordKinds } from './limits-record.ts'
export { routesOver } from './routes/index.ts'
export { type Shopper, type Terms, termsOf } from './shopper.ts'
export { clientsWithCarts } from './store/carts.ts'
