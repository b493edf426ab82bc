// Pairs of coupons and mandates.

import { readConfig } from '../../../src/base/config.ts'
import type { Database, Tx } from '../../../src/base/database.ts'
import { secretText, timedUuid } from '../../../src/base/random.ts'
import { addItems } from '../../../src/cart/carts/add-items.ts'
import { changeCoupon } from '../../../src/cart/coupons/admin-routes.ts'
import { createCoupon } from '../../../src/cart/coupons/create-coupon.ts'
import { applyCoupon } from '../../../src/cart/coupons/use-coupon.ts'
import { cartSettings, paymentMethods } from '../../../src/cart/index.ts'
import { revoke } from '../../../src/orders/mandates/routes.ts'
import { insertMandate, lockMandate } from '../../../src/orders/mandates/store.ts'
import { placeOrders } from '../../../src/orders/placing/place-orders.ts'
import type { NewPair } from '../pairs.ts'
import { newOffer } from './orders.ts'

const settings = cartSettings(readConfig({ SECRET_KEY: '0'.repeat(64) }))
const checkout = {
  method: paymentMethods.find((it) => it.id === 3)!,
  delivery: { address: null, text: 'Toshkent', choices: [] },
  contact: null,
}

const newCoupon = async (db: Database) =>
  (await db.transaction((tx) =>
    createCoupon(tx, `C${secretText(8).replace(/[^a-z0-9]/gi, '0')}`, {
      discount: { kind: 'percent', percent: 10, maxTiyin: null },
      minAmountTiyin: 0,
      promotionId: null,
      startsAt: tx.now,
      endsAt: null,
      maxUses: 1,
      usesPerBuyer: null,
      isActive: true,
    }),
  ))!

/** The last use of a coupon goes to one of two buyers. Each buys another offer, so that only the coupon is shared. */
const lastUseOfCoupon: NewPair = async (db) => {
  const { id, code } = await newCoupon(db)
  const order = async () => {
    const offerId = await newOffer(db)
    const shopper = { buyer: { kind: 'client', clientId: offerId } as const, settings }
    const items = [{ isModerated: false, offerId, quantity: 1 }]
    await db.transaction((tx) => addItems(tx, shopper, { items }))
    await db.transaction((tx) => applyCoupon(tx, shopper, { code, ifMatch: undefined }))
    return async (tx: Tx) => (await placeOrders(tx, shopper, checkout)).orders.length
  }
  return {
    works: [await order(), await order()],
    observe: () => db.read().one(`select used from cart_coupons where id = $1`, [id]),
  }
}

const twoCouponChanges: NewPair = async (db) => {
  const { id } = await newCoupon(db)
  return {
    works: [
      async (tx) => void (await changeCoupon(tx, id, { sent: { max_uses: 5 }, ifMatch: undefined })),
      async (tx) => void (await changeCoupon(tx, id, { sent: { active: false }, ifMatch: undefined })),
    ],
    observe: () => db.read().one(`select max_uses, is_active, version from cart_coupons where id = $1`, [id]),
  }
}

/** A mandate that is revoked twice ends once. */
const revokedTwice: NewPair = async (db) => {
  const id = timedUuid(db.clock.now())
  await db.transaction((tx) =>
    insertMandate(
      tx,
      {
        id,
        clientId: 1,
        applicationId: 'app_test_pair',
        name: null,
        budgetTiyin: 1_000,
        categoryIds: [],
        needsConfirmation: true,
        expiresAt: new Date(tx.now.getTime() + 3_600_000),
      },
      10 ** 9,
    ),
  )
  const end = async (tx: Tx) => void (await revoke(tx, (await lockMandate(tx, id))!))
  return {
    works: [end, end],
    observe: () =>
      db
        .read()
        .one(
          `select count(*) as events from outbox_events where type = 'MandateRevoked' and fields::text like $1`,
          [`%${id}%`],
        ),
  }
}

export const buyingPairs: Readonly<Record<string, NewPair>> = {
  lastUseOfCoupon,
  twoCouponChanges,
  revokedTwice,
}
