// Coupons and their uses.

import type { Buyer } from '../../base/buyer.ts'
import type { Reader, Tx } from '../../base/database.ts'
import { type ListPage, type ListRequest, loadPage } from '../../base/listing.ts'
import { blockedReason, type CartCoupon, type Coupon, type CouponTerms } from './coupon.ts'

export interface StoredCoupon extends Coupon {
  version: number
  createdAt: Date
  updatedAt: Date
}

interface CouponRow {
  id: number
  code: string
  percent: number | null
  amountTiyin: number | null
  maxDiscountTiyin: number | null
  minAmountTiyin: number
  promotionId: number | null
  startsAt: Date
  endsAt: Date | null
  maxUses: number | null
  usesPerBuyer: number | null
  used: number
  isActive: boolean
  version: number
  createdAt: Date
  updatedAt: Date
}

const columns = `coupon.id, coupon.code, coupon.percent, coupon.amount_tiyin as "amountTiyin",
  coupon.max_discount_tiyin as "maxDiscountTiyin", coupon.min_amount_tiyin as "minAmountTiyin",
  coupon.promotion_id as "promotionId", coupon.starts_at as "startsAt", coupon.ends_at as "endsAt",
  coupon.max_uses as "maxUses", coupon.uses_per_buyer as "usesPerBuyer", coupon.used, coupon.is_active as "isActive",
  coupon.version, coupon.created_at as "createdAt", coupon.updated_at as "updatedAt"`

function couponOf({ percent, amountTiyin, maxDiscountTiyin, ...row }: CouponRow): StoredCoupon {
  return {
    ...row,
    discount:
      percent === null
        ? { kind: 'amount', tiyin: amountTiyin! }
        : { kind: 'percent', percent, maxTiyin: maxDiscountTiyin },
  }
}

/** A coupon with what decides whether a buyer may use it. */
export async function findCouponFor(
  read: Reader,
  buyer: Buyer,
  wanted: { id: number } | { code: string },
): Promise<CartCoupon | undefined> {
  const clientId = buyer.kind === 'client' ? buyer.clientId : null
  const row = await read.maybe<CouponRow & { usedByBuyer: number }>(
    `select ${columns}, (select count(*) from cart_coupon_uses
       where coupon_id = coupon.id and client_id = $2 and open_orders > 0) as "usedByBuyer"
     from cart_coupons coupon where ${'id' in wanted ? 'coupon.id' : 'coupon.code'} = $1`,
    ['id' in wanted ? wanted.id : wanted.code, clientId],
  )
  if (!row) return undefined
  const { usedByBuyer, ...rest } = row
  const coupon = couponOf(rest)
  const blocked = blockedReason(coupon, {
    usedByBuyer: clientId === null ? null : usedByBuyer,
    now: read.now,
  })
  return { ...coupon, blocked }
}

/** The same, locked until the transaction ends: of parallel orders with the last use, the first gets it. */
export async function lockCouponFor(tx: Tx, buyer: Buyer, id: number): Promise<CartCoupon> {
  const [, found] = await tx.pipeline(() =>
    Promise.all([
      tx.maybe(`select id from cart_coupons where id = $1 for no key update`, [id]),
      findCouponFor(tx, buyer, { id }),
    ]),
  )
  return found!
}

export function setCartCoupon(tx: Tx, cartId: string, couponId: number | null): void {
  tx.later(`update cart_carts set coupon_id = $2 where id = $1`, [cartId, couponId])
}

export interface CouponUse {
  checkoutId: string
  couponId: number
  clientId: number | null
  discountTiyin: number
  openOrders: number
}

/** Records a use of a coupon that is locked. */
export function insertUse(tx: Tx, it: CouponUse): void {
  tx.later(
    `insert into cart_coupon_uses (checkout_id, coupon_id, client_id, discount_tiyin, open_orders, used_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [it.checkoutId, it.couponId, it.clientId, it.discountTiyin, it.openOrders, tx.now],
  )
  tx.later(`update cart_coupons set used = used + 1 where id = $1`, [it.couponId])
}

/** One order of a checkout was cancelled. Returns the coupon whose use is given back when it was the last one. */
export async function closeOrderOfUse(tx: Tx, checkoutId: string): Promise<number | undefined> {
  const row = await tx.maybe<{ couponId: number; openOrders: number }>(
    `update cart_coupon_uses set open_orders = open_orders - 1 where checkout_id = $1 and open_orders > 0
     returning coupon_id as "couponId", open_orders as "openOrders"`,
    [checkoutId],
  )
  if (row?.openOrders !== 0) return undefined
  tx.later(`update cart_coupons set used = used - 1 where id = $1`, [row.couponId])
  return row.couponId
}

const termsColumns = [
  'percent',
  'amount_tiyin',
  'max_discount_tiyin',
  'min_amount_tiyin',
  'promotion_id',
  'starts_at',
  'ends_at',
  'max_uses',
  'uses_per_buyer',
  'is_active',
]

const termsValues = ({ discount, ...it }: CouponTerms) => [
  discount.kind === 'percent' ? discount.percent : null,
  discount.kind === 'amount' ? discount.tiyin : null,
  discount.kind === 'percent' ? discount.maxTiyin : null,
  it.minAmountTiyin,
  it.promotionId,
  it.startsAt,
  it.endsAt,
  it.maxUses,
  it.usesPerBuyer,
  it.isActive,
]

/** Undefined when the code is taken. */
export async function insertCoupon(
  tx: Tx,
  code: string,
  terms: CouponTerms,
): Promise<StoredCoupon | undefined> {
  const row = await tx.maybe<CouponRow>(
    `insert into cart_coupons as coupon (code, created_at, updated_at, ${termsColumns.join(', ')})
     values ($1, $2, $2, ${termsColumns.map((_, at) => `$${at + 3}`).join(', ')})
     on conflict (code) do nothing returning ${columns}`,
    [code, tx.now, ...termsValues(terms)],
  )
  return row && couponOf(row)
}

export async function updateCoupon(tx: Tx, id: number, terms: CouponTerms): Promise<StoredCoupon> {
  const row = await tx.one<CouponRow>(
    `update cart_coupons coupon set version = version + 1, updated_at = $2,
       ${termsColumns.map((it, at) => `${it} = $${at + 3}`).join(', ')}
     where id = $1 returning ${columns}`,
    [id, tx.now, ...termsValues(terms)],
  )
  return couponOf(row)
}

const oneCoupon = `select ${columns} from cart_coupons coupon where id = $1`

export async function findCoupon(read: Reader, id: number): Promise<StoredCoupon | undefined> {
  const row = await read.maybe<CouponRow>(oneCoupon, [id])
  return row && couponOf(row)
}

export async function lockCoupon(tx: Tx, id: number): Promise<StoredCoupon | undefined> {
  const row = await tx.maybe<CouponRow>(`${oneCoupon} for no key update`, [id])
  return row && couponOf(row)
}

export async function listCoupons(
  read: Reader,
  listing: ListRequest,
  code: string | undefined,
): Promise<ListPage<StoredCoupon>> {
  const page = await loadPage<CouponRow>(
    read,
    {
      columns,
      from: 'cart_coupons coupon',
      where: code === undefined ? [] : ['coupon.code = $1'],
      values: code === undefined ? [] : [code],
      sorts: { id: { by: 'coupon.id', type: 'int8' }, code: { by: 'coupon.code', type: 'text' } },
      key: { by: 'coupon.id', type: 'int8' },
    },
    listing,
  )
  return { ...page, rows: page.rows.map(couponOf) }
}
