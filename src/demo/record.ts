// The records of the demo shop, in the format of the import.

export interface InThree {
  ru: string
  uz: string
  en: string
}

export interface CategoryLine {
  record: 'category'
  id: number
  parent_id: number | null
  slug: string
  name: InThree
  description: InThree
}

export interface BrandLine {
  record: 'brand'
  id: number
  slug: string
  name: string
}

export interface PartnerRecord {
  record: 'partner'
  id: number
  slug: string
  name: string
  rating: number
  is_recommended: boolean
  credit_active: boolean
}

export interface LoanConditionRecord {
  record: 'loan_condition'
  id: number
  partner_id: number
  /** In months. */
  duration: number
  /** In percent. */
  commission: number
  active: boolean
  /** Set if the condition is valid only in this promotion. */
  promotion_id?: number
}

export interface DeliveryMethodRecord {
  record: 'delivery_method'
  id: number
  partner_id: number
  kind: 'courier' | 'pickup' | 'post'
  name: InThree
  regions: string[]
  price_tiyin: number
  free_from_tiyin: number | null
  /** In days. */
  days_min: number
  days_max: number
  pickup_points: {
    id: string
    name: InThree
    region: string
    city: string
    address: string
    hours: string
    latitude: number
    longitude: number
  }[]
}

export interface AttributeRecord {
  record: 'attribute'
  id: number
  code: string
  category_id: number | null
  kind: 'number' | 'enumeration' | 'boolean' | 'text'
  name: InThree
  unit: InThree | null
  options: { value: string; title: InThree }[]
  position: number
}

export interface ProductRecord {
  record: 'product'
  id: number
  category_id: number
  brand_id: number
  slug: string
  name: InThree
  description: InThree
  attributes: Record<string, string | number | boolean>
}

export interface VariantRecord {
  record: 'variant'
  id: number
  product_id: number
  name: InThree
  attributes: Record<string, string>
}

/** Fields shared by offers and moderated offers. */
export interface OfferTerms {
  product_id: number
  variant_id: number | null
  partner_id: number
  price_tiyin: number
  old_price_tiyin: number | null
  quantity: number
  is_visible: boolean
  is_active: boolean
  regions: ('home' | 'global')[]
  loan_condition_ids: number[]
  bnpl: { has_daily_payment: boolean; prepayment_tiyin: number | null }
  reservation_minutes: number | null
}

export interface OfferRecord extends OfferTerms {
  record: 'offer'
  id: number
}

export interface ModeratedOfferRecord extends OfferTerms {
  record: 'moderated_offer'
  id: number
  uuid: string
  status: 'draft' | 'pending' | 'approved' | 'rejected'
  /** The reason of a rejection. */
  reason: string | null
}

export interface PromotionRecord {
  record: 'promotion'
  id: number
  uuid: string
  slug: string
  title: string
  title_uz: string
  title_en: string
  starts_at: string
  ends_at: string | null
  offer_ids: number[]
  category_ids: number[]
  brand_ids: number[]
  discount_percent: number | null
  price_tiyin: number | null
  loan_condition_ids: number[]
}

export interface ClientRecord {
  record: 'client'
  id: number
  name: string
  phone: string
  email: string
  external_ids: string[]
}

export interface ExchangeRateRecord {
  record: 'exchange_rate'
  currency: string
  /** Per unit of the currency. */
  tiyin: number
}

export interface InteractionRecord {
  record: 'interaction'
  user_id: string
  offer_id: string
  kind: 'view' | 'click' | 'wishlist' | 'cart' | 'purchase'
  at: string
}
