// Sheets: an offer, or a product, with all that stands behind it, in as few statements as there are kinds of rows.

import type { Reader, Tx } from '../../base/db.ts'
import type { MemoryKind } from '../../base/memory.ts'
import type { Words } from '../../http/language.ts'
import {
  type Image,
  isShown,
  type ModerationStatus,
  type Offer,
  type Product,
  type Variant,
} from '../goods.ts'
import { bestConditionsFirst } from '../price.ts'
import type { Changes } from '../shelf-keeper.ts'
import type { ShelfOffer } from '../shelf/item.ts'
import {
  byWorth,
  type ConditionSheet,
  type ListedOffer,
  type ListedProduct,
  type ListedTerms,
  offerName,
  type PartnerSheet,
} from '../sheets.ts'
import { columnsOf } from './table.ts'
import { moderatedOffers, offers, products, variants } from './tables.ts'

const partnerColumns = `partner.name as "partnerName", partner.slug as "partnerSlug", partner.rating as "partnerRating",
  partner.is_recommended as "partnerIsRecommended", partner.credit_active as "partnerCreditActive",
  partner.logo_path as "partnerLogoPath"`

const conditionsColumn = `(select json_agg(json_build_array(terms.id, terms.duration, terms.commission, terms.promotion_id))
  from catalog_loan_conditions terms where terms.id = any(offer.loan_condition_ids) and terms.is_active) as terms`

type TermsRow = Omit<Offer, 'rating'> & {
  rating: number | null
  partnerName: string
  partnerSlug: string
  partnerRating: number
  partnerIsRecommended: boolean
  partnerCreditActive: boolean
  partnerLogoPath: string | null
  terms: [number, number, number, number | null][] | null
}

function termsOf(row: TermsRow): ListedTerms {
  const {
    partnerName,
    partnerSlug,
    partnerRating,
    partnerIsRecommended,
    partnerCreditActive,
    partnerLogoPath,
    ...offer
  } = row
  const partner: PartnerSheet = {
    id: row.partnerId,
    name: partnerName,
    slug: partnerSlug,
    rating: partnerRating,
    isRecommended: partnerIsRecommended,
    creditActive: partnerCreditActive,
    logoPath: partnerLogoPath,
  }
  const { terms, rating, ...rest } = offer
  const conditions = conditionsOf(terms)
  return {
    ...rest,
    usualPriceTiyin: row.priceTiyin,
    rating: rating ?? partnerRating,
    partner,
    conditions: conditions.filter((it) => it.promotionId === null),
    boundConditions: conditions.filter((it) => it.promotionId !== null),
    promotions: [],
  }
}

const conditionsOf = (terms: TermsRow['terms']): ConditionSheet[] =>
  bestConditionsFirst(
    (terms ?? []).map(([id, duration, commission, promotionId]) => ({
      id,
      duration,
      commission,
      promotionId,
    })),
  )

type SheetRow = TermsRow & {
  uuid: string | null
  status: ModerationStatus | null
  productName: Words
  variantName: Words | null
  productSlug: string
  categorySlug: string
  categoryId: number
  brandId: number | null
  images: Image[]
  bookPage: number
}

const sheetsFrom = (table: typeof offers | typeof moderatedOffers) =>
  `select ${columnsOf({ fields: offers.fields }, 'offer')}, ${table === offers ? 'null' : 'offer.uuid'} as uuid,
     ${table === offers ? 'null' : 'offer.status'} as status, ${partnerColumns}, ${conditionsColumn},
     product.name as "productName", product.slug as "productSlug", product.images, product.category_id as "categoryId",
     product.brand_id as "brandId", variant.name as "variantName", category.slug as "categorySlug",
     (select page from catalog_promotion_book) as "bookPage"
   from ${table.name} offer
   join catalog_products product on product.id = offer.product_id
   join catalog_categories category on category.id = product.category_id
   join catalog_partners partner on partner.id = offer.partner_id
   left join catalog_variants variant on variant.id = offer.variant_id`

type Key = number | string

/** Only a transaction can hold what it reads. */
type Held = (tx: Tx, keys: readonly Key[]) => Promise<Map<number, ListedOffer>>

/**
 * The lengths of lists that have statements of their own; a list is filled up to the next with its last key. For a list
 * of unknown length the server makes a new plan every time, and with so many tables that costs more than the reading.
 */
const lengths = [1, 2, 4, 8, 16, 32, 64, 128, 256]

const places = (count: number) => Array.from({ length: count }, (_, at) => `$${at + 1}`).join(', ')

/** Sheets by a column. Held ones are locked in the order of their ids, so that two holders never wait in a ring. */
const sheetsBy = (
  table: typeof offers | typeof moderatedOffers,
  column: 'id' | 'uuid',
  holding: '' | 'order by offer.id for update of offer' = '',
) => {
  const any = `${sheetsFrom(table)} where offer.${column} = any($1) ${holding}`
  const statements = lengths.map(
    (it) => `${sheetsFrom(table)} where offer.${column} in (${places(it)}) ${holding}`,
  )
  return async (read: Reader, keys: readonly Key[]): Promise<Map<number, ListedOffer>> => {
    const at = lengths.findIndex((it) => it >= keys.length)
    const filled = () => [...keys, ...Array<Key>(lengths[at]! - keys.length).fill(keys.at(-1)!)]
    const rows = await (at < 0 || keys.length === 0
      ? read.all<SheetRow>(any, [keys])
      : read.all<SheetRow>(statements[at]!, filled()))
    return new Map(rows.map((it) => [it.id, sheetOf(it)]))
  }
}

export const loadOfferSheets = sheetsBy(offers, 'id')
export const loadModeratedSheets = sheetsBy(moderatedOffers, 'id')
const holding = 'order by offer.id for update of offer'
export const holdOfferSheets: Held = sheetsBy(offers, 'id', holding)
export const holdModeratedSheets: Held = sheetsBy(moderatedOffers, 'id', holding)
export const loadModeratedSheetsByUuid = sheetsBy(moderatedOffers, 'uuid')

function sheetOf(row: SheetRow): ListedOffer {
  const {
    uuid,
    status,
    productName,
    variantName,
    productSlug,
    categorySlug,
    categoryId,
    brandId,
    images,
    bookPage,
    ...terms
  } = row
  const slug = `${productSlug}-${row.id}`
  return {
    ...termsOf(terms),
    moderation: uuid && status ? { uuid, status } : null,
    name: offerName(productName, variantName),
    slug,
    product: { name: productName, slug: productSlug },
    path: `/${categorySlug}/${slug}`,
    images,
    categoryId,
    brandId,
    bookPage,
  }
}

type ProductRow = Product & {
  brandName: string | null
  brandSlug: string | null
  popularity: number | null
  variants: InJson<Variant>[] | null
  offers: InJson<TermsRow>[] | null
}

/** A row that came inside another one as JSON: its instants are texts. */
type InJson<Row> = Omit<Row, 'createdAt' | 'updatedAt'> & { createdAt: string; updatedAt: string }

const timed = <Row extends { createdAt: Date; updatedAt: Date }>(row: InJson<Row>): Row =>
  ({ ...row, createdAt: new Date(row.createdAt), updatedAt: new Date(row.updatedAt) }) as unknown as Row

/** One statement for all that hangs on a product: most of what a detail costs is the number of statements. */
const productSheets = `select ${columnsOf(products, 'product')}, brand.name as "brandName", brand.slug as "brandSlug",
    liked.score as popularity,
    (select json_agg(variant order by variant.id) from (
      select ${columnsOf(variants)} from catalog_variants where product_id = product.id) as variant) as variants,
    (select json_agg(offer) from (
      select ${columnsOf(offers, 'offer')}, ${partnerColumns}, ${conditionsColumn}
      from catalog_offers offer join catalog_partners partner on partner.id = offer.partner_id
      where offer.product_id = product.id) as offer) as offers
  from catalog_products product left join catalog_brands brand on brand.id = product.brand_id
  left join catalog_popularity liked on liked.product_id = product.id where product.id = any($1)`

/** Products with their brands, categories, variants and offers. */
export async function loadProductSheets(
  read: Reader,
  ids: readonly number[],
): Promise<Map<number, ListedProduct>> {
  const [rows, paths] = await Promise.all([read.all<ProductRow>(productSheets, [ids]), categoryPaths(read)])
  return new Map(
    rows.map(({ brandName, brandSlug, popularity, variants: itsVariants, offers: itsOffers, ...product }) => {
      const all = (itsOffers ?? []).map((it) => termsOf(timed<TermsRow>(it)))
      const sheet: ListedProduct = {
        ...product,
        brand: product.brandId === null ? null : { id: product.brandId, name: brandName!, slug: brandSlug! },
        categoryPath: paths.get(product.categoryId) ?? [],
        variants: (itsVariants ?? []).map(timed<Variant>),
        offers: all.filter(isShown).toSorted(byWorth),
        hiddenOfferIds: all.filter((it) => !isShown(it)).map((it) => it.id),
        popularity: popularity ?? 0,
      }
      return [product.id, sheet]
    }),
  )
}

type Step = { id: number; slug: string; name: Words }

type Paths = Map<number, Step[]>

/** The whole tree is one entry: it is small, and all of it hangs together. */
const treeMemory: MemoryKind<Paths> = {
  max: 1,
  subjects: () => ['tree'],
  touches: (event) => (event.type.startsWith('Category') ? ['tree'] : []),
}

/** Every category with the way to it from the top. */
export const categoryPaths = async (read: Reader): Promise<Paths> =>
  (await read.recall(treeMemory, [0], async () => new Map([[0, await pathsFrom(read)]]))).get(0)!

/** The same as it stands in the database this moment. */
export async function pathsFrom(read: Reader): Promise<Paths> {
  const rows = await read.all<Step & { parentId: number | null }>(
    `select id, slug, name, parent_id as "parentId" from catalog_categories order by level, id`,
  )
  const paths: Paths = new Map()
  for (const { parentId, ...it } of rows) paths.set(it.id, [...(paths.get(parentId ?? 0) ?? []), it])
  return paths
}

/** The ids of products, in their order, after one. */
export const productIdsAfter = async (read: Reader, after: number, limit: number): Promise<number[]> =>
  (
    await read.all<{ id: number }>(`select id from catalog_products where id > $1 order by id limit $2`, [
      after,
      limit,
    ])
  ).map((it) => it.id)

/** What sellers sent in of products and the shop approved, as far as it may be sold. */
export async function loadApproved(
  read: Reader,
  productIds: readonly number[],
): Promise<Map<number, ShelfOffer[]>> {
  const rows = await read.all<ShelfOffer & { productId: number }>(
    `select offer.id, offer.product_id as "productId", offer.partner_id as "partnerId", offer.price_tiyin as "priceTiyin",
       offer.old_price_tiyin as "oldPriceTiyin", offer.quantity, coalesce(offer.rating, partner.rating) as rating,
       offer.regions, true as "isModerated"
     from catalog_moderated_offers offer join catalog_partners partner on partner.id = offer.partner_id
     where offer.product_id = any($1) and offer.status = 'approved' and offer.is_visible and offer.is_active`,
    [productIds],
  )
  return Map.groupBy(rows, (it) => it.productId)
}

/** The products whose place on the shelf may be another now, among them those that are gone. */
export async function productsBehind(read: Reader, changed: Changes): Promise<number[]> {
  const rows = await read.all<{ id: number }>(
    `with recursive below as (
       select id from catalog_categories where id = any($4)
       union select child.id from catalog_categories child join below on child.parent_id = below.id)
     select unnest($1::int8[]) as id
     union select product_id from catalog_offers where id = any($2) or partner_id = any($5)
     union select product_id from catalog_moderated_offers where id = any($6) or partner_id = any($5)
     union select id from catalog_products
       where brand_id = any($3) or category_id in (select id from below)`,
    [
      [...changed.products],
      [...changed.offers],
      [...changed.brands],
      [...changed.categories],
      [...changed.partners],
      [...changed.moderatedOffers],
    ],
  )
  return rows.map((it) => it.id)
}
