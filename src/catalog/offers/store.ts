// Offer details and product details: an entity joined with what is shown with it, in one statement each.

import type { Reader, Tx } from '../../base/database.ts'
import type { CacheKind } from '../../base/cache.ts'
import { rowsByKeys } from '../../base/rows-by-keys.ts'
import type { LocalizedText } from '../../http/language.ts'
import {
  type Image,
  isShown,
  type ModerationStatus,
  type Offer,
  type Product,
  type Variant,
} from '../entities/entities.ts'
import type { Attribute, ProductAttribute } from '../attributes/attribute.ts'
import { loadAttributes } from '../attributes/store.ts'
import { bestConditionsFirst } from './price.ts'
import type { IndexChanges } from '../product-index/index-changes.ts'
import type { IndexedOffer } from '../product-index/indexed-product.ts'
import {
  bestOfferFirst,
  type LoanConditionDetails,
  type UsualOffer,
  type UsualProduct,
  type UsualTerms,
  offerName,
  type PartnerDetails,
} from './offer-details.ts'
import { columnsOf } from '../entities/store.ts'
import { moderatedOffers, offers, products, variants } from '../entities/tables.ts'

const partnerColumns = `partner.name as "partnerName", partner.slug as "partnerSlug", partner.rating as "partnerRating",
  partner.is_recommended as "partnerIsRecommended", partner.credit_active as "partnerCreditActive",
  partner.logo_path as "partnerLogoPath"`

const conditionsColumn = `(select json_agg(json_build_array(terms.id, terms.duration, terms.commission, terms.promotion_id,
  terms.early_commission_percent))
  from catalog_loan_conditions terms where terms.id = any(offer.loan_condition_ids) and terms.is_active) as terms`

type TermsRow = Omit<Offer, 'rating'> & {
  rating: number | null
  partnerName: string
  partnerSlug: string
  partnerRating: number
  partnerIsRecommended: boolean
  partnerCreditActive: boolean
  partnerLogoPath: string | null
  terms: [number, number, number, number | null, number][] | null
}

function termsOf(row: TermsRow): UsualTerms {
  const {
    partnerName,
    partnerSlug,
    partnerRating,
    partnerIsRecommended,
    partnerCreditActive,
    partnerLogoPath,
    ...offer
  } = row
  const partner: PartnerDetails = {
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

const conditionsOf = (terms: TermsRow['terms']): LoanConditionDetails[] =>
  bestConditionsFirst(
    (terms ?? []).map(([id, duration, commission, promotionId, earlyCommissionPercent]) => ({
      id,
      duration,
      commission,
      promotionId,
      earlyCommissionPercent,
    })),
  )

type OfferRow = TermsRow & {
  uuid: string | null
  status: ModerationStatus | null
  productName: LocalizedText
  variantName: LocalizedText | null
  variantColour: string | null
  productSlug: string
  categorySlug: string
  categoryId: number
  brandId: number | null
  images: Image[]
  scheduleVersion: number
}

const selectFrom = (table: typeof offers | typeof moderatedOffers) =>
  `select ${columnsOf({ fields: offers.fields }, 'offer')}, ${table === offers ? 'null' : 'offer.uuid'} as uuid,
     ${table === offers ? 'null' : 'offer.status'} as status, ${partnerColumns}, ${conditionsColumn},
     product.name as "productName", product.slug as "productSlug", product.images, product.category_id as "categoryId",
     product.brand_id as "brandId", variant.name as "variantName",
     variant.attributes->>'color' as "variantColour", category.slug as "categorySlug",
     (select version from catalog_promotion_schedule) as "scheduleVersion"
   from ${table.name} offer
   join catalog_products product on product.id = offer.product_id
   join catalog_categories category on category.id = product.category_id
   join catalog_partners partner on partner.id = offer.partner_id
   left join catalog_variants variant on variant.id = offer.variant_id`

type Key = number | string

/** Only a transaction can lock rows. */
type LockDetails = (tx: Tx, keys: readonly Key[]) => Promise<Map<number, UsualOffer>>

/** Details by a column. Rows are locked in the order of their ids, so that two transactions never deadlock. */
const detailsBy = (
  table: typeof offers | typeof moderatedOffers,
  column: 'id' | 'uuid',
  holding: '' | 'order by offer.id for update of offer' = '',
) => {
  const rowsOf = rowsByKeys<OfferRow>(
    `offer.${column}`,
    (condition) => `${selectFrom(table)} where ${condition} ${holding}`,
  )
  return async (read: Reader, keys: readonly Key[]): Promise<Map<number, UsualOffer>> =>
    new Map((await rowsOf(read, keys)).map((it) => [it.id, offerOf(it)]))
}

export const loadOfferDetails = detailsBy(offers, 'id')
export const loadModeratedDetails = detailsBy(moderatedOffers, 'id')
const locking = 'order by offer.id for update of offer'
export const lockOfferDetails: LockDetails = detailsBy(offers, 'id', locking)
export const lockModeratedDetails: LockDetails = detailsBy(moderatedOffers, 'id', locking)
export const loadModeratedDetailsByUuid = detailsBy(moderatedOffers, 'uuid')

function offerOf(row: OfferRow): UsualOffer {
  const {
    uuid,
    status,
    productName,
    variantName,
    variantColour,
    productSlug,
    categorySlug,
    categoryId,
    brandId,
    images,
    scheduleVersion,
    ...terms
  } = row
  const slug = `${productSlug}-${row.id}`
  return {
    ...termsOf(terms),
    moderation: uuid && status ? { uuid, status } : null,
    name: offerName(productName, variantName),
    slug,
    product: { name: productName, slug: productSlug },
    variantColour,
    path: `/${categorySlug}/${slug}`,
    images,
    categoryId,
    brandId,
    scheduleVersion,
  }
}

type ProductRow = Product & {
  brandName: string | null
  brandSlug: string | null
  popularity: number | null
  variants: InJson<Variant>[] | null
  offers: InJson<TermsRow>[] | null
}

/** A row inside another one as JSON: its timestamps are strings. */
type InJson<Row> = Omit<Row, 'createdAt' | 'updatedAt'> & { createdAt: string; updatedAt: string }

const timed = <Row extends { createdAt: Date; updatedAt: Date }>(row: InJson<Row>): Row =>
  ({ ...row, createdAt: new Date(row.createdAt), updatedAt: new Date(row.updatedAt) }) as unknown as Row

/** One statement for a product with variants and offers: the cost is mostly the number of statements. */
const selectProducts = `select ${columnsOf(products, 'product')}, brand.name as "brandName", brand.slug as "brandSlug",
    liked.score as popularity,
    (select json_agg(variant order by variant.id) from (
      select ${columnsOf(variants)} from catalog_variants where product_id = product.id) as variant) as variants,
    (select json_agg(offer) from (
      select ${columnsOf(offers, 'offer')}, ${partnerColumns}, ${conditionsColumn}
      from catalog_offers offer join catalog_partners partner on partner.id = offer.partner_id
      where offer.product_id = product.id) as offer) as offers
  from catalog_products product left join catalog_brands brand on brand.id = product.brand_id
  left join catalog_popularity liked on liked.product_id = product.id`
const productRows = rowsByKeys<ProductRow>(
  'product.id',
  (condition) => `${selectProducts} where ${condition}`,
)

/** Products with their brands, categories, variants and offers. */
export async function loadProductDetails(
  read: Reader,
  ids: readonly number[],
): Promise<Map<number, UsualProduct>> {
  const [rows, paths, attributes] = await Promise.all([
    productRows(read, ids),
    categoryPaths(read),
    loadAttributes(read),
  ])
  return new Map(
    rows.map(({ brandName, brandSlug, popularity, variants: itsVariants, offers: itsOffers, ...product }) => {
      const all = (itsOffers ?? []).map((it) => termsOf(timed<TermsRow>(it)))
      const details: UsualProduct = {
        ...product,
        brand: product.brandId === null ? null : { id: product.brandId, name: brandName!, slug: brandSlug! },
        categoryPath: paths.get(product.categoryId) ?? [],
        variants: (itsVariants ?? []).map(timed<Variant>),
        offers: all.filter(isShown).toSorted(bestOfferFirst),
        hiddenOfferIds: all.filter((it) => !isShown(it)).map((it) => it.id),
        popularity: popularity ?? 0,
        attributeValues: attributeValuesOf(product, attributes),
      }
      return [product.id, details]
    }),
  )
}

/** In the order of the definitions. */
const attributeValuesOf = (
  { attributes }: Product,
  known: ReadonlyMap<string, Attribute>,
): ProductAttribute[] =>
  Object.keys(attributes).length === 0
    ? []
    : [...known.values()].flatMap((attribute) => {
        const value = attributes[attribute.code]
        return value === undefined ? [] : [{ attribute, value }]
      })

type Step = { id: number; slug: string; name: LocalizedText }

type Paths = Map<number, Step[]>

/** The whole tree is one cache entry, because it is small. */
const treeCache: CacheKind<Paths> = {
  max: 1,
  subjects: () => ['tree'],
  alsoAffects: (event) => (event.type.startsWith('Category') ? ['tree'] : []),
}

/** By category, the path from its root; cached. */
export const categoryPaths = async (read: Reader): Promise<Paths> =>
  (await read.cached(treeCache, [0], async () => new Map([[0, await pathsFrom(read)]]))).get(0)!

/** The same without the cache. */
export async function pathsFrom(read: Reader): Promise<Paths> {
  const rows = await read.all<Step & { parentId: number | null }>(
    `select id, slug, name, parent_id as "parentId" from catalog_categories order by level, id`,
  )
  const paths: Paths = new Map()
  for (const { parentId, ...it } of rows) paths.set(it.id, [...(paths.get(parentId ?? 0) ?? []), it])
  return paths
}

/** Product ids above one, in ascending order. */
export const productIdsAfter = async (read: Reader, after: number, limit: number): Promise<number[]> =>
  (
    await read.all<{ id: number }>(`select id from catalog_products where id > $1 order by id limit $2`, [
      after,
      limit,
    ])
  ).map((it) => it.id)

/** Approved, visible and active moderated offers, by product. */
export async function loadApprovedOffers(
  read: Reader,
  productIds: readonly number[],
): Promise<Map<number, IndexedOffer[]>> {
  const rows = await read.all<IndexedOffer & { productId: number }>(
    `select offer.id, offer.product_id as "productId", offer.partner_id as "partnerId", offer.price_tiyin as "priceTiyin",
       offer.old_price_tiyin as "oldPriceTiyin", offer.quantity, coalesce(offer.rating, partner.rating) as rating,
       offer.regions, true as "isModerated"
     from catalog_moderated_offers offer join catalog_partners partner on partner.id = offer.partner_id
     where offer.product_id = any($1) and offer.status = 'approved' and offer.is_visible and offer.is_active`,
    [productIds],
  )
  return Map.groupBy(rows, (it) => it.productId)
}

/** The products that the changes affect, deleted ones included. */
export async function productsAffectedBy(read: Reader, changed: IndexChanges): Promise<number[]> {
  const rows = await read.all<{ id: number }>(
    `with recursive below as (
       select id from catalog_categories where id = any($4)
       union select child.id from catalog_categories child join below on child.parent_id = below.id)
     select unnest($1::int8[]) as id
     union select product_id from catalog_offers where id = any($2) or partner_id = any($5)
     union select product_id from catalog_moderated_offers where id = any($6) or partner_id = any($5)
     union select id from catalog_products
       where brand_id = any($3) or category_id in (select id from below)
     union select id from catalog_products where cardinality($7::text[]) > 0 and attributes ?| $7`,
    [
      [...changed.products],
      [...changed.offers],
      [...changed.brands],
      [...changed.categories],
      [...changed.partners],
      [...changed.moderatedOffers],
      [...changed.attributes],
    ],
  )
  return rows.map((it) => it.id)
}
