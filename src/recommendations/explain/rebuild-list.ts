// Builds a list that was shown again, by its own model or by another one: the buyer's history, the page and the cart are
// those of that instant, and so are the buyer's credit and the places for new products. The new products are those that the
// list showed, unless the model knows them. Stock is the present one, and so are the popular products that complete a list;
// the caller says which products count as buyable nevertheless.

import type { Environment, Reader } from '../../base/database.ts'
import { findLimits, remainingTiyin } from '../../cart/index.ts'
import {
  type Catalog,
  findModeratedOffersByUuid,
  findOffers,
  type OfferDetails,
} from '../../catalog/index.ts'
import { creditHistoryOf, outstandingBefore } from '../../orders/index.ts'
import { offerRefOf, type ShownList } from '../experiments/shown-list.ts'
import { isClientKey } from '../interactions/aliases.ts'
import { historyUntil } from '../interactions/history.ts'
import type { ServingModel } from '../models/active-model.ts'
import type { BuyerContext } from '../serving/buyer-context.ts'
import { type NewProduct, positionsFor, positionsOfShown, type ShownPlace } from '../serving/new-products.ts'
import { makeList, type RecommendedList } from '../serving/recommend.ts'
import { buyableFilter, type Layer, type RecommendationRequest } from '../serving/request.ts'
import type { Trace } from '../serving/trace.ts'

export interface RebuildDeps {
  catalog: Catalog
  environment: Environment
  /** The model to build with; undefined for popular products. */
  serving: ServingModel | undefined
  trace?: Trace
  /** Of the experiment group that the list was built for; null without one. */
  explorationShare: number | null
  /** Products that count as buyable whatever the product index says: the list showed them. */
  assumedForSale: ReadonlyMap<number, OfferDetails>
}

export async function rebuildList(
  read: Reader,
  list: ShownList,
  { catalog, environment, serving, trace, explorationShare, assumedForSale }: RebuildDeps,
): Promise<RecommendedList> {
  const request = requestOf(list)
  const index = catalog.indexes[environment]
  const [buyer, buyable] = await Promise.all([
    buyerContextAt(read, list),
    index.buyableOffers(buyableFilter(request)),
  ])
  const plan = { request, serving, explorationShare, participation: undefined }
  return makeList({ ...read, now: list.at }, plan, {
    index,
    ...(trace && { trace }),
    buyer,
    buyable,
    assumedForSale,
    isPast: true,
    newProducts: newProductsOf(list, assumedForSale, explorationShare),
  })
}

/** The new products of a list at their positions. */
function newProductsOf(
  { offers, request: { limit, shuffle } }: ShownList,
  details: ReadonlyMap<number, OfferDetails>,
  explorationShare: number | null,
): readonly NewProduct[] {
  const productOf = new Map(Array.from(details, ([productId, offer]) => [offerRefOf(offer), productId]))
  const unshuffled = offers.slice()
  offers.forEach((offer, place) => (unshuffled[shuffle?.order[place] ?? place] = offer))
  const shown = unshuffled.flatMap(({ ref, origin, rankAfter }): ShownPlace[] => {
    const productId = productOf.get(ref)
    return productId === undefined ? [] : [{ productId, isNew: origin === 'exploration', rank: rankAfter }]
  })
  return positionsOfShown(shown, positionsFor(limit, explorationShare))
}

const isUuid = (ref: string) => ref.includes('-')

/** Offers that lists showed, by the references in these; deleted ones are left out. */
export async function shownOffers(
  read: Reader,
  lists: readonly ShownList[],
): Promise<Map<string, OfferDetails>> {
  const refs = [...new Set(lists.flatMap((it) => it.offers.map(({ ref }) => ref)))]
  const [ordinary, moderated] = await Promise.all([
    findOffers(read, refs.filter((it) => !isUuid(it)).map(Number)),
    findModeratedOffersByUuid(read, refs.filter(isUuid)),
  ])
  return new Map([...ordinary.values(), ...moderated.values()].map((it) => [offerRefOf(it), it]))
}

/** What a list showed was for sale then. */
export const assumedFrom = (
  list: ShownList,
  offers: ReadonlyMap<string, OfferDetails>,
): ReadonlyMap<number, OfferDetails> =>
  new Map(
    list.offers.flatMap(({ ref }) => {
      const offer = offers.get(ref)
      return offer ? [[offer.productId, offer] as const] : []
    }),
  )

async function buyerContextAt(read: Reader, { buyer, at, request }: ShownList): Promise<BuyerContext> {
  const [interactions, remainingCreditTiyin] =
    buyer === null
      ? [[], undefined]
      : await Promise.all([
          historyUntil(read, buyer, at).then((it) => it.interactions),
          remainingCreditAt(read, buyer, at),
        ])
  return {
    buyer,
    experimentKey: null,
    interactions,
    pageProductIds: request.context,
    cartProductIds: new Set(request.inCart),
    remainingCreditTiyin,
  }
}

/** With the present limit, because past ones are not stored. */
async function remainingCreditAt(read: Reader, buyer: string, at: Date): Promise<number | undefined> {
  const history = isClientKey(buyer) ? await creditHistoryOf(read, Number(buyer)) : undefined
  const owed = history && outstandingBefore(history, at.getTime())
  return owed === undefined ? undefined : remainingTiyin(await findLimits(read), owed)
}

const requestOf = ({ channel, layer, buyer, request }: ShownList): RecommendationRequest => ({
  ...request,
  channel,
  layer: layer as Layer,
  identifiers: buyer === null ? [] : [buyer],
  isGroupChosen: true,
  experimentGroup: null,
})
