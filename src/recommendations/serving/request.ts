// One request type for all channels: each channel translates its body into it.

import type { BuyableScope, Region } from '../../catalog/index.ts'

export const layers = ['main_page', 'offer_page', 'cart_page'] as const
export type Layer = (typeof layers)[number]

/** An offer as callers identify it: digits for an ordinary offer, a UUID for a moderated one. */
export type OfferRef = string

/**
 * How the list is ranked: `prod` and `mod_offers` use the ranker, the latter with moderated offers included; `cf` uses
 * collaborative filtering alone.
 */
export type Group = 'prod' | 'mod_offers' | 'cf'

export interface RecommendationRequest {
  channel: string
  layer: Layer
  /** Identifiers of the buyer, the most reliable first; empty for an anonymous caller. */
  identifiers: string[]
  /** The offers that the page shows. */
  offers: OfferRef[]
  /** The products that the page shows. */
  products: number[]
  group: Group
  /** The caller or the channel fixed the group, so experiments leave it alone. */
  isGroupChosen: boolean
  /** The experiment group that the caller names. */
  experimentGroup: string | null
  region: Region
  /** A place name; it biases popularity and filters nothing. */
  place: string | null
  /** The device and the application as `platformKeys` names them; they bias popularity like the place. */
  platform: readonly string[]
  isCategoriesPage: boolean
  /** Only offers of this category and its subcategories. */
  categoryId: number | null
  limit: number
}

/** A request of the main page for an anonymous caller, outside of experiments; `fields` replace the defaults. */
export const requestWith = (
  fields: Pick<RecommendationRequest, 'channel'> & Partial<RecommendationRequest>,
): RecommendationRequest => ({
  layer: 'main_page',
  identifiers: [],
  offers: [],
  products: [],
  group: 'prod',
  isGroupChosen: true,
  experimentGroup: null,
  region: 'home',
  place: null,
  platform: [],
  isCategoriesPage: false,
  categoryId: null,
  limit: 30,
  ...fields,
})

/** What the caller can buy. */
export const buyableFilter = ({ region, categoryId, group }: RecommendationRequest): BuyableScope => ({
  region,
  categoryId,
  withModerated: group === 'mod_offers',
})

/** What produced a list, for analytics. */
export const sources = ['catboost', 'collaborative_filtering', 'recommendation_service', 'cf'] as const
export type Source = (typeof sources)[number]
