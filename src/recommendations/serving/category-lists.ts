// Lists where no model knows the page: a shop without a training, or products newer than the model. Categories, prices and
// popularity decide.

import type { BuyableOffers, ProductIndexReader, ProductPlace } from '../../catalog/index.ts'
import { interactionWeight } from '../interactions/interaction.ts'
import type { ServingModel } from '../models/active-model.ts'
import type { BuyerContext } from './buyer-context.ts'
import { buyableFilter, type RecommendationRequest } from './request.ts'

interface Shop {
  index: ProductIndexReader
  buyable: BuyableOffers
}

const maxFetched = 120
const maxPerComplement = 10

/** Products for the front of the list, the best first; none where the model knows more. */
export async function productsByCategory(
  request: RecommendationRequest,
  serving: ServingModel | undefined,
  { buyer, ...shop }: Shop & { buyer: BuyerContext },
): Promise<number[]> {
  if (request.categoryId !== null || buyer.pageProductIds.some((it) => serving?.rowOf.has(it))) return []
  const page = buyer.pageProductIds.flatMap((it) => shop.buyable.placeOf(it) ?? [])
  if (page.length > 0 && request.layer === 'cart_page') return complements(request, page, shop)
  if (page.length > 0 && request.layer === 'offer_page') return alternatives(request, page, shop)
  return serving ? [] : homeProducts(request, buyer, shop)
}

/** Of the product's category, similar prices first, then of the category above it. */
async function alternatives(
  request: RecommendationRequest,
  page: readonly ProductPlace[],
  shop: Shop,
): Promise<number[]> {
  const lists = page.map(async ({ categoryPath, priceTiyin }) => {
    const [near, farther] = await Promise.all(
      categoryPath
        .slice(-2)
        .toReversed()
        .map((it) => popularIn(request, it, shop)),
    )
    const band = (id: number) => priceBand(shop.buyable.placeOf(id)?.priceTiyin, priceTiyin)
    return [...near!.toSorted((a, b) => band(a) - band(b)), ...(farther ?? [])]
  })
  return inTurn(await Promise.all(lists))
}

/** Of the categories beside those of the page, each in turn: what goes with a product is not another one of its kind. */
async function complements(
  request: RecommendationRequest,
  page: readonly ProductPlace[],
  shop: Shop,
): Promise<number[]> {
  const own = new Set(page.map((it) => it.categoryPath.at(-1)))
  const beside = async (categoryId: number | null) => {
    const buyable = await shop.index.buyableOffers({ ...buyableFilter(request), categoryId })
    return buyable.popularOfEveryCategory(maxPerComplement).filter((it) => !own.has(categoryOf(it, shop)))
  }
  const lists = page.map(async ({ categoryPath }) => {
    for (const above of categoryPath.slice(0, -1).toReversed()) {
      const found = await beside(above)
      if (found.length > 0) return found
    }
    return beside(null)
  })
  return inTurn(await Promise.all(lists))
}

const latestInteractions = 20
const maxCategories = 3
const maxPerCategory = 3

/** Every other product of the categories that the buyer looked at; the others show the breadth of the shop. */
async function homeProducts(
  request: RecommendationRequest,
  { interactions }: BuyerContext,
  shop: Shop,
): Promise<number[]> {
  const weights = new Map<number, number>()
  for (const { productId, kind } of interactions.slice(0, latestInteractions)) {
    const category = productId === null ? undefined : categoryOf(productId, shop)
    if (category !== undefined) weights.set(category, (weights.get(category) ?? 0) + interactionWeight[kind])
  }
  const favourites = [...weights].toSorted(([, a], [, b]) => b - a).slice(0, maxCategories)
  const lists = await Promise.all(favourites.map(([category]) => popularIn(request, category, shop)))
  const breadth = shop.buyable.popularOfEveryCategory(maxPerCategory)
  return lists.length > 0 ? inTurn([inTurn(lists), breadth]) : breadth
}

const popularIn = (request: RecommendationRequest, categoryId: number | null, { index }: Shop) =>
  index.popularProducts({ ...buyableFilter(request), categoryId, limit: maxFetched })

const categoryOf = (productId: number, { buyable }: Shop): number | undefined =>
  buyable.placeOf(productId)?.categoryPath.at(-1)

/** 0 for a price within a factor of 1.5, 1 within 3, 2 for others. */
const priceBand = (price: number | undefined, wanted: number): number => {
  const factor = Math.exp(Math.abs(Math.log((price ?? Number.NaN) / wanted)))
  return factor <= 1.5 ? 0 : factor <= 3 ? 1 : 2
}

/** The first of each list, then the second of each, and so on, each id once. */
function inTurn(lists: readonly (readonly number[])[]): number[] {
  const longest = Math.max(0, ...lists.map((it) => it.length))
  const ids = Array.from({ length: longest }, (_, at) => lists.flatMap((it) => it.slice(at, at + 1))).flat()
  return [...new Set(ids)]
}
