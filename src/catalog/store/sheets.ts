// Sheets: an offer, or a product, with all that stands behind it, in as few statements as there are kinds of rows.

import type { Reader } from '../../base/db.ts'
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
import {
  byWorth,
  type ConditionSheet,
  offerName,
  type OfferSheet,
  type OfferTerms,
  type PartnerSheet,
  type ProductSheet,
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

function termsOf(row: TermsRow): OfferTerms {
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
  return {
    ...rest,
    rating: rating ?? partnerRating,
    partner,
    conditions: conditionsOf(terms),
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
}

const sheetsFrom = (table: typeof offers | typeof moderatedOffers) =>
  `select ${columnsOf({ fields: offers.fields }, 'offer')}, ${table === offers ? 'null' : 'offer.uuid'} as uuid,
     ${table === offers ? 'null' : 'offer.status'} as status, ${partnerColumns}, ${conditionsColumn},
     product.name as "productName", product.slug as "productSlug", product.images, product.category_id as "categoryId",
     product.brand_id as "brandId", variant.name as "variantName", category.slug as "categorySlug"
   from ${table.name} offer
   join catalog_products product on product.id = offer.product_id
   join catalog_categories category on category.id = product.category_id
   join catalog_partners partner on partner.id = offer.partner_id
   left join catalog_variants variant on variant.id = offer.variant_id`

type Key = number | string

/**
 * Sheets by a column. One alone, which is what most carts and pages ask for, has a statement of its own: for a list of
 * unknown length the server makes a new plan every time, and with so many tables that costs more than the reading.
 */
const sheetsBy = (table: typeof offers | typeof moderatedOffers, column: 'id' | 'uuid' | 'product_id') => {
  const one = `${sheetsFrom(table)} where offer.${column} = $1`
  const many = `${sheetsFrom(table)} where offer.${column} = any($1)`
  return async (read: Reader, keys: readonly Key[]): Promise<Map<number, OfferSheet>> => {
    const rows = await (keys.length === 1 ? read.all<SheetRow>(one, keys) : read.all<SheetRow>(many, [keys]))
    return new Map(rows.map((it) => [it.id, sheetOf(it)]))
  }
}

export const loadOfferSheets = sheetsBy(offers, 'id')
export const loadModeratedSheets = sheetsBy(moderatedOffers, 'id')
export const loadModeratedSheetsByUuid = sheetsBy(moderatedOffers, 'uuid')
const loadModeratedOfProducts = sheetsBy(moderatedOffers, 'product_id')

/** By product. */
export const loadModeratedSheetsOf = async (
  read: Reader,
  productIds: readonly number[],
): Promise<Map<number, OfferSheet[]>> =>
  Map.groupBy((await loadModeratedOfProducts(read, productIds)).values(), (it) => it.productId)

function sheetOf(row: SheetRow): OfferSheet {
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
): Promise<Map<number, ProductSheet>> {
  const [rows, paths] = await Promise.all([read.all<ProductRow>(productSheets, [ids]), categoryPaths(read)])
  return new Map(
    rows.map(({ brandName, brandSlug, popularity, variants: itsVariants, offers: itsOffers, ...product }) => {
      const all = (itsOffers ?? []).map((it) => termsOf(timed<TermsRow>(it)))
      const sheet: ProductSheet = {
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
  (await read.recall(treeMemory, [0], async () => new Map([[0, await loadPaths(read)]]))).get(0)!

async function loadPaths(read: Reader): Promise<Paths> {
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

/** The products whose place on the shelf may be another now, among them those that are gone. */
export async function productsBehind(read: Reader, changed: Changes): Promise<number[]> {
  const rows = await read.all<{ id: number }>(
    `with recursive below as (
       select id from catalog_categories where id = any($4)
       union select child.id from catalog_categories child join below on child.parent_id = below.id)
     select unnest($1::int8[]) as id
     union select product_id from catalog_offers where id = any($2) or partner_id = any($5)
     union select id from catalog_products
       where $6 or brand_id = any($3) or category_id in (select id from below)`,
    [
      [...changed.products],
      [...changed.offers],
      [...changed.brands],
      [...changed.categories],
      [...changed.partners],
      changed.everything,
    ],
  )
  return rows.map((it) => it.id)
}
