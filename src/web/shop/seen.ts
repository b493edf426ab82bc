// Products that the visitor viewed last, from the reported views.

import { type Card, productCard } from './cards.ts'
import type { Visit } from './visit.ts'

const maxSeen = 10

/** No row is better than no page: a failed call gives an empty list, and products that are no longer there are left out. */
export async function recentlyViewed(visit: Visit, besides?: string): Promise<Card[]> {
  const { bozor, orderBuyer } = visit
  // A new visitor has viewed nothing.
  if (visit.isNew) return []
  try {
    const { products } = await bozor.recommendations.listRecentlyViewed({
      ...(orderBuyer.session_id !== undefined && { customer_id: orderBuyer.session_id }),
      limit: maxSeen + 1,
    })
    const found = await Promise.allSettled(
      products
        .filter((it) => it.product_id !== besides)
        .slice(0, maxSeen)
        .map((it) => cardOf(visit, it.product_id)),
    )
    return found.flatMap((it) => (it.status === 'fulfilled' ? [it.value] : []))
  } catch {
    return []
  }
}

const cardOf = (visit: Visit, id: string): Promise<Card> =>
  visit.keep(`product ${id}`, async () =>
    productCard((await visit.store.products.get({ product_id: id })).product),
  )
