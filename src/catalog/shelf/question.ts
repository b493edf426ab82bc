// What one may ask a shelf, and what it answers.

import type { Language } from '../../http/language.ts'
import type { Region } from './item.ts'

export interface Question {
  region: Region
  /** Of names, for the order by name. */
  language: Language
  /** What the buyer typed. */
  text?: string
  filters: Filters
  sort: Sort | `-${Sort}`
  limit: number
  /** How many to leave out before the first; with `after`, after that place. */
  offset?: number
  /** The place of the last one seen. */
  after?: Place
  wantsFacets: boolean
}

/** `relevance` is best first; without a text it means the most popular first. */
export type Sort = 'relevance' | 'popularity' | 'price' | 'name' | 'created_at' | 'id' | 'rating' | 'discount'

/** Every one given must hold. Of several brands or partners one is enough. */
export interface Filters {
  categoryId?: number
  brandIds?: number[]
  partnerIds?: number[]
  priceMin?: number
  priceMax?: number
  ratingMin?: number
  inStock?: boolean
  /** In stock, or sent in by a seller, approved and in stock. */
  buyable?: boolean
  discounted?: boolean
  ids?: number[]
}

/** A place in an order: the value sorted by (null for none, and those stand last in both directions) and the id. */
export interface Place {
  value: number | string | null
  id: number
}

export interface Found {
  ids: number[]
  total: number
  /** The place after which the next page begins; null on the last one. */
  next: Place | null
  facets: Facets | null
  /** What the buyer probably meant, when words were unknown and others were sought in their place. */
  didYouMean: string | null
}

export interface Count {
  id: number
  count: number
}

/** Each counts the products that pass every filter but its own. The most frequent first, then by id. */
export interface Facets {
  brands: Count[]
  partners: Count[]
  categories: Count[]
  /** A bucket holds prices from `from` up to below `to`. */
  price: { min: number | null; max: number | null; buckets: { from: number; to: number; count: number }[] }
  /** How many are rated `from` or better, the highest first. */
  rating: { from: number; count: number }[]
  inStock: { yes: number; no: number }
}

export interface Asking {
  language: Language
  region: Region
  limit: number
}

export type Suggestion =
  | { kind: 'phrase'; text: string }
  | { kind: 'category'; text: string; id: number }
  | { kind: 'brand'; text: string; id: number }
