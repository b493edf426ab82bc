// The category whose new and popular products a list takes up beside the ranked ones. The rules of the pages apply to it too
// (arrange.ts): in a cart what goes with it, on the main page nothing that was just bought.

import { dayMs } from '../../base/clock.ts'
import type { BuyableOffers } from '../../catalog/index.ts'
import type { Purchase } from '../../ml/retrieval/repeat.ts'
import { interactionWeight } from '../interactions/interaction.ts'
import type { ServingModel } from '../models/active-model.ts'
import type { BuyerContext } from './buyer-context.ts'
import { type CategoryRhythms, ownedCategories } from './home-places.ts'
import type { RecommendationRequest } from './request.ts'

/** How many of the latest interactions decide. */
const latest = 20

interface Known extends Pick<ServingModel, 'companionsOf'> {
  rowOf: Pick<ServingModel['rowOf'], 'get'>
  model: CategoryRhythms
}

interface Inputs {
  buyer: Pick<BuyerContext, 'pageProductIds' | 'interactions'>
  /** For the categories of products that are newer than the model. */
  buyable: Pick<BuyableOffers, 'placeOf'>
  now: Date
}

/** Of the products on the page, else of the buyer's latest interactions; null when nothing is known. */
export function focusCategory(
  { rowOf, model, companionsOf }: Known,
  { layer }: Pick<RecommendationRequest, 'layer'>,
  { buyer: { pageProductIds, interactions }, buyable, now }: Inputs,
): number | null {
  const { categories } = model.items
  const onPage = pageProductIds.flatMap((id) => {
    const row = rowOf.get(id)
    return (row === undefined ? buyable.placeOf(id)?.categoryPath.at(-1) : categories[row]) ?? []
  })
  if (layer === 'cart_page' && pageProductIds.length > 0)
    return heaviest(companionsOf(new Set(onPage)), new Set(onPage))
  if (onPage.length > 0) return heaviest(sums(onPage.map((it) => [it, 1])))
  const touched: Weighted[] = []
  const purchases: Purchase[] = []
  for (let at = 0; at < interactions.length; at++) {
    const { productId, kind, atMs } = interactions[at]!
    if (at >= latest && kind !== 'purchase') continue
    const item = productId === null ? undefined : rowOf.get(productId)
    if (item === undefined) continue
    if (at < latest) touched.push([categories[item]!, interactionWeight[kind]])
    if (kind === 'purchase') purchases.push({ item, time: atMs / dayMs })
  }
  return heaviest(sums(touched), ownedCategories(model, purchases, now.getTime() / dayMs))
}

type Weighted = readonly [category: number, weight: number]

function sums(weighted: readonly Weighted[]): Map<number, number> {
  const found = new Map<number, number>()
  for (const [category, weight] of weighted) found.set(category, (found.get(category) ?? 0) + weight)
  return found
}

function heaviest(weights: ReadonlyMap<number, number>, without = new Set<number>()): number | null {
  let best: Weighted | undefined
  for (const [category, weight] of weights) {
    if (without.has(category)) continue
    if (!best || weight > best[1] || (weight === best[1] && category < best[0])) best = [category, weight]
  }
  return best?.[0] ?? null
}
