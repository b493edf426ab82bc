// The shapes of a recommended offer (SPEC-1 2.4), one per variant: exactly these fields, in these units.

import { type TSchema, Type } from 'typebox'
import { inWholeSums } from '../../base/money.ts'
import {
  type LoanConditionDetails,
  discountPercent,
  monthlyTiyin,
  offerImageUrls,
  type OfferDetails,
  logoUrl,
  openConditions,
  validOldPrice,
} from '../../catalog/index.ts'
import { inLanguage, type Language } from '../../http/language.ts'
import { named, nullable } from '../../http/schema.ts'

export interface Reading {
  language: Language
  origin: string
}

export interface OfferShape {
  name: string
  shape: TSchema
  view(offer: OfferDetails, reading: Reading): Record<string, unknown>
}

const string = Type.String()
const integer = Type.Integer()
const number = Type.Number()
const flag = Type.Boolean()
const sums = Type.Integer({ description: 'In whole sums, half a sum rounded up.', examples: [1_299_000] })
const tiyin = Type.Integer({ description: 'In tiyin: hundredths of a sum.', examples: [129_900_000] })
const percent = Type.Integer({ description: 'In percent, negative.', examples: [-13] })

const titleOf = (it: OfferDetails, { language }: Reading) => inLanguage(it.name, language)
const picturesOf = (it: OfferDetails, { origin }: Reading) => offerImageUrls(it, origin)[0]!

/** An ordinary offer has a number, a moderated one a UUID. */
const nameOf = (it: OfferDetails): string => it.moderation?.uuid ?? String(it.id)

const inSums = (tiyin: number | null): number | null => (tiyin === null ? null : inWholeSums(tiyin))
const inTiyin = (tiyin: number | null): number | null => tiyin
const oldPriceOf = (it: OfferDetails) => validOldPrice(it.priceTiyin, it.oldPriceTiyin)
const discountOf = (it: OfferDetails) => discountPercent(it.priceTiyin, it.oldPriceTiyin)

const partnerFields = {
  id: integer,
  name: string,
  logo_path: string,
  slug: string,
  rating: number,
  is_recommended: flag,
}
const wholePartner = named('RecommendedPartner', Type.Object(partnerFields))
const wholePartnerOf = ({ partner }: OfferDetails, { origin }: Reading) => ({
  id: partner.id,
  name: partner.name,
  logo_path: logoUrl(partner, origin),
  slug: partner.slug,
  rating: partner.rating,
  is_recommended: partner.isRecommended,
})
const namedPartner = Type.Object({ id: integer, name: string })
const namedPartnerOf = ({ partner }: OfferDetails) => ({ id: partner.id, name: partner.name })

const bnpl = (unit: typeof sums) =>
  Type.Object({ has_daily_payment: flag, prepayment_amount: nullable(unit) })
const bnplOf = (it: OfferDetails, unit: (tiyin: number | null) => number | null) => ({
  has_daily_payment: it.hasDailyPayment,
  prepayment_amount: unit(it.prepaymentTiyin),
})

const promotion = named(
  'OfferPromotion',
  Type.Object({ id: string, title: string, title_uz: string, slug: string }),
)
const promotionsOf = (it: OfferDetails) =>
  it.promotions.map(({ uuid, title, titleUz, slug }) => ({ id: uuid, title, title_uz: titleUz, slug }))

const picture = Type.Object({ lg_path: string })
const pictures = Type.Object({ lg_path: string, md_path: string, sm_path: string })

export const generalOffer: OfferShape = {
  name: 'GeneralOffer',
  shape: named(
    'GeneralOffer',
    Type.Object({
      offer_id: string,
      name: string,
      slug: string,
      quantity: integer,
      price: sums,
      raw_old_price: nullable(sums),
      old_price: nullable(sums),
      is_visible: flag,
      rating: number,
      path: string,
      discount: nullable(percent),
      image_path: string,
      bnpl_details: bnpl(sums),
      partner: wholePartner,
      events: Type.Array(promotion),
    }),
  ),
  view: (it, reading) => ({
    offer_id: nameOf(it),
    name: titleOf(it, reading),
    slug: it.slug,
    quantity: it.quantity,
    price: inWholeSums(it.priceTiyin),
    raw_old_price: inSums(it.oldPriceTiyin),
    old_price: inSums(oldPriceOf(it)),
    is_visible: it.isVisible,
    rating: it.rating,
    path: it.path,
    discount: discountOf(it),
    image_path: picturesOf(it, reading).lgPath,
    bnpl_details: bnplOf(it, inSums),
    partner: wholePartnerOf(it, reading),
    events: promotionsOf(it),
  }),
}

export const mobileOffer: OfferShape = {
  name: 'MobileOffer',
  shape: named(
    'MobileOffer',
    Type.Object({
      offer_id: string,
      name: string,
      slug: string,
      quantity: integer,
      price: sums,
      old_price: nullable(sums),
      rating: number,
      image_path: string,
      partner: Type.Object({ id: integer, name: string, slug: string }),
    }),
  ),
  view: (it, reading) => ({
    offer_id: nameOf(it),
    name: titleOf(it, reading),
    slug: it.slug,
    quantity: it.quantity,
    price: inWholeSums(it.priceTiyin),
    old_price: inSums(oldPriceOf(it)),
    rating: it.rating,
    image_path: picturesOf(it, reading).lgPath,
    partner: { ...namedPartnerOf(it), slug: it.partner.slug },
  }),
}

/** What the web and the mini-app share: both in tiyin, an old price only when it is valid, instalments when there are any. */
const tiyinFields = {
  offer_id: nullable(integer),
  moderated_offer_id: nullable(string),
  name: string,
  slug: string,
  quantity: integer,
  price: tiyin,
  raw_old_price: nullable(tiyin),
  old_price: Type.Optional(tiyin),
  is_visible: flag,
  rating: number,
  discount: nullable(percent),
  image_path: string,
  bnpl_details: bnpl(tiyin),
  partner: wholePartner,
  events: Type.Array(promotion),
}
const tiyinView = (it: OfferDetails, reading: Reading) => {
  const old = oldPriceOf(it)
  return {
    offer_id: it.moderation ? null : it.id,
    moderated_offer_id: it.moderation?.uuid ?? null,
    name: titleOf(it, reading),
    slug: it.slug,
    quantity: it.quantity,
    price: it.priceTiyin,
    raw_old_price: it.oldPriceTiyin,
    ...(old !== null && { old_price: old }),
    is_visible: it.isVisible,
    rating: it.rating,
    discount: discountOf(it),
    image_path: picturesOf(it, reading).lgPath,
    bnpl_details: bnplOf(it, inTiyin),
    partner: wholePartnerOf(it, reading),
    events: promotionsOf(it),
  }
}
const repaymentOf = (it: OfferDetails) => {
  const [best] = openConditions(it)
  return best ? { monthly_loan_repayment: monthlyTiyin(it.priceTiyin, best) } : {}
}
const termsOf = ({ duration, commission }: LoanConditionDetails) => ({ duration, commission })

export const webOffer: OfferShape = {
  name: 'WebOffer',
  shape: named(
    'WebOffer',
    Type.Object({
      ...tiyinFields,
      condition: nullable(
        Type.Object({ id: integer, duration: integer, commission: integer, event_id: nullable(integer) }),
      ),
      monthly_loan_repayment: Type.Optional(tiyin),
      product_id: nullable(integer),
    }),
  ),
  view: (it, reading) => {
    const [best] = openConditions(it)
    return {
      ...tiyinView(it, reading),
      condition: best ? { id: best.id, ...termsOf(best), event_id: best.promotionId } : null,
      ...repaymentOf(it),
      product_id: it.productId,
    }
  },
}

const simpleTerms = Type.Object({ duration: integer, commission: integer })

export const miniAppOffer: OfferShape = {
  name: 'MiniAppOffer',
  shape: named(
    'MiniAppOffer',
    Type.Object({
      ...tiyinFields,
      condition: nullable(simpleTerms),
      conditions: Type.Array(simpleTerms),
      monthly_loan_repayment: Type.Optional(tiyin),
      product_id: nullable(integer),
    }),
  ),
  view: (it, reading) => {
    const conditions = openConditions(it).map(termsOf)
    return {
      ...tiyinView(it, reading),
      condition: conditions[0] ?? null,
      conditions,
      ...repaymentOf(it),
      product_id: it.productId,
    }
  },
}

export const classicOffer: OfferShape = {
  name: 'ClassicOffer',
  shape: named(
    'ClassicOffer',
    Type.Object({
      id: integer,
      name: string,
      slug: string,
      quantity: integer,
      price: sums,
      old_price: nullable(sums),
      is_visible: flag,
      rating: number,
      path: string,
      discount: percent,
      product: Type.Object({ id: integer, name: string, title_image: pictures }),
      bnpl_details: bnpl(sums),
      partner: wholePartner,
    }),
  ),
  view: (it, reading) => {
    const image = picturesOf(it, reading)
    return {
      id: it.id,
      name: titleOf(it, reading),
      slug: it.slug,
      quantity: it.quantity,
      price: inWholeSums(it.priceTiyin),
      old_price: inSums(oldPriceOf(it)),
      is_visible: it.isVisible,
      rating: it.rating,
      path: it.path,
      discount: discountOf(it) ?? 0,
      product: {
        id: it.productId,
        name: inLanguage(it.product.name, reading.language),
        title_image: { lg_path: image.lgPath, md_path: image.mdPath, sm_path: image.smPath },
      },
      bnpl_details: bnplOf(it, inSums),
      partner: wholePartnerOf(it, reading),
    }
  },
}

const pictured = Type.Object({ id: integer, title_image: picture })
const picturedOf = (it: OfferDetails, reading: Reading) => ({
  id: it.productId,
  title_image: { lg_path: picturesOf(it, reading).lgPath },
})

export const cfOffer: OfferShape = {
  name: 'CfOffer',
  shape: named(
    'CfOffer',
    Type.Object({
      id: integer,
      name: string,
      slug: string,
      price: sums,
      old_price: nullable(sums),
      rating: number,
      product: pictured,
      partner: namedPartner,
    }),
  ),
  view: (it, reading) => ({
    id: it.id,
    name: titleOf(it, reading),
    slug: it.slug,
    price: inWholeSums(it.priceTiyin),
    old_price: inSums(oldPriceOf(it)),
    rating: it.rating,
    product: picturedOf(it, reading),
    partner: namedPartnerOf(it),
  }),
}

export const categoryOffer: OfferShape = {
  name: 'CategoryPageOffer',
  shape: named(
    'CategoryPageOffer',
    Type.Object({ id: integer, name: string, price: sums, product: pictured, partner: namedPartner }),
  ),
  view: (it, reading) => ({
    id: it.id,
    name: titleOf(it, reading),
    price: inWholeSums(it.priceTiyin),
    product: picturedOf(it, reading),
    partner: namedPartnerOf(it),
  }),
}
