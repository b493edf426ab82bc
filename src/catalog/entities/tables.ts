// The tables of entities, by their fields.

import type { Brand, LoanCondition, ModeratedOffer, Offer, Partner, Product, Variant } from './entities.ts'
import type { Attribute } from '../attributes/attribute.ts'
import type { DeliveryMethod } from '../delivery/delivery-method.ts'
import type { Promotion } from '../promotions/promotion.ts'
import type { Table } from './store.ts'

export const categories = { name: 'catalog_categories' }

export const brands: Table<Brand> = { name: 'catalog_brands', fields: ['slug', 'name'] }

export const partners: Table<Partner> = {
  name: 'catalog_partners',
  fields: ['slug', 'name', 'rating', 'isRecommended', 'creditActive', 'logoPath'],
}

export const loanConditions: Table<LoanCondition> = {
  name: 'catalog_loan_conditions',
  fields: ['partnerId', 'duration', 'commission', 'earlyCommissionPercent', 'isActive', 'promotionId'],
}

export const deliveryMethods: Table<DeliveryMethod> = {
  name: 'catalog_delivery_methods',
  fields: [
    'partnerId',
    'kind',
    'name',
    'regions',
    'priceTiyin',
    'freeFromTiyin',
    'daysMin',
    'daysMax',
    'pickupPoints',
    'isActive',
  ],
}

export const products: Table<Product> = {
  name: 'catalog_products',
  fields: ['categoryId', 'brandId', 'slug', 'name', 'description', 'images', 'attributes'],
}

export const attributes: Table<Attribute> = {
  name: 'catalog_attributes',
  fields: ['code', 'categoryId', 'kind', 'name', 'unit', 'options', 'isFacet', 'position'],
}

export const variants: Table<Variant> = {
  name: 'catalog_variants',
  fields: ['productId', 'name', 'attributes'],
}

const offerFields = [
  'productId',
  'variantId',
  'partnerId',
  'priceTiyin',
  'oldPriceTiyin',
  'quantity',
  'isVisible',
  'isActive',
  'regions',
  'loanConditionIds',
  'hasDailyPayment',
  'prepaymentTiyin',
  'reservationMinutes',
  'rating',
] as const

export const offers: Table<Offer> = { name: 'catalog_offers', fields: offerFields }

export const moderatedOffers: Table<ModeratedOffer> = {
  name: 'catalog_moderated_offers',
  fields: ['uuid', 'status', 'reason', ...offerFields],
}

export const promotions: Table<Promotion> = {
  name: 'catalog_promotions',
  fields: [
    'uuid',
    'slug',
    'title',
    'titleUz',
    'titleEn',
    'startsAt',
    'endsAt',
    'offerIds',
    'moderatedOfferIds',
    'categoryIds',
    'brandIds',
    'partnerIds',
    'discountPercent',
    'priceTiyin',
    'loanConditionIds',
  ],
}
