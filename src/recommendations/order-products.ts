// From what is known to products in an order: candidates, their features, the ranker. No I/O, no waiting.

import type { Ask, Source } from './ask.ts'
import type { About } from './about.ts'
import { unwelcome } from './engine/candidates.ts'
import { featuresOf } from './engine/features.ts'
import { orderOf } from './engine/fit-model.ts'
import type { Inquiry, Step } from './engine/inquiry.ts'
import type { Serving } from './model-keeper.ts'
import type { Trace } from './trace.ts'

export interface Ordered {
  productIds: number[]
  source: Source
}

/** So many are put in order by the ranker. */
export const candidateCount = 200
const dayMs = 86_400_000

export function orderProducts(
  serving: Serving | undefined,
  asked: Ask,
  given: { about: About; now: Date; isForSale: (productId: number) => boolean; trace: Trace | undefined },
): Ordered {
  if (!serving) return { productIds: [], source: 'recommendation_service' }
  const { model, placeOf, ranker, propose } = serving
  const { about, isForSale, trace } = given
  const inquiry = inquiryOf(serving, asked, { about, now: given.now })
  const out = unwelcome(model, inquiry)
  trace?.removed(productsAt(serving, out), (id) =>
    about.context.includes(id) ? 'on_the_page' : 'bought_lately',
  )
  for (const id of about.inCart) {
    const place = placeOf.get(id)
    if (place !== undefined) out.add(place)
  }
  trace?.removed([...about.inCart], () => 'in_the_cart')

  const idOf = model.items.productIds
  const candidates = propose(inquiry, {
    limit: candidateCount,
    out,
    isForSale: (item) => {
      const may = isForSale(idOf[item]!)
      if (!may) trace?.removed([idOf[item]!], () => 'not_for_sale')
      return may
    },
  })
  const isPersonal = inquiry.steps.length > 0 || inquiry.context.length > 0
  const isRanked = isPersonal && asked.group !== 'cf' && ranker !== undefined && candidates.items.length > 0
  const features = isRanked || trace ? featuresOf(model, inquiry, candidates) : undefined
  const scores = isRanked ? ranker.scores(features!) : undefined
  const order = orderOf(candidates.items, scores) ?? candidates.items
  trace?.proposed(serving, { candidates, features: features!, scores })
  return {
    productIds: Array.from(order, (item) => idOf[item]!),
    source: !isPersonal ? 'recommendation_service' : scores ? 'catboost' : 'collaborative_filtering',
  }
}

const productsAt = ({ model }: Serving, places: Iterable<number>): number[] =>
  [...places].map((place) => model.items.productIds[place]!)

/** What a buyer did with goods that the model does not know is passed over. */
function inquiryOf(
  { placeOf }: Serving,
  { layer }: Ask,
  { about, now }: { about: About; now: Date },
): Inquiry {
  const steps: Step[] = []
  for (let at = about.deeds.length - 1; at >= 0; at--) {
    const { productId, kind, at: then } = about.deeds[at]!
    const item = productId === null ? undefined : placeOf.get(productId)
    if (item !== undefined) steps.push({ item, kind, day: then.getTime() / dayMs })
  }
  const context = about.context.flatMap((it) => placeOf.get(it) ?? [])
  return {
    layer: context.length > 0 ? layer : 'main_page',
    steps,
    context,
    day: now.getTime() / dayMs,
  }
}
