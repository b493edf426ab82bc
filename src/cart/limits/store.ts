import type { Reader, Tx } from '../../base/database.ts'
import type { StoredLimits, Limits } from './limits.ts'

const columns = `daily_amount_tiyin as "dailyAmountTiyin", product_units_per_order as "productUnitsPerOrder",
  product_units_per_30_days as "productUnitsPer30Days", credit_tiyin as "creditTiyin",
  guest_units_per_product as "guestUnitsPerProduct", guest_amount_tiyin as "guestAmountTiyin",
  guest_authorization_tiyin as "guestAuthorizationTiyin", version, updated_at as "updatedAt"`

export const findLimits = (read: Reader): Promise<StoredLimits> =>
  read.one<StoredLimits>(`select ${columns} from cart_limits`)

export const lockLimits = (tx: Tx): Promise<StoredLimits> =>
  tx.one<StoredLimits>(`select ${columns} from cart_limits for update`)

export const updateLimits = (tx: Tx, it: Limits): Promise<StoredLimits> =>
  tx.one<StoredLimits>(
    `update cart_limits set daily_amount_tiyin = $1, product_units_per_order = $2, product_units_per_30_days = $3,
       credit_tiyin = $4, guest_units_per_product = $5, guest_amount_tiyin = $6, guest_authorization_tiyin = $7,
       version = version + 1, updated_at = $8
     returning ${columns}`,
    [
      it.dailyAmountTiyin,
      it.productUnitsPerOrder,
      it.productUnitsPer30Days,
      it.creditTiyin,
      it.guestUnitsPerProduct,
      it.guestAmountTiyin,
      it.guestAuthorizationTiyin,
      tx.now,
    ],
  )
