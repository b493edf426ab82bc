// What every recommendation call comes down to, whatever its channel.

import type { Buying, Region } from '../catalog/index.ts'

export const layers = ['main_page', 'offer_page', 'cart_page'] as const
export type Layer = (typeof layers)[number]

/** An offer of either kind, as callers name it: digits for an ordinary one, a UUID for a moderated one. */
export type OfferName = string

/**
 * How the list is made: `prod` and `mod_offers` by the ranker, the latter with moderated offers among them; `cf` by
 * collaborative filtering alone.
 */
export type Group = 'prod' | 'mod_offers' | 'cf'

export interface Ask {
  channel: string
  layer: Layer
  /** Names of the buyer, the surest first; empty for somebody unknown. */
  buyers: string[]
  /** The offers that the page is about. */
  offers: OfferName[]
  /** The products that the page is about. */
  products: number[]
  group: Group
  /** Somebody chose it: the caller, or the channel by its nature. Experiments leave it alone then. */
  isGroupChosen: boolean
  /** The experiment's group, when the caller names one. */
  experiment: string | null
  region: Region
  /** A place by its name; it biases trends and hides nothing. */
  place: string | null
  /** The page is that of a category, or of all of them. */
  isCategoriesPage: boolean
  /** Only offers of this category and below. */
  categoryId: number | null
  limit: number
}

/** What whoever asks can buy. */
export const buyingOf = ({ region, categoryId, group }: Ask): Buying => ({
  region,
  categoryId,
  withModerated: group === 'mod_offers',
})

/** Where a list came from, for analytics. */
export const sources = ['catboost', 'collaborative_filtering', 'recommendation_service', 'cf'] as const
export type Source = (typeof sources)[number]
