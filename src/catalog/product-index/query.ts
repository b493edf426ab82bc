// Queries of the product index and their results.

import type { FacetCount, Language, Position, Step, StepName } from '../../search/index.ts'
import type { AttributeValue } from '../attributes/attribute.ts'
import type { SearchTrial } from '../search-learning/learn-parts.ts'
import type { Region } from './indexed-product.ts'

export interface ProductQuery {
  region: Region
  /** The language of the names when sorting by name. */
  language: Language
  text?: string
  filters: Filters
  sort: Sort | `-${Sort}`
  limit: number
  /** How many products to skip; counted from `after` when it is given. */
  offset?: number
  /** The position of the last product of the previous page. */
  after?: Position
  wantsFacets: boolean
  /** Replaces what was learned, to compare searches with and without it. */
  trial?: SearchTrial
  /** The learned ranker is not applied, to show what it changes. */
  withoutRanker?: boolean
  /** Searches the words as typed, without corrections. */
  isVerbatim?: boolean
  /** Steps of query understanding to leave out, to measure what each contributes. */
  withoutSteps?: ReadonlySet<StepName>
}

/** `relevance` is best first; without a text it means the most popular first. */
export type Sort = 'relevance' | 'popularity' | 'price' | 'name' | 'created_at' | 'id' | 'rating' | 'discount'

/** All given filters must hold. Of several brands or partners one is enough. */
export interface Filters {
  categoryId?: number
  brandIds?: number[]
  partnerIds?: number[]
  priceMin?: number
  priceMax?: number
  ratingMin?: number
  inStock?: boolean
  /** An ordinary or an approved moderated offer is in stock. */
  buyable?: boolean
  discounted?: boolean
  ids?: number[]
  attributes?: AttributeFilter[]
}

/** One of the values, or a number within bounds. */
export interface AttributeFilter {
  code: string
  anyOf?: AttributeValue[]
  min?: number
  max?: number
}

export interface ProductQueryResult {
  ids: number[]
  total: number
  /** The position after which the next page begins; null on the last page. */
  next: Position | null
  facets: Facets | null
  /** The query that was searched, when the keyboard layout, the spelling or the script was changed. */
  corrected: string | null
  /** Words that were left out because no product has all of them. */
  leftOut: string[]
  /** How the query was understood, step by step. */
  steps: Step[]
}

/** Each facet counts the products that pass every filter but its own. The most frequent first, then by id. */
export interface Facets {
  brands: FacetCount[]
  partners: FacetCount[]
  categories: FacetCount[]
  /** A bucket holds prices from `from` up to below `to`. */
  price: { min: number | null; max: number | null; buckets: { from: number; to: number; count: number }[] }
  /** How many products are rated `from` or better, the highest step first. */
  rating: { from: number; count: number }[]
  inStock: { yes: number; no: number }
  attributes: AttributeFacet[]
}

/** The most frequent value first. */
export interface AttributeFacet {
  code: string
  values: { value: AttributeValue; count: number }[]
}

export interface SuggestQuery {
  language: Language
  region: Region
  limit: number
  /** Products themselves are suggested too. */
  withProducts?: boolean
  /** Products that the buyer was interested in: others of their categories are favoured a little. */
  favoured?: readonly number[]
}
