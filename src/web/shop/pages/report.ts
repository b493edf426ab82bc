// Reports to the recommender what visitors do: views and clicks, which the page's script sends, and additions to the cart
// and the wishlist, with the list that recommended the offer or the search that found it.

import type { Reply } from '../storefront.ts'
import type { Visit } from '../visit.ts'

type Kind = 'view' | 'click' | 'cart' | 'wishlist'

const idForm = /^[1-9]\d{0,15}$/
const listForm = /^[0-9a-f-]{36}$/

/** The page must work when its report fails. */
export async function report(
  visit: Visit,
  kind: Kind,
  { offer, list, search }: Record<'offer' | 'list' | 'search', string | undefined>,
): Promise<void> {
  if (offer === undefined || !idForm.test(offer)) return
  const isKnown = (id: string | undefined) => id !== undefined && listForm.test(id)
  try {
    await visit.bozor.interactions.report({
      interactions: [
        {
          user_id: visit.visitorId,
          offer_id: offer,
          kind,
          source: 'storefront',
          ...(isKnown(list) && { request_id: list! }),
          ...(isKnown(search) && { search_id: search! }),
        },
      ],
    })
  } catch {
    // The visitor continues without it.
  }
}

export async function reportAction(visit: Visit): Promise<Reply> {
  const { kind, offer, list, search } = visit.form
  if (kind === 'view' || kind === 'click') await report(visit, kind, { offer, list, search })
  return { kind: 'json', value: {} }
}
