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

export const plainProfile: ShopProfile = { name: null, logoPath: null, colour: null, version: 0 }

const columns = `name, logo_path as "logoPath", colour, version`

export const loadShopProfile = async (read: Reader): Promise<ShopProfile> =>
  (await read.maybe<ShopProfile>(`select ${columns} from catalog_shop_profile where id = 1`)) ?? plainProfile

export const lockShopProfile = async (tx: Tx): Promise<ShopProfile> =>
  (await tx.maybe<ShopProfile>(`select ${columns} from catalog_shop_profile where id = 1 for update`)) ??
  plainProfile

export const saveShopProfile = (tx: Tx, it: Omit<ShopProfile, 'version'>): Promise<ShopProfile> =>
  tx.one<ShopProfile>(
    `insert into catalog_shop_profile as own (id, name, logo_path, colour, updated_at) values (1, $1, $2, $3, $4)
     on conflict (id) do update set name = excluded.name, logo_path = excluded.logo_path, colour = excluded.colour,
       version = own.version + 1, updated_at = excluded.updated_at
     returning ${columns}`,
    [it.name, it.logoPath, it.colour, tx.now],
  )
