// From the buyer context to ranked products: exclusions, candidates, features, ranker. Synchronous, no I/O.

import { dayMs } from '../../base/clock.ts'
import type { BuyableOffers, OfferDetails } from '../../catalog/index.ts'
import { isNotDueAgain, rankedCandidates, rankedOf } from './candidates.ts'
import { type ModelQuery, sessionGapDays } from './model-query.ts'
import { orderOf } from '../models/measure.ts'
import { type BuyerProfile, profileOf, type ItemInteraction } from './buyer-profile.ts'
import { placeKey } from '../models/place-trends.ts'
import { candidateCount, type ServingModel } from '../models/active-model.ts'
import type { BuyerContext } from './buyer-context.ts'
import type { RecommendationRequest, Source } from './request.ts'
import type { ExclusionRule, Trace } from './trace.ts'

export interface RankedProducts {
  productIds: number[]
  /** In the order of the blend, before the ranker. */
  candidateIds: number[]
  source: Source
}

export interface RankingInputs {
  buyer: BuyerContext
  /** Products that must not appear. */
  excluded: ReadonlyMap<number, ExclusionRule>
  now: Date
  buyable: BuyableOffers
  /** Products that count as buyable whatever the product index says: an explained list showed them. */
  assumedForSale?: ReadonlyMap<number, OfferDetails>
  /** Whether the list is one of the past: its history was loaded for it alone. */
  isPast?: boolean
  trace: Trace | undefined
}

interface RhythmByProduct {
  rowOf: Pick<ServingModel['rowOf'], 'get'>
  model: Pick<ServingModel['model'], 'rhythm'>
}

/** Products that no list shows, each with the rule that excludes it. */
export function excludedProducts(
  { pageProductIds, cartProductIds, interactions }: BuyerContext,
  now: Date,
  serving: RhythmByProduct | undefined,
): Map<number, ExclusionRule> {
  const rules = new Map<number, ExclusionRule>(pageProductIds.map((id) => [id, 'on_page']))
  for (const id of cartProductIds) if (!rules.has(id)) rules.set(id, 'in_cart')
  for (const { productId, kind, atMs } of interactions) {
    if (kind !== 'purchase' || productId === null || rules.has(productId)) continue
    const days = (now.getTime() - atMs) / dayMs
    if (isNotDueAgain(serving?.model.rhythm, serving?.rowOf.get(productId), days))
      rules.set(productId, 'bought_recently')
  }
  return rules
}

export function rankProducts(
  serving: ServingModel | undefined,
  request: RecommendationRequest,
  inputs: RankingInputs,
): RankedProducts {
  if (!serving) return { productIds: [], candidateIds: [], source: 'recommendation_service' }
  const { model, rowOf, ranker, propose, describe, arrange } = serving
  const { productIds } = model.items
  const { excluded, trace } = inputs
  const query = modelQueryOf(serving, request, inputs)
  const candidates = propose(query, {
    limit: candidateCount,
    ...(trace ? {} : { scored: rankedCandidates }),
    out: rowsOf(excluded, rowOf),
    isForSale: forSaleCheck(serving, inputs),
    isLasting: !inputs.isPast && query.profile === serving.profiles.get(inputs.buyer.interactions),
  })
  const isPersonal = query.profile.history.length > 0 || query.context.length > 0
  const isRanked = isPersonal && request.group !== 'cf' && ranker !== undefined && candidates.items.length > 0
  const first = rankedOf(candidates)
  const features = trace
    ? describe(query, first)
    : isRanked
      ? describe(query, first, serving.columns)
      : undefined
  const scores = isRanked ? ranker.scores(features!, first.items.length) : undefined
  const order = arrange(ordered(candidates.items, scores), query, request.limit)
  trace?.rank(serving, { query, candidates, features: features!, scores })
  return {
    productIds: productIdsOf(order, productIds),
    candidateIds: productIdsOf(candidates.items, productIds),
    source: !isPersonal ? 'recommendation_service' : scores ? 'catboost' : 'collaborative_filtering',
  }
}

function rowsOf(excluded: RankingInputs['excluded'], rowOf: ServingModel['rowOf']): number[] {
  const rows: number[] = []
  for (const id of excluded.keys()) {
    const row = rowOf.get(id)
    if (row !== undefined) rows.push(row)
  }
  return rows
}

/** The first candidates as the ranker orders them, the others after them. */
function ordered(items: Int32Array, scores: Float64Array | undefined): Int32Array {
  if (!scores) return items
  const all = items.slice()
  all.set(orderOf(items.subarray(0, scores.length), scores)!)
  return all
}

function productIdsOf(rows: Int32Array, productIds: Float64Array): number[] {
  const ids: number[] = []
  for (const row of rows) ids.push(productIds[row]!)
  return ids
}

/** The slot of a product in the product index is cached by its model row and looked up again after it moved. */
function forSaleCheck(
  { model, slots }: ServingModel,
  { buyable, assumedForSale, trace }: RankingInputs,
): (row: number) => boolean {
  const { productIds } = model.items
  return (row) => {
    const id = productIds[row]!
    let slot = slots[row]!
    if (!buyable.isAt(slot, id)) {
      slot = buyable.slotOf(id)
      slots[row] = slot
    }
    const isForSale = (slot >= 0 && buyable.has(slot)) || (assumedForSale?.has(id) ?? false)
    if (!isForSale) trace?.exclude([id], 'not_for_sale')
    return isForSale
  }
}

function modelQueryOf(
  serving: ServingModel,
  { layer, place, platform, categoryId }: RecommendationRequest,
  { buyer, now }: RankingInputs,
): ModelQuery {
  const context = buyer.pageProductIds.flatMap((it) => serving.rowOf.get(it) ?? [])
  const page = { layer: context.length > 0 ? layer : 'main_page', context, day: now.getTime() / dayMs }
  return {
    ...page,
    profile: profileOnPage(serving, buyer.interactions, page),
    place: place === null ? null : placeKey(place),
    platform,
    isOneCategory: categoryId !== null,
    remainingCreditTiyin: buyer.remainingCreditTiyin,
  }
}

/** The page's products count as touched now, reported or not: models learn from visits that include the page. */
function profileOnPage(
  serving: ServingModel,
  interactions: BuyerContext['interactions'],
  { layer, context, day }: Pick<ModelQuery, 'layer' | 'context' | 'day'>,
): BuyerProfile {
  const profile = cachedProfile(serving, interactions)
  const unreported = context.filter((it) => (profile.touches.get(it)?.lastDay ?? 0) < day - sessionGapDays)
  if (unreported.length === 0) return profile
  const kind = layer === 'cart_page' ? 'cart' : 'view'
  const steps = unreported.map((item): ItemInteraction => ({ item, kind, day }))
  return profileOf(serving.model.items, steps, profile)
}

/** Cached by the array of interactions, which is cached itself until an event invalidates it. */
function cachedProfile(serving: ServingModel, interactions: BuyerContext['interactions']): BuyerProfile {
  const known = serving.profiles.get(interactions)
  if (known) return known
  const profile = profileOf(serving.model.items, stepsOf(serving, interactions))
  serving.profiles.set(interactions, profile)
  return profile
}

/** Oldest first. Products that the model does not know are ignored. */
function stepsOf({ rowOf }: ServingModel, interactions: BuyerContext['interactions']): ItemInteraction[] {
  const steps: ItemInteraction[] = []
  for (let at = interactions.length - 1; at >= 0; at--) {
    const { productId, kind, atMs } = interactions[at]!
    const item = productId === null ? undefined : rowOf.get(productId)
    if (item !== undefined) steps.push({ item, kind, day: atMs / dayMs })
  }
  return steps
}
