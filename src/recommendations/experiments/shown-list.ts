// A list as it was shown, for whoever asks later what came of it and why it was so.

import type { OfferSheet } from '../../catalog/index.ts'
import type { About } from '../about.ts'
import type { Ask, Source } from '../ask.ts'
import type { Part } from './plan.ts'

/** How an offer came into a list: among the candidates, to be tried, or to fill it. */
export const ways = { candidate: 'c', trial: 't', filling: 'f' } as const
export type Way = keyof typeof ways

export interface ShownOffer {
  name: string
  way: Way
  /** From 1; nought when it was no candidate. */
  rankBefore: number
  rankAfter: number
}

export interface ShownList {
  /** `X-Recommendation-Id`, which tells its instant too. */
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
  asked: Asked
  tookMs: number
}

/** What was asked, and what was known of the buyer beside his history. */
export interface Asked extends Pick<
  Ask,
  'offers' | 'products' | 'group' | 'region' | 'place' | 'categoryId' | 'isCategoriesPage' | 'limit'
> {
  context: number[]
  inCart: number[]
}

/** How applications name an offer. */
export const offerName = ({ id, moderation }: Pick<OfferSheet, 'id' | 'moderation'>): string =>
  moderation?.uuid ?? String(id)

export interface Made {
  id: string
  at: Date
  asked: Ask
  about: About
  part: Part | undefined
  source: Source
  modelId: number | null
  offers: readonly OfferSheet[]
  /** Products as candidates, best first, before the ranker and after it, and those that are tried. */
  ranking: Ranking
  tookMs: number
}

export interface Ranking {
  before: readonly number[]
  after: readonly number[]
  trials: readonly number[]
}

export function shownList({ asked, about, part, ranking, ...made }: Made): ShownList {
  return {
    id: made.id,
    at: made.at,
    buyer: about.buyer,
    channel: asked.channel,
    layer: asked.layer,
    source: made.source,
    experimentId: part?.experiment.id ?? null,
    group: part?.group.name ?? asked.experiment,
    modelId: made.modelId,
    offers: made.offers.map((offer) => shownOffer(offer, ranking)),
    asked: {
      offers: asked.offers,
      products: asked.products,
      group: asked.group,
      region: asked.region,
      place: asked.place,
      categoryId: asked.categoryId,
      isCategoriesPage: asked.isCategoriesPage,
      limit: asked.limit,
      context: about.context,
      inCart: [...about.inCart],
    },
    tookMs: made.tookMs,
  }
}

/** What is shown stands near the front, so it is found sooner by looking than by an index. */
function shownOffer(offer: OfferSheet, { before, after, trials }: Ranking): ShownOffer {
  const rankAfter = after.indexOf(offer.productId) + 1
  const isTrial = trials.includes(offer.productId)
  return {
    name: offerName(offer),
    way: isTrial ? 'trial' : rankAfter > 0 ? 'candidate' : 'filling',
    rankBefore: before.indexOf(offer.productId) + 1,
    rankAfter,
  }
}
