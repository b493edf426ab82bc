// Reply views and their schemas. Ids are strings of digits, money carries its currency (SPEC-1 2.2).

import { Type } from 'typebox'
import { asMoney, type Currency } from '../../base/money.ts'
import { inLanguage, type Language } from '../../http/language.ts'
import { flag, idText, instant, integer, list, named, nullable, oneOf, money } from '../../http/schema.ts'
import { bestOfferOf } from '../products/products.ts'
import { attributeKinds, valueText } from '../attributes/attribute.ts'
import type { Image, Entity, LoanCondition, Partner, Region, Variant } from '../entities/entities.ts'
import { moderationStatuses } from '../entities/entities.ts'
import { productImageUrls, logoUrl } from '../pictures/image-urls.ts'
import { discountPercent, financedTiyin, monthlyTiyin, validOldPrice } from './price.ts'
import type {
  LoanConditionDetails,
  OfferDetails,
  OfferTerms,
  PartnerDetails,
  ProductDetails,
  PromotionDetails,
} from './offer-details.ts'
import { offerName, openConditions } from './offer-details.ts'

/** The caller's preferences. */
export interface Reading {
  language: Language
  currency: Currency
  region: Region
  origin: string
}

const string = Type.String()
const id = (value: number) => String(value)
const idOrNull = (value: number | null) => (value === null ? null : String(value))
const times = { created_at: instant, updated_at: instant }
const timesOf = (it: Pick<Entity, 'createdAt' | 'updatedAt'>) => ({
  created_at: it.createdAt.toISOString(),
  updated_at: it.updatedAt.toISOString(),
})

export { money }
const moneyOrNull = nullable(money)
const moneyOf = (tiyin: number | null, { currency }: Reading) =>
  tiyin === null ? null : asMoney(tiyin, currency)

export const brandReply = named(
  'Brand',
  Type.Object({
    id: idText,
    name: Type.String({ examples: ['Artel'] }),
    slug: Type.String({ examples: ['artel'] }),
    ...times,
  }),
)
export const brandView = (it: { id: number; name: string; slug: string } & Entity) => ({
  id: id(it.id),
  name: it.name,
  slug: it.slug,
  ...timesOf(it),
})

const partnerFields = {
  id: idText,
  name: Type.String({ examples: ['Texnomart'] }),
  slug: string,
  rating: Type.Number(),
  is_recommended: flag,
  credit_active: flag,
  logo_path: Type.String({ description: 'URL of the logo; a generated one when there is none.' }),
}
export const partnerReply = named('Partner', Type.Object({ ...partnerFields, ...times }))
const partnerOf = (it: PartnerDetails | Partner, { origin }: Reading) => ({
  id: id(it.id),
  name: it.name,
  slug: it.slug,
  rating: it.rating,
  is_recommended: it.isRecommended,
  credit_active: it.creditActive,
  logo_path: logoUrl(it, origin),
})
export const partnerView = (it: Partner, reading: Reading) => ({ ...partnerOf(it, reading), ...timesOf(it) })

export const loanConditionReply = named(
  'LoanCondition',
  Type.Object({
    id: idText,
    partner_id: idText,
    duration: integer(1, 120, { description: 'Months.' }),
    commission: integer(0, 1_000, { description: 'Percent of the price.' }),
    early_commission_percent: integer(0, 100),
    active: flag,
    promotion_id: nullable(idText),
    ...times,
  }),
)
export const loanConditionView = (it: LoanCondition) => ({
  id: id(it.id),
  partner_id: id(it.partnerId),
  duration: it.duration,
  commission: it.commission,
  early_commission_percent: it.earlyCommissionPercent,
  active: it.isActive,
  promotion_id: idOrNull(it.promotionId),
  ...timesOf(it),
})

const variantFields = {
  id: idText,
  product_id: idText,
  name: Type.String({ examples: ['Чёрный'] }),
  attributes: Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
  }),
}
export const variantReply = named('Variant', Type.Object({ ...variantFields, ...times }))
export const variantView = (it: Variant, { language }: Reading) => ({
  id: id(it.id),
  product_id: id(it.productId),
  name: inLanguage(it.name, language),
  attributes: it.attributes,
  ...timesOf(it),
})

const imageReply = named('Image', Type.Object({ lg_path: string, md_path: string, sm_path: string }))
const imageView = (it: Image) => ({ lg_path: it.lgPath, md_path: it.mdPath, sm_path: it.smPath })

const conditionReply = named(
  'LoanTerms',
  Type.Object({
    id: idText,
    duration: integer(1, 120),
    commission: integer(0, 1_000),
    monthly_repayment: {
      ...money,
      description: 'Of what the down payment (`prepayment_amount`) leaves.',
    } as typeof money,
    event_id: nullable({ ...idText, description: 'The promotion that gives this condition.' }),
  }),
)
const conditionView = (it: LoanConditionDetails, financed: number, { currency }: Reading) => ({
  id: id(it.id),
  duration: it.duration,
  commission: it.commission,
  monthly_repayment: asMoney(monthlyTiyin(financed, it), currency),
  event_id: it.promotionId === null ? null : id(it.promotionId),
})

const eventReply = named(
  'PromotionEvent',
  Type.Object({
    id: Type.String({ description: 'A UUID.', examples: ['7f0c3c1e-5a8b-4c83-9a63-0d3c1f4a2b5d'] }),
    title: string,
    title_uz: string,
    title_en: string,
    slug: string,
  }),
)
const eventView = ({ uuid, title, titleUz, titleEn, slug }: PromotionDetails) => ({
  id: uuid,
  title,
  title_uz: titleUz,
  title_en: titleEn,
  slug,
})

const offerFields = {
  id: idText,
  product_id: idText,
  variant_id: nullable(idText),
  name: string,
  slug: string,
  path: string,
  partner: named('OfferPartner', Type.Object(partnerFields)),
  price: money,
  old_price: moneyOrNull,
  discount: nullable(integer(-100, 0, { description: 'Percent, negative.' })),
  usual_price: Type.Unsafe<ReturnType<typeof asMoney>>({
    ...money,
    description: 'The price without promotions.',
  }),
  events: list(eventReply, 1_000),
  quantity: integer(0, Number.MAX_SAFE_INTEGER),
  in_stock: flag,
  is_visible: flag,
  is_active: flag,
  regions: list(oneOf(['home', 'global']), 2),
  rating: Type.Number(),
  bnpl_details: Type.Object({ has_daily_payment: flag, prepayment_amount: moneyOrNull }),
  loan_conditions: list(conditionReply, 100),
  reservation_minutes: nullable(integer(1, 43_200)),
  ...times,
}
export const offerReply = named('Offer', Type.Object(offerFields))
export const moderatedOfferReply = named(
  'ModeratedOffer',
  Type.Object({
    uuid: string,
    status: oneOf(moderationStatuses),
    reason: nullable(string),
    ...offerFields,
  }),
)

interface Titled extends OfferTerms {
  name: OfferDetails['name']
  slug: string
  path: string
}

export const offerView = (it: Titled, reading: Reading) => ({
  id: id(it.id),
  product_id: id(it.productId),
  variant_id: idOrNull(it.variantId),
  name: inLanguage(it.name, reading.language),
  slug: it.slug,
  path: it.path,
  partner: partnerOf(it.partner, reading),
  price: asMoney(it.priceTiyin, reading.currency),
  old_price: moneyOf(validOldPrice(it.priceTiyin, it.oldPriceTiyin), reading),
  discount: discountPercent(it.priceTiyin, it.oldPriceTiyin),
  usual_price: asMoney(it.usualPriceTiyin, reading.currency),
  events: it.promotions.map(eventView),
  quantity: it.quantity,
  in_stock: it.quantity > 0,
  is_visible: it.isVisible,
  is_active: it.isActive,
  regions: it.regions,
  rating: it.rating,
  bnpl_details: {
    has_daily_payment: it.hasDailyPayment,
    prepayment_amount: moneyOf(it.prepaymentTiyin, reading),
  },
  loan_conditions: openConditions(it).map((one) =>
    conditionView(one, financedTiyin(it.priceTiyin, it.prepaymentTiyin), reading),
  ),
  reservation_minutes: it.reservationMinutes,
  ...timesOf(it),
})

const productFields = {
  id: idText,
  name: Type.String({ examples: ['Смартфон Artel Nova 8/128 ГБ'] }),
  slug: string,
  category_id: idText,
  category: Type.Object({ id: idText, name: string, slug: string }),
  brand_id: nullable(idText),
  brand: nullable(Type.Object({ id: idText, name: string, slug: string })),
  images: list(imageReply, 20),
  price: Type.Unsafe<ReturnType<typeof moneyOf>>({
    ...moneyOrNull,
    description: 'Of the best offer in the region.',
  }),
  old_price: moneyOrNull,
  discount: nullable(integer(-100, 0)),
  events: list(eventReply, 1_000),
  in_stock: flag,
  rating: nullable(Type.Number()),
  offers_count: integer(0, Number.MAX_SAFE_INTEGER),
  best_offer_id: nullable(idText),
  ...times,
}
const productVariantReply = named(
  'ProductVariant',
  Type.Object({ ...variantFields, images: list(imageReply, 20), ...times }),
)
export const productReply = named('Product', Type.Object(productFields))
export const productDetailReply = named(
  'ProductDetail',
  Type.Object({
    ...productFields,
    description: string,
    attributes: list(
      Type.Object({
        code: Type.String({ examples: ['screen'] }),
        name: Type.String({ examples: ['Диагональ экрана'] }),
        kind: oneOf(attributeKinds),
        value: Type.Unsafe<string | number | boolean>({ type: ['string', 'number', 'boolean'] }),
        text: Type.String({ description: 'As buyers read it.', examples: ['6,7 ″'] }),
      }),
      50,
    ),
    variants: list(productVariantReply, 1_000),
    offers: list(offerReply, 1_000),
    best_offer: nullable(offerReply),
  }),
)

const variantOf = ({ variants }: ProductDetails, offer: OfferTerms | undefined): Variant | undefined =>
  variants.find((it) => it.id === offer?.variantId)

/** A product in a list, without the fields of the detail. */
export function productView(it: ProductDetails, reading: Reading) {
  const { language, origin, region } = reading
  const offers = it.offers.filter((offer) => offer.regions.includes(region))
  const best = bestOfferOf(it, region)
  const category = it.categoryPath.at(-1)
  return {
    id: id(it.id),
    name: inLanguage(it.name, language),
    slug: it.slug,
    category_id: id(it.categoryId),
    category: {
      id: id(it.categoryId),
      name: category ? inLanguage(category.name, language) : '',
      slug: category?.slug ?? '',
    },
    brand_id: idOrNull(it.brandId),
    brand: it.brand && { id: id(it.brand.id), name: it.brand.name, slug: it.brand.slug },
    images: productImageUrls(it, variantOf(it, best), origin).map(imageView),
    price: moneyOf(best?.priceTiyin ?? null, reading),
    old_price: moneyOf(best ? validOldPrice(best.priceTiyin, best.oldPriceTiyin) : null, reading),
    discount: best ? discountPercent(best.priceTiyin, best.oldPriceTiyin) : null,
    events: best ? best.promotions.map(eventView) : [],
    in_stock: (best?.quantity ?? 0) > 0,
    rating: best?.rating ?? null,
    offers_count: offers.length,
    best_offer_id: idOrNull(best?.id ?? null),
    ...timesOf(it),
  }
}

export function productDetailView(it: ProductDetails, reading: Reading) {
  const titled = (offer: OfferTerms): Titled => {
    const variant = variantOf(it, offer)
    const slug = `${it.slug}-${offer.id}`
    return {
      ...offer,
      name: offerName(it.name, variant?.name ?? null),
      slug,
      path: `/${it.categoryPath.at(-1)?.slug ?? ''}/${slug}`,
    }
  }
  const best = bestOfferOf(it, reading.region)
  return {
    ...productView(it, reading),
    description: inLanguage(it.description, reading.language),
    attributes: it.attributeValues.map((one) => ({
      code: one.attribute.code,
      name: inLanguage(one.attribute.name, reading.language),
      kind: one.attribute.kind,
      value: one.value,
      text: valueText(one, reading.language),
    })),
    variants: it.variants.map((one) => ({
      ...variantView(one, reading),
      images: productImageUrls(it, one, reading.origin).map(imageView),
    })),
    offers: it.offers
      .filter((one) => one.regions.includes(reading.region))
      .map((one) => offerView(titled(one), reading)),
    best_offer: best ? offerView(titled(best), reading) : null,
  }
}
