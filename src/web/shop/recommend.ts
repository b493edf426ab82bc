// Recommendation lists of the web call, with the id under which clicks and additions are reported.

import { type Card, offerCards } from './cards.ts'
import type { Visit } from './visit.ts'

const application = 'WebAndMobile'

/** No list is better than no page: a failed call gives an empty list. */
export async function recommended(
  visit: Visit,
  layer: 'main_page' | 'offer_page' | 'cart_page',
  offerIds: string[] = [],
): Promise<Card[]> {
  let listId: string | undefined
  try {
    const { offers } = await visit.bozor.recommendations.forWebClient(
      {
        from_app: application,
        from_layer: layer,
        user_id: visit.visitorId,
        ...(offerIds.length > 0 && { offer_ids: offerIds }),
      },
      { onHeaders: (headers) => (listId = headers.get('X-Recommendation-Id') ?? undefined) },
    )
    return offerCards(offers, listId)
  } catch {
    return []
  }
}
