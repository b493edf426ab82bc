// Reports to the recommender what visitors do: views and clicks, which the page's script sends, and additions to the cart
// and the wishlist, with the list that recommended the offer.

import type { Reply } from '../storefront.ts'
import type { Visit } from '../visit.ts'

type Kind = 'view' | 'click' | 'cart' | 'wishlist'

const idForm = /^[1-9]\d{0,15}$/
const listForm = /^[0-9a-f-]{36}$/

/** The page must work when its report fails. */
export async function report(
  visit: Visit,
  kind: Kind,
  { offer, list }: { offer: string | undefined; list: string | undefined },
): Promise<void> {
  if (offer === undefined || !idForm.test(offer)) return
  const isListed = list !== undefined && listForm.test(list)
  try {
    await visit.bozor.interactions.report({
      interactions: [
        {
          user_id: visit.visitorId,
          offer_id: offer,
          kind,
          source: 'storefront',
          ...(isListed && { request_id: list }),
        },
      ],
    })
  } catch {
    // The visitor continues without it.
  }
}

export async function reportAction(visit: Visit): Promise<Reply> {
  const { kind, offer, list } = visit.form
  if (kind === 'view' || kind === 'click') await report(visit, kind, { offer, list })
  return { kind: 'json', value: {} }
}
