// Builds a list that was shown again, by its own model or by another one: the buyer's history, the page and the cart are
// those of that instant, stock is the present one.

import type { Environment, Reader } from '../../base/database.ts'
import type { Catalog } from '../../catalog/index.ts'
import type { ShownList } from '../experiments/shown-list.ts'
import { historyUntil } from '../interactions/history.ts'
import type { ServingModel } from '../models/active-model.ts'
import type { BuyerContext } from '../serving/buyer-context.ts'
import { makeList, type RecommendedList } from '../serving/recommend.ts'
import { buyableFilter, type Layer, type RecommendationRequest } from '../serving/request.ts'
import type { Trace } from '../serving/trace.ts'

export interface RebuildDeps {
  catalog: Catalog
  environment: Environment
  /** The model to build with; undefined for popular products. */
  serving: ServingModel | undefined
  trace?: Trace
  /** Products that count as buyable whatever the product index says: the list showed them. */
  assumedForSale: ReadonlySet<number>
}

export async function rebuildList(
  read: Reader,
  list: ShownList,
  { catalog, environment, serving, trace, assumedForSale }: RebuildDeps,
): Promise<RecommendedList> {
  const request = requestOf(list)
  const index = catalog.indexes[environment]
  const [buyer, buyable] = await Promise.all([
    buyerContextAt(read, list),
    index.buyableOffers(buyableFilter(request)),
  ])
  const plan = { request, serving, explorationShare: null, participation: undefined }
  return makeList({ ...read, now: list.at }, plan, {
    index,
    ...(trace && { trace }),
    buyer,
    buyable,
    assumedForSale,
  })
}

async function buyerContextAt(read: Reader, { buyer, at, request }: ShownList): Promise<BuyerContext> {
  const interactions = buyer === null ? [] : (await historyUntil(read, buyer, at)).interactions
  return {
    buyer,
    experimentKey: null,
    interactions,
    pageProductIds: request.context,
    cartProductIds: new Set(request.inCart),
  }
}

const requestOf = ({ channel, layer, buyer, request }: ShownList): RecommendationRequest => ({
  ...request,
  channel,
  layer: layer as Layer,
  identifiers: buyer === null ? [] : [buyer],
  isGroupChosen: true,
  experimentGroup: null,
})
