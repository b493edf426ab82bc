import type { Reader, Tx } from '../../base/database.ts'

/** How the shop presents itself. Null: the platform's own. */
export interface ShopProfile {
  name: string | null
  /** A path of an uploaded picture. */
  logoPath: string | null
  /** Such as `#0b6b63`. */
  colour: string | null
  version: number
}

const columns = `name, logo_path as "logoPath", colour, version`

export const loadShopProfile = (read: Reader): Promise<ShopProfile> =>
  read.one<ShopProfile>(`select ${columns} from catalog_shop_profile where id = 1`)

export const lockShopProfile = (tx: Tx): Promise<ShopProfile> =>
  tx.one<ShopProfile>(`select ${columns} from catalog_shop_profile where id = 1 for update`)

export const saveShopProfile = (tx: Tx, it: Omit<ShopProfile, 'version'>): Promise<ShopProfile> =>
  tx.one<ShopProfile>(
    `update catalog_shop_profile set name = $1, logo_path = $2, colour = $3, version = version + 1, updated_at = $4
     where id = 1 returning ${columns}`,
    [it.name, it.logoPath, it.colour, tx.now],
  )
