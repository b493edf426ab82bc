// What is known about the buyer and the page when a list is built. Everything here is loaded within a timeout.

import type { Reader } from '../../base/database.ts'
import { withTimeout } from '../../base/with-timeout.ts'
import { type ShownCart, shownCarts } from '../../cart/index.ts'
import {
  findModeratedOffers,
  type OfferDetails,
  productsOfOffers,
  type ProductIndexReader,
} from '../../catalog/index.ts'
import { isClientKey } from '../interactions/aliases.ts'
import { loadHistory } from '../interactions/history.ts'
import { type BuyerHistory, isOrdinary, type PastInteraction } from '../interactions/interaction.ts'
import type { RecommendationRequest } from './request.ts'

export interface BuyerContext {
  /** The buyer's key; null for an anonymous caller, or when the history did not load in time. */
  buyer: string | null
  /** The key that assigns the buyer to experiment groups. */
  experimentKey: string | null
  /** Newest first. */
  interactions: readonly PastInteraction[]
  /** The products that the page shows, in the order given. */
  pageProductIds: number[]
  cartProductIds: ReadonlySet<number>
  /** What the buyer may still buy on credit; undefined for guests and for clients who have never bought on credit. */
  remainingCreditTiyin?: number | undefined
}

/** After this time the list is built without the buyer's history and without the offers of the page. */
const buyerTimeoutMs = 200

export async function loadBuyerContext(
  read: Reader,
  request: RecommendationRequest,
  index: ProductIndexReader,
): Promise<BuyerContext> {
  const anonymous: LoadedBuyer = {
    history: undefined,
    cartProductIds: new Set(),
    remainingCreditTiyin: undefined,
  }
  const [pageProductIds, { history, cartProductIds, remainingCreditTiyin }] = await Promise.all([
    loadPageProducts(read, request, index),
    withTimeout(loadBuyer(read, request.identifiers, index), buyerTimeoutMs, () => anonymous),
  ])
  return {
    buyer: history?.buyer ?? null,
    experimentKey: history?.experimentKey ?? null,
    interactions: history?.interactions ?? [],
    pageProductIds,
    cartProductIds,
    remainingCreditTiyin,
  }
}

interface LoadedBuyer extends Pick<BuyerContext, 'remainingCreditTiyin'> {
  history: BuyerHistory | undefined
  cartProductIds: Set<number>
}

/** The carts of the identifiers are read beside the history, which may name one more: that of the client who is behind them. */
async function loadBuyer(
  read: Reader,
  identifiers: readonly string[],
  index: ProductIndexReader,
): Promise<LoadedBuyer> {
  const [history, carts] = await Promise.all([
    loadHistory(read, identifiers, index),
    shownCarts(read, identifiers),
  ])
  const client =
    history && isClientKey(history.buyer) && !identifiers.includes(history.buyer) ? [history.buyer] : []
  const all = [...carts, ...(await shownCarts(read, client))]
  const credit = all.find(({ buyer }) => buyer === history?.buyer)?.remainingCreditTiyin
  const filled = all.filter((it) => it.cartId !== null)
  return {
    history,
    cartProductIds: await loadCartProducts(read, filled, index),
    remainingCreditTiyin: credit ?? undefined,
  }
}

async function loadCartProducts(
  read: Reader,
  carts: readonly ShownCart[],
  index: ProductIndexReader,
): Promise<Set<number>> {
  if (carts.length === 0) return new Set()
  const moderatedIds = carts.flatMap((it) => it.moderatedOfferIds)
  const [ordinary, moderated] = await Promise.all([
    productsOfOfferRefs(
      read,
      carts.flatMap((it) => it.offerIds.map(String)),
      index,
    ),
    moderatedIds.length > 0 ? findModeratedOffers(read, moderatedIds) : new Map<number, OfferDetails>(),
  ])
  return new Set([...ordinary.values(), ...[...moderated.values()].map((it) => it.productId)])
}

/** Unknown offers are ignored. */
async function loadPageProducts(
  read: Reader,
  { offers, products }: RecommendationRequest,
  index: ProductIndexReader,
): Promise<number[]> {
  if (offers.length === 0) return products
  const productOf = await productsOfOfferRefs(read, offers, index)
  return [...new Set([...products, ...offers.flatMap((it) => productOf.get(it) ?? [])])]
}

/** Most offers are in the product index; the others are read from the database within the timeout. */
async function productsOfOfferRefs(
  read: Reader,
  offers: readonly string[],
  index: ProductIndexReader,
): Promise<Map<string, number>> {
  const known = new Map<string, number>()
  for (const it of offers) {
    const productId = isOrdinary(it) ? index.productOf(Number(it)) : undefined
    if (productId !== undefined) known.set(it, productId)
  }
  if (known.size === offers.length) return known
  const missing = offers.filter((it) => !known.has(it))
  const none = new Map<string, number>()
  return new Map([
    ...known,
    ...(await withTimeout(productsOfOffers(read, missing), buyerTimeoutMs, () => none)),
  ])
}
