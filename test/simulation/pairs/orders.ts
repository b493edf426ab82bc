import { readConfig } from '../../../src/base/config.ts'
import type { Database, Tx } from '../../../src/base/database.ts'
import { addItems } from '../../../src/cart/carts/add-items.ts'
import { cartSettings, paymentMethods } from '../../../src/cart/index.ts'
import { setLimits } from '../../../src/cart/limits/limits-record.ts'
import { addSharedItem } from '../../../src/cart/shared-carts/change-shared-items.ts'
import { createSharedCart } from '../../../src/cart/shared-carts/create-shared-cart.ts'
import { recordKinds } from '../../../src/catalog/index.ts'
import { cancelOrder } from '../../../src/orders/cancel-order.ts'
import { createFulfilment } from '../../../src/orders/fulfilment/fulfil-order.ts'
import { takeDueTasks } from '../../../src/orders/payments/store.ts'
import { startPayment } from '../../../src/orders/payments/start-payment.ts'
import { placeOrders } from '../../../src/orders/placing/place-orders.ts'
import { lockOrder } from '../../../src/orders/store.ts'
import type { NewPair } from '../pairs.ts'

const settings = cartSettings(readConfig({ SECRET_KEY: '0'.repeat(64) }))
let last = 2_000_000

export async function newOffer(db: Database): Promise<number> {
  await db.transaction((tx) => setLimits(tx, { dailyAmountTiyin: 10 ** 12, creditTiyin: 10 ** 12 }))
  const id = ++last
  const load = async (record: string, fields: Record<string, unknown>): Promise<void> => {
    const kind = recordKinds.find((it) => it.name === record)!
    const refused = await db.transaction((tx) => kind.load(tx, [fields]))
    if (refused.length > 0) throw new Error(`${record}: ${JSON.stringify(refused)}`)
  }
  const name = { ru: 'Товар' }
  await load('category', { id: 900_001, slug: 'pairs', name })
  await load('partner', { id: 900_001, slug: 'pairs', name: 'Partner' })
  await load('product', { id, category_id: 900_001, slug: `product-${id}`, name })
  await load('offer', { id, product_id: id, partner_id: 900_001, price_tiyin: 100_000, quantity: 5 })
  return id
}

async function newOrder(db: Database, methodId: number): Promise<number> {
  const offerId = await newOffer(db)
  const shopper = { buyer: { kind: 'client', clientId: offerId } as const, settings }
  const item = { isModerated: false, offerId, quantity: 2 }
  await db.transaction((tx) => addItems(tx, shopper, { items: [item] }))
  const method = paymentMethods.find((it) => it.id === methodId)!
  const delivery = { address: null, text: 'Toshkent', choices: [] }
  const { orders } = await db.transaction((tx) =>
    placeOrders(tx, shopper, { method, delivery, contact: null }),
  )
  return orders[0]!.id
}

const statesOf = (db: Database, id: number) => () =>
  db.read().one(`select status, fulfilment_status, version from orders_orders where id = $1`, [id])

/** The last units go into one of two parcels. */
const packedTwice: NewPair = async (db) => {
  const id = await newOrder(db, 3)
  const pack = async (tx: Tx): Promise<void> => {
    await createFulfilment(tx, (await lockOrder(tx, id))!, undefined)
  }
  return { works: [pack, pack], observe: statesOf(db, id) }
}

const packedAndCancelled: NewPair = async (db) => {
  const id = await newOrder(db, 3)
  return {
    works: [
      async (tx) => void (await createFulfilment(tx, (await lockOrder(tx, id))!, undefined)),
      async (tx) =>
        void (await cancelOrder(tx, (await lockOrder(tx, id))!, { reason: 'pair', caller: 'staff' })),
    ],
    observe: statesOf(db, id),
  }
}

/** A request to a bank is made by one of two processes. */
const taskTakenTwice: NewPair = async (db) => {
  await db.transaction((tx) => tx.all(`delete from orders_payment_tasks`))
  const id = await newOrder(db, 1)
  const card = { number: '8600000000000009', expiryMonth: 12, expiryYear: 2030, cvc: '123' }
  await db.transaction(async (tx) =>
    startPayment(tx, (await lockOrder(tx, id))!, {
      card,
      capturesAtOnce: true,
      acquirer: 'test',
      caller: 'staff',
      today: settings.dayOf(tx.now),
    } as Parameters<typeof startPayment>[2]),
  )
  await db.transaction((tx) => tx.all(`update orders_payment_tasks set next_at = $1`, [tx.now]))
  const take = async (tx: Tx) => (await takeDueTasks(tx, 5, new Date(tx.now.getTime() + 60_000))).length
  return { works: [take, take] }
}

const sharedLineGrowsTwice: NewPair = async (db) => {
  const offerId = await newOffer(db)
  const shopper = { buyer: { kind: 'client', clientId: offerId } as const, settings }
  const item = { isModerated: false, offerId, quantity: 1 }
  const { cart } = await db.transaction((tx) =>
    createSharedCart(tx, shopper, { items: [item], participantIds: [], hours: 24, title: null } as never),
  )
  const grow = async (tx: Tx): Promise<void> => {
    await addSharedItem(tx, shopper, { id: cart.id, ifMatch: undefined, item } as never)
  }
  return {
    works: [grow, grow],
    observe: () =>
      db
        .read()
        .one(`select sum(quantity) as units from cart_shared_items where shared_cart_id = $1`, [cart.id]),
  }
}

export const orderPairs: Readonly<Record<string, NewPair>> = {
  packedTwice,
  packedAndCancelled,
  taskTakenTwice,
  sharedLineGrowsTwice,
}
