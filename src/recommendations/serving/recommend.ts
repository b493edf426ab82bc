// Builds one list, for every channel, for evaluation and for explanations:
// request → buyer context → plan (experiments) → ranked products → exploration → offers.

import { dayMs } from '../../base/clock.ts'
import type { Environment, Reader } from '../../base/database.ts'
import { withTimeout } from '../../base/with-timeout.ts'
import { cacheOnly } from '../../base/cache-only.ts'
import type { Catalog, OfferDetails, ProductIndexReader } from '../../catalog/index.ts'
import {
  hashShare,
  type ListPlan,
  type Participation,
  participationOf,
  planOf,
} from '../experiments/assignment.ts'
import type { RunningExperiments } from '../experiments/running-experiments.ts'
import type { Ranking } from '../experiments/shown-list.ts'
import { type Shuffle, shuffled, shuffleFor } from '../experiments/shuffle.ts'
import type { ServingModel } from '../models/active-model.ts'
import { type BuyerContext, loadBuyerContext } from './buyer-context.ts'
import { productsByCategory } from './category-lists.ts'
import { fillList } from './fill-list.ts'
import { focusCategory } from './focus-category.ts'
import { type NewProduct, positionsFor, withNewProducts } from './new-products.ts'
import { excludedProducts, type RankingInputs, rankProducts } from './rank-products.ts'
import { buyableFilter, type RecommendationRequest, type Source } from './request.ts'
import type { ExclusionRule, Trace } from './trace.ts'

/** A list of offers, what produced it, and for whom. */
export interface RecommendedList {
  offers: OfferDetails[]
  source: Source
  modelId: number | null
  buyer: BuyerContext
  /** The experiment group that the list was built for, if any. */
  participation: Participation | undefined
  ranking: Ranking
  /** The random order of the first places, where the group has one. */
  shuffle?: Shuffle | undefined
}

export interface RecommendDeps {
  catalog: Catalog
  environment: Environment
  serving: ServingModel | undefined
  /** Absent where experiments must not change the list. */
  experiments?: RunningExperiments
  /** `X-Recommendation-Id` of the list to build; without one nothing is shuffled. */
  listId?: string
  trace?: Trace
}

/** After this time the list is built from cached data alone. */
const deadlineMs = 300

/** The offers to show: all buyable for the caller, none repeated, none that the page already shows. */
export function recommend(
  read: Reader,
  request: RecommendationRequest,
  deps: RecommendDeps,
): Promise<RecommendedList> {
  const built = buildList(read, request, { ...deps, index: deps.catalog.indexes[deps.environment] })
  return deps.trace ? built : withTimeout(built, deadlineMs, () => cachedList(read, request, deps))
}

type ListDeps = RecommendDeps & { index: ProductIndexReader }

async function buildList(
  read: Reader,
  request: RecommendationRequest,
  deps: ListDeps,
): Promise<RecommendedList> {
  const [buyer, buyable] = await Promise.all([
    loadBuyerContext(read, request, deps.index),
    deps.index.buyableOffers(buyableFilter(request)),
  ])
  const { experiments, serving } = deps
  const plan = planOf({ request, serving }, participationOf(experiments, request, buyer), experiments)
  return makeList(read, plan, { ...deps, buyer, buyable })
}

/** The same list from what this process has cached, without database reads and without the ranker; undefined if empty. */
async function cachedList(
  read: Reader,
  request: RecommendationRequest,
  deps: RecommendDeps,
): Promise<RecommendedList | undefined> {
  const index = deps.catalog.currentIndex(deps.environment)
  if (!index) return undefined
  const serving = deps.serving && { ...deps.serving, ranker: undefined }
  try {
    const list = await buildList(cacheOnly(read), request, { ...deps, serving, index })
    return list.offers.length > 0 ? list : undefined
  } catch {
    return undefined
  }
}

interface ListInputs extends Pick<RankingInputs, 'buyer' | 'buyable' | 'assumedForSale' | 'isPast'> {
  index: ProductIndexReader
  /** In place of those of the present: the new products that an explained list showed, at their positions. */
  newProducts?: readonly NewProduct[]
  listId?: string
  trace?: Trace
}

/** Builds the list of a plan for a buyer whose context is loaded. */
export async function makeList(read: Reader, plan: ListPlan, inputs: ListInputs): Promise<RecommendedList> {
  const { request, serving, participation } = plan
  const { buyer, buyable, index, trace } = inputs
  const excluded = excludedProducts(buyer, read.now, serving)
  for (const [id, rule] of trace ? excluded : []) trace?.exclude([id], rule)
  const ranked = rankProducts(serving, request, { ...inputs, excluded, now: read.now, trace })
  const byCategory = await productsByCategory(request, serving, inputs)
  const { candidateIds, source } = ranked
  const productIds = byCategory.length > 0 ? [...byCategory, ...ranked.productIds] : ranked.productIds
  const focusCategoryId = serving ? focusCategory(serving, request, { buyer, buyable, now: read.now }) : null
  const exploration = await explorationProducts(plan, index, {
    buyer,
    focusCategoryId,
    now: read.now,
    excluded,
    newProducts: inputs.newProducts,
  })
  const positions = positionsFor(request.limit, plan.explorationShare)
  const offers = await fillList(read, request, withNewProducts(productIds, exploration, positions), {
    index,
    buyable,
    excluded,
    focusCategoryId,
    buyerKind: buyer.interactions.length > 0 ? 'known' : 'unknown',
    assumedForSale: inputs.assumedForSale,
    trace,
  })
  const ranking = {
    before: candidateIds,
    after: productIds,
    exploration: exploration.map((it) => it.productId),
  }
  const shuffle =
    plan.shuffledShare && inputs.listId !== undefined
      ? shuffleFor(inputs.listId, plan.shuffledShare, offers.length)
      : undefined
  return {
    offers: shuffle ? shuffled(offers, shuffle) : offers,
    source,
    modelId: serving?.modelId ?? null,
    buyer,
    participation,
    ranking,
    shuffle,
  }
}

/** How many of the newest products take turns. */
const maxInRotation = 40

/**
 * New products that the model has not seen, close to the buyer's focus. They rotate by buyer and day: without these
 * positions the model could never learn about them.
 */
async function explorationProducts(
  { request, serving, explorationShare }: ListPlan,
  index: ProductIndexReader,
  known: {
    buyer: BuyerContext
    focusCategoryId: number | null
    now: Date
    excluded: ReadonlyMap<number, ExclusionRule>
    newProducts: readonly NewProduct[] | undefined
  },
): Promise<readonly NewProduct[]> {
  const categoryId = request.categoryId ?? known.focusCategoryId
  const positions = positionsFor(request.limit, explorationShare)
  if (!serving || positions.length === 0) return []
  if (known.newProducts) return known.newProducts.filter((it) => !serving.rowOf.has(it.productId))
  if (categoryId === null) return []
  if (index.newestMs() <= serving.model.until.getTime()) return []
  const newest = await index.newestProducts({ ...buyableFilter(request), categoryId, limit: maxInRotation })
  const unseen = newest.filter((it) => !serving.rowOf.has(it) && !known.excluded.has(it))
  const today = Math.floor(known.now.getTime() / dayMs)
  const first = Math.floor(hashShare('trials', `${known.buyer.buyer} ${today}`) * unseen.length)
  return [...unseen.slice(first), ...unseen.slice(0, first)]
    .slice(0, positions.length)
    .map((productId, at) => ({ productId, at }))
}
