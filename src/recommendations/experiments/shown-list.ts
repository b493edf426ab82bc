// A list as it was shown, for attribution, metrics and explanations.

import type { OfferDetails } from '../../catalog/index.ts'
import type { BuyerContext } from '../serving/buyer-context.ts'
import type { RecommendationRequest, Source } from '../serving/request.ts'
import type { Participation } from './assignment.ts'
import type { Shuffle } from './shuffle.ts'

/** How an offer got into a list: as a candidate of the model, for exploration, or as a popular filler. */
export const offerOrigins = ['candidate', 'exploration', 'filler'] as const
export type OfferOrigin = (typeof offerOrigins)[number]

export interface ShownOffer {
  ref: string
  origin: OfferOrigin
  /** From 1; 0 when it was no candidate. */
  rankBefore: number
  rankAfter: number
}

export interface ShownList {
  /** `X-Recommendation-Id`; a time-ordered UUID, so it holds the instant too. */
  id: string
  at: Date
  buyer: string | null
  channel: string
  layer: string
  source: Source
  experimentId: number | null
  group: string | null
  modelId: number | null
  offers: ShownOffer[]
  request: LoggedRequest
  durationMs: number
}

/** The request, with the page's and the cart's products as they were. Stored as JSON. */
export interface LoggedRequest extends Pick<
  RecommendationRequest,
  | 'offers'
  | 'products'
  | 'group'
  | 'region'
  | 'place'
  | 'platform'
  | 'categoryId'
  | 'isCategoriesPage'
  | 'limit'
> {
  /** The random order of the first places, where the group of the list has one. */
  shuffle?: Shuffle
  context: number[]
  inCart: number[]
}

/** The reference that applications use for an offer. */
export const offerRefOf = ({ id, moderation }: Pick<OfferDetails, 'id' | 'moderation'>): string =>
  moderation?.uuid ?? String(id)

export interface ServedList {
  id: string
  at: Date
  request: RecommendationRequest
  buyer: BuyerContext
  participation: Participation | undefined
  source: Source
  modelId: number | null
  offers: readonly OfferDetails[]
  ranking: Ranking
  shuffle?: Shuffle | undefined
  durationMs: number
}

/** Product ids: candidates before and after the ranker, best first, and exploration products. */
export interface Ranking {
  before: readonly number[]
  after: readonly number[]
  exploration: readonly number[]
}

export function shownList({
  request,
  buyer,
  participation,
  ranking,
  shuffle,
  ...served
}: ServedList): ShownList {
  return {
    id: served.id,
    at: served.at,
    buyer: buyer.buyer,
    channel: request.channel,
    layer: request.layer,
    source: served.source,
    experimentId: participation?.experiment.id ?? null,
    group: participation?.group.name ?? request.experimentGroup,
    modelId: served.modelId,
    offers: served.offers.map((offer) => shownOffer(offer, ranking)),
    request: {
      offers: request.offers,
      products: request.products,
      group: request.group,
      region: request.region,
      place: request.place,
      platform: request.platform,
      categoryId: request.categoryId,
      isCategoriesPage: request.isCategoriesPage,
      limit: request.limit,
      ...(shuffle && { shuffle }),
      context: buyer.pageProductIds,
      inCart: [...buyer.cartProductIds],
    },
    durationMs: served.durationMs,
  }
}

/** Shown products rank near the front, so a linear search beats building an index. */
function shownOffer(offer: OfferDetails, { before, after, exploration }: Ranking): ShownOffer {
  const rankAfter = after.indexOf(offer.productId) + 1
  const isExploration = exploration.includes(offer.productId)
  return {
    ref: offerRefOf(offer),
    origin: isExploration ? 'exploration' : rankAfter > 0 ? 'candidate' : 'filler',
    rankBefore: before.indexOf(offer.productId) + 1,
    rankAfter,
  }
}
