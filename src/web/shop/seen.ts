// Products that the visitor viewed last, kept in a cookie of this browser.

import { type Card, productCard } from './cards.ts'
import type { Visit } from './visit.ts'

const maxSeen = 10
const monthSeconds = 30 * 86_400
const idForm = /^[1-9]\d{0,15}$/

const seenIds = (visit: Visit): string[] =>
  (visit.cookie('seen') ?? '')
    .split('.')
    .filter((it) => idForm.test(it))
    .slice(0, maxSeen)

export const markSeen = (visit: Visit, productId: string): void =>
  visit.setCookie(
    'seen',
    [productId, ...seenIds(visit).filter((it) => it !== productId)].slice(0, maxSeen).join('.'),
    monthSeconds,
  )

/** Products that are no longer there are left out. */
export async function recentlyViewed(visit: Visit, besides?: string): Promise<Card[]> {
  const found = await Promise.allSettled(
    seenIds(visit)
      .filter((it) => it !== besides)
      .map((id) => visit.bozor.products.get({ product_id: id })),
  )
  return found.flatMap((it) => (it.status === 'fulfilled' ? [productCard(it.value.product)] : []))
}
