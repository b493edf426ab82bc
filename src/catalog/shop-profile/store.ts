import type { Reader, Tx } from '../../base/database.ts'
import type { Language } from '../../http/language.ts'

/** How the shop presents itself, and in which languages. Null: the platform's own. */
export interface ShopProfile {
  name: string | null
  /** A path of an uploaded picture. */
  logoPath: string | null
  /** Such as `#0b6b63`. */
  colour: string | null
  /** At least one: those that the storefront and messages offer. */
  languages: Language[]
  /** One of them. */
  defaultLanguage: Language
  version: number
}

/** The first wanted language that the shop offers, otherwise its default. */
export const offeredLanguage = (
  { languages, defaultLanguage }: Pick<ShopProfile, 'languages' | 'defaultLanguage'>,
  ...wanted: readonly (Language | undefined)[]
): Language => wanted.find((it) => it !== undefined && languages.includes(it)) ?? defaultLanguage

/** The languages of a message in the order in which they are tried. */
export const languageOrder = (
  shop: Pick<ShopProfile, 'languages' | 'defaultLanguage'>,
  ...wanted: readonly (Language | undefined)[]
): Language[] => [offeredLanguage(shop, ...wanted), shop.defaultLanguage, ...shop.languages]

const columns = `name, logo_path as "logoPath", colour, languages, default_language as "defaultLanguage", version`

export const loadShopProfile = (read: Reader): Promise<ShopProfile> =>
  read.one<ShopProfile>(`select ${columns} from catalog_shop_profile where id = 1`)

export const lockShopProfile = (tx: Tx): Promise<ShopProfile> =>
  tx.one<ShopProfile>(`select ${columns} from catalog_shop_profile where id = 1 for update`)

export const saveShopProfile = (tx: Tx, it: Omit<ShopProfile, 'version'>): Promise<ShopProfile> =>
  tx.one<ShopProfile>(
    `update catalog_shop_profile set name = $1, logo_path = $2, colour = $3, languages = $4, default_language = $5,
       version = version + 1, updated_at = $6
     where id = 1 returning ${columns}`,
    [it.name, it.logoPath, it.colour, it.languages, it.defaultLanguage, tx.now],
  )
